"""Files and standard input, read so that whatever is in them ends in data or in a sentence that names them."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._output import note
from bgcore.errors import BgcoreError, NotationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bgcore.codecs.match import Match

MATCH_SUFFIXES = (".mat", ".sgf", ".txt")


def name_of(path: str) -> str:
    """Name a file for a message; ``-`` is standard input."""
    return "standard input" if path == "-" else path


def standard_input() -> bytes:
    """Read all of standard input."""
    stream = sys.stdin
    return stream.buffer.read() if isinstance(stream, io.TextIOWrapper) else stream.read().encode()


def read_json(path: str) -> Any:
    """Read one JSON document; NotationError names the file if it is empty or none."""
    raw = standard_input() if path == "-" else Path(path).read_bytes()
    return _document(raw, name_of(path))


def _document(raw: bytes, name: str) -> Any:
    text = raw.decode("utf-8-sig", errors="replace")
    if not text.strip():
        raise NotationError(f"{name} is empty: a JSON document is expected")
    return _parsed(text, name)


def read_match_or_json(path: str) -> Match | Any:
    """Read a match record, told by its name or, from standard input, by its content; anything else as JSON."""
    if path != "-":
        return read_record(path) if is_match_file(path) else read_json(path)
    from bgcore.codecs.records import is_record

    raw = standard_input()
    return _match_of(raw, path) if is_record(raw) else _document(raw, name_of(path))


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
    if path == "-":
        return _match_of(standard_input(), path)
    with Path(path).open("rb"):
        pass  # a missing file or a folder is named as such, before the reader looks for matches in it
    return _match_of(path, path)


def _match_of(record: str | bytes, path: str) -> Match:
    from bgcore.codecs.records import read_match

    try:
        match = read_match(record, strict=False)
    except BgcoreError as error:
        raise type(error)(f"{name_of(path)}: {without_name(str(error), path)}") from None
    report_irregular(match, name_of(path))
    return match


def without_name(message: str, path: str) -> str:
    """Take the file's name off a message that begins with it, to say it once."""
    return message.removeprefix(path).lstrip(": ,")


def report_irregular(match: Match, name: str) -> None:
    """Say on standard error what a record holds that is irregular, with its lines."""
    for oddity in match.irregularities:
        note(f"{name}, line {oddity.line}: {oddity.message}")


def _parsed(text: str, place: str) -> Any:
    from bgcore.adjudication.document import parse_document

    try:
        return parse_document(text)
    except ValueError as error:
        raise NotationError(f"{place} is not JSON: {error}") from None
