"""Fast, exact and reproducible backgammon, and the settlement of abandoned games.

>>> import bgcore
>>> position = bgcore.Position.starting()
>>> [str(play) for play in bgcore.legal_plays(position, (6, 5))][:2]
['24/13', '24/18 13/8']

Names are loaded when first used, so that ``import bgcore`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bgcore._version import __version__

if TYPE_CHECKING:
    from bgcore import adjudication, bearoff, met
    from bgcore._core import Play, PlayBatch, Position, legal_plays, legal_plays_batch, perft
    from bgcore.analysis import Analysis, analyze
    from bgcore.codecs.case import unfinished_case
    from bgcore.codecs.fibs import format_fibs, parse_fibs
    from bgcore.codecs.identifier import format_identifier, parse_identifier
    from bgcore.codecs.mat import format_mat, iter_mat, read_mat
    from bgcore.codecs.match import Game, Match
    from bgcore.codecs.match_id import format_gnubg_id, format_match_id, parse_gnubg_id, parse_match_id
    from bgcore.codecs.ogid import format_ogid, parse_ogid
    from bgcore.codecs.records import iter_records, read_match
    from bgcore.codecs.sgf import read_sgf
    from bgcore.codecs.situation import Situation
    from bgcore.codecs.xgid import format_xgid, parse_xgid
    from bgcore.comparison import Comparison, CubeComparison, compare_cube, compare_plays
    from bgcore.cube import CubeAction, CubeWindow, cube_action
    from bgcore.evaluate import Evaluator, Probabilities, evaluate, evaluate_batch
    from bgcore.met import MatchEquityTable
    from bgcore.notation import format_play, parse_play
    from bgcore.race import Race, race
    from bgcore.rollout import Rollout, RolloutSettings, StopRule, rollout
    from bgcore.rules import Cube, MatchScore, Rules
    from bgcore.search import MoveFilter, RankedPlay, rank_plays
    from bgcore.stakes import Stakes

# Public name -> the module that defines it. A module listed for its own name is returned itself.
_HOMES = {
    "Analysis": "bgcore.analysis",
    "Comparison": "bgcore.comparison",
    "Cube": "bgcore.rules",
    "CubeAction": "bgcore.cube",
    "CubeComparison": "bgcore.comparison",
    "CubeWindow": "bgcore.cube",
    "Evaluator": "bgcore.evaluate",
    "Game": "bgcore.codecs.match",
    "Match": "bgcore.codecs.match",
    "MatchEquityTable": "bgcore.met",
    "MatchScore": "bgcore.rules",
    "MoveFilter": "bgcore.search",
    "Play": "bgcore._core",
    "PlayBatch": "bgcore._core",
    "Position": "bgcore._core",
    "Probabilities": "bgcore.evaluate",
    "Race": "bgcore.race",
    "RankedPlay": "bgcore.search",
    "Rollout": "bgcore.rollout",
    "RolloutSettings": "bgcore.rollout",
    "Rules": "bgcore.rules",
    "Situation": "bgcore.codecs.situation",
    "Stakes": "bgcore.stakes",
    "StopRule": "bgcore.rollout",
    "adjudication": "bgcore.adjudication",
    "analyze": "bgcore.analysis",
    "bearoff": "bgcore.bearoff",
    "compare_cube": "bgcore.comparison",
    "compare_plays": "bgcore.comparison",
    "cube_action": "bgcore.cube",
    "evaluate": "bgcore.evaluate",
    "evaluate_batch": "bgcore.evaluate",
    "format_fibs": "bgcore.codecs.fibs",
    "format_gnubg_id": "bgcore.codecs.match_id",
    "format_identifier": "bgcore.codecs.identifier",
    "format_mat": "bgcore.codecs.mat",
    "format_match_id": "bgcore.codecs.match_id",
    "format_ogid": "bgcore.codecs.ogid",
    "format_play": "bgcore.notation",
    "format_xgid": "bgcore.codecs.xgid",
    "iter_mat": "bgcore.codecs.mat",
    "iter_records": "bgcore.codecs.records",
    "legal_plays": "bgcore._core",
    "legal_plays_batch": "bgcore._core",
    "met": "bgcore.met",
    "parse_fibs": "bgcore.codecs.fibs",
    "parse_gnubg_id": "bgcore.codecs.match_id",
    "parse_identifier": "bgcore.codecs.identifier",
    "parse_match_id": "bgcore.codecs.match_id",
    "parse_ogid": "bgcore.codecs.ogid",
    "parse_play": "bgcore.notation",
    "parse_xgid": "bgcore.codecs.xgid",
    "perft": "bgcore._core",
    "race": "bgcore.race",
    "rank_plays": "bgcore.search",
    "read_mat": "bgcore.codecs.mat",
    "read_match": "bgcore.codecs.records",
    "read_sgf": "bgcore.codecs.sgf",
    "rollout": "bgcore.rollout",
    "unfinished_case": "bgcore.codecs.case",
}

__all__ = [
    "Analysis",
    "Comparison",
    "Cube",
    "CubeAction",
    "CubeComparison",
    "CubeWindow",
    "Evaluator",
    "Game",
    "Match",
    "MatchEquityTable",
    "MatchScore",
    "MoveFilter",
    "Play",
    "PlayBatch",
    "Position",
    "Probabilities",
    "Race",
    "RankedPlay",
    "Rollout",
    "RolloutSettings",
    "Rules",
    "Situation",
    "Stakes",
    "StopRule",
    "__version__",
    "adjudication",
    "analyze",
    "bearoff",
    "compare_cube",
    "compare_plays",
    "cube_action",
    "evaluate",
    "evaluate_batch",
    "format_fibs",
    "format_gnubg_id",
    "format_identifier",
    "format_mat",
    "format_match_id",
    "format_ogid",
    "format_play",
    "format_xgid",
    "iter_mat",
    "iter_records",
    "legal_plays",
    "legal_plays_batch",
    "met",
    "parse_fibs",
    "parse_gnubg_id",
    "parse_identifier",
    "parse_match_id",
    "parse_ogid",
    "parse_play",
    "parse_xgid",
    "perft",
    "race",
    "rank_plays",
    "read_mat",
    "read_match",
    "read_sgf",
    "rollout",
    "unfinished_case",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'bgcore' has no attribute {name!r}")
    module = importlib.import_module(home)
    value = module if home == f"bgcore.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
