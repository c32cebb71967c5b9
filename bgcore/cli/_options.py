"""Options and arguments that several commands share, so that they are called and explained the same everywhere."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import click
from click.core import ParameterSource

SHOWN = ("save", "plot", "has_board", "progress_mode", "is_json")
GOES_WITH_MERGE = ("merge", *SHOWN)
GOES_WITH_EXTEND = ("extend", "trials", "workers", "executor", *SHOWN)

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

trial_plies_option = click.option(
    "--plies",
    type=click.IntRange(0, 1),
    default=0,
    show_default=True,
    help="Rolls that both sides look ahead to choose a play.",
)
truncate_option = click.option(
    "--truncate",
    type=click.IntRange(1, 4096),
    metavar="PLIES",
    help="End games after so many plies with the network's value, at a stated model error.",
)
CUBE_RULES = ("jacoby", "beavers", "raccoons", "cube_limit")


class Amount(click.FloatRange):
    """A number above 0 that a stop rule can take."""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number; ``nan`` and what is next to infinite is refused too."""
        number = super().convert(value, param, ctx)
        if not number <= 1e300:
            self.fail(f"{value!r} is not a number from 0 to 1e+300.", param, ctx)
        return number


def refuse_beside(ctx: click.Context, flag: str, *, kept: Collection[str] = (), lost: Collection[str] = ()) -> None:
    """Refuse what was given on the command line and would change nothing beside ``flag``.

    Parameters
    ----------
    ctx : click.Context
    flag : str
        The option that decides.
    kept : collection of str
        Names in Python of all options that go with it; or
    lost : collection of str
        of all that do not.
    """
    refused = [
        option.opts[-1]
        for option in ctx.command.params
        if option.name is not None
        and ctx.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
        and (option.name in lost or (kept and option.name not in kept))
    ]
    if refused:
        raise click.UsageError(f"{' and '.join(refused)} does not go with {flag}", ctx)
