from typing import final

import numpy as np
from numpy.typing import NDArray

from bgcore._core.board import Position
from bgcore._core.cubeful import CubeModel
from bgcore._core.layouts import Graph

@final
class Endings:
    points: int
    checkers: int
    levels: int
    values: NDArray[np.float32]
    def __init__(self, graph: Graph, points: int, checkers: int, model: CubeModel, is_centred: bool) -> None: ...
    def worth(self, position: Position, side: int, level: int, owner: int) -> float | None: ...
