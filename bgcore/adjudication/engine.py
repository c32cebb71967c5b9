"""Answers a `Question`: by proof, exactly where the race is short enough, or by rollout."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import comb, hypot
from typing import Any, Final, Literal

from bgcore._core import Position
from bgcore.adjudication.canonical import canonical
from bgcore.adjudication.faults import Fault, RecordError
from bgcore.adjudication.policy import Precision
from bgcore.adjudication.proof import Certainty, certainty
from bgcore.adjudication.question import Question
from bgcore.bearoff import default as tables
from bgcore.bearoff import solve
from bgcore.errors import DataError, UnsupportedError
from bgcore.evaluate import evaluate
from bgcore.job import NORMAL_95, Line, RolloutSettings
from bgcore.rollout import Rollout, rollout, weights_digest
from bgcore.rules import outcome_points
from bgcore.stakes import Level

Number = Fraction | float
Basis = Literal["proof", "exact_table", "rollout", "symmetry"]
Watcher = Callable[[int, int, float], object]
"""Is told the trials done, those until the next look, and the value of the line at work."""

MOST_PAIRS: Final = 30_000_000
"""Pairs of layouts beyond which the exact solver is not even asked; it refuses far fewer, but takes long to count."""

FAR: Final = 4.0
"""Standard errors beyond which a line of a rollout is taken to be where it seems to be."""

LOOKED_INTO: Final = 8
"""Plays that are looked into one ply deeper when one has to be chosen without an exact answer."""

Place = Literal["bear-off", "race", "contact"]

MODEL_ERRORS: Final[dict[Place, float]] = {"bear-off": 0.002, "race": 0.012, "contact": 0.01}
"""How far endless trials may lie from perfect play, as a standard error in units of the cube.

In bear-offs and races the figure with which the stated interval covers the exact value in 95 of 100 endings
(``bench/endings.py``); with contact how much one roll more of look-ahead changes (``bench/calibration.py``).
"""

KERNEL: Final = "int-net-1"
RNG: Final = "philox4x64-10"


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of the outcomes, cumulative: a gammon counts among the wins, a backgammon among the gammons."""

    win: Number
    win_gammon: Number
    win_bg: Number
    lose_gammon: Number
    lose_bg: Number

    def flipped(self) -> "Chances":
        """Return the same seen by the other side."""
        return Chances(1 - self.win, self.lose_gammon, self.lose_bg, self.win_gammon, self.win_bg)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a question is worth to the side to move, in points (cube included) or match-winning chance.

    ``low`` and ``high`` bound ``value`` with 95 % confidence when it is not exact, sampling and ``model_error``
    together; all numbers are exact fractions when it is. ``frozen`` is the value if the cube is never turned
    again, where that is known.
    """

    no_double: Number
    double_take: Number | None
    double_pass: Number | None
    basis: Basis
    chances: Chances | None = None
    win_error: float = 0.0
    low: float | None = None
    high: float | None = None
    trials: int = 0
    seed: int | None = None
    is_certain: bool = False
    frozen: Number | None = None
    model_error: float = 0.0
    rollouts: tuple[dict[str, Any], ...] = ()

    @property
    def value(self) -> Number:
        """The fair value: the side to move doubles exactly when that is right."""
        return decided(self.no_double, self.double_take, self.double_pass)

    def flipped(self, total: int) -> "Worth":
        """Return what it is worth to the other side, when both sides' values add up to ``total``."""
        return Worth(
            total - self.value,
            None,
            None,
            self.basis,
            self.chances and self.chances.flipped(),
            self.win_error,
            None if self.high is None else total - self.high,
            None if self.low is None else total - self.low,
            self.trials,
            self.seed,
            self.is_certain,
            None if self.frozen is None else total - self.frozen,
            self.model_error,
            tuple(_turned(shown, total) for shown in self.rollouts),
        )

    @property
    def action(self) -> str:
        """What the side to move should do with the cube."""
        if self.double_take is None or self.double_pass is None:
            return "no_cube"
        if self.no_double > min(self.double_take, self.double_pass):
            return "no_double" if self.no_double <= self.double_pass else "too_good"
        return "double_take" if self.double_take <= self.double_pass else "double_pass"

    @property
    def is_exact(self) -> bool:
        """Whether the value is exact and not an estimate; a long race may be exact to 11 digits only."""
        return self.basis != "rollout"


def _turned(shown: dict[str, Any], total: int) -> dict[str, Any]:
    """Return what is shown of a rollout, seen by the other side."""
    if "history" in shown:
        ends = [(count, total - float(high), total - float(low)) for count, low, high in shown["history"]]
        return {**shown, "history": [[count, repr(low), repr(high)] for count, low, high in ends]}
    return {**shown, "mean": repr(total - float(shown["mean"]))}


def decided(no_double: Number, take: Number | None, refused: Number | None) -> Number:
    """Return the value of a cube decision that both sides make well."""
    if take is None or refused is None:
        return no_double
    return max(no_double, min(take, refused))


@dataclass(frozen=True, slots=True)
class Effort:
    """How precise an estimate must be: half the width of its interval, in the unit of the value.

    A target of 0 means to use all trials. ``progress``, which is no part of the question, is told the trials
    done, those until the next look, and the estimate so far. ``truncation`` is that of the trials.
    """

    target: float
    z: float
    checkpoints: tuple[int, ...]
    plies: int = 0
    truncation: Literal["table", "none"] = "table"
    progress: Watcher | None = field(default=None, compare=False)


def effort_for(precision: Precision, question: Question, minor_unit: Fraction | None) -> Effort:
    """Return the effort that a precision asks for.

    Parameters
    ----------
    precision : Precision
    question : Question
    minor_unit : Fraction or None
        What the smallest money unit is worth, in the unit of the value.
    """
    level = question.stakes.levels[0]
    target = Fraction(precision.materiality_rate) * _half(level)
    if precision.goal == "money" and minor_unit is not None:
        target = max(target, precision.materiality_minor * minor_unit)
    if precision.goal == "trials":
        target = Fraction(0)
    return Effort(float(target), float(precision.z_stop), precision.checkpoints, precision.plies)


@lru_cache(maxsize=1 << 13)
def ask(question: Question, effort: Effort, workers: int | None = None) -> Worth:
    """Answer a question before the roll; the best source that has the answer is used.

    Raises
    ------
    RecordError
        E51 if the rules have no evaluator for this position, E49 if the weights are missing or damaged.
    """
    worth = ask_exactly(question)
    if worth is not None:
        return worth
    _refuse_unsupported(question)
    try:
        return rolled_out(question, effort, workers)
    except DataError as error:
        raise RecordError([Fault("E49", "$", str(error))]) from error


@lru_cache(maxsize=1 << 11)
def ask_exactly(question: Question) -> Worth | None:
    """Answer a question by proof or exactly, or return None."""
    proved = certainty(question.position, question.rules.gammon_rule, question.rules.bearoff_rule)
    if proved is not None:
        worth = _certain(question, proved)
        if worth is not None:
            return worth
    return _tabled(question)


def _certain(question: Question, proved: Certainty) -> Worth | None:
    """Return the worth of a certain win, if the points it pays are certain too."""
    stakes = question.stakes
    level = stakes.levels[0]
    points = outcome_points(question.position, question.rules.gammon_rule)
    if points:
        paid = level.win[points - 1] if points > 0 else level.lose[-points - 1]
        return Worth(paid, None, None, "proof", _sure(points > 0, abs(points)), is_certain=True, frozen=paid)
    if not proved.is_mine:
        worth = _certain(question.flipped(question.position.flip()), replace(proved, is_mine=True))
        return worth and worth.flipped(question.total)
    least, most = proved.least - 1, proved.most - 1
    paid = level.win[least]
    if paid != level.win[most]:
        return None
    chances = _sure(True, proved.least) if least == most else None
    sure = Worth(paid, None, None, "proof", chances, is_certain=True, frozen=paid)
    if not (stakes.can_double and question.may_double_now and level.pass_mine is not None):
        return sure
    # Whoever is sure to lose never doubles, so after a take nothing but the payoff is left.
    take = stakes.level(1).win
    refused = level.pass_mine
    if min(take[least], refused) != min(take[most], refused):
        return None
    return replace(sure, double_take=take[least], double_pass=refused)


def _sure(is_win: bool, points: int) -> Chances:
    won = [Fraction(is_win and points >= kind) for kind in (1, 2, 3)]
    lost = [Fraction(not is_win and points >= kind) for kind in (2, 3)]
    return Chances(won[0], won[1], won[2], lost[0], lost[1])


def _refuse_unsupported(question: Question) -> None:
    rules = question.rules
    odd = [
        f"{name} {value!r}"
        for name, value, plain in (
            ("bearoff_rule", rules.bearoff_rule, "standard"),
            ("gammon_rule", rules.gammon_rule, "standard"),
        )
        if value != plain and (name == "bearoff_rule" or value == "manual_garlando")
    ]
    if odd:
        raise RecordError(
            [
                Fault(
                    "E51",
                    "rules",
                    f"{' and '.join(odd)}: this position has no exact answer under these rules, "
                    "and other rules are never used in their place",
                    question.rules.bearoff_rule,
                )
            ]
        )


def _tabled(question: Question) -> Worth | None:
    """Solve a short race exactly: both sides' plays, doubles and takes."""
    if not question.position.is_race or _layout_pairs(question.position) > MOST_PAIRS:
        return None
    rules = question.rules
    try:
        solution = solve(
            question.position, question.stakes, bearoff_rule=rules.bearoff_rule, gammon_rule=rules.gammon_rule
        )
    except UnsupportedError:
        return None
    take, refused = solution.double_take, solution.double_pass
    if take is not None and solution.double_beaver is not None:
        take = min(take, solution.double_beaver)
    if not question.may_double_now:
        take = refused = None
    worth = Worth(
        solution.no_double,
        take,
        refused,
        "exact_table",
        Chances(*solution.probabilities),
        frozen=solution.cubeless,
    )
    if solution.is_exact:
        return replace(worth, is_certain=all(chance in (0, 1) for chance in solution.probabilities))
    return replace(worth, low=float(worth.value) - solution.error, high=float(worth.value) + solution.error)


def _layout_pairs(position: Position) -> int:
    """Return a bound of the pairs of layouts that a race can still pass through."""
    pairs = 1
    for board in (position.board.tolist(), position.flip().board.tolist()):
        own = [point for point, count in enumerate(board[1:], 1) if count > 0]
        highest = own[-1] if own else 0
        pairs *= comb(highest + sum([board[point] for point in own]), highest)
    return pairs


def rolled_out(question: Question, effort: Effort, workers: int | None = None) -> Worth:
    """Roll a question out, also one that has an exact answer, looking at fixed numbers of trials only.

    Not doubling and double/take are rolled out with the same dice. The value rises with both, so their
    intervals give an interval of the value. A line that no longer matters for it gets no more trials. More
    trials do not make the model better, so they end when the sampling error alone is small enough.
    """
    place = place_of(question.position)
    seed = question.seed(str(canonical(engine_digests())))
    settings = RolloutSettings(
        trials=effort.checkpoints[0],
        seed=seed,
        plies=1 if place != "contact" or _is_bearing_off(question.position) else effort.plies,
        truncation=effort.truncation,
        gammon_rule=question.rules.gammon_rule,
    )
    stakes = question.stakes
    level = stakes.levels[0]
    lines: tuple[Line, ...] = ("no_double",)
    if stakes.can_double and question.may_double_now:
        lines = ("no_double", "double_take")
    models = [MODEL_ERRORS[place] * float(_half(stakes.level(k))) for k in range(len(lines))]
    watch = _watcher(effort, len(lines))
    rolled: list[Rollout] = []
    for line in lines:
        start = partial(watch, rolled)
        rolled.append(
            rollout(question.position, stakes=stakes, line=line, settings=settings, workers=workers, progress=start)
        )
    refused = level.pass_mine if len(lines) == 2 else None
    history = []
    for trials in effort.checkpoints:
        if trials > effort.checkpoints[0]:
            for i, does_matter in enumerate(_matter(rolled, refused)):
                if does_matter:
                    others = rolled[:i] + rolled[i + 1 :]
                    more = trials - rolled[i].trials
                    rolled[i] = rolled[i].extend(more, workers=workers, progress=partial(watch, others))
        low, high = map(question.within, _bounds(rolled, models, refused, NORMAL_95))
        history.append([str(trials), repr(low), repr(high)])
        narrow, wide = _bounds(rolled, [0.0] * len(rolled), refused, effort.z)
        if (wide - narrow) / 2 <= effort.target:
            break
    # With luck taken off, the mean of trials that nearly all pay the most can come out above it.
    no_double = question.within(rolled[0].value)
    take = question.within(rolled[1].value) if len(lines) == 2 else None
    if take is not None and stakes.beavers and no_double < take < 0:
        # A double that is a mistake is beavered.
        accepted = ask(question.turned(2), effort, workers).value
        given_up = stakes.level(1).pass_theirs
        take = min(take, float(accepted if given_up is None else max(accepted, given_up)))
    chances = Chances(*rolled[0].probabilities.as_tuple())
    return Worth(
        no_double=no_double,
        double_take=take,
        double_pass=None if refused is None else float(refused),
        basis="rollout",
        chances=chances,
        win_error=rolled[0].prob_std_errors[0],
        low=low,
        high=high,
        trials=sum(each.trials for each in rolled),
        seed=seed,
        model_error=models[0],
        rollouts=(
            *(
                {
                    "line": line,
                    "trials": each.trials,
                    "plies": settings.plies,
                    "mean": repr(each.value),
                    "std_error": repr(each.value_std_error),
                }
                for line, each in zip(lines, rolled, strict=True)
            ),
            {"line": "interval", "history": history},
        ),
    )


def _half(level: Level) -> Fraction:
    """Half of what a single game can change at a level."""
    return (level.win[0] - level.lose[0]) / 2


def place_of(position: Position) -> Place:
    """Where a game is, as far as the play of trials depends on it."""
    if not position.is_race:
        return "contact"
    return "bear-off" if position in tables().one else "race"


def _is_bearing_off(position: Position) -> bool:
    """Whether a side bears off: games are short then, and every pip counts."""
    boards = (position.board.tolist(), position.flip().board.tolist())
    return any(not any(count > 0 for count in board[7:]) for board in boards)


def _watcher(effort: Effort, lines: int) -> Callable[[list[Rollout], Rollout], None]:
    """Return what a rollout calls after each block, given the finished rollouts of the other lines."""

    def watch(others: list[Rollout], now: Rollout) -> None:
        if effort.progress is not None:
            goal = next((count for count in effort.checkpoints if count >= now.trials), now.trials)
            done = now.trials + sum(other.trials for other in others)
            effort.progress(done, lines * goal, now.value)

    return watch


def _matter(rolled: list[Rollout], refused: Fraction | None) -> list[bool]:
    """Return for each line whether the value could still depend on it."""
    if len(rolled) == 1:
        return [True]
    (play_low, play_high), (take_low, take_high) = (
        (each.value - FAR * each.value_std_error, each.value + FAR * each.value_std_error) for each in rolled
    )
    top = play_high if refused is None else float(refused)
    can_play = play_high >= min(take_low, top)
    can_double = min(take_high, top) >= play_low
    return [can_play, can_double and take_low <= top]


def _bounds(rolled: list[Rollout], models: list[float], refused: Fraction | None, z: float) -> tuple[float, float]:
    """Return an interval of the value, ``z`` standard errors of sampling and model wide to each side."""
    ends = []
    for sign in (-z, z):
        means = [
            each.value + sign * hypot(each.value_std_error, model) for each, model in zip(rolled, models, strict=True)
        ]
        take = means[1] if len(means) == 2 else None
        ends.append(float(decided(means[0], take, None if refused is None else float(refused))))
    return ends[0], ends[1]


def best_play(question: Question, after: Sequence[Position]) -> int:
    """Return the index of the play a strong player would choose, where no exact answer is at hand.

    Parameters
    ----------
    question : Question
        Before the play.
    after : sequence of Position
        What the plays lead to, seen by the mover.

    Notes
    -----
    All plays are evaluated without look-ahead, the best eight again one ply deeper; what counts is what
    the stakes pay, so match score, cap and gammons enter. The first of equals is chosen.
    """
    level = question.stakes.levels[0]
    pays = [float(paid) for paid in (*level.win, *level.lose)]

    def paid(index: int, plies: int) -> float:
        chances = evaluate(after[index].flip(), plies).flip()
        singles = (chances.win - chances.win_gammon, 1 - chances.win - chances.lose_gammon)
        gammons = (chances.win_gammon - chances.win_backgammon, chances.lose_gammon - chances.lose_backgammon)
        return (
            singles[0] * pays[0]
            + gammons[0] * pays[1]
            + chances.win_backgammon * pays[2]
            + singles[1] * pays[3]
            + gammons[1] * pays[4]
            + chances.lose_backgammon * pays[5]
        )

    order = sorted(range(len(after)), key=lambda index: (-paid(index, 0), index))
    return min(order[:LOOKED_INTO], key=lambda index: (-paid(index, 1), index))


SOLVER: Final = "exact-solver-1"
"""What stands behind an exact answer: short races are solved afresh, from no file. It counts its versions."""


def engine_digests() -> dict[str, str]:
    """Return what decides the dice and the plays of a rollout: kernel, generator and the digest of the weights."""
    return {"kernel": KERNEL, "rng": RNG, "weights": f"sha256:{weights_digest()}"}
