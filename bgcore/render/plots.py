"""Pictures of a rollout by matplotlib (the extra ``plot``): how its mean settled, and how games end."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from bgcore.errors import RulesError, UnsupportedError, short
from bgcore.wholefile import write_whole

if TYPE_CHECKING:
    from bgcore.rollout import Rollout

_ENDINGS = ("lose\nback-\ngammon", "lose\ngammon", "lose\nsingle", "win\nsingle", "win\ngammon", "win\nback-\ngammon")


def require_drawable(path: str | Path) -> None:
    """Refuse a picture that could not be drawn, before a long rollout runs for it.

    Parameters
    ----------
    path : str or Path
        Where to; the ending says the format (png, svg, pdf).

    Raises
    ------
    UnsupportedError
        If matplotlib is not installed, or cannot write this format.
    """
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise UnsupportedError('pictures need matplotlib: pip install ".[plot]" in a checkout') from None
    formats = FigureCanvasBase.get_supported_filetypes()
    if _format(path) not in formats:
        raise UnsupportedError(f"cannot draw to {short(path)}: its ending is none of {', '.join(sorted(formats))}")


def _format(path: str | Path) -> str:
    return Path(path).suffix.removeprefix(".").lower() or "png"


def plot_rollout(history: Sequence[Rollout], path: str | Path) -> None:
    """Write a picture of a rollout as it grew.

    Parameters
    ----------
    history : sequence of Rollout
        The same rollout at rising numbers of trials, such as its ``progress`` was called with; the last one is
        drawn in full.
    path : str or Path
        Where to; the ending says the format (png, svg, pdf).

    Raises
    ------
    RulesError
        If nothing in the history has a standard error yet.
    UnsupportedError
        If matplotlib is not installed, or cannot write this format.
    """
    require_drawable(path)
    from matplotlib.figure import Figure

    points = [(one.trials, one.value, one.interval()) for one in history if isfinite(one.value_std_error)]
    if not points:
        raise RulesError("a picture of a rollout needs at least two trials")
    last = history[-1]
    figure = Figure(figsize=(10, 4), layout="constrained")
    settling, endings = figure.subplots(1, 2, width_ratios=(3, 2))
    trials = [number for number, _, _ in points]
    settling.fill_between(trials, [low for _, _, (low, _) in points], [high for _, _, (_, high) in points], alpha=0.25)
    settling.plot(trials, [mean for _, mean, _ in points])
    settling.set_xlabel("trials")
    stakes = last.job.stakes
    settling.set_ylabel("equity" if stakes is None else "points" if stakes.unit == "points" else "match-winning chance")
    settling.set_title(f"{last.value:+.4f}, 95 % within {points[-1][2][0]:+.4f} to {points[-1][2][1]:+.4f}")
    chances = last.probabilities
    lose = 1 - chances.win
    heights = (
        chances.lose_backgammon,
        chances.lose_gammon - chances.lose_backgammon,
        lose - chances.lose_gammon,
        chances.win - chances.win_gammon,
        chances.win_gammon - chances.win_backgammon,
        chances.win_backgammon,
    )
    endings.bar(_ENDINGS, [100 * max(height, 0.0) for height in heights])
    endings.tick_params(axis="x", labelsize=7)
    endings.set_ylabel("% of games")
    endings.set_title("how games end")
    drawn = BytesIO()
    figure.savefig(drawn, format=_format(path))
    write_whole(path, [drawn.getbuffer()])
