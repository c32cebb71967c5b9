from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Aim = tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float32]]

def fill_one_sided(
    points: int, checkers: int, progress: Callable[[int, int], object] | None = None
) -> tuple[Aim, Aim]: ...
