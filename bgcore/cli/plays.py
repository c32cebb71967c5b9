"""``bgcore plays``: every legal play of a roll."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._chances import HEAD, chances, chances_body
from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture, read_roll
from bgcore.cli._stakes import in_force, stakes_of
from bgcore.errors import DiceError, RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgcore._core import Play
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation
    from bgcore.search import RankedPlay


@click.command(
    cls=Command,
    examples=(
        "bgcore plays start 31",
        "bgcore plays 4HPwATDgc/ABMA 6-5 --plies 2 --json",
        "bgcore plays start 62 --match 5 --score 4-2 --crawford",
        "bgcore plays - 66 < positions.txt",
    ),
)
@position_argument
@click.argument("roll", required=False)
@click.option(
    "--plies", type=click.IntRange(0, 3), default=0, show_default=True, help="Rolls to look ahead after the play."
)
@click.option("--top", type=click.IntRange(1), metavar="N", help="Print the best N plays only.")
@click.option("--plain", is_flag=True, help="List the plays without weighing them.")
@context_options("met")
@board_option
@json_option
def command(
    position: str,
    roll: str | None,
    plies: int,
    top: int | None,
    plain: bool,
    changes: Changes,
    has_board: bool,
    is_json: bool,
) -> Exit:
    """List the legal plays of a roll.

    One play for each position that the roll can lead to, the best first: by equity in points, in a match by the chance
    to win it, in both without further use of the cube. With --plies the likely ones are looked into further ahead.
    POSITION is any identifier, or - for one on each line of standard input; ROLL can be left out where the identifier
    says it.
    """
    if plain and changes.met is not None:
        raise RulesError("--met does not go with --plain, which weighs nothing")
    given_roll = read_roll(roll)

    def answer(given: Situation) -> Answer:
        from bgcore._core import legal_plays
        from bgcore.search import rank_plays

        situation = changes.apply(given)
        dice = given_roll or situation.dice
        if dice is None:
            raise DiceError("no roll: give one after the position, such as 31")
        situation = replace(situation, dice=dice, pending=None, pending_by=None, resign_level=0)
        plays = legal_plays(situation.position, dice)
        stakes = stakes_of(situation, changes) if situation.score is not None else None
        ranked = () if plain else rank_plays(situation.position, dice, plies, stakes=stakes)
        body: dict[str, Any] = {
            "position_id": situation.position_id,
            "dice": list(dice),
            "legal_plays": len(plays),
            "plies": None if plain else plies,
            "unit": "points" if stakes is None else "mwc",
            "met": None if stakes is None else in_force(situation, changes)["met"],
            "plays": [_named(play) for play in plays[:top]] if plain else [_weighed(one) for one in ranked[:top]],
        }
        count = f"{len(plays)} legal play{'s' if len(plays) != 1 else ''}" if plays else "no legal play"
        parts = [picture(situation), ""] if has_board else []
        parts.append(f"{dice[0]}-{dice[1]}: {count}")
        if plays and plain:
            rows = [[str(number), str(play)] for number, play in enumerate(plays[:top], 1)]
            parts.append(table(("", "play"), rows, "r"))
        elif plays:
            parts.append(_table(ranked[:top], is_match=stakes is not None))
        return Answer("plays", body, "\n".join(parts))

    return answer_each(position, is_json, answer)


def _named(play: Play) -> dict[str, Any]:
    return {"play": str(play), "position_id": play.result.position_id}


def _weighed(one: RankedPlay) -> dict[str, Any]:
    chances = one.probabilities
    worth = {"plies": one.plies, "worth": one.worth, "equity": chances.equity}
    return {**_named(one.play), **worth, "probabilities": chances_body(chances.as_tuple())}


def _table(shown: Sequence[RankedPlay], *, is_match: bool) -> str:
    """List plays with what they are worth; a play not looked at as deeply as the best says so."""
    best = shown[0]
    rows = []
    for number, one in enumerate(shown, 1):
        worth = f"{100 * one.worth:.2f} %" if is_match else f"{one.worth:+.4f}"
        behind = one.worth - best.worth
        loss = "" if number == 1 else f"{100 * behind:+.2f}" if is_match else f"{behind:+.4f}"
        ply = f"{one.plies}-ply"
        rows.append([str(number), str(one.play), worth, loss, ply, *chances(one.probabilities.as_tuple())])
    return table(("", "play", "match" if is_match else "equity", "", "", *HEAD), rows, "r rrrrrrrr")
