"""What a notebook shows for our objects: the bodies of their ``_repr_svg_`` and ``_repr_html_``."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bgcore.render.board import svg_board

if TYPE_CHECKING:
    from bgcore._core import Play, Position

WIDTH = 440  # pixels of a board in a notebook


def position_svg(position: Position) -> str:
    """Draw a position at the size of a notebook cell."""
    return svg_board(position, width=WIDTH)


def play_html(play: Play) -> str:
    """Draw a play as arrows on the position before it, with its notation below."""
    board = svg_board(play.position, dice=play.dice, moves=play.moves, width=WIDTH)
    first, second = play.dice
    return f"<figure>{board}<figcaption>{first}-{second}: {escape(str(play)) or 'no move'}</figcaption></figure>"
