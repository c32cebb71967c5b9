"""Pictures as PNG: our SVG drawn in dots by resvg (the extra ``png``)."""

from __future__ import annotations

from bgcore.errors import UnsupportedError

WIDTH = 1200


def png_of(svg: str, *, width: int = WIDTH) -> bytes:
    """Draw an SVG in dots.

    Parameters
    ----------
    svg : str
        From `bgcore.render.board.svg_board`.
    width : int
        Of the picture, in dots; its height follows.

    Returns
    -------
    bytes
        A PNG file. Its letters are the machine's own: where no font is installed there are none.

    Raises
    ------
    UnsupportedError
        If resvg-py is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UnsupportedError(
            'a PNG needs resvg-py: pip install ".[png]" in a checkout, or write an SVG, which every browser shows'
        ) from None
    return bytes(svg_to_bytes(svg_string=svg, width=width))
