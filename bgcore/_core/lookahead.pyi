from collections.abc import Sequence

from bgcore._core.bearoff import OneSidedTable, TwoSidedTable
from bgcore._core.board import Position
from bgcore._core.network import Network

def looked_ahead(
    network: Network,
    positions: Sequence[Position],
    plies: int,
    utility: Sequence[float] = ...,
    few: int = 0,
    one: OneSidedTable | None = None,
    two: TwoSidedTable | None = None,
) -> list[tuple[float, float, float, float, float, float]]: ...
