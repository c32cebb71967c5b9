"""``bgcore adjudicate verify``: compute verdicts again and compare them to the bit."""

from __future__ import annotations

from itertools import zip_longest

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._input import json_lines
from bgcore.cli._options import json_option
from bgcore.cli._output import note, write_json


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
    their owner keeps them; by default the records inside the verdicts are used. Exit code 5 says that at least one
    verdict came out otherwise.
    """
    from bgcore import adjudication as adj

    code = Exit.DONE
    pairs = zip_longest(json_lines(verdicts), json_lines(cases) if cases is not None else ())
    for (number, verdict), (_, record) in ((a or (0, None), b or (0, None)) for a, b in pairs):
        if verdict is None or (cases is not None and record is None):
            raise click.ClickException("verdicts and cases differ in number: they are compared line by line")
        try:
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
