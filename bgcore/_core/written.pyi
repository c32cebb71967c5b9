from collections.abc import Iterable

from bgcore._core.board import Position
from bgcore._core.plays import Play

def plays_written(position: Position, die1: int, die2: int, paths: Iterable[tuple[int, int]]) -> list[Play]: ...
