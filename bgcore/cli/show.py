"""``bgcore show``: a position as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bgcore.cli._command import Command
from bgcore.cli._context import Changes, context_options
from bgcore.cli._options import json_option, position_argument, seat_option
from bgcore.cli._output import write_file
from bgcore.cli._position import Answer, answer_each, picture

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
@context_options("cube_limit")
@seat_option
@click.option("--svg", metavar="FILE", help="Write the picture to a file as SVG; - for standard output.")
@click.option("--png", metavar="FILE", help="The same as PNG; needs the extra png.")
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
    """Draw a position as text, SVG or PNG.

    POSITION is any identifier, or - for one on each line of standard input.
    """
    if position == "-" and (svg or png):
        raise click.UsageError("--svg and --png draw one position: give it in place of -", ctx)
    to_stdout = [
        name for name, wants in (("--svg -", svg == "-"), ("--png -", png == "-"), ("--json", is_json)) if wants
    ]
    if len(to_stdout) > 1:
        raise click.UsageError(f"{' and '.join(to_stdout)} both want standard output: name a file", ctx)

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
            from bgcore.render.raster import png_of

            dots = png_of(drawn)
            if png == "-":
                click.echo(dots, nl=False)
            else:
                write_file(png, dots)
        if svg and svg != "-":
            write_file(svg, drawn + "\n")
        return Answer("position", body, drawn if svg == "-" else "")

    return answer_each(position, is_json, answer)
