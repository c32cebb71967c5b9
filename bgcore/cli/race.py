"""``bgcore race``: pip counts, and the formulas that players judge a race by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bgcore.cli._chances import percent
from bgcore.cli._command import Command
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture

if TYPE_CHECKING:
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation
    from bgcore.race import Race


@click.command(
    cls=Command,
    examples=(
        "bgcore race 2+4AAAC+dwAAAA",
        "bgcore race - --no-board --json < positions.txt",
    ),
)
@position_argument
@board_option
@json_option
def command(position: str, has_board: bool, is_json: bool) -> Exit:
    """Count a race and judge its double.

    Pip counts, effective pip counts and wastage, the chance to win, and what each formula says of a double for money.
    POSITION is any identifier, or - for one on each line of standard input.
    """

    def answer(situation: Situation) -> Answer:
        from bgcore.race import race

        found = race(situation.position)
        parts = [picture(situation), ""] if has_board else []
        body = {"position_id": situation.position_id, **found.to_dict()}
        return Answer("race", body, "\n".join([*parts, _text(found)]))

    return answer_each(position, is_json, answer)


def _text(found: Race) -> str:
    rows = []
    for name, side in (("X", found.mine), ("O", found.theirs)):
        known = side.mean_rolls, side.epc, side.wastage
        cells = ["" if number is None else f"{number:.2f}" for number in known]
        rows.append([name, str(side.pips), str(side.checkers), str(side.crossovers), *cells])
    counts = table(("", "pips", "checkers", "crossovers", "mean rolls", "EPC", "wastage"), rows, " rrrrrr")
    lead = f"X {'leads' if found.lead >= 0 else 'trails'} by {abs(found.lead)} ({float(found.lead_percent):+.1f} %)"
    judged = []
    for verdict in found.verdicts:
        win = "" if verdict.win is None else percent(verdict.win)
        name = f"{verdict.name} ({verdict.source})"
        judged.append([name, f"{float(verdict.mine):.2f}", f"{float(verdict.theirs):.2f}", win, verdict.words])
    formulas = table(("formula", "X", "O", "wins", "verdict"), judged, " rrr")
    return "\n".join([counts, "", f"{lead}; X wins {percent(found.win)} ({found.basis})", "", formulas])
