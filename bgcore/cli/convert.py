"""``bgcore convert``: one identifier into the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._exit import Exit
from bgcore.cli._input import is_match_file, read_record
from bgcore.cli._options import json_option, position_argument
from bgcore.cli._output import note, table, write_document
from bgcore.cli._position import Answer, answer_each
from bgcore.errors import NotationError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgcore.codecs.situation import Situation

FORMATS = ("position-id", "gnubg-id", "match-id", "xgid", "ogid", "fibs", "key", "board")


def _writers() -> dict[str, Callable[[Situation], str]]:
    from bgcore.codecs.identifier import KINDS, format_identifier
    from bgcore.codecs.match_id import format_match_id

    writers: dict[str, Callable[[Situation], str]] = {kind: partial(format_identifier, kind=kind) for kind in KINDS}
    writers["match-id"] = format_match_id
    writers["board"] = lambda situation: ",".join(str(int(count)) for count in situation.board)
    return writers


@click.command(
    cls=Command,
    examples=(
        "bgcore convert 4HPwATDgc/ABMA",
        "bgcore convert 4HPwATDgc/ABMA --match 5 --score 3-1 --to xgid",
        "bgcore convert - --to gnubg-id < xgids.txt",
        "bgcore convert match.sgf > match.mat",
        "bgcore convert match.mat --to case > case.json",
    ),
)
@position_argument
@click.option("--to", "form", type=click.Choice([*FORMATS, "mat", "case"]), help="Print this spelling alone.")
@context_options("cube_limit")
@json_option
def command(position: str, form: str | None, changes: Changes, is_json: bool) -> Exit:
    """Write an identifier in every other spelling.

    POSITION is any identifier, or - for one on each line of standard input. What a spelling has no room for is lost; a
    spelling that cannot say what matters is refused. POSITION may also be a match file (.mat, .sgf): it is written as
    .mat, or with --to case its unfinished game as a record for bgcore adjudicate. With --to mat or --to case, - is a
    match file on standard input.
    """
    if is_match_file(position) or (position == "-" and form in ("mat", "case")):
        return _convert_match(position, form or "mat")
    if form in ("mat", "case"):
        raise UnsupportedError(f"--to {form} converts match files, and {position[:60]!r} is none")

    def answer(given: Situation) -> Answer:
        situation = changes.apply(given)
        written, refused = {}, {}
        for name, write in _writers().items():
            if form is not None and name != form:
                continue
            try:
                written[name] = write(situation)
            except NotationError as error:
                if form is not None:
                    raise
                refused[name] = str(error)
        rows = [[name, written.get(name) or f"({refused[name]})"] for name in FORMATS if name in written | refused]
        text = written[form] if form is not None else table(("spelling", "text"), rows)
        body = {name.replace("-", "_"): written.get(name) for name in FORMATS if name in written | refused}
        return Answer("identifiers", body, text)

    return answer_each(position, is_json, answer, gap=form is None)


def _convert_match(path: str, form: str) -> Exit:
    """Write a match file as .mat, or its unfinished game as a record that still lacks what only the arbiter knows."""
    if form not in ("mat", "case"):
        raise UnsupportedError(f"{path}: a match file becomes --to mat or --to case, not {form}")
    match = read_record(path)
    if form == "mat":
        from bgcore.codecs.mat import format_mat

        click.echo(format_mat(match), nl=False)
        return Exit.DONE
    from bgcore.codecs.case import unfinished_case

    case = unfinished_case(match)
    for question in case.questions:
        note(f"to be filled in: {question.path}: {question.text}")
    write_document(case.document)
    return Exit.DONE
