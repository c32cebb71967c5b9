"""What a game pays, from what is known about it: the step from a situation to stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from bgcore.codecs.situation import Situation
    from bgcore.stakes import Stakes


def stakes_of(situation: Situation, cap: Fraction | None = None) -> Stakes:
    """Say what the game pays to the side to move: points in money play, match-winning chance in a match."""
    from bgcore import met
    from bgcore.stakes import Stakes

    if situation.score is None:
        return Stakes.money(situation.cube, situation.rules, cap)
    return Stakes.match(situation.cube, situation.rules, situation.score, met.default())
