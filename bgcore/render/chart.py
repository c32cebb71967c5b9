"""The convergence of a rollout as a picture: the mean and its 95 % interval against the number of trials."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from bgcore.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 16, 44
NORMAL_95 = 1.959963984540054


def convergence_svg(
    points: Sequence[tuple[int, float, float]],
    *,
    title: str = "Convergence",
    across: str = "trials",
    decimal_mark: str = ".",
) -> str:
    """Draw how a mean settled.

    Parameters
    ----------
    points : sequence of (trials, mean, std_error)
        Ascending in trials; points whose standard error is not finite are left out.
    title : str
        Said to readers who cannot see the picture.
    across : str
        What is counted below the picture.
    decimal_mark : str
        How the language of the picture marks decimals.

    Returns
    -------
    str
        One ``<svg>`` element without script, style sheet or reference to anything outside it.

    Raises
    ------
    RulesError
        If no point has a finite standard error.
    """
    shown = [(n, mean, NORMAL_95 * error) for n, mean, error in points if isfinite(error) and isfinite(mean)]
    if not shown:
        raise RulesError("a picture of convergence needs at least one point with a standard error")
    low = min(mean - half for _, mean, half in shown)
    high = max(mean + half for _, mean, half in shown)
    room = (high - low) * 0.05 or 0.01
    low, high = low - room, high + room
    most = shown[-1][0]

    def x(trials: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * trials / most

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    upper = [f"{x(n):.1f},{y(mean + half):.1f}" for n, mean, half in shown]
    lower = [f"{x(n):.1f},{y(mean - half):.1f}" for n, mean, half in reversed(shown)]
    line = " ".join(f"{x(n):.1f},{y(mean):.1f}" for n, mean, _ in shown)
    last = shown[-1][1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<desc>{last:+.4f} ± {shown[-1][2]:.4f} ({most} {escape(across)})</desc>",
        f'<polygon points="{" ".join(upper + lower)}" fill="#cfd8dc"/>',
        f'<line x1="{LEFT}" y1="{y(last):.1f}" x2="{WIDTH - RIGHT}" y2="{y(last):.1f}" '
        f'stroke="#777777" stroke-dasharray="4 4"/>',
        f'<polyline points="{line}" fill="none" stroke="#1c1c1c" stroke-width="2"/>',
        *(
            f'<path d="M{x(n):.1f} {y(mean - half):.1f}V{y(mean + half):.1f}" stroke="#777777"/>'
            for n, mean, half in shown
        ),
        *(f'<circle cx="{x(n):.1f}" cy="{y(mean):.1f}" r="3" fill="#1c1c1c"/>' for n, mean, _ in shown),
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#1c1c1c"/>',
    ]
    for value in _ticks(low, high):
        number = f"{value:+g}".replace(".", decimal_mark)
        parts.append(f'<text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{number}</text>')
        parts.append(f'<path d="M{LEFT - 4} {y(value):.1f}H{LEFT}" stroke="#1c1c1c"/>')
    for trials in _ticks(0, most):
        parts.append(f'<text x="{x(trials):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{trials:g}</text>')
        parts.append(f'<path d="M{x(trials):.1f} {HEIGHT - BOTTOM}v4" stroke="#1c1c1c"/>')
    middle = (LEFT + WIDTH - RIGHT) // 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text></svg>')
    return "\n".join(parts)


def _ticks(low: float, high: float) -> list[float]:
    """Choose about five round numbers between two ends."""
    steps = (factor * 10.0**power for power in range(-12, 12) for factor in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= 6)
    first = int(low // step)
    numbers = [round((first + i) * step, 12) for i in range(9)]
    return [number for number in numbers if low <= number <= high]
