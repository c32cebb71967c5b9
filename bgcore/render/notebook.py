"""What a notebook shows for our objects: the bodies of their ``_repr_svg_`` and ``_repr_html_``."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bgcore.render.board import Colour, svg_board
from bgcore.render.page import table
from bgcore.render.report import TOTALS, analysis_title, totals_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgcore._core import Play, Position
    from bgcore.adjudication import Verdict
    from bgcore.analysis import Analysis
    from bgcore.comparison import Comparison, CubeComparison
    from bgcore.cube import CubeAction
    from bgcore.rollout import Rollout
    from bgcore.search import RankedPlay

OTHER: dict[Colour, Colour] = {"white": "black", "black": "white"}
WIDTH = 440  # pixels of a board in a notebook


def position_svg(position: Position) -> str:
    """Draw a position at the size of a notebook cell."""
    return svg_board(position, width=WIDTH)


def play_html(play: Play) -> str:
    """Draw a play as arrows on the position before it, with its notation below."""
    board = svg_board(play.position, dice=play.dice, moves=play.moves, width=WIDTH)
    first, second = play.dice
    return f"<figure>{board}<figcaption>{first}-{second}: {escape(str(play)) or 'no move'}</figcaption></figure>"


def cube_html(action: CubeAction) -> str:
    """List what each cube action is worth below the verdict."""
    rows = []
    for name in ("no_double", "double_take", "double_pass", "double_beaver"):
        equity = getattr(action, name)
        if equity is not None:
            rows.append([name.replace("_", " "), f"{equity:+.4f}", f"{equity - action.value:+.4f}"])
    return f"<p><b>{escape(action.action)}</b> ({escape(action.basis)})</p>" + table(("", "equity", ""), rows, (1, 2))


def rollout_html(rollout: Rollout) -> str:
    """Draw the position rolled out, its equity and its chances with their standard errors."""
    board = svg_board(rollout.position, dice=rollout.job.dice, width=WIDTH)
    names = ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")
    chances = zip(names, rollout.probabilities.as_tuple(), rollout.prob_std_errors, strict=True)
    rows = [["equity", f"{rollout.equity:+.4f}", f"{rollout.std_error:.4f}"]]
    rows += [[name, f"{100 * mean:.2f} %", f"{100 * error:.2f} %"] for name, mean, error in chances]
    caption = f"{rollout.trials} trials, seed {rollout.seed}"
    return f"<figure>{board}<figcaption>{caption}</figcaption></figure>" + table(
        ("", "mean", "std. error"), rows, (1, 2)
    )


def comparison_html(found: Comparison) -> str:
    """List candidates from best to worst, how far each is behind, and its chance to be best."""
    best, p_best = found.ranking[0], found.p_best
    rows = []
    for i in found.ranking:
        rollout = found.rollouts[i]
        behind, error = found.difference(i, best)
        difference = ["", ""] if i == best else [f"{behind:+.4f}", f"{error:.4f}"]
        worth = [f"{rollout.value:+.4f}", f"{rollout.value_std_error:.4f}"]
        rows.append([found.labels[i], *worth, *difference, f"{100 * p_best[i]:.1f} %"])
    head = ("", "value", "std. error", "behind", "std. error", "best")
    return f"<p>{found.trials} trials each, seed {found.rollouts[0].seed}</p>" + table(head, rows, range(1, 6))


def cube_comparison_html(found: CubeComparison) -> str:
    """Say the action and how sure it is, above both lines that were rolled out."""
    sure = f"doubling is right with {100 * found.p_double:.1f} %, taking with {100 * found.p_take:.1f} %"
    return f"<p><b>{escape(found.action)}</b> ({sure})</p>" + comparison_html(found.lines)


def ranking_html(ranked: Sequence[RankedPlay]) -> str:
    """List the plays of a roll with their worth and how far each is behind the best."""
    rows = [
        [str(one.play), f"{one.worth:+.4f}", f"{one.worth - ranked[0].worth:+.4f}" if at else "", f"{one.plies}-ply"]
        for at, one in enumerate(ranked)
    ]
    return table(("", "worth", "behind", ""), rows, (1, 2))


def analysis_html(analysis: Analysis) -> str:
    """Show the totals of both players."""
    return f"<p>{escape(analysis_title(analysis))}</p>" + table(TOTALS, totals_rows(analysis), range(1, 11))


def verdict_html(verdict: Verdict) -> str:
    """Draw the board that was judged, and say who gets what and why."""
    parts = []
    record = verdict.record
    if record is not None:
        mover = record.on_roll or "white"
        other = OTHER[mover]
        parts.append(
            svg_board(
                record.position,
                dice=record.dice,
                cube=record.cube.seen_by(mover),
                score=None if record.match is None else record.match.seen_by(mover),
                seat="mine" if mover == "white" else "theirs",
                names=(mover.capitalize(), other.capitalize()),
                colours=(mover, other),
                width=WIDTH,
            )
        )
    rows = [["status", verdict.status], ["basis", verdict.basis], ["reasons", ", ".join(verdict.reasons)]]
    if verdict.transfer is not None:
        moved = verdict.transfer
        rows.append(["transfer", f"{moved['amount']} from {moved['from']} to {moved['to']}"])
    if verdict.shares is not None:
        rows.append(["match", f"white {verdict.shares['white']} %, black {verdict.shares['black']} %"])
    rows += [["error", f"{fault.code} {fault.path}: {fault.message}"] for fault in verdict.errors]
    rows.append(["id", verdict.verdict_id])
    return "".join(parts) + table(("", ""), rows)
