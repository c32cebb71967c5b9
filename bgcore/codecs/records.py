"""Match records of any supported format, one file or a whole folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from bgcore.codecs.mat import iter_mat, read_mat
from bgcore.codecs.match import Match
from bgcore.codecs.sgf import read_sgf
from bgcore.errors import BgcoreError, require

SUFFIXES: Final = (".mat", ".sgf", ".txt")


def _is_sgf(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"(;")
    except (OSError, ValueError):
        return False


def read_match(path: str | os.PathLike[str], *, strict: bool = True) -> Match:
    """Read a match record, whatever its format; see :func:`read_mat` and :func:`read_sgf`.

    The format is told from the content, not from the name.

    Raises
    ------
    NotationError, UnsupportedError
        Naming the file, and the line where there is one.
    """
    require(path, (str, os.PathLike), "a match record is named by its path")
    return read_sgf(path, strict=strict) if _is_sgf(Path(path)) else read_mat(path, strict=strict)


def iter_records(
    paths: Iterable[str | os.PathLike[str]], *, strict: bool = True
) -> Iterator[tuple[Path, Match | BgcoreError]]:
    """Read many records one after the other; a bad file is answered with its error, and the rest goes on.

    Parameters
    ----------
    paths : iterable of path
        Files, and folders of which every file with a known suffix is read, in the order of their names.
    strict : bool
        See :func:`read_mat`.

    Yields
    ------
    (Path, Match or BgcoreError)
        Memory holds one match at a time.
    """
    for path in _files(paths):
        try:
            if _is_sgf(path):
                yield path, read_sgf(path, strict=strict)
                continue
            for match in iter_mat(path, strict=strict):
                yield path, match
        except BgcoreError as error:
            yield path, error


def _files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Path]:
    for item in paths:
        path = Path(item)
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        else:
            yield path
