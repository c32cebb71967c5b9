"""Text files of unknown age and origin, line by line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from bgcore.errors import NotationError, UnsupportedError, require, short

Source = str | bytes | os.PathLike[str] | IO[str] | IO[bytes]

FORMATS: Final = "supported are match files (.mat, .txt) and gnubg's .sgf"

_BINARY: Final = (
    (b"RGMH", "a binary file of eXtreme Gammon (.xg)"),
    (b"\x1f\x8b", "a compressed file"),
    (b"PK", "a zip file"),
)


class Lines:
    """The lines of a file one after the other, decoded as they come, each with its number.

    Parameters
    ----------
    source : path, text, bytes or open file
        A ``str`` with a line end in it, or nothing at all, is the text itself; any other is a path.
    """

    def __init__(self, source: Source) -> None:
        self.name = ""
        self.encoding = "text"
        self.number = 0
        self._close: IO[bytes] | None = None
        raw: Iterable[str | bytes]
        if isinstance(source, str) and re.search(r"[\n\r]", source):
            raw = re.split(r"\r\n|\n|\r", source.removeprefix("\ufeff"))
        elif isinstance(source, bytes) or source == "":
            raw = source.splitlines()
        elif isinstance(source, (str, os.PathLike)):
            path = Path(source)
            self.name = str(path)
            try:
                raw = self._close = path.open("rb")
            except (OSError, ValueError) as error:
                raise NotationError(f"{short(path)}: {reason(error)}") from None
        else:
            require(source, Iterable, "a record is a path, a text, bytes or an open file")
            self.name = str(getattr(source, "name", ""))
            raw = source
        self._raw: Iterator[str | bytes] = iter(raw)

    def __iter__(self) -> Iterator[str]:
        try:
            for raw in self._raw:
                if isinstance(raw, str):
                    self.number += 1
                    yield raw.rstrip("\r\n")
                    continue
                require(raw, bytes, "a line of a record is text or bytes")
                # A file of old Macintosh line ends arrives as a single line.
                for part in re.split(rb"\r(?=.)", raw):
                    self.number += 1
                    yield self._decoded(part).rstrip("\r\n")
        except OSError as error:
            raise NotationError(f"{self.name}: {(error.strerror or 'cannot be read').lower()}") from None
        finally:
            if self._close is not None:
                self._close.close()

    def _decoded(self, raw: bytes) -> str:
        if self.number == 1:
            for start, kind in _BINARY:
                if raw.startswith(start):
                    raise UnsupportedError(f"{self._said()}this is {kind}; {FORMATS}")
            if raw.lstrip().startswith(b"(;"):
                raise UnsupportedError(f"{self._said()}this is an .sgf file: use read_sgf or read_match")
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise UnsupportedError(f"{self._said()}this is UTF-16 text: save it as UTF-8 first")
            self.encoding = "utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else "utf-8"
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in raw:
            raise UnsupportedError(f"{self._said()}line {self.number} holds binary data; {FORMATS}")
        if self.encoding != "latin-1":
            try:
                return raw.decode("utf-8")
            except UnicodeDecodeError:
                self.encoding = "latin-1"
        return raw.decode("latin-1")

    def _said(self) -> str:
        return f"{self.name}: " if self.name else ""


def reason(error: OSError | ValueError) -> str:
    """Say why a path cannot be opened; a ValueError is Python's word on one with a null character."""
    return (getattr(error, "strerror", None) or str(error)).lower()
