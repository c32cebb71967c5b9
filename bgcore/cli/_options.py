"""Options and arguments that several commands share, so that they are called and explained the same everywhere."""

from __future__ import annotations

import click

position_argument = click.argument("position")
json_option = click.option("--json", "is_json", is_flag=True, help="Print JSON, one object on a line.")
board_option = click.option("--board/--no-board", "has_board", default=True, help="Draw the board, or not.")
seat_option = click.option(
    "--seat",
    type=click.Choice(["mine", "theirs"]),
    default="mine",
    show_default=True,
    help="Who sits at the bottom: the side to move, or its opponent.",
)
plies_option = click.option(
    "--plies",
    type=click.IntRange(0, 3),
    default=0,
    show_default=True,
    help="Rolls to look ahead; 0 asks the network once.",
)
