from typing import final

import numpy as np
from numpy.typing import NDArray

from bgcore._core.bearoff import OneSidedTable, TwoSidedTable
from bgcore._core.board import Position
from bgcore._core.cubeful import CubeModel
from bgcore._core.endings import Endings
from bgcore._core.network import Network

COLUMNS: tuple[str, ...]
GAMMON_RULES: tuple[str, ...]

@final
class Trials:
    def __init__(
        self,
        network: Network,
        position: Position,
        *,
        dice: tuple[int, int] | None,
        played: Position | None,
        utility: NDArray[np.float64],
        seed: int,
        gammon_rule: str,
        variance_reduction: bool,
        stratified: bool,
        as_initial_position: bool,
        truncation: int,
        least_spread: float,
        origin: float = 0.0,
        cube: CubeModel | None = None,
        level: int = 0,
        owner: int = 0,
        decides_first: bool = True,
        surveys: bool = True,
        luck_plays: int = 0,
        splits: int = 0,
        rolls: OneSidedTable | None = None,
        table: TwoSidedTable | None = None,
        worth_from_table: bool = False,
        endings: Endings | None = None,
        plies: int = 0,
    ) -> None: ...
    def run(self, first: int, count: int) -> NDArray[np.float64]: ...
