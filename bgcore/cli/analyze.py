"""``bgcore analyze``: errors, luck and a rating for each player of a match record."""

from __future__ import annotations

from errno import ENOENT
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import report_irregular
from bgcore.cli._options import json_option, plies_option
from bgcore.cli._output import note, table, write_file, write_json
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.errors import BgcoreError

if TYPE_CHECKING:
    from bgcore.analysis import Analysis


@click.command(
    cls=Command,
    examples=(
        "bgcore analyze match.mat",
        "bgcore analyze match.mat --plies 1 --worst 20 --html report.html",
        "bgcore analyze matches/ --json > analyses.jsonl",
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@plies_option
@click.option("--worst", type=click.IntRange(0), default=5, show_default=True, help="How many errors to show.")
@click.option("--html", metavar="FILE", help="Write a page with the boards of the worst errors; of one record only.")
@progress_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    plies: int,
    worst: int,
    html: str | None,
    progress_mode: Mode,
    is_json: bool,
) -> Exit:
    """Weigh every decision of match records.

    PATH is a .mat or .sgf file, or a folder of such files. A file that cannot be read is reported, and the others go
    on. The rating is 500 times the average error of a decision, lower is better; errors and luck are in points per
    unit of cube, in a match normalised.
    """
    from bgcore.analysis import analyze
    from bgcore.codecs.records import iter_records

    for given in paths:
        if not Path(given).exists():
            raise FileNotFoundError(ENOENT, "no such file or directory", given)
    code, done = Exit.DONE, 0
    for path, match in iter_records(paths, strict=False):
        if isinstance(match, BgcoreError):
            note(f"{path}: {_without(str(match), str(path))}")
            code = Exit.REJECTED
            if is_json:
                write_json("error", {"source": str(path), "error": str(match)})
            continue
        if html is not None and done:
            raise click.UsageError("--html writes the page of one record: give one", ctx)
        report_irregular(match, str(path))
        with Progress(progress_mode, sum(len(game.actions) for game in match.games), "actions") as shown:
            found = analyze(match, plies=plies, progress=partial(_show, shown))
        if done and not is_json:
            click.echo()
        done += 1
        _print(found, path, worst, is_json)
        if html is not None:
            from bgcore.render.report import analysis_page

            write_file(html, analysis_page(found, worst=worst))
    if not done and code is Exit.DONE:
        raise BgcoreError(
            f"{', '.join(paths)}: no match record there; a folder is searched for .mat, .sgf and .txt files"
        )
    return Exit.USAGE if code and not done else code


def _show(shown: Progress, done: int, total: int) -> None:
    shown.update(done)


def _without(message: str, path: str) -> str:
    """Take the file's name off a message that begins with it, to say it once."""
    return message.removeprefix(path).lstrip(": ,")


def _print(found: Analysis, path: Path, worst: int, is_json: bool) -> None:
    if is_json:
        write_json("analysis", found.to_dict())
        return
    from bgcore.render.report import TOTALS, analysis_title, decision_title, totals_rows

    click.echo(f"{path}: {analysis_title(found)}")
    click.echo(table(TOTALS, totals_rows(found), " rrrrrrrrrr"))
    for decision in found.worst(worst):
        click.echo(f"{decision_title(decision, found.match.names)}; best {decision.best.text} (line {decision.line})")
