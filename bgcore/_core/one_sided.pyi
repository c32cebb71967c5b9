from collections.abc import Callable
from typing import final

import numpy as np
from numpy.typing import NDArray

_Means = NDArray[np.float64]
_Starts = NDArray[np.uint32]
_Bytes = NDArray[np.uint8]
_Chances = NDArray[np.float32]
_Rows = tuple[_Means, _Starts, _Bytes, _Bytes, _Chances]

@final
class Aim:
    arrays: tuple[_Means, _Starts, _Bytes, _Bytes]

def fill_one_sided(
    points: int, checkers: int, progress: Callable[[int, int], object] | None = None
) -> tuple[_Rows, _Rows]: ...
