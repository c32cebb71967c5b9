"""``bgcore bearoff``: the tables behind exact endings."""

from __future__ import annotations

import click

from bgcore.cli._command import LazyGroup

COMMANDS = {
    "build": ("bgcore.cli.bearoff.build", "Build a bear-off table."),
    "info": ("bgcore.cli.bearoff.info", "Say which tables there are, and where."),
    "probe": ("bgcore.cli.bearoff.probe", "Look a bear-off position up."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    examples=(
        "bgcore bearoff info",
        "bgcore bearoff build --points 6 --checkers 8",
        "bgcore bearoff probe DwAA4AEAAAAAAA",
    ),
)
def command() -> None:
    """Build and read bear-off tables.

    The one-sided table says how many rolls a side needs; the two-sided table holds exact values with the cube. Both are
    made on first use and kept in the cache folder, BGCORE_CACHE or the user's own.
    """
