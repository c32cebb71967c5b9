from collections.abc import Sequence
from typing import final

from bgcore._core.board import Position

_Ways = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]

@final
class Side: ...

def small_side(layout: bytes, highest_first: bool, gammon_rule: str, is_end_best: bool) -> Side: ...
def solve_race(
    position: Position,
    highest_first: bool,
    gammon_rule: str,
    moves: Sequence[tuple[_Ways, _Ways]],
    payoffs: Sequence[Sequence[int]],
    scale_base: int,
    is_end_best: bool,
) -> tuple[list[int] | list[float], list[int] | list[float], int, float]: ...
