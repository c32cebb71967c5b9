"""``bgcore adjudicate``: settle abandoned games, and everything around it."""

from __future__ import annotations

import click

from bgcore.cli._command import LazyGroup

COMMANDS = {
    "one": ("bgcore.cli.adjudicate.one", "Settle one abandoned game."),
    "batch": ("bgcore.cli.adjudicate.batch", "Settle many abandoned games."),
    "estimate": ("bgcore.cli.adjudicate.estimate", "Say how long a batch will take."),
    "verify": ("bgcore.cli.adjudicate.verify", "Compute verdicts again and compare them to the bit."),
    "explain": ("bgcore.cli.adjudicate.explain", "Explain verdicts in plain words."),
    "exits": ("bgcore.cli.adjudicate.exits", "Count who left how often, and between whom money went one way."),
    "schema": ("bgcore.cli.adjudicate.schema", "Print the JSON Schema of a record, a verdict or a policy."),
    "policies": ("bgcore.cli.adjudicate.policies", "List the policies, or print one to copy."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    examples=(
        "bgcore adjudicate one case.json",
        "bgcore adjudicate one --xgid XGID=... --stake 1.00 --currency EUR --away black --absent 200",
        "bgcore adjudicate batch cases.jsonl -o verdicts.jsonl",
        "bgcore adjudicate verify verdicts.jsonl cases.jsonl",
    ),
)
def command() -> None:
    """Settle abandoned games.

    A record says what was on the table, what was at stake and who was gone; a policy says what a site does about that.
    Out comes a verdict: who gets what, why, and how to compute it again.
    """
