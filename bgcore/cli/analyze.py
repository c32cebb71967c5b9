"""``bgcore analyze``: errors, luck and a rating for each player of match records."""

from __future__ import annotations

from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import name_of, report_irregular, standard_input, without_name
from bgcore.cli._options import json_option, plies_option
from bgcore.cli._output import note, table, write_file, write_json
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.errors import BgcoreError
from bgcore.wholefile import require_distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bgcore.analysis import Analysis
    from bgcore.codecs.match import Match

MOST_NAMED = 3


@click.command(
    cls=Command,
    examples=(
        "bgcore analyze match.mat",
        "bgcore analyze match.mat --plies 1 --worst 20 --html report.html",
        "bgcore analyze matches/ --json > analyses.jsonl",
        "bgcore analyze - < match.mat",
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

    PATH is a .mat or .sgf file, a folder of such files, or - for a record on standard input. In a folder a .txt file is
    read if it looks like a match record. A file that cannot be read is reported, and the others go on. The rating is
    500 times the average error of a decision, lower is better; errors and luck are in points per unit of cube, in a
    match normalised.
    """
    from bgcore.analysis import analyze

    files = _files(paths)
    for file in files:
        require_distinct({"the record": file, "--html": html})
    code, done = Exit.DONE, 0
    is_many = len(files) > 1
    with Progress(progress_mode, len(files), "records" if is_many else "actions") as shown:
        for number, name, match in _matches(files):
            shown.pause()
            if isinstance(match, BgcoreError):
                note(f"{name}: {without_name(str(match), name)}")
                code = Exit.REJECTED
                if is_json:
                    write_json("error", {"source": name, "error": str(match)})
                continue
            if html is not None and done:
                raise click.UsageError("--html writes the page of one record: give one", ctx)
            report_irregular(match, name)

            def show(actions: int, total: int, *, number: int = number, name: str = name) -> None:
                if is_many:
                    shown.update(number, Path(name).name, work=(number + actions / total, len(files)), record=name)
                else:
                    shown.update(actions, total=total)

            found = analyze(match, plies=plies, progress=show)
            shown.pause()
            if done and not is_json:
                click.echo()
            done += 1
            _print(found, name, worst, is_json)
            if html is not None:
                from bgcore.render.report import analysis_page

                write_file(html, analysis_page(found, worst=worst))
        if is_many:
            shown.update(len(files))
    return Exit.USAGE if code and not done else code


def _files(paths: Sequence[str]) -> list[str]:
    """Find the records that the arguments name, and say which text files of a folder are passed over."""
    from bgcore.codecs.records import find_records

    files: list[str] = []
    passed_over: list[Path] = []
    for given in paths:
        if given == "-":
            files.append(given)
            continue
        if not Path(given).exists():
            raise FileNotFoundError(ENOENT, "no such file or directory", given)
        found = find_records([given])
        files += map(str, found.records)
        passed_over += found.passed_over
    if passed_over:
        names = ", ".join(str(path) for path in passed_over[:MOST_NAMED])
        more = f" and {len(passed_over) - MOST_NAMED} more" if len(passed_over) > MOST_NAMED else ""
        note(f"passed over, not match records: {names}{more}")
    if not files:
        raise BgcoreError(
            f"{', '.join(paths)}: no match record there; a folder is searched for .mat, .sgf and .txt files"
        )
    return files


def _matches(files: Sequence[str]) -> Iterator[tuple[int, str, Match | BgcoreError]]:
    """Read the files one after the other; each match comes with the number of its file and the name of it."""
    from bgcore.codecs.records import iter_matches

    for number, path in enumerate(files):
        try:
            for match in iter_matches(standard_input() if path == "-" else path, strict=False):
                yield number, name_of(path), match
        except BgcoreError as error:
            yield number, name_of(path), error


def _print(found: Analysis, name: str, worst: int, is_json: bool) -> None:
    if is_json:
        write_json("analysis", {**found.to_dict(), "source": name})
        return
    from bgcore.render.report import TOTALS, analysis_title, decision_title, totals_rows

    click.echo(f"{name}: {analysis_title(found)}")
    click.echo(table(TOTALS, totals_rows(found), " rrrrrrrrrr"))
    for decision in found.worst(worst):
        click.echo(f"{decision_title(decision, found.match.names)}; best {decision.best.text} (line {decision.line})")
    if found.skipped:
        click.echo(f"not weighed: {_unweighed(found.skipped)}")


def _unweighed(skipped: Sequence[tuple[int, str]]) -> str:
    """Say why lines could not be weighed, each reason once with its first few lines."""
    lines: dict[str, list[int]] = {}
    for line, reason in skipped:
        of_reason = lines.setdefault(reason, [])
        if line not in of_reason:
            of_reason.append(line)
    said = []
    for reason, numbers in lines.items():
        named = ", ".join(map(str, numbers[:MOST_NAMED])) + (" ..." if len(numbers) > MOST_NAMED else "")
        said.append(f"{reason} (line{'s' if len(numbers) > 1 else ''} {named})")
    return "; ".join(said)
