"""``bgcore convert``: one identifier into the others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import json_option, position_argument
from bgcore.cli._output import table
from bgcore.cli._position import Answer, answer_each
from bgcore.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgcore.cli._exit import Exit
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
    ),
)
@position_argument
@click.option("--to", "form", type=click.Choice(FORMATS), help="Print this spelling alone.")
@context_options
@json_option
def command(position: str, form: str | None, changes: Changes, is_json: bool) -> Exit:
    """Write an identifier in every other spelling.

    POSITION is any identifier, or - for one on each line of standard input. What a spelling has no room for is lost; a
    spelling that cannot say what matters is refused.
    """

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
