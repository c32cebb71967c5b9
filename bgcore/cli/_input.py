"""Files and standard input, read so that whatever is in them ends in data or in a sentence that names them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._output import note
from bgcore.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgcore.codecs.match import Match

MATCH_SUFFIXES = (".mat", ".sgf", ".txt")


def name_of(path: str) -> str:
    """Name a file for a message; ``-`` is standard input."""
    return "standard input" if path == "-" else path


def read_json(path: str) -> Any:
    """Read one JSON document; NotationError names the file if it is empty or none."""
    with click.open_file(path, encoding="utf-8", errors="replace") as file:
        text = file.read().removeprefix("\ufeff")
    if not text.strip():
        raise NotationError(f"{name_of(path)} is empty: a JSON document is expected")
    return _parsed(text, name_of(path))


def json_lines(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a JSON object from each line, with its number; NotationError names the first that is none."""
    with click.open_file(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            place = f"{name_of(path)}, line {number}"
            document = _parsed(line.removeprefix("\ufeff"), place)
            if not isinstance(document, dict):
                raise NotationError(f"{place} is no JSON object")
            yield number, document


def is_match_file(path: str) -> bool:
    """Whether an argument names a match record and not a position or a JSON file."""
    return path.lower().endswith(MATCH_SUFFIXES)


def read_record(path: str) -> Match:
    """Read a match record, and report everything irregular in it on standard error."""
    from bgcore.codecs.records import read_match

    with Path(path).open("rb"):
        pass  # a missing file or a folder is named as such, before the reader looks for matches in it
    match = read_match(path, strict=False)
    report_irregular(match, path)
    return match


def report_irregular(match: Match, path: str) -> None:
    """Say on standard error what a record holds that is irregular, with its lines."""
    for oddity in (*match.irregularities, *(item for game in match.games for item in game.irregularities)):
        note(f"{path}, line {oddity.line}: {oddity.message}")


def _parsed(text: str, place: str) -> Any:
    from bgcore.adjudication.document import parse_document

    try:
        return parse_document(text)
    except ValueError as error:
        raise NotationError(f"{place} is not JSON: {error}") from None
