"""``bgcore bearoff build``: a table of any size."""

from __future__ import annotations

from functools import partial
from typing import Literal

import click

from bgcore.cli._command import Command
from bgcore.cli._options import json_option
from bgcore.cli._output import write_json
from bgcore.cli._progress import Mode, Progress, progress_option


@click.command(
    cls=Command,
    examples=(
        "bgcore bearoff build",
        "bgcore bearoff build --points 6 --checkers 8",
        "bgcore bearoff build --kind one-sided --points 7 --output one7.bearoff",
    ),
)
@click.option("--kind", type=click.Choice(["one-sided", "two-sided"]), help="[default: one-sided for 15 checkers]")
@click.option("--points", type=int, default=6, show_default=True, help="Points from the ace point up.")
@click.option("--checkers", type=int, default=15, show_default=True, help="The most checkers a side.")
@click.option("-o", "--output", metavar="FILE", help="Where to write. [default: the cache folder]")
@progress_option
@json_option
def command(
    kind: Literal["one-sided", "two-sided"] | None,
    points: int,
    checkers: int,
    output: str | None,
    progress_mode: Mode,
    is_json: bool,
) -> None:
    """Build a bear-off table.

    A two-sided build that is interrupted goes on where it stopped when it is started again. The file has the same bytes
    on every machine.
    """
    from bgcore import bearoff

    with Progress(progress_mode, 0, "steps") as shown:
        path = bearoff.build(points, checkers, kind=kind, path=output, progress=partial(_show, shown))
    if is_json:
        write_json("bearoff", {"path": str(path), "bytes": path.stat().st_size})
    else:
        click.echo(f"{path} ({path.stat().st_size:,} bytes)")


def _show(shown: Progress, done: int, total: int) -> None:
    shown.update(done, total=total)
