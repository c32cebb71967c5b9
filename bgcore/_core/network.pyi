from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from bgcore._core.bearoff import OneSidedTable, TwoSidedTable
from bgcore._core.board import Position

MAGIC: bytes
_Six = tuple[float, float, float, float, float, float]

@final
class Network:
    digest: str
    def __init__(self, *args: object, **kwargs: object) -> None: ...
    @staticmethod
    def from_bytes(data: bytes, name: str = "weights") -> Network: ...
    @staticmethod
    def default() -> Network: ...

def supported_levels() -> list[str]: ...
def active_level() -> str: ...
def outcomes(network: Network, position: Position) -> _Six: ...
def outcomes_batch(
    network: Network,
    boards: NDArray[np.int8],
    out: NDArray[np.float32],
    one: OneSidedTable | None = None,
    two: TwoSidedTable | None = None,
) -> None: ...
def is_any_bearoff(boards: NDArray[np.int8], points: int, checkers: int) -> bool: ...
def looked_ahead(network: Network, position: Position, plies: int) -> _Six: ...
def chosen_play(
    network: Network, position: Position, die1: int, die2: int, utility: Sequence[float]
) -> tuple[Position, _Six, int]: ...
def self_play(network: Network, position: Position, dice: NDArray[np.int8]) -> tuple[int, int, Position]: ...
