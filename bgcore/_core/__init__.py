"""The compiled core, private; this is the one door through which Python code may enter it."""

from bgcore._core.bearoff import OneSidedTable, TwoSidedTable, count_layouts
from bgcore._core.board import Position
from bgcore._core.cubeahead import cube_ahead
from bgcore._core.cubeful import CubeModel, cube_efficiency
from bgcore._core.dice import philox, rolls
from bgcore._core.endings import Endings
from bgcore._core.exact import solve_race
from bgcore._core.lookahead import looked_ahead
from bgcore._core.network import (
    Network,
    active_level,
    chosen_play,
    is_any_bearoff,
    outcomes,
    outcomes_batch,
    self_play,
    supported_levels,
)
from bgcore._core.one_sided import fill_one_sided
from bgcore._core.perft import perft
from bgcore._core.plays import Play, PlayBatch, checked_boards, format_moves, legal_plays, legal_plays_batch
from bgcore._core.trial import COLUMNS, GAMMON_RULES, Trials
from bgcore._core.two_sided import band_count, band_span, fill_bands, whole_graph
from bgcore._core.written import plays_written

__all__ = [
    "COLUMNS",
    "GAMMON_RULES",
    "CubeModel",
    "Endings",
    "Network",
    "OneSidedTable",
    "Play",
    "PlayBatch",
    "Position",
    "Trials",
    "TwoSidedTable",
    "active_level",
    "band_count",
    "band_span",
    "checked_boards",
    "chosen_play",
    "count_layouts",
    "cube_ahead",
    "cube_efficiency",
    "fill_bands",
    "fill_one_sided",
    "format_moves",
    "is_any_bearoff",
    "legal_plays",
    "legal_plays_batch",
    "looked_ahead",
    "outcomes",
    "outcomes_batch",
    "perft",
    "philox",
    "plays_written",
    "rolls",
    "self_play",
    "solve_race",
    "supported_levels",
    "whole_graph",
]
