"""The argument that names a position, in any spelling, and the commands' way over one or many of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bgcore.cli._exit import Exit
from bgcore.cli._output import note, write_json
from bgcore.errors import BgcoreError, DiceError, NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgcore._core import Position

SPELLINGS = "a Position ID, 26 comma-separated numbers, or 'start'"


@dataclass(frozen=True, slots=True)
class Given:
    """A position as it was given, with whatever else its spelling says."""

    text: str
    position: Position
    dice: tuple[int, int] | None = None


class Answer(NamedTuple):
    """What a command found out about one position: for programs, and for people."""

    schema: str
    body: dict[str, Any]
    text: str


def read_position(text: str) -> Given:
    """Read a position in any spelling; raises NotationError or PositionError with the reason it cannot be."""
    from bgcore._core import Position

    stripped = text.strip()
    if stripped.lower() == "start":
        return Given(text, Position.starting())
    if "," in stripped or " " in stripped or stripped.startswith("["):
        words = stripped.strip("[]()").replace(",", " ").split()
        try:
            return Given(text, Position.from_board([int(word) for word in words]))
        except ValueError as error:
            if isinstance(error, BgcoreError):
                raise
            raise NotationError(f"not a position: {stripped[:60]!r}; give {SPELLINGS}") from None
    try:
        return Given(text, Position.from_position_id(stripped))
    except NotationError as error:
        if len(stripped) == 14:
            raise
        raise NotationError(f"not a position: {stripped[:60]!r}; give {SPELLINGS}") from error


def read_roll(text: str | None) -> tuple[int, int] | None:
    """Read a roll such as 31, 3-1 or 3,1; None for none."""
    if text is None:
        return None
    digits = [letter for letter in text if letter not in " -,:/"]
    if len(digits) != 2 or not all(digit in "123456" for digit in digits):
        raise DiceError(f"a roll is two numbers from 1 to 6, such as 31 or 3-1, not {text!r}")
    return int(digits[0]), int(digits[1])


def _lines() -> Iterator[tuple[int, str]]:
    """Read the lines of standard input that say something, with their numbers."""
    for number, line in enumerate(sys.stdin, 1):
        text = line.strip().removeprefix("\ufeff")
        if text and not text.startswith("#"):
            yield number, text


def answer_each(argument: str, is_json: bool, answer: Callable[[Given], Answer]) -> Exit:
    """Answer for one position, or with ``-`` for one on each line of standard input.

    Of many, a line that cannot be read is reported and the rest goes on: one line of JSON out for every
    line in.
    """
    if argument != "-":
        _write(answer(read_position(argument)), is_json)
        return Exit.DONE
    code, is_first = Exit.DONE, True
    for number, text in _lines():
        try:
            found = answer(read_position(text))
        except BgcoreError as error:
            code = Exit.REJECTED
            note(f"line {number}: {error}")
            if is_json:
                write_json("error", {"line": number, "input": text, "error": str(error)})
            continue
        if not is_json and not is_first:
            click.echo()
        is_first = False
        _write(found, is_json)
        sys.stdout.flush()
    return code


def _write(found: Answer, is_json: bool) -> None:
    if is_json:
        write_json(found.schema, found.body)
    elif found.text:
        click.echo(found.text)
