from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def philox(key: Sequence[int], counter: Sequence[int]) -> tuple[int, int, int, int]: ...
def rolls(
    seed: int,
    first: int,
    trials: int,
    plies: int,
    *,
    stratified: bool = True,
    as_initial_position: bool = False,
) -> NDArray[np.int8]: ...
