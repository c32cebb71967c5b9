"""Reports as self-contained pages: what `bgcore.render.page` lays out, filled with our results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.render import page
from bgcore.render.board import svg_board

if TYPE_CHECKING:
    from bgcore.analysis import Analysis, Decision


def decision_title(decision: Decision, names: tuple[str, str]) -> str:
    """Say where a decision stands and what it cost, in one line."""
    who = names[decision.player]
    roll = f" {decision.dice[0]}-{decision.dice[1]}" if decision.dice else ""
    return f"Game {decision.game}, {who}{roll}: {decision.chosen.text}, an error of {decision.error:.3f}"


def analysis_title(analysis: Analysis) -> str:
    """Say what was analysed and how, in one line."""
    length, games = analysis.match.length, len(analysis.match.games)
    kind = f"match to {length}" if length else "money session"
    return f"{kind}, {games} game{'s' if games != 1 else ''}, {analysis.plies}-ply"


def analysis_page(analysis: Analysis, *, worst: int = 10) -> str:
    """Write an analysis as an HTML page: totals of both players, and boards of the worst errors.

    Parameters
    ----------
    analysis : Analysis
        From `bgcore.analysis.analyze`.
    worst : int
        How many errors to show, the largest first.

    Returns
    -------
    str
        A document that loads nothing and runs nothing.
    """
    names = analysis.match.names
    title = f"{names[0]} – {names[1]}"
    parts = [
        page.paragraphs([analysis_title(analysis)], "lead"),
        page.section("Totals", page.table(TOTALS, totals_rows(analysis), range(1, 11))),
    ]
    for decision in analysis.worst(worst):
        parts.append(page.section(decision_title(decision, names), *_decision(decision, names)))
    if analysis.skipped:
        rows = [[str(line), reason] for line, reason in analysis.skipped]
        parts.append(page.section("Not weighed", page.table(("line", "why"), rows, [0])))
    return page.page(title, parts, footer=f"bgcore, weights {analysis.weights[:16]}")


TOTALS = (
    "player", "decisions", "rating", "error", "plays", "doubles", "answers", "luck", "doubtful", "bad", "very bad",
)  # fmt: skip


def totals_rows(analysis: Analysis) -> list[list[str]]:
    """Write the totals of both players as the cells under `TOTALS`; errors and luck in normalised equity."""
    rows = []
    for player, name in enumerate(analysis.match.names):
        totals = analysis.totals(player)
        sums = (totals.error, totals.play_error, totals.double_error, totals.answer_error)
        rows.append(
            [
                name,
                str(totals.decisions),
                f"{totals.performance_rating:.2f}",
                *(f"{error:.3f}" for error in sums),
                f"{totals.luck:+.3f}",
                *(str(number) for number in totals.grades.values()),
            ]
        )
    return rows


def _decision(decision: Decision, names: tuple[str, str]) -> list[str]:
    """Draw the board of a decision and list its choices, the one made marked."""
    answers = decision.kind == "answer"
    mover = 1 - decision.player if answers else decision.player
    seats = (names[mover], names[1 - mover])
    board = svg_board(
        decision.position,
        dice=decision.dice,
        cube=decision.cube,
        seat="theirs" if answers else "mine",
        names=seats,
        colours=("white", "black") if mover == 0 else ("black", "white"),
        status=f"{seats[0]} doubles" if answers else None,
    )
    choices = list(decision.choices)
    if decision.chosen not in choices:
        choices.append(decision.chosen)
    rows = []
    for choice in choices:
        mark = "←" if choice.text == decision.chosen.text else ""
        loss = choice.equity - decision.best.equity
        row = [choice.text, f"{choice.equity:+.4f}", f"{loss:+.4f}" if loss else "", mark]
        if choice.mwc is not None:
            row[2:2] = [f"{100 * choice.mwc:.2f} %"]
        rows.append(row)
    head = ["choice", "equity", "", ""]
    if len(rows[0]) == 5:
        head[2:2] = ["match"]
    table = page.table(head, rows, range(1, len(head) - 1))
    return [f'<div class="boards">{page.figure(board, "")}<div>{table}</div></div>']
