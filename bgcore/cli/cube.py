"""``bgcore cube``: to double or not, to take or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bgcore.cli._chances import HEAD, chances, percent
from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture
from bgcore.cli._stakes import in_force, stakes_of
from bgcore.errors import RulesError

if TYPE_CHECKING:
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation
    from bgcore.cube import CubeAction


@click.command(
    cls=Command,
    examples=(
        "bgcore cube 4HPwATDgc/ABMA --cube 2:mine",
        "bgcore cube 4HPwATDgc/ABMA --match 5 --score 3-1 --plies 1",
        "bgcore cube 4HPwATDgc/ABMA --cube 2:mine --cap 7/2 --cube-limit 8",
        "bgcore cube - --no-board --json < positions.txt",
    ),
)
@position_argument
@click.option(
    "--plies",
    type=click.IntRange(0, 3),
    default=0,
    show_default=True,
    help="Rolls to look ahead; 0 is the static model.",
)
@context_options("raccoons", "cube_limit", "cap", "met")
@board_option
@json_option
def command(position: str, plies: int, changes: Changes, has_board: bool, is_json: bool) -> Exit:
    """Weigh a double and the answers to it.

    For the side to move, before its roll. Equities are in points per unit of cube; in a match they are normalised, and
    the chances to win the match stand beside them. POSITION is any identifier, or - for one on each line of standard
    input.
    """

    def answer(given: Situation) -> Answer:
        from bgcore.cube import cube_action

        situation = changes.apply(given)
        if situation.dice is not None:
            raise RulesError("the dice are thrown here, so the cube stays where it is: leave them out")
        found = cube_action(situation.position, None, stakes_of(situation, changes), plies=plies)
        rules = in_force(situation, changes)
        body = {"position_id": situation.position_id, "plies": plies, "rules": rules, **found.to_dict()}
        parts = [picture(situation), ""] if has_board else []
        return Answer("cube", body, "\n".join([*parts, _text(found)]))

    return answer_each(position, is_json, answer)


def _text(found: CubeAction) -> str:
    is_match = found.mwc is not None
    rows = []
    for name, equity, mwc in (
        ("no double", found.no_double, found.mwc_no_double),
        ("double, take", found.double_take, found.mwc_double_take),
        ("double, pass", found.double_pass, found.mwc_double_pass),
        ("double, beaver", found.double_beaver, None),
    ):
        if equity is not None:
            loss = f"{equity - found.value:+.4f}" if equity != found.value else ""
            rows.append([name, f"{equity:+.4f}", loss, *([percent(mwc) if mwc is not None else ""] * is_match)])
    parts = [f"{found.action} ({found.basis})"]
    parts.append(table(("", "equity", "", *(["match"] * is_match)), rows, " rrr"))
    if found.probabilities is not None:
        six = found.probabilities
        five = (sum(six[:3]), six[1] + six[2], six[2], six[4] + six[5], six[5])
        parts += ["", table(HEAD, [chances(five)], "rrrrr")]
    if found.window is not None:
        window = found.window
        parts += [
            "",
            f"take point {percent(window.take_point)}, double from {percent(window.double_point)}, "
            f"cash from {percent(window.cash_point)}",
        ]
    return "\n".join(parts)
