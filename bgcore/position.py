"""Positions, under the name that readers of the layers look for; the class itself is compiled."""

from bgcore._core import Position

__all__ = ["Position"]
