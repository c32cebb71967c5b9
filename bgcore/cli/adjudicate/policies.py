"""``bgcore adjudicate policies``: what is shipped, and the text of one to start from."""

from __future__ import annotations

import click

from bgcore.cli._command import Command
from bgcore.cli._options import json_option
from bgcore.cli._output import table, write_json


@click.command(
    cls=Command,
    examples=("bgcore adjudicate policies", "bgcore adjudicate policies play65 > site.toml"),
)
@click.argument("name", required=False)
@json_option
def command(name: str | None, is_json: bool) -> None:
    """List the policies, or print one to copy.

    NAME is a shipped policy, or a TOML file, which is then checked. A file with the name of a shipped policy starts
    from that one, any other from play65.
    """
    from bgcore import adjudication as adj

    if name is None:
        found = [adj.load_policy(shipped) for shipped in adj.policies()]
        if is_json:
            write_json("policies", {"policies": [policy.to_dict() for policy in found]})
        else:
            click.echo(table(("policy", "what it does"), [[policy.name, policy.title] for policy in found]))
        return
    policy = adj.load_policy(name)
    if is_json:
        write_json("policy", policy.to_dict() | {"digest": policy.digest})
    elif name in adj.policies():
        click.echo(adj.policy_text(name), nl=False)
    else:
        click.echo(f"{name}: a sound policy, {policy.digest}")
