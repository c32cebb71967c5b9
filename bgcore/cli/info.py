"""``bgcore info``: what is installed, and what its numbers come from."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import click

import bgcore
from bgcore._version import __version__
from bgcore.cli._command import Command
from bgcore.cli._exit import Exit
from bgcore.cli._options import json_option
from bgcore.cli._output import note, table, write_json
from bgcore.errors import BgcoreError


def _instructions() -> str:
    from bgcore._core import active_level

    return active_level()


def _weights() -> str:
    from bgcore.evaluate import Evaluator

    return Evaluator.default().digest


def _match_equities() -> str:
    from bgcore import met

    return met.default().digest


def _tables() -> str:
    from bgcore import bearoff

    return str(bearoff.cache_folder())


PARTS = {"instructions": _instructions, "weights": _weights, "match_equities": _match_equities, "tables": _tables}


@click.command(cls=Command, examples=("bgcore info", "bgcore info --json"))
@json_option
def command(is_json: bool) -> int:
    """Say what is installed, and what its numbers come from.

    The version, the instruction set in use (every one computes the same bits), the digests of the network's weights and
    of the match equity table, the folder of the bear-off tables, and the variables that are set. Put it into a bug
    report. What cannot be used is said, and the rest printed.
    """
    body: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    faults = []
    for name, ask in PARTS.items():
        try:
            body[name] = ask()
        except BgcoreError as error:
            body[name] = None
            faults.append(str(error))
    body["environment"] = {name: text for name, text in sorted(os.environ.items()) if name.startswith("BGCORE_")}
    body["installed"] = str(Path(bgcore.__file__).parent)
    if is_json:
        write_json("info", body)
    else:
        body["environment"] = " ".join(f"{name}={text}" for name, text in body["environment"].items()) or "nothing set"
        rows = [[name.replace("_", " "), "unusable" if text is None else text] for name, text in body.items()]
        click.echo("\n".join(table(("", ""), rows).splitlines()[1:]))
    for fault in dict.fromkeys(faults):
        note(f"bgcore info: {fault}")
    return Exit.USAGE if faults else Exit.DONE
