"""``bgcore adjudicate schema``: what a record, a verdict and a policy hold."""

from __future__ import annotations

import json

import click

from bgcore.cli._command import Command


@click.command(
    cls=Command,
    examples=("bgcore adjudicate schema record", "bgcore adjudicate schema verdict > verdict.schema.json"),
)
@click.argument("name", type=click.Choice(["record", "verdict", "policy"]))
def command(name: str) -> None:
    """Print the JSON Schema of a record, a verdict or a policy."""
    from bgcore import adjudication as adj

    click.echo(json.dumps(adj.schema(name), indent=2))
