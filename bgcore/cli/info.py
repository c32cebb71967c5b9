"""``bgcore info``: what is installed, and what its numbers come from."""

from __future__ import annotations

import platform
from pathlib import Path

import click

from bgcore._version import __version__
from bgcore.cli._command import Command
from bgcore.cli._options import json_option
from bgcore.cli._output import table, write_json


@click.command(cls=Command, examples=("bgcore info", "bgcore info --json"))
@json_option
def command(is_json: bool) -> None:
    """Say what is installed, and what its numbers come from.

    The version, the instruction set in use (every one computes the same bits), the digests of the network's weights and
    of the match equity table, and the folder of the bear-off tables. Put it into a bug report.
    """
    import bgcore
    from bgcore import bearoff, met
    from bgcore._core import active_level
    from bgcore.evaluate import Evaluator

    body = {
        "version": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "instructions": active_level(),
        "weights": Evaluator.default().digest,
        "match_equities": met.default().digest,
        "tables": str(bearoff.cache_folder()),
        "installed": str(Path(bgcore.__file__).parent),
    }
    if is_json:
        write_json("info", body)
    else:
        click.echo(
            "\n".join(table(("", ""), [[name.replace("_", " "), text] for name, text in body.items()]).splitlines()[1:])
        )
