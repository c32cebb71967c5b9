"""``bgcore show``: a position as a picture."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import json_option, position_argument, seat_option
from bgcore.cli._output import note, write_file
from bgcore.cli._position import Answer, answer_each, picture
from bgcore.errors import UnsupportedError

if TYPE_CHECKING:
    from bgcore.cli._exit import Exit
    from bgcore.codecs.situation import Situation


@click.command(
    cls=Command,
    examples=(
        "bgcore show start",
        "bgcore show 4HPwATDgc/ABMA --dice 65 --svg board.svg",
        "bgcore show 4HPwATDgc/ABMA --seat theirs",
    ),
)
@position_argument
@context_options
@seat_option
@click.option("--svg", metavar="FILE", help="Write the picture to a file as SVG; - for standard output.")
@click.option("--png", metavar="FILE", help="Write the picture to a file as PNG, by cairosvg or rsvg-convert.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    position: str,
    changes: Changes,
    seat: str,
    svg: str | None,
    png: str | None,
    is_json: bool,
) -> Exit:
    """Draw a position as text or SVG.

    POSITION is any identifier, or - for one on each line of standard input.
    """
    if position == "-" and (svg or png):
        raise click.UsageError("--svg and --png draw one position: give it in place of -", ctx)
    if svg == "-" and is_json:
        raise click.UsageError("--svg - and --json both want standard output: give --svg a file", ctx)

    def answer(given: Situation) -> Answer:
        situation = changes.apply(given)
        body = {
            **situation.to_dict(),
            "pip_counts": situation.position.pip_counts,
            "off": situation.position.off,
            "is_race": situation.position.is_race,
        }
        if not svg and not png:
            return Answer("position", body, picture(situation, seat=seat))
        drawn = picture(situation, seat=seat, is_svg=True)
        if png:
            _write_png(drawn, Path(png))
            note(f"wrote {png}")
        if svg and svg != "-":
            write_file(svg, drawn + "\n")
        return Answer("position", body, drawn if svg == "-" else "")

    return answer_each(position, is_json, answer)


def _write_png(drawn: str, path: Path) -> None:
    """Have another program draw it: bgcore has no rasteriser of its own, and wants none."""
    try:
        importlib.import_module("cairosvg").svg2png(bytestring=drawn.encode(), write_to=str(path), output_width=1200)
        return
    except (ImportError, OSError):  # cairosvg raises OSError when the cairo library is missing
        converter = shutil.which("rsvg-convert")
    if converter is None:
        raise UnsupportedError(
            "--png needs the Python package cairosvg or the program rsvg-convert, and neither is installed; "
            "write --svg instead, which every browser shows"
        )
    subprocess.run([converter, "--width", "1200", "--output", str(path)], input=drawn.encode(), check=True)
