"""The cases that a command is given: lines of JSON, or the rows of a spreadsheet as such lines."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore.cli.adjudicate._csv import records_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def is_csv(path: str) -> bool:
    """Whether a file is a spreadsheet, by its name."""
    return path.lower().endswith(".csv")


@contextmanager
def case_lines(path: str) -> Iterator[Iterable[str]]:
    """Open cases as lines of JSON, one a case, unchecked; ``-`` is standard input."""
    if is_csv(path):
        with Path(path).open(encoding="utf-8-sig", errors="replace", newline="") as file:
            yield records_of(file)
        return
    with click.open_file(path, encoding="utf-8", errors="replace") as lines:
        yield lines
