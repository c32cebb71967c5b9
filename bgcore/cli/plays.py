"""``bgcore plays``: every legal play of a roll."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._chances import HEAD, chances, chances_body
from bgcore.cli._command import Command
from bgcore.cli._options import board_option, json_option, plies_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture, read_roll
from bgcore.errors import DiceError

if TYPE_CHECKING:
    from bgcore._core import Play
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation
    from bgcore.evaluate import Probabilities

    Weighed = tuple[Play, Probabilities | None]


CANDIDATES = 8  # plays that are looked at again with more plies


@click.command(
    cls=Command,
    examples=(
        "bgcore plays start 31",
        "bgcore plays 4HPwATDgc/ABMA 6-5 --plies 1 --json",
        "bgcore plays - 66 < positions.txt",
    ),
)
@position_argument
@click.argument("roll", required=False)
@plies_option
@click.option("--top", type=click.IntRange(1), metavar="N", help="Print the best N plays only.")
@click.option("--plain", is_flag=True, help="List the plays without weighing them.")
@board_option
@json_option
def command(
    position: str, roll: str | None, plies: int, top: int | None, plain: bool, has_board: bool, is_json: bool
) -> Exit:
    """List the legal plays of a roll.

    One play for each position that the roll can lead to, the best first: by equity in points without the cube. With
    --plies the best eight are weighed again, further ahead. POSITION is any identifier, or - for one on each line of
    standard input; ROLL can be left out where the identifier says it.
    """
    given_roll = read_roll(roll)

    def answer(situation: Situation) -> Answer:
        from bgcore._core import legal_plays

        dice = given_roll or situation.dice
        if dice is None:
            raise DiceError("no roll: give one after the position, such as 31")
        situation = replace(situation, dice=dice, pending=None, pending_by=None, resign_level=0)
        plays = legal_plays(situation.position, dice)
        weighed: list[Weighed] = [(play, None) for play in plays] if plain else _weighed(plays, plies)
        shown = weighed[:top]
        body: dict[str, Any] = {
            "position_id": situation.position_id,
            "dice": list(dice),
            "legal_plays": len(plays),
            "plies": None if plain else plies,
            "plays": [_play_body(play, chance) for play, chance in shown],
        }
        count = f"{len(plays)} legal play{'s' if len(plays) != 1 else ''}" if plays else "no legal play"
        parts = [picture(situation), ""] if has_board else []
        parts.append(f"{dice[0]}-{dice[1]}: {count}")
        if plays:
            parts.append(_table(shown))
        return Answer("plays", body, "\n".join(parts))

    return answer_each(position, is_json, answer)


def _weighed(plays: list[Play], plies: int) -> list[Weighed]:
    """Sort plays by equity; the best ones by the deeper look. Equal plays keep the order of the generator."""
    from bgcore.evaluate import evaluate

    def equity(pair: tuple[Play, Probabilities]) -> float:
        return -pair[1].equity

    pairs = sorted(((play, evaluate(play.result.flip()).flip()) for play in plays), key=equity)
    if plies:
        again = [(play, evaluate(play.result.flip(), plies).flip()) for play, _ in pairs[:CANDIDATES]]
        pairs = sorted(again, key=equity) + pairs[CANDIDATES:]
    return list(pairs)


def _play_body(play: Play, chance: Probabilities | None) -> dict[str, Any]:
    body: dict[str, Any] = {"play": str(play), "position_id": play.result.position_id}
    if chance is not None:
        body |= {"equity": chance.equity, "probabilities": chances_body(chance.as_tuple())}
    return body


def _table(shown: list[Weighed]) -> str:
    if shown[0][1] is None:
        return table(("", "play"), [[str(number), str(play)] for number, (play, _) in enumerate(shown, 1)], "r")
    best = shown[0][1].equity
    rows = []
    for number, (play, chance) in enumerate(shown, 1):
        assert chance is not None  # all are weighed or none
        loss = "" if number == 1 else f"{chance.equity - best:+.4f}"
        rows.append([str(number), str(play), f"{chance.equity:+.4f}", loss, *chances(chance.as_tuple())])
    return table(("", "play", "equity", "", *HEAD), rows, "r rrrrrrr")
