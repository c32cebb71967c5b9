"""Match records of any supported format, one file or a whole folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from bgcore.codecs.mat import is_match_text, iter_mat, read_mat
from bgcore.codecs.match import Match
from bgcore.codecs.sgf import read_sgf
from bgcore.errors import BgcoreError, require

Record = str | bytes | os.PathLike[str]

SUFFIXES: Final = (".mat", ".sgf", ".txt")
_HEAD: Final = 1 << 16
"""A text that is a match record says so within this many bytes."""


def _head(record: Record) -> bytes:
    require(record, (str, bytes, os.PathLike), "a match record is named by its path")
    if isinstance(record, bytes):
        return record[:_HEAD]
    try:
        with Path(record).open("rb") as file:
            return file.read(_HEAD)
    except (OSError, ValueError):
        return b""  # whoever reads it says why it cannot be read


def _is_sgf(record: Record) -> bool:
    return _head(record).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"(;")


def is_record(record: Record) -> bool:
    """Whether a file, or the bytes of one, look like a match record, be it a damaged one."""
    return _is_sgf(record) or is_match_text(_head(record).decode("latin-1"))


def read_match(record: Record, *, strict: bool = True) -> Match:
    """Read a match record, whatever its format; see :func:`read_mat` and :func:`read_sgf`.

    The format is told from the content, not from the name.

    Parameters
    ----------
    record : path or bytes
        A file, or what is in one.
    strict : bool
        See :func:`read_mat`.

    Raises
    ------
    NotationError, UnsupportedError
        Naming the file, and the line where there is one.
    """
    return read_sgf(record, strict=strict) if _is_sgf(record) else read_mat(record, strict=strict)


def iter_matches(record: Record, *, strict: bool = True) -> Iterator[Match]:
    """Read the matches of a record one after the other; see :func:`read_match`. Memory holds one at a time."""
    if _is_sgf(record):
        yield read_sgf(record, strict=strict)
    else:
        yield from iter_mat(record, strict=strict)


class Found(NamedTuple):
    """The match records among some paths, and the text files beside them that are none."""

    records: list[Path]
    passed_over: list[Path]


def find_records(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Found:
    """Find the match records that some paths name.

    Parameters
    ----------
    paths : path or iterable of path
        Files, which are all taken for records, and folders, of which every ``.mat`` and ``.sgf`` file is one, and
        every ``.txt`` file that looks like one; in the order of their names.
    """
    found = Found([], [])
    for item in [paths] if isinstance(paths, str | os.PathLike) else paths:
        path = Path(item)
        if not path.is_dir():
            found.records.append(path)
            continue
        for file in sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()):
            is_taken = file.suffix.lower() != ".txt" or is_record(file)
            (found.records if is_taken else found.passed_over).append(file)
    return found


def iter_records(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, strict: bool = True
) -> Iterator[tuple[Path, Match | BgcoreError]]:
    """Read many records one after the other; a bad file is answered with its error, and the rest goes on.

    Parameters
    ----------
    paths : path or iterable of path
        Files and folders; see :func:`find_records`.
    strict : bool
        See :func:`read_mat`.

    Yields
    ------
    (Path, Match or BgcoreError)
        Memory holds one match at a time.
    """
    for path in find_records(paths).records:
        try:
            for match in iter_matches(path, strict=strict):
                yield path, match
        except BgcoreError as error:
            yield path, error
