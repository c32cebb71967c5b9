"""``bgcore bearoff probe``: what the tables say of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._chances import percent
from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import board_option, json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each, picture
from bgcore.errors import RulesError, UnsupportedError

if TYPE_CHECKING:
    from bgcore.bearoff import OneSided, TwoSided
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation


@click.command(
    cls=Command,
    examples=(
        "bgcore bearoff probe DwAA4AEAAAAAAA",
        "bgcore bearoff probe DwAA4AEAAAAAAA --cube 2:mine --json",
        "bgcore bearoff probe fwAAAH8AAAAAAA --table 6x8.bearoff",
    ),
)
@position_argument
@click.option(
    "--table",
    "files",
    metavar="FILE",
    multiple=True,
    help="A table of bgcore bearoff build, in place of the usual one.",
)
@context_options()
@board_option
@json_option
def command(position: str, files: tuple[str, ...], changes: Changes, has_board: bool, is_json: bool) -> Exit:
    """Look a bear-off position up.

    How many rolls each side needs, and where both have few checkers left, the exact values for money with the cube
    (those of a match are in bgcore cube). The usual tables hold 15 checkers on 6 points, and 6 a side for the exact
    values. POSITION is any identifier, or - for one on each line of standard input.
    """
    from bgcore import bearoff

    tables = bearoff.default()
    for file in files:
        opened = bearoff.open_table(file)
        if isinstance(opened, bearoff.OneSidedTable):
            tables = bearoff.Tables(opened, tables.two)
        else:
            tables = bearoff.Tables(tables.one, opened)

    def answer(given: Situation) -> Answer:
        situation = changes.apply(given)
        if situation.position.outcome:
            raise RulesError("the game is over")
        if changes.dice is not None:
            raise RulesError("the tables hold positions before a roll: leave --dice out")
        one = tables.one_sided(situation.position)
        try:
            two = tables.two_sided(situation.position, situation.cube)
        except UnsupportedError:
            two = None
        parts = [picture(situation), ""] if has_board else []
        # In a match the cube is worth something else.
        names = MONEY if situation.score is None else MONEY[:2]
        body = {"position_id": situation.position_id, **_body(one, two, names)}
        return Answer("bearoff-probe", body, "\n".join([*parts, _text(one, two, names)]))

    return answer_each(position, is_json, answer)


MONEY = ("win", "cubeless", "no_double", "double_take", "double_pass", "value")


def _body(one: OneSided, two: TwoSided | None, names: tuple[str, ...]) -> dict[str, Any]:
    sides = {
        name: {
            "pips": side.pips,
            "mean_rolls": side.all_off.mean,
            "fewest_rolls": side.all_off.fewest,
            "most_rolls": side.all_off.most,
            "epc": side.epc,
            "wastage": side.wastage,
            "chances": side.all_off.chances,
        }
        for name, side in (("mine", one.mine), ("theirs", one.theirs))
    }
    exact = None
    if two is not None:
        exact = {name: getattr(two, name) if name in names else None for name in MONEY} | {"error": two.error}
    return {**sides, "one_sided_win": one.win, "two_sided": exact}


def _text(one: OneSided, two: TwoSided | None, names: tuple[str, ...]) -> str:
    rows = []
    for name, side in (("X", one.mine), ("O", one.theirs)):
        rolls = side.all_off
        spread = f"{rolls.fewest} to {rolls.most}"
        rows.append([name, str(side.pips), f"{rolls.mean:.3f}", spread, f"{side.epc:.2f}", f"{side.wastage:.2f}"])
    parts = [table(("", "pips", "mean rolls", "rolls", "EPC", "wastage"), rows, " rrrrr"), ""]
    if two is None:
        parts.append(f"one-sided: X wins {percent(one.win)} (an estimate; the exact table holds fewer checkers)")
        return "\n".join(parts)
    parts.append(f"exact: X wins {100 * two.win:.4f} % without the cube")
    values = [(name.replace("_", " "), getattr(two, name)) for name in names[1:]]
    parts.append(table(("", "equity"), [[name, f"{value:+.6f}"] for name, value in values if value is not None], " r"))
    if names != MONEY:
        parts.append("the table knows the cube of money games only: for a match see bgcore cube")
    return "\n".join(parts)
