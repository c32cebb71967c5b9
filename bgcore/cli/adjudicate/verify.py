"""``bgcore adjudicate verify``: compute verdicts again and compare them to the bit."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import zip_longest

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import json_lines
from bgcore.cli._options import json_option
from bgcore.cli._output import note, write_json
from bgcore.cli.adjudicate._cases import case_lines


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate verify verdicts.jsonl",
        "bgcore adjudicate verify verdicts.jsonl cases.jsonl",
        "bgcore adjudicate one case.json --json | bgcore adjudicate verify -",
    ),
)
@click.argument("verdicts")
@click.argument("cases", required=False)
@click.option("--workers", type=click.IntRange(1), help="Threads of a rollout; any number gives the same bits.")
@json_option
def command(verdicts: str, cases: str | None, workers: int | None, is_json: bool) -> Exit:
    """Compute verdicts again and compare them to the bit.

    VERDICTS holds one verdict a line, - for standard input. CASES, if given, holds the records in the same order, as
    their owner keeps them and batch reads them, a .csv file too; by default the records inside the verdicts are used.
    Exit code 5 says that at least one verdict came out otherwise.
    """
    from bgcore import adjudication as adj
    from bgcore.adjudication.batch import parse_line

    code = Exit.DONE
    with nullcontext(()) if cases is None else case_lines(cases) as lines:
        for place, (given, line) in enumerate(zip_longest(json_lines(verdicts), lines), 1):
            if given is None or (cases is not None and line is None):
                raise click.ClickException("verdicts and cases differ in number: they are compared line by line")
            number, verdict = given
            try:
                record = None if line is None else parse_line(line, place)
                found = adj.verify(verdict, record, workers=workers)
            except adj.RecordError as error:
                note(f"line {number}: {error}")
                code = max(code, Exit.REJECTED)
                continue
            name = verdict.get("case_id") or f"line {number}"
            if not found.bit_equal:
                code = Exit.MISMATCH
            if is_json:
                body = {"line": number, "case_id": verdict.get("case_id"), "bit_equal": found.bit_equal}
                body |= {"max_difference_points": found.max_difference_points, "reasons": list(found.reasons)}
                write_json("verification", body)
            else:
                click.echo(f"{name}: " + ("equal to the bit" if found.bit_equal else "; ".join(found.reasons)))
    return code
