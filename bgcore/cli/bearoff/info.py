"""``bgcore bearoff info``: the tables in the cache folder."""

from __future__ import annotations

import click

from bgcore.cli._command import Command
from bgcore.cli._options import json_option
from bgcore.cli._output import table, write_json


@click.command(cls=Command, examples=("bgcore bearoff info", "bgcore bearoff info --json"))
@json_option
def command(is_json: bool) -> None:
    """Say which tables there are, and where.

    Nothing is built: the default tables appear once something has used them.
    """
    from bgcore import bearoff

    found = bearoff.info()
    if is_json:
        write_json("bearoff", found)
        return
    click.echo(f"folder: {found['folder']}")
    if not found["tables"]:
        click.echo("no tables yet; they are made on first use, or by bgcore bearoff build")
        return
    rows = []
    for entry in found["tables"]:
        name = entry["path"].rpartition("/")[2]
        if "fault" in entry:
            rows.append([name, f"{entry['bytes']:,}", entry["fault"], ""])
        else:
            size = f"{entry['kind']}, {entry['points']} points x {entry['checkers']} checkers"
            rows.append([name, f"{entry['bytes']:,}", size, entry["sha256"][:16]])
    click.echo(table(("file", "bytes", "table", "sha-256"), rows, " r"))
