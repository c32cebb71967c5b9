from typing import final

import numpy as np
from numpy.typing import NDArray

from bgcore._core.board import Position

@final
class CubeModel:
    @property
    def total(self) -> float: ...
    def __init__(
        self,
        mine: NDArray[np.float64],
        theirs: NDArray[np.float64],
        is_rescaling: bool,
        beavers: bool,
        raccoons: bool,
    ) -> None: ...
    def decision(
        self, chances: NDArray[np.float64], level: int, owner: int, efficiency: float
    ) -> tuple[float, float, float, float, float, float, float, bool, bool, int]: ...
    def window(
        self, chances: NDArray[np.float64], level: int, owner: int, efficiency: float
    ) -> tuple[float, float, float, float]: ...

def cube_efficiency(position: Position) -> float: ...
