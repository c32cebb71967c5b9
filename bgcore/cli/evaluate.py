"""``bgcore evaluate``: the chances of a position, before the roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bgcore.cli._chances import HEAD, chances, chances_body
from bgcore.cli._command import Command
from bgcore.cli._options import board_option, json_option, plies_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture
from bgcore.errors import RulesError

if TYPE_CHECKING:
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation


@click.command(
    cls=Command,
    examples=(
        "bgcore evaluate start",
        "bgcore evaluate 4HPwATDgc/ABMA --plies 1 --json",
        "bgcore evaluate - --no-board < positions.txt",
    ),
)
@position_argument
@plies_option
@board_option
@json_option
def command(position: str, plies: int, has_board: bool, is_json: bool) -> Exit:
    """Estimate the chances of a position.

    The chances of the side to move before its roll, and its equity in points without the cube. For what the cube adds
    see bgcore cube; for the best play of a roll, bgcore plays. POSITION is any identifier, or - for one on each line of
    standard input.
    """

    def answer(situation: Situation) -> Answer:
        from bgcore.evaluate import Evaluator

        if situation.dice is not None:
            raise RulesError("the dice are thrown here: bgcore plays weighs the plays of a roll")
        evaluator = Evaluator.default()
        found = evaluator.evaluate(situation.position, plies)
        body = {
            "position_id": situation.position_id,
            "plies": plies,
            "equity": found.equity,
            "probabilities": chances_body(found.as_tuple()),
            "basis": found.basis,
            "weights": evaluator.digest,
        }
        parts = [picture(situation), ""] if has_board else []
        row = [f"{found.equity:+.4f}", *chances(found.as_tuple())]
        parts += [table(("equity", *HEAD), [row], "r" * 6), f"{found.basis}, {plies}-ply, cubeless"]
        return Answer("evaluation", body, "\n".join(parts))

    return answer_each(position, is_json, answer)
