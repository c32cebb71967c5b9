"""``bgcore plays``: every legal play of a roll."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture, read_roll
from bgcore.errors import DiceError

if TYPE_CHECKING:
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation


@click.command(
    cls=Command,
    examples=(
        "bgcore plays start 31",
        "bgcore plays 4HPwATDgc/ABMA 6-5 --json",
        "bgcore plays - 66 < positions.txt",
    ),
)
@position_argument
@click.argument("roll", required=False)
@board_option
@json_option
def command(position: str, roll: str | None, has_board: bool, is_json: bool) -> Exit:
    """List the legal plays of a roll.

    One play for each position that the roll can lead to. POSITION is any identifier, or - for one on each line of
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
        body = {
            "position_id": situation.position_id,
            "dice": list(dice),
            "plays": [{"play": str(play), "position_id": play.result.position_id} for play in plays],
        }
        rows = [[str(number), str(play)] for number, play in enumerate(plays, 1)]
        count = f"{len(plays)} legal play{'s' if len(plays) != 1 else ''}" if plays else "no legal play"
        parts = [picture(situation), ""] if has_board else []
        parts.append(f"{dice[0]}-{dice[1]}: {count}")
        if rows:
            parts.append(table(("", "play"), rows, "r"))
        return Answer("plays", body, "\n".join(parts))

    return answer_each(position, is_json, answer)
