"""How few and how many rolls a side can need, whatever the dice: what certain results are proved from."""

from dataclasses import dataclass

from bgcore._core import Position
from bgcore.bearoff.tables import Tables, default


@dataclass(frozen=True, slots=True)
class RollBounds:
    """Rolls the side to move needs without contact: with the luckiest dice, and the unluckiest ones well played.

    Attributes
    ----------
    fewest, most : int
        To bear off all its checkers.
    first_fewest, first_most : int
        To bear off one, if all 15 are on the board; else 0.
    is_tight : bool
        Whether these numbers are reached; else (a checker outside home) they are bounds on either side.
    """

    fewest: int
    most: int
    first_fewest: int
    first_most: int
    is_tight: bool


def roll_bounds(position: Position, tables: Tables | None = None) -> RollBounds:
    """Bound the number of rolls that the side to move needs, as if the other side were not there.

    Parameters
    ----------
    position : Position
        Not finished; contact is ignored, so it is for the caller to know that there is none.
    tables : Tables, optional
        By default `default`, whose one-sided table must hold every home layout.

    Notes
    -----
    With all checkers home, from the table. With some outside, the least uses that a die moves one checker
    at most six pips: the steps that all checkers need, four to a roll. The most brings the checkers
    outside home first, at least a pip a die, and then counts them on the 6 point; that is a bound because
    the table's unluckiest number never grows when a checker stands lower (its tests check every layout).
    That of the first checker may grow, so for it the unluckiest layout of all counts.
    """
    tables = tables or default()
    side = tables.side(position)
    if side is not None:
        first = side.first_off
        return RollBounds(
            side.all_off.fewest,
            side.all_off.most,
            first.fewest if first is not None else 0,
            first.most if first is not None else 0,
            True,
        )
    counts = [max(int(count), 0) for count in position.board]
    outside = range(7, 26)
    home = [0, *counts[1:7], *[0] * 19]
    home[6] += sum(counts[point] for point in outside)
    # Somewhere for the other side to stand: its place does not matter.
    home[24] = -1
    arrived = tables.side(Position.from_board(home))
    assert arrived is not None
    to_go = sum((point - 6) * counts[point] for point in outside)
    coming_home = -(-to_go // 2)
    steps = sum(-(-point // 6) * counts[point] for point in range(1, 26))
    steps_home = sum((-(-point // 6) - 1) * counts[point] for point in outside)
    first = arrived.first_off
    return RollBounds(
        -(-steps // 4),
        coming_home + arrived.all_off.most,
        -(-(steps_home + 1) // 4) if first is not None else 0,
        coming_home + int(tables.one.arrays[1][3][:, 1].max()) if first is not None else 0,
        False,
    )
