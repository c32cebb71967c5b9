"""What a game pays, from what is known about it: the step from a situation to stakes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bgcore.cli._context import read_cap
from bgcore.errors import BgcoreError, RulesError, UnsupportedError

if TYPE_CHECKING:
    from bgcore.cli._context import Changes
    from bgcore.codecs.situation import Situation
    from bgcore.met import MatchEquityTable
    from bgcore.stakes import Stakes


def says_cube(situation: Situation, changes: Changes) -> bool:
    """Whether the identifier or the options say where the cube is, or at which score of a match."""
    from bgcore.rules import Cube

    return situation.score is not None or situation.cube != Cube() or changes.cube is not None


def stakes_of(situation: Situation, changes: Changes) -> Stakes:
    """Say what the game pays to the side to move: points in money play, match-winning chance in a match.

    Raises
    ------
    RulesError, DataError, UnsupportedError
        Naming the option that cannot be used, or if the match goes on too long for the match equity table.
    """
    from bgcore.stakes import Stakes

    score = situation.score
    if score is None:
        cap = None if changes.cap is None else read_cap(changes.cap)
        try:
            return Stakes.money(situation.cube, situation.rules, cap)
        except UnsupportedError as error:
            raise UnsupportedError(f"--cap: {error}, as --cube-limit 64") from None
    if score.is_crawford and changes.cube_limit is not None:
        raise RulesError("--cube-limit: nobody may double in the Crawford game, so it limits nothing")
    table, away = table_of(changes), max(score.mine_away, score.theirs_away)
    if away > table.length:
        raise UnsupportedError(
            f"at {score.mine}-{score.theirs} in a match to {score.length} a side needs {away} points, "
            f"and the match equities of {table.name} end at {table.length}"
        )
    return Stakes.match(situation.cube, situation.rules, score, table)


def table_of(changes: Changes) -> MatchEquityTable:
    """Return the match equity table that ``--met`` names, or the one used where none is named."""
    from bgcore import met

    return met.default() if changes.met is None else _read_table(changes.met)


@cache  # one reading of the file serves every line of standard input
def _read_table(source: str) -> MatchEquityTable:
    from bgcore import met

    try:
        return met.load(source)
    except BgcoreError as error:
        raise type(error)(f"--met: {error}") from None


def in_force(situation: Situation, changes: Changes) -> dict[str, Any]:
    """Name for JSON the rules that stakes were made of: those of money play, or those of a match."""
    rules = situation.rules
    if situation.score is not None:
        table = table_of(changes)
        return {"cube_limit": rules.cube_limit, "met": {"name": table.name, "digest": table.digest}}
    return {
        "jacoby": rules.jacoby,
        "beavers": rules.beavers,
        "raccoons": rules.raccoons,
        "cube_limit": rules.cube_limit,
        "cap": None if changes.cap is None else read_cap(changes.cap),
    }
