"""Every decision of a match record weighed: errors, luck, totals and a performance rating for each player.

Equities are normalised as in `bgcore.cube`: +1 and -1 are a single win and a single loss at the cube of the moment
(points per unit of cube in money play, EMG in a match). Errors are what a decision gave away against the best one, 0 or
more. Three kinds of decision are weighed:

*Plays.* Every legal play is valued by the static cubeful model on the network's chances for the opponent, who is to
move; with ``plies`` above 0 the best of them, and the one played, again by looking ahead. Forced plays are no
decisions.

*Doubles.* Before each roll of a player who may double. Doubling counts as a decision when he doubled, when not doubling
was an error, or when the two lie within `CLOSE` of each other.

*Answers.* Takes and drops.

The *luck* of a roll is the value of its best play less the average over all rolls. The *performance rating* is 500
times the average error of a decision, as XG counts it; the error rate is 1000 times, as gnubg does. Resignations are
not weighed, nor is anything on a board that the record leaves unknown, nor an illegal play itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np

from bgcore import met as equity_tables
from bgcore._core import Position, cube_ahead, cube_efficiency, legal_plays, outcomes
from bgcore.codecs.match import CubeAction, Game, Match, Turn, Unread, seen_by
from bgcore.errors import BgcoreError, require, whole
from bgcore.evaluate import Evaluator
from bgcore.rules import Cube
from bgcore.stakes import Stakes

Kind = Literal["play", "double", "answer"]

CLOSE: Final = 0.2
"""How near doubling and not doubling lie, in normalised equity, for not doubling to count as a decision."""
KEPT: Final = 0.16
"""Plays that far behind the best at 0 plies are not looked at more closely."""
MOST_KEPT: Final = 6
"""How many plays are looked at more closely, the one played not counted."""
MOST_PLIES: Final = 2
GRADES: Final = (("doubtful", 0.03), ("bad", 0.06), ("very bad", 0.12))
"""Names of errors from a size on, as gnubg has them."""

_OWNERS: Final = {"centre": 0, "mine": 1, "theirs": 2}


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to decide, and what it is worth to the player who decides."""

    text: str
    equity: float
    mwc: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a player.

    Parameters
    ----------
    game, line, player : int
        Where it stands in the record, and who decided.
    kind : {"play", "double", "answer"}
        See the top of this module.
    position : Position
        Seen by the side to move; for an answer, by the side that doubled.
    cube : Cube
        Seen by the side to move, before the double.
    dice : (int, int) or None
        Of a play.
    chosen, best : Choice
        What was done, and what was best.
    choices : tuple of Choice
        The best few, best first.
    is_counted : bool
        Whether it enters the number of decisions.
    """

    game: int
    line: int
    player: int
    kind: Kind
    position: Position
    cube: Cube
    dice: tuple[int, int] | None
    chosen: Choice
    best: Choice
    choices: tuple[Choice, ...]
    is_counted: bool

    @property
    def error(self) -> float:
        """What the decision gave away, in normalised equity; 0 or more."""
        return max(self.best.equity - self.chosen.equity, 0.0)

    @property
    def mwc_error(self) -> float | None:
        """What it gave away of the chance to win the match; None in money play."""
        if self.best.mwc is None or self.chosen.mwc is None:
            return None
        return max(self.best.mwc - self.chosen.mwc, 0.0)

    @property
    def grade(self) -> str:
        """The error as a word: "", "doubtful", "bad" or "very bad"."""
        return next((name for name, size in reversed(GRADES) if self.error >= size), "")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "game": self.game,
            "line": self.line,
            "player": self.player,
            "kind": self.kind,
            "position_id": self.position.position_id,
            "cube": {"value": self.cube.value, "owner": self.cube.owner},
            "dice": list(self.dice) if self.dice else None,
            "chosen": self.chosen.text,
            "best": self.best.text,
            "error": self.error,
            "mwc_error": self.mwc_error,
            "grade": self.grade,
            "is_counted": self.is_counted,
            "choices": [{"text": item.text, "equity": item.equity, "mwc": item.mwc} for item in self.choices],
        }


@dataclass(frozen=True, slots=True)
class Luck:
    """How lucky a roll was, to the player who rolled; ``equity`` in normalised equity."""

    game: int
    line: int
    player: int
    dice: tuple[int, int]
    equity: float
    mwc: float | None


@dataclass(slots=True)
class Totals:
    """Sums over one player's decisions.

    Attributes
    ----------
    decisions, plays, doubles, answers : int
        Number of decisions counted, in all and of each kind.
    play_error, double_error, answer_error : float
        Sums of errors in normalised equity.
    mwc_error : float
        Sum of all errors in match winning chance; 0 in money play.
    luck, mwc_luck : float
        Sums of the luck of all rolls.
    grades : dict of str to int
        Number of errors of each grade.
    """

    decisions: int = 0
    plays: int = 0
    doubles: int = 0
    answers: int = 0
    play_error: float = 0.0
    double_error: float = 0.0
    answer_error: float = 0.0
    mwc_error: float = 0.0
    luck: float = 0.0
    mwc_luck: float = 0.0
    grades: dict[str, int] = field(default_factory=lambda: {name: 0 for name, _ in GRADES})

    @property
    def error(self) -> float:
        """Sum of all errors, in normalised equity."""
        return self.play_error + self.double_error + self.answer_error

    @property
    def performance_rating(self) -> float:
        """500 times the average error of a decision; 0 without decisions. Lower is better."""
        return 500 * self.error / self.decisions if self.decisions else 0.0

    @property
    def error_rate(self) -> float:
        """1000 times the average error of a decision; 0 without decisions. Lower is better."""
        return 2 * self.performance_rating

    def add(self, decision: Decision) -> None:
        """Add one decision."""
        error = decision.error
        if decision.kind == "play":
            self.play_error += error
            self.plays += decision.is_counted
        elif decision.kind == "double":
            self.double_error += error
            self.doubles += decision.is_counted
        else:
            self.answer_error += error
            self.answers += decision.is_counted
        self.decisions += decision.is_counted
        self.mwc_error += decision.mwc_error or 0.0
        if decision.grade:
            self.grades[decision.grade] += 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "decisions": self.decisions,
            "plays": self.plays,
            "doubles": self.doubles,
            "answers": self.answers,
            "error": self.error,
            "play_error": self.play_error,
            "double_error": self.double_error,
            "answer_error": self.answer_error,
            "mwc_error": self.mwc_error,
            "performance_rating": self.performance_rating,
            "error_rate": self.error_rate,
            "luck": self.luck,
            "mwc_luck": self.mwc_luck,
            "grades": dict(self.grades),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match record weighed.

    Parameters
    ----------
    match : Match
        The record.
    decisions : tuple of Decision
        In the order of the record.
    lucks : tuple of Luck
        One for every roll of a known position.
    skipped : tuple of (int, str)
        Lines that could not be weighed, and why.
    plies : int
        How far plays and doubles were looked ahead.
    weights : str
        SHA-256 of the network's weights.
    """

    match: Match
    decisions: tuple[Decision, ...]
    lucks: tuple[Luck, ...]
    skipped: tuple[tuple[int, str], ...]
    plies: int
    weights: str

    def totals(self, player: int, game: int | None = None) -> Totals:
        """Sum up one player's decisions and luck, in all games or in one by its number.

        Parameters
        ----------
        player : int
            0 or 1, by column of the record.
        game : int, optional
            The number of a game; by default all of them.
        """
        totals = Totals()
        for decision in self.decisions:
            if decision.player == player and game in (None, decision.game):
                totals.add(decision)
        for luck in self.lucks:
            if luck.player == player and game in (None, luck.game):
                totals.luck += luck.equity
                totals.mwc_luck += luck.mwc or 0.0
        return totals

    def worst(self, number: int = 10) -> list[Decision]:
        """Return the decisions with the largest errors, largest first; ties in the order of the record.

        Parameters
        ----------
        number : int, default 10
            At most so many.
        """
        return sorted((item for item in self.decisions if item.error > 0), key=lambda item: -item.error)[:number]

    def __repr__(self) -> str:
        return f"Analysis({self.match!r}, decisions: {sum(one.is_counted for one in self.decisions)}, {self.plies}-ply)"

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import analysis_html

        return analysis_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "source": self.match.source,
            "match_length": self.match.length,
            "names": list(self.match.names),
            "plies": self.plies,
            "weights": self.weights,
            "players": [self.totals(player).to_dict() for player in (0, 1)],
            "games": [
                {"game": game.number, "players": [self.totals(player, game.number).to_dict() for player in (0, 1)]}
                for game in self.match.games
            ],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "luck": [
                {
                    "game": item.game,
                    "line": item.line,
                    "player": item.player,
                    "dice": list(item.dice),
                    "equity": item.equity,
                    "mwc": item.mwc,
                }
                for item in self.lucks
            ],
            "skipped": [{"line": line, "reason": reason} for line, reason in self.skipped],
        }


class _Judge:
    """Values positions for the players of one game at one moment."""

    def __init__(self, evaluator: Evaluator, stakes: Stakes, plies: int) -> None:
        self.network = evaluator.network
        self.stakes = stakes
        self.flipped = stakes.flip()
        self.plies = plies
        self.total = 0.0 if stakes.unit == "points" else 1.0

    def choice(self, text: str, worth: float) -> Choice:
        return Choice(text, self.stakes.equity(worth), worth if self.stakes.unit == "mwc" else None)

    def after(self, result: Position, plies: int) -> float:
        """Return what a position after a play is worth to the player who made it."""
        if result.outcome:
            return float(self.stakes.levels[0].win[result.outcome - 1])
        opponent = result.flip()
        owner = _OWNERS[self.flipped.owner]
        if plies == 0:
            chances = np.array(outcomes(self.network, opponent))
            return self.total - float(self.flipped.compiled.decision(chances, 0, owner, cube_efficiency(opponent))[5])
        return self.total - self.decided(opponent, self.flipped, plies).worth

    def decided(self, position: Position, stakes: Stakes, plies: int) -> _Doubling:
        """Return what playing on, double and take, double and pass, and a beaver are worth before a roll."""
        no_double, taken, beavered = cube_ahead(self.network, position, stakes.compiled, _OWNERS[stakes.owner], plies)
        if not stakes.can_double:
            return _Doubling(no_double, None, None, None)
        passed = float(stakes.levels[0].pass_mine or 0)
        return _Doubling(no_double, taken, passed, beavered if stakes.can_beaver else None)


@dataclass(frozen=True, slots=True)
class _Doubling:
    """The worths of a cube decision to the side to move."""

    no_double: float
    taken: float | None
    passed: float | None
    beavered: float | None

    @property
    def answered(self) -> float | None:
        """The worth of doubling if the opponent answers best."""
        worths = [worth for worth in (self.taken, self.passed, self.beavered) if worth is not None]
        return min(worths) if self.taken is not None else None

    @property
    def worth(self) -> float:
        """The worth of the position: the better of doubling and not."""
        answered = self.answered
        return self.no_double if answered is None else max(self.no_double, answered)


class _GameAnalyst:
    """Weighs the decisions of one game in order."""

    def __init__(
        self, match: Match, game: Game, evaluator: Evaluator, plies: int, met: equity_tables.MatchEquityTable
    ) -> None:
        self.match = match
        self.game = game
        self.evaluator = evaluator
        self.plies = plies
        self.met = met
        self.value = 1
        self.owner: int | None = None
        self.has_doubled = False  # whether the roll that comes next follows a double and a take
        self.decisions: list[Decision] = []
        self.lucks: list[Luck] = []
        self.skipped: list[tuple[int, str]] = []

    def run(self) -> Iterator[int]:
        """Weigh action by action; yields the number of actions done."""
        for number, action in enumerate(self.game.actions, 1):
            try:
                if isinstance(action, Turn):
                    self._turn(action)
                elif isinstance(action, CubeAction):
                    self._cube_action(action)
                elif isinstance(action, Unread):
                    self.skipped.append((action.line, action.reason))
            except BgcoreError as error:
                self.skipped.append((action.line, str(error)))
            self.has_doubled = isinstance(action, CubeAction) and action.action == "take"
            yield number

    def _judge(self, player: int) -> tuple[_Judge, Cube]:
        owner = seen_by(player, self.owner)
        cube = Cube(self.value, owner) if owner != "centre" else Cube()
        score = self.match.score_for(self.game, player)
        if score is None:
            stakes = Stakes.money(cube, self.match.rules)
        else:
            stakes = Stakes.match(cube, self.match.rules, score, self.met)
        return _Judge(self.evaluator, stakes, self.plies), cube

    def _turn(self, turn: Turn) -> None:
        if turn.before is None:
            self.skipped.append((turn.line, "the position is not known"))
            return
        judge, cube = self._judge(turn.player)
        decided = judge.decided(turn.before, judge.stakes, max(self.plies, 1))
        self._no_double(turn, judge, cube, decided)
        legal = legal_plays(turn.before, turn.dice)
        if not legal:
            best = judge.after(turn.before, 0)
        else:
            worths = [judge.after(play.result, 0) for play in legal]
            best = max(worths)
            if turn.play is not None and len(legal) > 1:
                self._play(turn, judge, cube, list(zip(worths, legal, strict=True)))
        average = decided.no_double if self.plies <= 1 else judge.decided(turn.before, judge.stakes, 1).no_double
        luck = judge.choice("", best).equity - judge.choice("", average).equity
        mwc = best - average if judge.stakes.unit == "mwc" else None
        self.lucks.append(Luck(self.game.number, turn.line, turn.player, turn.dice, luck, mwc))
        if turn.kind not in ("play", "dance"):
            self.skipped.append((turn.line, f"the play is {turn.kind}"))

    def _play(self, turn: Turn, judge: _Judge, cube: Cube, weighed: list[tuple[float, Any]]) -> None:
        assert turn.play is not None
        weighed.sort(key=lambda item: -item[0])
        if self.plies:
            floor = judge.stakes.equity(weighed[0][0]) - KEPT
            kept = [item for item in weighed[:MOST_KEPT] if judge.stakes.equity(item[0]) >= floor]
            if all(play != turn.play for _, play in kept):
                kept += [item for item in weighed if item[1] == turn.play]
            weighed = [(judge.after(play.result, self.plies), play) for _, play in kept]
            weighed.sort(key=lambda item: -item[0])
        choices = [judge.choice(str(play), worth) for worth, play in weighed]
        chosen = next(choice for choice, (_, play) in zip(choices, weighed, strict=True) if play == turn.play)
        self.decisions.append(
            Decision(
                self.game.number,
                turn.line,
                turn.player,
                "play",
                turn.play.position,
                cube,
                turn.dice,
                chosen,
                choices[0],
                tuple(choices[:5]),
                is_counted=True,
            )
        )

    def _no_double(self, turn: Turn, judge: _Judge, cube: Cube, decided: _Doubling) -> None:
        """Weigh that a player rolled although he could have doubled."""
        answered = decided.answered
        if answered is None or turn.before is None or self.has_doubled:
            return
        chosen = judge.choice("no double", decided.no_double)
        double = judge.choice("double", answered)
        best = chosen if chosen.equity >= double.equity else double
        is_counted = double.equity > chosen.equity or chosen.equity - double.equity < CLOSE
        self._add_cube(turn.line, turn.player, "double", turn.before, cube, chosen, best, (chosen, double), is_counted)

    def _add_cube(
        self,
        line: int,
        player: int,
        kind: Kind,
        position: Position,
        cube: Cube,
        chosen: Choice,
        best: Choice,
        choices: tuple[Choice, ...],
        is_counted: bool,
    ) -> None:
        ordered = tuple(sorted(choices, key=lambda choice: -choice.equity))
        self.decisions.append(
            Decision(self.game.number, line, player, kind, position, cube, None, chosen, best, ordered, is_counted)
        )

    def _cube_action(self, action: CubeAction) -> None:
        doubler = action.player if action.action == "double" else 1 - action.player
        if action.before is None:
            self.skipped.append((action.line, "the position is not known"))
        else:
            judge, cube = self._judge(doubler)
            decided = judge.decided(action.before, judge.stakes, max(self.plies, 1))
            answered = decided.answered
            if answered is None:
                self.skipped.append((action.line, "the rules, or the score, make this double none"))
            elif action.action == "double":
                chosen = judge.choice("double", answered)
                rolled = judge.choice("no double", decided.no_double)
                best = rolled if rolled.equity > chosen.equity else chosen
                self._add_cube(
                    action.line, doubler, "double", action.before, cube, chosen, best, (chosen, rolled), True
                )
            elif not action.is_implied:
                self._answer(action, judge, cube, decided)
        if action.action == "take":
            self.value, self.owner = action.value, action.player

    def _answer(self, action: CubeAction, judge: _Judge, cube: Cube, decided: _Doubling) -> None:
        """Weigh a take or a drop, as the player who answers sees it."""
        worths = {"take": decided.taken, "drop": decided.passed, "beaver": decided.beavered}
        choices = {
            text: Choice(text, -judge.stakes.equity(worth), judge.total - worth if judge.total else None)
            for text, worth in worths.items()
            if worth is not None and action.before is not None
        }
        best = max(choices.values(), key=lambda choice: choice.equity)
        assert action.before is not None
        chosen = choices[action.action]
        self._add_cube(
            action.line, action.player, "answer", action.before, cube, chosen, best, tuple(choices.values()), True
        )


def analyze(
    match: Match,
    *,
    plies: int = 0,
    evaluator: Evaluator | None = None,
    met: equity_tables.MatchEquityTable | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Weigh every decision of a match record.

    Parameters
    ----------
    match : Match
        From :func:`read_mat` or any other reader.
    plies : int, default 0
        How far plays are looked ahead, at most 2; doubles are looked ahead at least 1. Each ply takes some fifty
        times as long.
    evaluator : Evaluator, optional
        What values positions; by default the network that comes with bgcore.
    met : MatchEquityTable, optional
        By default Kazaross-XG2, extended where the match is longer.
    progress : callable, optional
        Called with the actions done and their number in all.

    Returns
    -------
    Analysis

    Raises
    ------
    RulesError
        If ``plies`` is not 0, 1 or 2.
    DataError
        If the network's weights are missing or damaged.

    Notes
    -----
    The answer depends on the arguments alone. At 0 plies a game of fifty rolls takes about a tenth of a second.
    Thread-safe.
    """
    require(match, Match, "a Match is analysed")
    plies = whole(plies, "plies", 0, MOST_PLIES)
    evaluator = evaluator or Evaluator.default()
    table = met or equity_tables.default()
    if match.length > table.length:
        table = table.extended(match.length)
    total = sum(len(game.actions) for game in match.games)
    done = 0
    decisions: list[Decision] = []
    lucks: list[Luck] = []
    skipped: list[tuple[int, str]] = []
    for game in match.games:
        analyst = _GameAnalyst(match, game, evaluator, plies, table)
        for number in analyst.run():
            if progress is not None:
                progress(done + number, total)
        done += len(game.actions)
        decisions += analyst.decisions
        lucks += analyst.lucks
        skipped += analyst.skipped
    return Analysis(match, tuple(decisions), tuple(lucks), tuple(skipped), plies, evaluator.digest)
