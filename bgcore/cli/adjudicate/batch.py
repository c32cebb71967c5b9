"""``bgcore adjudicate batch``: many records, from a file to a file, or one by one for a server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import json_lines
from bgcore.cli._output import note, write_file
from bgcore.cli._progress import Mode, Progress, progress_option
from bgcore.cli.adjudicate._cases import case_lines, is_csv
from bgcore.cli.adjudicate._csv import verdict_rows
from bgcore.wholefile import require_distinct, write_whole

if TYPE_CHECKING:
    from bgcore.adjudication.batch import Progress as Count


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate batch cases.jsonl -o verdicts.jsonl --policy site.toml",
        "bgcore adjudicate batch cases.jsonl -o verdicts.jsonl --resume",
        "bgcore adjudicate batch cases.csv -o verdicts.csv --report report.html",
        "bgcore adjudicate batch - < cases.jsonl > verdicts.jsonl",
    ),
)
@click.argument("cases")
@click.option("-o", "--output", metavar="FILE", help="Where the verdicts go, whole when all is done.")
@click.option(
    "--policy", metavar="NAME|FILE", help="A shipped policy or a TOML file. [default: each record's, or play65]"
)
@click.option("--journal", metavar="FILE", help="What is finished, line by line. [default: OUTPUT.journal]")
@click.option("--report", metavar="FILE", help="Write a summary as a page, complete in itself.")
@click.option("--resume", is_flag=True, help="Go on where an earlier run with this journal stopped.")
@click.option("--no-sync", is_flag=True, help="Do not force every journal line to disk.")
@click.option(
    "--fail-on",
    type=click.Choice(["rejected", "undecided"]),
    default="undecided",
    show_default=True,
    help="From which status on the exit code is not 0.",
)
@click.option("--workers", type=click.IntRange(1), help="Threads of a rollout.")
@progress_option
@click.pass_context
def command(
    ctx: click.Context,
    cases: str,
    output: str | None,
    policy: str | None,
    journal: str | None,
    report: str | None,
    resume: bool,
    no_sync: bool,
    fail_on: str,
    workers: int | None,
    progress_mode: Mode,
) -> Exit:
    """Settle many abandoned games.

    CASES holds one JSON record a line; out comes one verdict a line, in the same order, rejected records included. With
    --output a journal beside it makes the run safe against being stopped at any moment: --resume goes on, and the file
    is the same in the end. Without --output, or with - for standard input, each verdict is printed as soon as its
    record was read, so that a server can keep the process open. A case_id names one record of a file; on standard
    input a case may be asked again, with what has become of it since.

    A .csv file of cases has one row a case, its columns named by JSON paths joined with _, such as white_6, cube_value
    and money_stake. An --output of that name gets the main columns of each verdict; the verdicts in full stand beside
    it as .csv.jsonl.
    """
    if output is None or cases == "-":
        if output is not None or resume or journal is not None or report is not None:
            raise click.UsageError(
                "--output, --journal, --report and --resume need CASES to be a file, and an --output", ctx
            )
        return _serve(cases, policy, workers, fail_on)
    target = output + ".jsonl" if is_csv(output) else output
    journal = journal or target + ".journal"
    require_distinct(
        {
            "CASES": cases,
            "--output": output,
            "the verdicts in full": target if target != output else None,
            "--journal": journal,
            "--report": report,
        }
    )
    with _as_lines(cases, output) as source:
        done = _run(source, target, policy, journal, resume, not no_sync, workers, progress_mode)
    if is_csv(output):
        with Path(target).open(encoding="utf-8") as lines:
            write_whole(output, verdict_rows(lines))
    note(_summary(done) + f"; wrote {output}")
    if report is not None:
        from bgcore.render.batch import batch_page

        write_file(report, batch_page(verdict for _, verdict in json_lines(target)))
    return _code(done, fail_on)


@contextmanager
def _as_lines(cases: str, output: str) -> Iterator[str]:
    """Give the cases as a file of JSON lines; of a CSV, one made for the time being."""
    if not is_csv(cases):
        yield cases
        return
    path = Path(output + ".cases.part")
    try:
        with case_lines(cases) as records, path.open("w", encoding="utf-8") as lines:
            lines.writelines(record + "\n" for record in records)
        yield str(path)
    finally:
        path.unlink(missing_ok=True)


def _run(
    source: str,
    target: str,
    policy: str | None,
    journal: str,
    resume: bool,
    sync: bool,
    workers: int | None,
    mode: Mode,
) -> Count:
    from bgcore.adjudication.batch import run_batch

    with Path(source).open("rb") as file:
        total = sum(1 for _ in file)
    with Progress(mode, total, "records") as shown:
        return run_batch(
            source,
            target,
            policy,
            journal=journal,
            resume=resume,
            sync=sync,
            workers=workers,
            progress=partial(_show, shown),
        )


def _serve(cases: str, policy: str | None, workers: int | None, fail_on: str) -> Exit:
    """Answer line by line on standard output."""
    from bgcore.adjudication.batch import serve

    def write(line: str) -> None:
        sys.stdout.write(line)
        sys.stdout.flush()

    with case_lines(cases) as lines:
        return _code(serve(lines, write, policy, workers=workers, is_batch=cases != "-"), fail_on)


def _show(shown: Progress, count: Count) -> None:
    """Show how far a batch is, and what it has found; the time left goes by trials, a record without any is one."""
    facts = count.to_dict()
    done, total = facts.pop("done"), facts.pop("total") or 0
    work = done + count.trials_done
    shown.update(done, _summary(count), work=(work, work + count.trials_ahead + total - done), **facts)


def _summary(count: Count) -> str:
    found = [f"{number} {status}" for status, number in sorted(count.counts.items())]
    return ", ".join(found) or "nothing to settle"


def _code(done: Count, fail_on: str) -> Exit:
    code = Exit(done.exit_code)
    return Exit.DONE if code is Exit.UNDECIDED and fail_on == "rejected" else code
