"""``bgcore adjudicate estimate``: how long a batch will take, before it runs."""

from __future__ import annotations

from collections import Counter

import click

from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._options import json_option
from bgcore.cli._output import note, table, write_json
from bgcore.cli.adjudicate._cases import case_lines


@click.command(
    cls=Command,
    examples=(
        "bgcore adjudicate estimate cases.jsonl",
        "bgcore adjudicate estimate cases.jsonl --policy site.toml --json",
    ),
)
@click.argument("cases")
@click.option(
    "--policy", metavar="NAME|FILE", help="A shipped policy or a TOML file. [default: each record's, or play65]"
)
@json_option
def command(cases: str, policy: str | None, is_json: bool) -> Exit:
    """Say how long a batch will take.

    CASES holds one JSON record a line, - for standard input, or is a .csv file as for batch. The number of trials is a
    guess, and the time is that of an ordinary machine; nothing is rolled out.
    """
    from bgcore import adjudication as adj
    from bgcore.adjudication.batch import read_line

    resolved = None if policy is None else adj.load_policy(policy)
    counts: Counter[str] = Counter()
    trials = most = 0
    seconds = 0.0
    code = Exit.DONE
    with case_lines(cases) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found = adj.estimate(read_line(line, number), resolved)
            except adj.RecordError as error:
                note(f"line {number}: {error}")
                counts["rejected"] += 1
                code = Exit.REJECTED
                continue
            counts[found.basis] += 1
            trials += found.trials
            most += found.most_trials
            seconds += found.seconds
    body = {"records": counts, "trials": trials, "most_trials": most, "seconds": round(seconds, 3)}
    if is_json:
        write_json("estimate", body)
        return code
    rows = [[basis, str(counts[basis])] for basis in sorted(counts)]
    click.echo(table(("basis", "records"), rows, " r"))
    click.echo(f"about {trials:,} trials, at most {most:,}; about {seconds:,.0f} s")
    return code
