"""A story as plain text, as Markdown, or as an HTML page."""

import re
import textwrap
from collections.abc import Callable
from typing import Final

from bgcore.adjudication.explain.story import Story, Table
from bgcore.adjudication.record import OTHER
from bgcore.adjudication.verdict import Verdict

WIDTH: Final = 88
_MARK_OF_A_LINE: Final = re.compile(r"^(\d{0,9})([-+=.)])(?=\s|$)")


def as_text(verdict: Verdict, story: Story) -> str:
    """Lay a story out as plain text, with the board in ASCII."""
    parts = [story.title, "=" * len(story.title), "", story.lead]
    for section in story.sections:
        parts += ["", section.title, "-" * len(section.title)]
        if section.has_board and verdict.record is not None:
            parts += [_text_board(verdict, story), ""]
        parts += [textwrap.fill(sentence, WIDTH) for sentence in section.sentences]
        if section.table is not None:
            parts += _columns(section.table)
        if section.code:
            parts.append("    " + section.code)
    return "\n".join(parts) + "\n"


def as_markdown(verdict: Verdict, story: Story) -> str:
    """Lay a story out as Markdown, with the board in ASCII."""
    parts = [f"# {_escaped(story.title)}", "", f"**{_escaped(story.lead)}**"]
    for section in story.sections:
        parts += ["", f"## {section.title}", ""]
        if section.has_board and verdict.record is not None:
            parts += ["```", _text_board(verdict, story), "```", ""]
        parts += [_escaped(sentence) for sentence in section.sentences]
        if section.table is not None:
            parts += ["", *_pipes(section.table)]
        if section.code:
            parts += ["", f"    {section.code}"]
    return "\n".join(parts) + "\n"


def as_html(verdict: Verdict, story: Story) -> str:
    """Lay a story out as one HTML page that loads nothing: the story, and what the page draws of the verdict itself."""
    from bgcore.render.verdict import Told, verdict_page

    told = []
    for section in story.sections:
        if section.is_drawn:
            continue
        head, rows = ((), ()) if section.table is None else (section.table.head, section.table.rows)
        told.append(Told(section.title, section.sentences, head, rows, section.has_board))
    names = (story.names["white"], story.names["black"])
    return verdict_page(verdict, story.lead, told, lang=story.lang, names=names)


FORMATS: Final[dict[str, Callable[[Verdict, Story], str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "html": as_html,
}


def _text_board(verdict: Verdict, story: Story) -> str:
    from bgcore.render.board import text_board
    from bgcore.render.words import board_words

    record = verdict.record
    assert record is not None
    mover = record.on_roll or "white"
    return text_board(
        record.position,
        dice=record.dice,
        cube=record.cube.seen_by(mover),
        score=None if record.match is None else record.match.seen_by(mover),
        names=(story.names[mover], story.names[OTHER[mover]]),
        status=_status(story),
        words=board_words(story.lang),
    )


def _status(story: Story) -> str:
    """Return the first sentence about the position, as a caption inside the picture."""
    return next(section.sentences[0] for section in story.sections if section.has_board)


def _columns(table: Table) -> list[str]:
    """Lay a table out in columns of equal width."""
    rows = [row for row in (table.head, *table.rows) if any(row)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.head))]
    return [
        "  ".join(
            cell.rjust(width) if column in table.numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _pipes(table: Table) -> list[str]:
    head, *rows = ["| " + " | ".join(map(_escaped, row)) + " |" for row in (table.head, *table.rows)]
    rule = ("--:" if column in table.numbers else "---" for column in range(len(table.head)))
    return [head, "| " + " | ".join(rule) + " |", *rows]


def _escaped(words: str) -> str:
    """Escape what Markdown would read as markup in names and values; what comes from outside may begin a line, too."""
    escaped = "".join("\\" + mark if mark in "\\`*_{}[]<>|#~&" else mark for mark in " ".join(words.split()))
    return _MARK_OF_A_LINE.sub(r"\1\\\2", escaped)
