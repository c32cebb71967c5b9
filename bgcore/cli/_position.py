"""The argument that names a position, in any spelling, and the commands' way over one or many of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bgcore.cli._exit import Exit
from bgcore.cli._output import note, write_json
from bgcore.errors import BgcoreError, DiceError, NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bgcore._core import Position
    from bgcore.codecs.situation import Situation


class Answer(NamedTuple):
    """What a command found out about one position: for programs, and for people."""

    schema: str
    body: dict[str, Any]
    text: str


def read_situation(text: str) -> Situation:
    """Read a position in any spelling, with whatever that spelling says about the game around it.

    Raises
    ------
    NotationError, PositionError
        With the reason, under the spelling that the text most looks like.
    """
    from bgcore._core import Position
    from bgcore.codecs.identifier import parse_identifier
    from bgcore.codecs.situation import Situation

    body = text.strip()
    if body.lower() == "start":
        return Situation(position=Position.starting())
    if re.match(r"[\[(]?\s*-?\d{1,2}\s*[, ]", body):
        return Situation(position=_read_numbers(body))
    return parse_identifier(body)


def _read_numbers(body: str) -> Position:
    from bgcore._core import Position

    words = body.strip("[]()").replace(",", " ").split()
    for word in words:
        if not re.fullmatch(r"-?\d{1,3}", word):
            raise NotationError(f"a board is 26 whole numbers, and {word[:20]!r} is none")
    return Position.from_board([int(word) for word in words])


def read_roll(text: str | None) -> tuple[int, int] | None:
    """Read a roll such as 31, 3-1 or 3,1; None for none."""
    if text is None:
        return None
    digits = [letter for letter in text if letter not in " -,:/"]
    if len(digits) != 2 or not all(digit in "123456" for digit in digits):
        raise DiceError(f"a roll is two numbers from 1 to 6, such as 31 or 3-1, not {text!r}")
    return int(digits[0]), int(digits[1])


def status_of(situation: Situation, names: tuple[str, str]) -> str | None:
    """Say which offer waits for its answer; None when none does."""
    if situation.pending is None:
        return None
    by = names[0] if situation.pending_by == "mine" else names[1]
    if situation.pending == "resign":
        return f"{by} resigns {('a single game', 'a gammon', 'a backgammon')[situation.resign_level - 1]}"
    return f"{by} {'doubles' if situation.pending == 'double' else situation.pending + 's'}"


def picture(situation: Situation, *, seat: str = "mine", is_svg: bool = False) -> str:
    """Draw a situation as text or SVG, with all that is known about it."""
    from bgcore.render.board import svg_board, text_board

    names = ("White", "Black") if is_svg else ("X", "O")
    draw: Callable[..., str] = svg_board if is_svg else text_board
    return draw(
        situation.position,
        dice=situation.dice,
        cube=situation.cube,
        score=situation.score,
        seat=seat,
        names=names,
        status=status_of(situation, names),
    )


def _lines() -> Iterator[tuple[int, str]]:
    """Read the lines of standard input that say something, with their numbers."""
    for number, line in enumerate(sys.stdin, 1):
        text = line.strip().removeprefix("\ufeff")
        if text and not text.startswith("#"):
            yield number, text


def answer_each(argument: str, is_json: bool, answer: Callable[[Situation], Answer], *, gap: bool = True) -> Exit:
    """Answer for one position, or with ``-`` for one on each line of standard input.

    Of many, a line that cannot be read is reported and the rest goes on: one line of JSON out for every
    line in. ``gap`` sets texts apart by an empty line.
    """
    if argument != "-":
        _write(answer(read_argument(argument)), is_json)
        return Exit.DONE
    code, is_first = Exit.DONE, True
    for number, text in _lines():
        try:
            found = answer(read_situation(text))
        except BgcoreError as error:
            if code is Exit.DONE and is_first and _begins_record(text):
                raise NotationError(
                    f"standard input is a match record, line {number} says so, and this command reads positions; "
                    "bgcore analyze - and bgcore convert - --to mat read records"
                ) from None
            code = Exit.REJECTED
            note(f"line {number}: {error}")
            if is_json:
                write_json("error", {"line": number, "input": text, "error": str(error)})
            continue
        if gap and not is_json and not is_first:
            click.echo()
        is_first = False
        _write(found, is_json)
        sys.stdout.flush()
    return code


def _begins_record(line: str) -> bool:
    from bgcore.codecs.records import is_record

    return line.startswith(";") or is_record(line.encode())


def read_argument(text: str) -> Situation:
    """Read the one position on the command line; what stands in its place is named: a file, or ``-`` for many."""
    if text == "-":
        raise NotationError("this command takes one position, not a list of them on standard input")
    try:
        return read_situation(text)
    except BgcoreError:
        if text and "\0" not in text and Path(text).exists():
            message = f"{text} is a file, not a position; match files end in .mat, .sgf or .txt, and - reads positions"
            raise NotationError(message) from None
        raise


def _write(found: Answer, is_json: bool) -> None:
    if is_json:
        write_json(found.schema, found.body)
    elif found.text:
        click.echo(found.text)
