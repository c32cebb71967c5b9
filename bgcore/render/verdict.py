"""The page of a verdict: one self-contained file for a player, the support desk or an auditor."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from bgcore.render import page
from bgcore.render.board import svg_board
from bgcore.render.chart import convergence_svg
from bgcore.render.words import board_words, circumstance, page_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgcore.adjudication import Record, Verdict
    from bgcore.render.board import Colour
    from bgcore.render.words import PageWords

NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Told:
    """A section of the explanation: a heading, sentences, and perhaps a table.

    Parameters
    ----------
    title : str
    sentences : sequence of str
    head, rows : sequences of str
        A table below the sentences; without rows there is none.
    has_board : bool
        Whether it is about the position, so that the boards are drawn in it.
    """

    title: str
    sentences: Sequence[str]
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    has_board: bool = False


def verdict_page(
    verdict: Verdict,
    lead: str = "",
    sections: Sequence[Told] = (),
    *,
    lang: str = "en",
    names: tuple[str, str] | None = None,
) -> str:
    """Write a verdict as an HTML page that loads nothing and runs nothing.

    Parameters
    ----------
    verdict : Verdict
        Of any status.
    lead : str
        The ruling in one sentence, for the top of the page.
    sections : sequence of Told
        The explanation, in the language. Those with a table are details and stand behind what the page draws.
    lang : {"en", "fr", "de"}
        The language of the headings and of the boards.
    names : (str, str), optional
        White and Black; by default those of the record's ``meta.names``, else the colours.

    Returns
    -------
    str
        With the board from both seats, the money before and after, how the rollout settled, what would have
        changed the ruling, and how to compute it again, as far as each applies.

    Raises
    ------
    UnsupportedError
        For another language.
    """
    words = page_words(lang)
    who = names or _names(verdict.record, words)
    title = words.title
    if verdict.case_id is not None:
        title += f"{words.colon} {words.case.format(case=verdict.case_id)}"
    body = [page.paragraphs([lead], "lead")] if lead else []
    if verdict.record is not None and not any(told.has_board for told in sections):
        body.append(page.section(words.board, _boards(verdict.record, who, lang)))
    for told in sections:
        if not told.rows:
            drawn = [_boards(verdict.record, who, lang)] if told.has_board and verdict.record is not None else []
            body.append(page.section(told.title, *drawn, page.paragraphs(told.sentences)))
    if verdict.errors and not sections:
        faults = [[fault.code, fault.path, fault.message, fault.hint] for fault in verdict.errors]
        body.append(page.section(words.rejected, page.table(("", "", "", ""), faults)))
    for heading, part in (
        (words.money, _money(verdict, who, words)),
        (words.convergence, _convergence(verdict, words)),
        (words.sensitivity, _sensitivity(verdict, who, words, lang)),
    ):
        if part:
            body.append(page.section(heading, part))
    if verdict.reasons:
        body.append(page.section(words.reasons, page.paragraphs([", ".join(verdict.reasons)])))
    for told in sections:
        if told.rows:
            body.append(page.section(told.title, page.paragraphs(told.sentences), page.table(told.head, told.rows)))
    if verdict.record is not None:
        command = page.code("bgcore adjudicate verify verdict.json")
        body.append(page.section(words.again, page.paragraphs([words.again_text]), command))
    return page.page(title, body, lang=lang, footer=verdict.verdict_id)


def _names(record: Record | None, words: PageWords) -> tuple[str, str]:
    given = (record.meta or {}).get("names") if record is not None else None
    if not isinstance(given, dict):
        given = {}
    return str(given.get("white") or words.white), str(given.get("black") or words.black)


def _boards(record: Record, who: tuple[str, str], lang: str) -> str:
    """Draw the board from White's seat and from Black's, side by side where there is room."""
    mover: Colour = record.on_roll or "white"
    is_white = mover == "white"
    texts, words = board_words(lang), page_words(lang)
    status = None
    if record.pending is not None and record.pending.type == "double":
        status = texts.doubles.format(name=who[record.pending.by == "black"])
    drawn = []
    for colour, name in (("white", who[0]), ("black", who[1])):
        board = svg_board(
            record.position,
            dice=record.dice,
            cube=record.cube.seen_by(mover),
            score=None if record.match is None else record.match.seen_by(mover),
            seat="mine" if colour == mover else "theirs",
            names=who if is_white else who[::-1],
            colours=("white", "black") if is_white else ("black", "white"),
            status=status,
            words=texts,
        )
        drawn.append(page.figure(board, words.seat.format(name=name)))
    return f'<div class="boards">{"".join(drawn)}</div>'


def _money(verdict: Verdict, who: tuple[str, str], words: PageWords) -> str:
    """List the accounts before and after; without an escrow, what changes hands."""
    paid = verdict.payouts
    if paid is None:
        return ""
    currency = verdict.to_dict()["currency"] or ""
    accounts = [(who[0], "white"), (who[1], "black"), (words.site, "site")]
    rows = []
    for name, key in accounts:
        if key not in paid:
            continue
        row = [name]
        if "escrow_each" in paid:
            before = Decimal(paid["escrow_each"]) if key != "site" else Decimal(0)
            change = Decimal(paid[key]) - before
            row += [_local(f"{before:f}", words) if key != "site" else "", _local(paid[key], words)]
            row.append(_local(f"{change:+f}", words))
        else:
            row.append(_local(paid[key], words))
        rows.append(row)
    titles = [words.before, words.after, words.change] if "escrow_each" in paid else [words.after]
    head = [words.account, *(f"{title} {currency}".strip() for title in titles)]
    parts = [page.table(head, rows, (1, 2, 3))]
    if verdict.shares is not None:
        shares = verdict.shares
        parts.append(
            page.table(
                (words.account, words.share),
                [
                    [name, _local(f"{shares[side]} %", words)]
                    for name, side in zip(who, ("white", "black"), strict=True)
                ],
                (1,),
            )
        )
    return "\n".join(parts)


def _convergence(verdict: Verdict, words: PageWords) -> str:
    """Draw the interval of the value, seen by White, at every checkpoint of the rollout."""
    if verdict.value is None:
        return ""
    points = []
    for shown in verdict.value.rollouts:
        for trials, low, high in shown.get("history", ()):
            middle, half = (float(low) + float(high)) / 2, (float(high) - float(low)) / 2
            points.append((int(trials), middle, half / NORMAL_95))
    if not points:
        return ""
    drawn = convergence_svg(points, title=words.convergence, across=words.trials, decimal_mark=words.decimal_mark)
    return page.figure(drawn, "")


def _sensitivity(verdict: Verdict, who: tuple[str, str], words: PageWords, lang: str) -> str:
    """List what the game would be worth to White if what is open went one way or the other."""
    if not verdict.sensitivity or verdict.number is None:
        return ""
    shown = {words.settled_as: verdict.number}
    shown |= {circumstance(name, lang): number for name, number in verdict.sensitivity.items()}
    rows = [[name, _local(_number(number, is_share=verdict.is_match), words)] for name, number in shown.items()]
    return page.table((words.circumstance, words.worth.format(name=who[0])), rows, (1,))


def _local(number: str, words: PageWords) -> str:
    """Write a number with the decimal mark of the language."""
    return number.replace(".", words.decimal_mark)


def _number(number: Fraction | float, *, is_share: bool) -> str:
    return f"{100 * float(number):.2f} %" if is_share else f"{float(number):+.3f}"
