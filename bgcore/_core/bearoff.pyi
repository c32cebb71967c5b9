from typing import final

import numpy as np
from numpy.typing import NDArray

from bgcore._core.board import Position
from bgcore._core.one_sided import _Rows

_Row = tuple[NDArray[np.float64], float, int, int]

def count_layouts(points: int, checkers: int) -> int: ...

@final
class OneSidedTable:
    points: int
    checkers: int
    arrays: tuple[_Rows, _Rows]
    def __init__(self, points: int, checkers: int, arrays: tuple[_Rows, _Rows]) -> None: ...
    def __contains__(self, position: Position, /) -> bool: ...
    def holds_mine(self, position: Position) -> bool: ...
    def rows(self, position: Position) -> tuple[_Row, _Row | None]: ...
    def outcomes(self, position: Position) -> tuple[float, float, float, float, float, float]: ...

@final
class TwoSidedTable:
    points: int
    checkers: int
    values: NDArray[np.float32]
    def __init__(self, points: int, checkers: int, values: NDArray[np.float32]) -> None: ...
    def __contains__(self, position: Position, /) -> bool: ...
    def entry(self, position: Position) -> tuple[float, float, float, float]: ...
