"""What an abandoned game is worth, apart from who was away: positions, dice, open offers, cube rights.

Everything is worked out for the side on roll and handed out from white's point of view.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from bgcore._core import Position
from bgcore.adjudication.absence import state_of
from bgcore.adjudication.canonical import number_text, parse_number
from bgcore.adjudication.engine import (
    Basis,
    Chances,
    Effort,
    Number,
    Watcher,
    Worth,
    ask,
    ask_exactly,
    best_play,
    effort_for,
)
from bgcore.adjudication.policy import Policy, load_policy
from bgcore.adjudication.proof import winning_rolls
from bgcore.adjudication.question import Question, equity_table, side_may_double
from bgcore.adjudication.record import OTHER, Colour, Record
from bgcore.adjudication.turn import completions
from bgcore.job import NORMAL_95
from bgcore.parallel import worker_count
from bgcore.rules import outcome_points
from bgcore.stakes import Stakes

Unit = Literal["points", "mwc"]


@dataclass(frozen=True)
class Value:
    """What the game is worth, seen by white.

    Parameters
    ----------
    unit : {"points", "mwc"}
        Points with the cube included, or white's chance to win the match.
    number : Fraction or float
        A fraction when it is exact to the last digit.
    low, high : float or None
        95 % interval of an estimate: its sampling error and ``model_error`` together.
    basis : str
        ``proof``, ``exact_table``, ``symmetry``, or ``rollout``.
    chances : Chances or None
        White's chances in this game, where they are known.
    win_error : float
        Standard error of ``chances.win``.
    is_certain : bool
        Whether no dice can change the outcome; only a proof or an exact chance of 0 or 1 sets this.
    action : str
        What the side on roll should do with the cube.
    sensitivity : dict
        What the game would be worth if what is open were decided one way or the other.
    single : Fraction
        What white would get for winning a single game at the present cube; his loss is its mirror.
    trials : int
        Trials spent, 0 without a rollout.
    seed : int or None
    winning_rolls : int or None
        With how many of the 36 rolls the side on roll wins at once, where that is all that matters.
    model_error : float
        Standard error of what more trials cannot mend: that they are not played perfectly. Measured for each
        kind of position; 0 without a rollout.
    rollouts : tuple of dict
        What the explanation shows of the rollout, seen by white too.
    """

    unit: Unit
    number: Number
    basis: Basis
    cube: int
    low: float | None = None
    high: float | None = None
    chances: Chances | None = None
    win_error: float = 0.0
    is_certain: bool = False
    action: str = "no_cube"
    sensitivity: Mapping[str, Number] = field(default_factory=dict)
    trials: int = 0
    seed: int | None = None
    winning_rolls: int | None = None
    model_error: float = 0.0
    rollouts: tuple[dict[str, Any], ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the number is exact and not an estimate; a long race may be exact to 11 digits only."""
        return self.basis != "rollout"

    @property
    def points_white(self) -> Number | None:
        """Points for white, in money play."""
        return self.number if self.unit == "points" else None

    @property
    def mwc_white(self) -> Number | None:
        """White's chance to win the match, in match play."""
        return self.number if self.unit == "mwc" else None

    @property
    def per_cube(self) -> Number | None:
        """Points for white divided by the cube, in money play."""
        return None if self.unit == "mwc" else self.number / self.cube

    @property
    def std_error(self) -> float | None:
        """The 95 % interval in standard errors of a normal distribution, by the end that is farther off."""
        if self.low is None or self.high is None:
            return None
        number = float(self.number)
        return max(self.high - number, number - self.low) / NORMAL_95

    def to_dict(self) -> dict[str, Any]:
        """JSON values; exact numbers and estimates as strings, so that no digit is lost."""
        chances = self.chances
        names = ("win", "win_gammon", "win_bg", "lose_gammon", "lose_bg")
        document: dict[str, Any] = {
            "unit": self.unit,
            "points_white": None if self.unit == "mwc" else number_text(self.number),
            "mwc_white": None if self.unit == "points" else number_text(self.number),
            "per_cube": None if self.per_cube is None else number_text(self.per_cube),
            "basis": self.basis,
            "ci95": None if self.low is None or self.high is None else [repr(self.low), repr(self.high)],
            "probs": None if chances is None else {name: number_text(getattr(chances, name)) for name in names},
            "win_error": repr(self.win_error),
            "model_error": repr(self.model_error),
            "action": self.action,
            "winning_rolls": self.winning_rolls,
            "rollouts": [dict(shown) for shown in self.rollouts],
        }
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], sensitivity: Mapping[str, str], **rest: Any) -> "Value":
        """Read what `to_dict` wrote; ``rest`` are the fields that a verdict keeps elsewhere."""
        unit = document["unit"]
        interval = document["ci95"]
        probs = document["probs"]
        return cls(
            unit=unit,
            number=parse_number(document["points_white"] if unit == "points" else document["mwc_white"]),
            basis=document["basis"],
            low=None if interval is None else float(interval[0]),
            high=None if interval is None else float(interval[1]),
            chances=None if probs is None else Chances(*(parse_number(text) for text in probs.values())),
            win_error=float(document["win_error"]),
            model_error=float(document["model_error"]),
            action=document["action"],
            sensitivity={name: parse_number(text) for name, text in sensitivity.items()},
            winning_rolls=document["winning_rolls"],
            rollouts=tuple(document["rollouts"]),
            **rest,
        )


def value(
    record: Record | Mapping[str, Any],
    policy: "Policy | str | Mapping[str, Any]" = "play65",
    *,
    workers: int | None = None,
    progress: Watcher | None = None,
) -> Value:
    """Work out what a game is worth, without deciding who gets what.

    Parameters
    ----------
    record : Record or dict
        Nobody needs to be away in it.
    policy : Policy, str or dict
        How open offers, known dice and the leaver's cube are read, and how precise an estimate must be;
        nothing else of it matters here.
    workers : int, optional
        Threads of a rollout; the number is the same whatever it is.
    progress : callable, optional
        Called during a rollout with the trials done, those until its precision is looked at next, and the
        value of the line at work, seen by the side to move.

    Returns
    -------
    Value

    Raises
    ------
    RecordError
        E51 where the rules have no evaluator, E49 where the tables or weights are missing; all faults of a
        dict that is no record.
    RulesError
        If ``workers`` is not a whole number above 0.

    Notes
    -----
    Cost: well under 5 ms for proofs and exact tables; a rollout ends after the policy's ``max_trials`` at
    the latest. Answers are remembered, so that the same position is never rolled out twice.
    """
    if not isinstance(record, Record):
        record = Record.from_dict(record, value_only=True)
    if workers is not None:
        worker_count(workers)
    return _Case(record, load_policy(policy), workers, progress).value()


def open_questions(record: Record, policy: Policy) -> list[tuple[Question, Effort]]:
    """Return the questions of a record that have no exact answer, as far as they are known beforehand."""
    case = _Case(record, policy, None)
    question = case.question()
    if record.on_roll is None:
        return []
    if case.uses_dice:
        question = question.flipped(case.completions(question)[0].flip())
    asked = [question]
    pending = record.pending
    if pending is not None and pending.type != "resign":
        asked = [question.turned({"double": 1, "beaver": 2, "raccoon": 3}[pending.type])]
    return case.unanswered(asked)


def counts_dice(record: Record, policy: Policy) -> bool:
    """Whether there is a roll, and the policy lets it stand."""
    return record.dice is not None and (
        policy.dice == "honour" or (policy.dice == "reroll_server_fault" and record.absence.cause != "server")
    )


class _Case:
    """One record under one policy."""

    def __init__(self, record: Record, policy: Policy, workers: int | None, progress: Watcher | None = None) -> None:
        self.record = record
        self.policy = policy
        self.workers = workers
        self.progress = progress
        self.mover: Colour = record.on_roll or "white"
        self._questions: dict[str | None, Question] = {}
        self.leaver = state_of(record.absence, policy).leaver
        self.uses_dice = counts_dice(record, policy)

    def question(self, leaver_cube: str | None = None) -> Question:
        """Return the question before the roll, without what is pending."""
        known = self._questions.get(leaver_cube)
        if known is not None:
            return known
        record = self.record
        doublers = side_may_double(leaver_cube or self.policy.leaver_cube, self.leaver, self.mover)  # type: ignore[arg-type]
        question = Question.of(record, record.position, self.mover, doublers)
        if record.auto_roll and record.rules.auto_roll_waives_double:
            question = replace(question, may_double_now=False)
        self._questions[leaver_cube] = question
        return question

    def effort(self, question: Question) -> Effort:
        """How precise an estimate has to be here."""
        money, match = self.record.money, self.record.match
        minor = None
        if money is not None:
            minor = Fraction(1, 10**money.minor_digits) / Fraction(money.stake)
        elif match is not None and match.prize is not None and match.prize.winner > match.prize.loser:
            minor = Fraction(1, 10**match.prize.minor_digits) / Fraction(match.prize.winner - match.prize.loser)
        return replace(effort_for(self.policy.precision, question, minor), progress=self.progress)

    def unanswered(self, questions: list[Question]) -> list[tuple[Question, Effort]]:
        """Return the questions that need a rollout, with the effort of each."""
        return [(question, self.effort(question)) for question in questions if ask_exactly(question) is None]

    def ask(self, question: Question) -> Worth:
        """Return what a question is worth to its side to move."""
        known = ask_exactly(question)
        return known if known is not None else ask(question, self.effort(question), self.workers)

    def value(self) -> Value:
        """Return the value with what is pending."""
        record = self.record
        if record.on_roll is None:
            return self.before_opening()
        if record.pending is None:
            worth = self.base(self.question())
            return self.seen_by_white(worth, self.other_cubes(worth))
        answers, worth = self.offered()
        total = self.question().total
        sensitivity = {name: number if self.mover == "white" else total - number for name, number in answers.items()}
        return self.seen_by_white(worth, sensitivity)

    def base(self, question: Question) -> Worth:
        """Return what the side on roll has, before what is pending is looked at."""
        if not self.uses_dice or outcome_points(question.position, question.rules.gammon_rule):
            return self.ask(question)
        return self.played(question, self.completions(question))

    def completions(self, question: Question) -> list[Position]:
        """Return the positions in which the turn may end."""
        assert self.record.dice is not None
        return completions(question.position, self.record.dice, self.record.moved, question.rules.bearoff_rule)

    def played(self, question: Question, after: list[Position]) -> Worth:
        """Return what the roll is worth after its best play; the cube right of the turn is gone."""
        replies = [question.flipped(position.flip()) for position in after]
        if len(replies) > 1:
            worths = [ask_exactly(reply) for reply in replies]
            known = [worth for worth in worths if worth is not None]
            if len(known) == len(replies):
                best = min(known, key=lambda worth: worth.value)
                return best.flipped(question.total)
            replies = [replies[best_play(question, after)]]
        return self.ask(replies[0]).flipped(question.total)

    def offered(self) -> tuple[dict[str, Number], Worth]:
        """Return the answers to an open offer, and what counts; all for the side on roll."""
        pending = self.record.pending
        assert pending is not None
        question = self.question()
        if pending.type == "resign":
            return self.resigned(question)
        if pending.type == "double":
            return self.doubled(question)
        offers = 2 if pending.type == "beaver" else 3
        accepted = self.ask(question.turned(offers))
        # Giving up costs the cube as it stood before the last turn of it.
        is_mover_asked = pending.type == "beaver"
        refused = _given_up(question.turned(offers - 1), is_win=not is_mover_asked)
        return self.answered(self.policy.pending_beaver, {"accept": accepted, "refuse": refused}, is_mover_asked)

    def doubled(self, question: Question) -> tuple[dict[str, Number], Worth]:
        """Weigh the answers to an open double."""
        rules = question.rules
        answers = {"take": self.ask(question.turned(1)), "pass": _exact(_passed(question))}
        if rules.beavers and _may_turn(question, 2):
            replies = [self.ask(question.turned(2)), _given_up(question.turned(1), is_win=False)]
            if rules.raccoons and _may_turn(question, 3):
                raccoon = [self.ask(question.turned(3)), _given_up(question.turned(2), is_win=True)]
                replies.append(_best(min, raccoon))
            answers["beaver"] = _best(max, replies)
        return self.answered(self.policy.pending_double, answers, False)

    def resigned(self, question: Question) -> tuple[dict[str, Number], Worth]:
        """Weigh the answers to an open resignation."""
        pending = self.record.pending
        assert pending is not None and pending.level is not None
        level = question.stakes.levels[0]
        is_mine = pending.by == self.mover
        amount = level.lose[pending.level - 1] if is_mine else level.win[pending.level - 1]
        answers = {"accept": _exact(amount), "reject": self.base(question)}
        return self.answered(self.policy.pending_resign, answers, not is_mine)

    def answered(self, rule: str, answers: dict[str, Worth], is_mover_asked: bool) -> tuple[dict[str, Number], Worth]:
        """Apply the policy's rule to the answers; the side that is asked chooses what is best for it."""
        best = max if is_mover_asked else min
        asked = self.mover if is_mover_asked else OTHER[self.mover]
        if rule == "void":
            chosen = self.base(self.question())
        elif rule in answers:
            chosen = answers[rule]
        elif rule == "leaver_worst" and self.leaver == asked:
            chosen = _best(min if is_mover_asked else max, list(answers.values()))
        else:
            chosen = _best(best, list(answers.values()))
        return {name: worth.value for name, worth in answers.items()}, chosen

    def other_cubes(self, plain: Worth) -> dict[str, Number]:
        """Return what the value would be with a frozen cube, and if the leaver had resigned a single game instead."""
        question = self.question()
        total = question.total
        numbers: dict[str, Number] = {}
        if plain.frozen is not None and not self.uses_dice:
            numbers["cube_frozen"] = plain.frozen if self.mover == "white" else total - plain.frozen
        if self.leaver is not None:
            level = question.stakes.levels[0]
            resigned = level.lose[0] if self.leaver == self.mover else level.win[0]
            numbers["leaver_resigns"] = resigned if self.mover == "white" else total - resigned
        return numbers

    def before_opening(self) -> Value:
        """Nobody has rolled yet: even in money, the score's chance in a match."""
        record = self.record
        question = self.question()
        half = Fraction(1, 2)
        if question.score is None:
            chances = Chances(half, Fraction(0), Fraction(0), Fraction(0), Fraction(0))
            return Value("points", Fraction(0), "symmetry", record.cube.value, chances=chances)
        share = equity_table(question.met, question.score.length).mwc_at(question.score)
        return Value("mwc", share, "symmetry", record.cube.value)

    def seen_by_white(self, worth: Worth, sensitivity: Mapping[str, Number]) -> Value:
        """Return the side on roll's worth as white's value."""
        record = self.record
        question = self.question()
        is_white = self.mover == "white"
        total = question.total
        seen = worth if is_white else worth.flipped(total)
        return Value(
            unit="points" if record.mode == "money" else "mwc",
            number=seen.value,
            basis=seen.basis,
            cube=record.cube.value,
            low=seen.low,
            high=seen.high,
            chances=seen.chances,
            win_error=seen.win_error,
            is_certain=seen.is_certain,
            action=worth.action,
            sensitivity=sensitivity,
            trials=seen.trials,
            seed=seen.seed,
            winning_rolls=self.countable(worth),
            model_error=seen.model_error,
            rollouts=seen.rollouts,
        )

    def countable(self, worth: Worth) -> int | None:
        """Return the winning rolls, when the side on roll wins now or never."""
        chances = worth.chances
        if chances is None or not isinstance(chances.win, Fraction) or self.uses_dice:
            return None
        if not 0 < chances.win < 1 or 36 % chances.win.denominator:
            return None
        rolls = winning_rolls(self.record.position, self.record.rules.bearoff_rule)
        return rolls if chances.win == Fraction(rolls, 36) else None


def _single(stakes: Stakes, *, is_win: bool) -> Fraction:
    """Return what a single win or loss pays at the first level."""
    return stakes.levels[0].win[0] if is_win else stakes.levels[0].lose[0]


def _passed(question: Question) -> Fraction:
    """Return what the doubler gets when the double is refused, also where doubling changes nothing."""
    if question.rules.decline_value == "shown_after_double":
        return _single(question.turned(1).stakes, is_win=True)
    return _single(question.stakes, is_win=True)


def _exact(amount: Fraction) -> Worth:
    """Return the worth of a game that ends with an answer."""
    return Worth(amount, None, None, "proof")


def _given_up(question: Question, *, is_win: bool) -> Worth:
    """Return what an offer that is given up pays at the cube of a question."""
    return _exact(_single(question.stakes, is_win=is_win))


def _may_turn(question: Question, doubles: int) -> bool:
    """Whether the cube may be turned so often: its limit, and a loss limit that blocks doubles above it."""
    limits = [question.rules.cube_limit, question.cap if question.rules.limit_mode == "block_double" else None]
    return all(limit is None or question.cube.value << doubles <= limit for limit in limits)


def _best(pick: Callable[..., Any], answers: list[Worth]) -> Worth:
    """Return the best answer; an estimate among them makes the choice an estimate, with an interval of its own."""
    best: Worth = pick(answers, key=lambda worth: worth.value)
    played = next((worth for worth in answers if worth.chances is not None), None)
    if played is None:
        return best
    best = replace(best, chances=played.chances, win_error=played.win_error)
    if all(worth.is_exact for worth in answers):
        return best
    return replace(
        best,
        basis="rollout",
        low=pick(float(worth.value) if worth.low is None else worth.low for worth in answers),
        high=pick(float(worth.value) if worth.high is None else worth.high for worth in answers),
        trials=sum(worth.trials for worth in answers),
        seed=next(worth.seed for worth in answers if worth.seed is not None),
        model_error=max(worth.model_error for worth in answers),
        is_certain=False,
        rollouts=tuple(shown for worth in answers for shown in worth.rollouts),
    )
