"""Short endings worked out to the last roll, for rules and positions that no bear-off table holds.

Every roll, every legal play and every cube decision, in exact fractions: the answer of last resort before
dice are thrown, for the highest-first bear-off rule and for games that end within a roll or two.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from bgcore._core import Position
from bgcore.adjudication.turn import ROLLS, results
from bgcore.rules import OTHER_OWNER, BearoffRule, GammonRule, Owner, outcome_points
from bgcore.stakes import Level, Stakes

NODES = 4_000
"""Positions (with cube state) looked into before the attempt is given up."""

WIN_CHANCE = Stakes(
    "mwc",
    (Level(1, (Fraction(1),) * 3, (Fraction(0),) * 3, None, None, False, False),),
    "centre",
)
"""Stakes under which a game is worth the chance to win it."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What the side to move gets, exactly: without doubling, after double and take, after double and pass."""

    no_double: Fraction
    double_take: Fraction | None
    double_pass: Fraction | None

    @property
    def value(self) -> Fraction:
        """With the right to double used well."""
        if self.double_take is None or self.double_pass is None:
            return self.no_double
        return max(self.no_double, min(self.double_take, self.double_pass))


def play_out(
    position: Position,
    stakes: Stakes,
    *,
    gammon_rule: GammonRule = "standard",
    bearoff_rule: BearoffRule = "standard",
    nodes: int = NODES,
) -> Ending | None:
    """Work a position out to its end.

    Parameters
    ----------
    position : Position
        Before the roll, seen by the side to move; not finished.
    stakes : Stakes
        What the game pays, to the side to move.
    gammon_rule, bearoff_rule : str
        See `bgcore.rules.Rules`.
    nodes : int
        How many positions to look into at most.

    Returns
    -------
    Ending or None
        None if the game is too long for the number of nodes, or can go on for ever.

    Notes
    -----
    Cost: about 0.3 ms a node. Only positions without contact, and those that end with this roll whatever
    it is, are tried.
    """
    solver = _Solver((stakes, stakes.flip()), gammon_rule, bearoff_rule, nodes)
    try:
        return solver.decide(position, 0, 0, stakes.owner)
    except _TooLongError:
        return None


class _TooLongError(Exception):
    """The number of nodes is used up, or a play leads back to contact."""


@lru_cache(maxsize=1 << 16)
def _children(position: Position, bearoff_rule: BearoffRule) -> tuple[tuple[int, tuple[Position, ...]], ...]:
    """For each of the 21 rolls its weight and what it may lead to, seen by the mover."""
    return tuple((weight, tuple(results(position, (high, low), bearoff_rule))) for high, low, weight in ROLLS)


class _Solver:
    """One question: remembers what each position is worth at each cube level, owner and side."""

    def __init__(self, stakes: tuple[Stakes, Stakes], gammon_rule: GammonRule, rule: BearoffRule, nodes: int) -> None:
        self.stakes = stakes
        self.total = Fraction(0 if stakes[0].unit == "points" else 1)
        self.gammon_rule = gammon_rule
        self.bearoff_rule = rule
        self.left = nodes
        self.known: dict[tuple[Position, int, int, Owner], Fraction] = {}

    def level(self, side: int, k: int) -> Level:
        return self.stakes[side].level(k)

    def decide(self, position: Position, side: int, k: int, owner: Owner) -> Ending:
        """Weigh the cube actions of the side to move; ``side`` 1 is the opponent of the side that is asked about."""
        level = self.level(side, k)
        no_double = self.rolled(position, side, k, owner)
        if owner == "theirs" or not level.can_double_mine or level.pass_mine is None:
            return Ending(no_double, None, None)
        take = self.rolled(position, side, k + 1, "theirs")
        if self.stakes[0].beavers and self.level(side, k + 1).can_double_theirs:
            take = min(take, self.beavered(position, side, k))
        return Ending(no_double, take, level.pass_mine)

    def beavered(self, position: Position, side: int, k: int) -> Fraction:
        """After double and beaver: the doubler accepts or gives up the doubled value."""
        given_up = self.level(side, k + 1).pass_theirs
        accepted = self.rolled(position, side, k + 2, "theirs")
        return accepted if given_up is None else max(accepted, given_up)

    def rolled(self, position: Position, side: int, k: int, owner: Owner) -> Fraction:
        """Before the roll, when nobody doubles."""
        key = (position, side, k, owner)
        if key in self.known:
            return self.known[key]
        self.left -= 1
        if self.left < 0:
            raise _TooLongError
        total = Fraction(0)
        other = OTHER_OWNER[owner]
        for weight, after in _children(position, self.bearoff_rule):
            total += weight * max(self.after(result, side, k, other) for result in after)
        self.known[key] = total / 36
        return self.known[key]

    def after(self, result: Position, side: int, k: int, owner: Owner) -> Fraction:
        """Return what a play is worth to the side that made it; ``owner`` as the opponent names it."""
        points = outcome_points(result, self.gammon_rule) if 15 in result.off else 0
        if points > 0:
            return self.level(side, k).win[points - 1]
        if not result.is_race:
            raise _TooLongError
        return self.total - self.decide(result.flip(), 1 - side, k, owner).value
