"""How chances and equities are printed, the same in every command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
HEAD = ("win", "gammon", "backg.", "lose g.", "lose b.")


def percent(chance: float) -> str:
    """Write a chance as a percentage with one digit."""
    return f"{100 * chance:.1f} %"


def chances(five: Sequence[float]) -> list[str]:
    """Write the five cumulative chances as the cells under `HEAD`."""
    return [percent(chance) for chance in five]


def chances_body(five: Sequence[float]) -> dict[str, Any]:
    """Name the five cumulative chances for JSON."""
    return dict(zip(NAMES, map(float, five), strict=True))
