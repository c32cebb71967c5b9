"""What a game pays, from what is known about it: the step from a situation to stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.errors import UnsupportedError

if TYPE_CHECKING:
    from bgcore.cli._context import Changes
    from bgcore.codecs.situation import Situation
    from bgcore.stakes import Stakes


def says_cube(situation: Situation, changes: Changes) -> bool:
    """Whether the identifier or the options say where the cube is, or at which score of a match."""
    from bgcore.rules import Cube

    return situation.score is not None or situation.cube != Cube() or changes.cube is not None


def stakes_of(situation: Situation) -> Stakes:
    """Say what the game pays to the side to move: points in money play, match-winning chance in a match.

    Raises
    ------
    UnsupportedError
        If the match goes on too long for the match equity table.
    """
    from bgcore import met
    from bgcore.stakes import Stakes

    score = situation.score
    if score is None:
        return Stakes.money(situation.cube, situation.rules)
    table, away = met.default(), max(score.mine_away, score.theirs_away)
    if away > table.length:
        raise UnsupportedError(
            f"at {score.mine}-{score.theirs} in a match to {score.length} a side needs {away} points, "
            f"and the match equities of {table.name} end at {table.length}"
        )
    return Stakes.match(situation.cube, situation.rules, score, table)
