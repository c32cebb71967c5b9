"""Answers a `Question`: by proof, from an exact table, by working a short ending out, or by rollout."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal

from bgcore._core import Position
from bgcore.adjudication.endings import NODES, WIN_CHANCE, play_out
from bgcore.adjudication.faults import Fault, RecordError
from bgcore.adjudication.policy import Precision
from bgcore.adjudication.proof import MOST_CHECKERS, Certainty, certainty, home_of, slowest
from bgcore.adjudication.question import Question
from bgcore.rules import outcome_points

Number = Fraction | float
Basis = Literal["proof", "exact_table", "exact_ending", "rollout", "symmetry"]

NORMAL_95: Final = 1.959963984540054
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

    ``low`` and ``high`` bound ``value`` with 95 % confidence when it is not exact; all numbers are exact
    fractions when it is.
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
    rollouts: tuple[dict[str, Any], ...] = ()

    @property
    def value(self) -> Number:
        """The fair value: the side to move doubles exactly when that is right."""
        return decided(self.no_double, self.double_take, self.double_pass)

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
        """Whether the value is an exact number and not an estimate."""
        return isinstance(self.value, Fraction)


def decided(no_double: Number, take: Number | None, refused: Number | None) -> Number:
    """Return the value of a cube decision that both sides make well."""
    if take is None or refused is None:
        return no_double
    return max(no_double, min(take, refused))


@dataclass(frozen=True, slots=True)
class Effort:
    """How precise an estimate must be: half the width of its interval, in the unit of the value.

    A target of 0 means to use all trials.
    """

    target: float
    z: float
    checkpoints: tuple[int, ...]
    plies: int = 0


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
    half = (level.win[0] - level.lose[0]) / 2
    target = Fraction(precision.materiality_rate) * half
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
        E51 if the rules have no evaluator for this position.
    """
    worth = exactly(question)
    if worth is not None:
        return worth
    _refuse_unsupported(question)
    return _rolled_out(question, effort, workers)


def exactly(question: Question) -> Worth | None:
    """Answer a question by proof or exactly, or return None."""
    proved = certainty(question.position, question.rules.gammon_rule, question.rules.bearoff_rule)
    if proved is not None:
        worth = _certain(question, proved)
        if worth is not None:
            return worth
    return _tabled(question) or _short(question)


def _certain(question: Question, proved: Certainty) -> Worth | None:
    """Return the worth of a certain win, if the points it pays are certain too."""
    stakes = question.stakes
    level = stakes.levels[0]
    points = outcome_points(question.position, question.rules.gammon_rule)
    if points:
        paid = level.win[points - 1] if points > 0 else level.lose[-points - 1]
        return Worth(paid, None, None, "proof", _sure(points > 0, abs(points)), is_certain=True)
    if not proved.is_mine:
        mirrored = question.flipped(question.position.flip())
        worth = _certain(mirrored, replace(proved, is_mine=True))
        if worth is None:
            return None
        chances = worth.chances.flipped() if worth.chances else None
        return Worth(question.total - worth.value, None, None, "proof", chances, is_certain=True)
    least, most = proved.least - 1, proved.most - 1
    if level.win[least] != level.win[most]:
        return None
    chances = _sure(True, proved.least) if least == most else None
    if not (stakes.can_double and question.may_double_now and level.pass_mine is not None):
        return Worth(level.win[least], None, None, "proof", chances, is_certain=True)
    # Whoever is sure to lose never doubles, so after a take nothing but the payoff is left.
    take = stakes.level(1).win
    refused = level.pass_mine
    if min(take[least], refused) != min(take[most], refused):
        return None
    return Worth(level.win[least], take[least], refused, "proof", chances, is_certain=True)


def _sure(is_win: bool, points: int) -> Chances:
    won = [Fraction(is_win and points >= kind) for kind in (1, 2, 3)]
    lost = [Fraction(not is_win and points >= kind) for kind in (2, 3)]
    return Chances(won[0], won[1], won[2], lost[0], lost[1])


def _short(question: Question) -> Worth | None:
    """Work a short ending out."""
    position, rules = question.position, question.rules
    if not _may_be_short(position) and rules.bearoff_rule == "standard":
        return None
    nodes = NODES if rules.bearoff_rule == "standard" else 25 * NODES
    ending = play_out(
        position, question.stakes, gammon_rule=rules.gammon_rule, bearoff_rule=rules.bearoff_rule, nodes=nodes
    )
    if ending is None:
        return None
    chance = None
    if all(position.off):
        chance = play_out(
            position, WIN_CHANCE, gammon_rule=rules.gammon_rule, bearoff_rule=rules.bearoff_rule, nodes=nodes
        )
    chances = None
    if chance is not None:
        chances = Chances(chance.no_double, Fraction(0), Fraction(0), Fraction(0), Fraction(0))
    if not question.may_double_now:
        return Worth(ending.no_double, None, None, "exact_ending", chances)
    return Worth(ending.no_double, ending.double_take, ending.double_pass, "exact_ending", chances)


def _may_be_short(position: Position) -> bool:
    """Whether a side is home and close to the end, so that working it out may be quick."""
    for seen in (position, position.flip()):
        board = seen.board.tolist()
        checkers = sum(count for count in board if count > 0)
        home = home_of(board)
        if sum(home) == checkers <= MOST_CHECKERS and slowest(home) <= 2:
            return True
    return False


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
    """Answer from the exact bear-off tables."""
    return None


def _rolled_out(question: Question, effort: Effort, workers: int | None) -> Worth:
    """Roll the question out, looking at the interval at fixed numbers of trials only."""
    raise RecordError([Fault("E49", "$", "there is no evaluator for this position in this installation")])


def engine_digests() -> dict[str, str | None]:
    """Digests of everything that numbers come from: the network's weights and the bear-off tables."""
    return {"weights": None, "bearoff": None}
