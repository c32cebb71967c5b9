from bgcore._core.bearoff import OneSidedTable, TwoSidedTable
from bgcore._core.board import Position
from bgcore._core.cubeful import CubeModel
from bgcore._core.network import Network

def cube_ahead(
    network: Network,
    position: Position,
    model: CubeModel,
    owner: int,
    plies: int,
    one: OneSidedTable | None = None,
    two: TwoSidedTable | None = None,
) -> tuple[float, float, float]: ...
