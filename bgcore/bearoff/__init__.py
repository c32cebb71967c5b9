"""Bear-off: tables of how many rolls a side needs, exact tables of both sides with the cube, an exact solver.

>>> import bgcore
>>> tables = bgcore.bearoff.default()
>>> four_aces_each = bgcore.Position.from_position_id("DwAA4AEAAAAAAA")
>>> round(tables.two_sided(four_aces_each).no_double, 6)
0.722222
>>> tables.one_sided(four_aces_each).mine.all_off.most
2
"""

from bgcore._core import OneSidedTable, TwoSidedTable
from bgcore.bearoff.bounds import RollBounds, roll_bounds
from bgcore.bearoff.files import cache_folder
from bgcore.bearoff.solver import Solution, solve
from bgcore.bearoff.tables import (
    CacheWarning,
    OneSided,
    Rolls,
    Side,
    Tables,
    TwoSided,
    build,
    default,
    info,
    open_table,
)

__all__ = [
    "CacheWarning",
    "OneSided",
    "OneSidedTable",
    "RollBounds",
    "Rolls",
    "Side",
    "Solution",
    "Tables",
    "TwoSided",
    "TwoSidedTable",
    "build",
    "cache_folder",
    "default",
    "info",
    "open_table",
    "roll_bounds",
    "solve",
]
