"""A verdict on a terminal: the ruling in one line, how sure it is in the next, and the reasons."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from bgcore.cli._exit import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgcore.adjudication import Record, Value, Verdict
    from bgcore.adjudication.faults import Fault

CODES = {"rejected": Exit.REJECTED, "undecided": Exit.UNDECIDED}


def board_lines(record: Record) -> str:
    """Draw the board of a record with its colours for names."""
    from bgcore.render.board import text_board

    mover = record.on_roll or "white"
    other = "black" if mover == "white" else "white"
    status = None if record.on_roll else "before the opening roll"
    if record.pending is not None:
        offer = {"double": "doubles", "beaver": "beavers", "raccoon": "raccoons"}.get(record.pending.type, "resigns")
        status = f"{record.pending.by.capitalize()} {offer}"
    return text_board(
        record.position,
        dice=record.dice,
        cube=record.cube.seen_by(mover),
        score=None if record.match is None else record.match.seen_by(mover),
        names=(mover.capitalize(), other.capitalize()),
        status=status,
    )


def fault_lines(faults: tuple[Fault, ...], place: Callable[[str], str] = str) -> str:
    """Write faults one a line: code, place, what is wrong, what to do; ``place`` names a path in the reader's terms."""
    return "\n".join(
        f"{fault.code} {place(fault.path)}: {fault.message}" + (f"; {fault.hint}" if fault.hint else "")
        for fault in faults
    )


def ruling_lines(verdict: Verdict) -> str:
    """Write the ruling, its basis, and the reasons."""
    if verdict.status == "rejected":
        return "Rejected.\n" + fault_lines(verdict.errors)
    lines = [_ruling(verdict), "  " + " · ".join([*_basis(verdict), f"id {verdict.verdict_id[7:19]}"])]
    lines.append("  reasons: " + ", ".join(verdict.reasons))
    if verdict.warnings:
        lines.append("  warnings: " + ", ".join(verdict.warnings))
    return "\n".join(lines)


def _ruling(verdict: Verdict) -> str:
    if verdict.status == "refunded":
        return "Both stakes are returned."
    if verdict.status == "resume":
        return "Nothing is settled: the game goes on."
    if verdict.status == "undecided":
        return "Not decided: a person has to look at it."
    if verdict.shares is not None:
        prize = verdict.payouts
        line = f"White has {verdict.shares['white']} % of the match, Black {verdict.shares['black']} %."
        if prize is not None:
            money = f" {verdict.to_dict()['currency'] or ''}".rstrip()
            line += f" White is paid {prize['white']}{money}, Black {prize['black']}{money}."
        return line
    if verdict.transfer is None:
        return "Nobody pays: the game is worth nothing to either side."
    winner, loser = verdict.transfer["to"].capitalize(), verdict.transfer["from"].capitalize()
    currency = verdict.record.money.currency if verdict.record is not None and verdict.record.money else ""
    return f"{winner} wins {verdict.transfer['amount']} {currency}".rstrip() + f" from {loser}."


def _basis(verdict: Verdict) -> list[str]:
    parts = [verdict.basis]
    if verdict.value is not None:
        parts += value_parts(verdict.value)
    if verdict.interval_money is not None:
        low, high = verdict.interval_money
        parts.append(f"95 % between {low} and {high} for White")
    if verdict.certain:
        parts.append("certain")
    return parts


def value_parts(value: Value) -> list[str]:
    """Say what the position is worth to White, and how that is known."""
    parts = []
    if value.per_cube is None:
        parts.append(f"White's chance of the match {100 * float(value.number):.2f} %")
    else:
        is_rounded = isinstance(value.per_cube, Fraction) and 1000 % value.per_cube.denominator
        exact = f" ({value.per_cube})" if is_rounded else ""
        parts.append(f"equity for White {float(value.per_cube):+.3f}{exact} per cube × {value.cube}")
    if value.trials:
        parts.append(f"{value.trials} trials")
    if value.winning_rolls is not None:
        parts.append(f"{value.winning_rolls} of 36 rolls win")
    return parts
