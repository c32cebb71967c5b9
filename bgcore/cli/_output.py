"""What commands print: JSON with a stated schema, plain tables, colours only where they can be seen."""

from __future__ import annotations

import json
import math
import os
import sys
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Any

import click

from bgcore._version import __version__
from bgcore.wholefile import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _plain(value: Any) -> Any:
    """Turn what json cannot write into what it can: fractions into text, numpy's scalars and arrays into Python's."""
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def write_json(schema: str, body: dict[str, Any]) -> None:
    """Print one JSON object on one line, in ASCII so that it is JSON in any encoding; numbers are not rounded."""
    write_document({"schema": f"bgcore.{schema}/1", "version": __version__, **body})


def write_document(document: Mapping[str, Any]) -> None:
    """Print one JSON object that has a schema of its own; see `write_json`."""
    click.echo(json.dumps(document, allow_nan=False, default=_plain))


def note(message: str) -> None:
    """Print a message for people, on standard error."""
    click.echo(message, err=True)


def write_file(path: str, content: str | bytes) -> None:
    """Write a file, whole or not at all, and say so."""
    write_whole(path, [content.encode() if isinstance(content, str) else content])
    note(f"wrote {path}")


def has_colour(stream: IO[str]) -> bool:
    """Whether a stream shows colours: a terminal, and neither NO_COLOR nor TERM=dumb."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, **style: Any) -> str:
    """Text for standard output in a colour or weight, where that can be seen."""
    return click.style(text, **style) if has_colour(sys.stdout) else text


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> str:
    """Columns of text, two spaces apart.

    Parameters
    ----------
    head : sequence of str
        Titles of the columns.
    rows : sequence of sequences of str
        One cell a column.
    right : str
        A letter a column, ``"r"`` for one that is aligned to the right; the others to the left.
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    sides = right.ljust(len(head))[: len(head)]
    texts = [
        "  ".join(
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(line, widths, sides, strict=True)
        ).rstrip()
        for line in lines
    ]
    texts[0] = styled(texts[0], bold=True)
    return "\n".join(texts)


def measured(mean: float, error: float, *, is_percent: bool = False) -> tuple[str, str]:
    """Write a mean and its standard error with as many digits as the error justifies: two of its own.

    A standard error of 0 belongs to an exact value, which is shown with six digits; one that is not a
    number, to a single trial.
    """
    scale, sign, unit = (100.0, "", " %") if is_percent else (1.0, "+", "")
    mean, error = scale * mean, scale * error
    if not math.isfinite(error):
        return f"{mean:{sign}.3f}{unit}", "unknown"
    digits = 6 if error == 0 else min(8, max(1, 1 - math.floor(math.log10(error))))
    return f"{mean:{sign}.{digits}f}{unit}", f"{error:.{digits}f}{unit}"
