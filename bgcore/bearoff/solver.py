"""Exact values of short races for any stakes: money with limits and caps, Jacoby, beavers, any match score."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from types import NoneType
from typing import Final, Literal

from bgcore._core import Position, solve_race
from bgcore.errors import RulesError, require
from bgcore.rules import BearoffRule, GammonRule
from bgcore.stakes import Level, Stakes

Holder = Literal["centre", "mine", "theirs", "nobody"]
State = tuple[int, Holder]
Number = Fraction | float

# Where a double, a beaver, a raccoon leads: a cube state and what its values count for.
Ways = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
Moves = tuple[Ways, Ways]
_NONE: Final = (-1, 0)
_ONE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact value of a race for the side to move, before its roll.

    All values are in the unit of the stakes (points, the cube included, or match-winning chance) and worth
    to the side to move. They are `Fraction` if ``is_exact``, else floats that are off by ``error`` at most.

    Attributes
    ----------
    no_double
        Rolling now, both sides using the cube rightly from then on.
    double_take, double_pass
        Doubling now, if it is taken, or passed. None if the side to move cannot double.
    double_beaver
        Doubling now, if it is beavered and the doubler answers as is best for him. None if that is not
        allowed.
    value
        The best of these: the larger of no double and the least of the opponent's answers.
    cubeless
        If the cube is never turned again.
    probabilities : tuple of 5
        Chances under that play without cube, cumulative: win, win_gammon, win_backgammon, lose_gammon,
        lose_backgammon.
    is_exact : bool
    error : float
        0.0 if exact.
    """

    no_double: Number
    double_take: Number | None
    double_pass: Number | None
    double_beaver: Number | None
    value: Number
    cubeless: Number
    probabilities: tuple[Number, Number, Number, Number, Number]
    is_exact: bool
    error: float

    @property
    def is_double(self) -> bool:
        """Whether doubling is worth more than not doubling."""
        return self.value > self.no_double

    @property
    def is_take(self) -> bool:
        """Whether a double should be accepted (or beavered); False if there can be none."""
        if self.double_take is None or self.double_pass is None:
            return False
        best = self.double_take if self.double_beaver is None else min(self.double_take, self.double_beaver)
        return best <= self.double_pass


def solve(
    position: Position,
    stakes: Stakes | None = None,
    *,
    bearoff_rule: BearoffRule = "standard",
    gammon_rule: GammonRule = "standard",
) -> Solution:
    """Solve a short race exactly: checker play, doubles, takes, beavers.

    Parameters
    ----------
    position : Position
        A race, not finished, seen by the side to move, which may double before it rolls.
    stakes : Stakes, optional
        What the game pays, seen by the same side; by default money, cube centred at 1, limit 64.
    bearoff_rule : {"standard", "highest_first"}
        ``highest_first``: checkers leave from the rearmost point only; both sides must be home.
    gammon_rule : {"standard", "portal_home_only", "manual_garlando"}
        Which multiplicity a finished game has.

    Returns
    -------
    Solution
        In Fractions wherever 128-bit integers carry the numbers: races of up to about 22 rolls for plain
        money, 18 for match scores; so all with four checkers a side. Else floats with their error bound,
        around 1e-11.

    Raises
    ------
    UnsupportedError
        If there is contact, the game is over, or the race is too long (some millions of layout pairs).
    RulesError
        For an unknown rule.

    Notes
    -----
    Retrograde analysis over all layouts both sides can reach, each cube state by itself; every state
    maximises its own value over the plays of a roll. Up to 35 milliseconds for four checkers a side, a few
    seconds and half a gigabyte at the limit. The GIL is released; thread-safe.
    """
    require(position, Position, "a race to be solved is a Position")
    require(stakes, (Stakes, NoneType), "a race is solved for Stakes")
    if bearoff_rule not in ("standard", "highest_first"):
        raise RulesError(f"bearoff_rule must be standard or highest_first, not {bearoff_rule!r}")
    if gammon_rule not in ("standard", "portal_home_only", "manual_garlando"):
        raise RulesError(f"gammon_rule must be standard, portal_home_only or manual_garlando, not {gammon_rule!r}")
    stakes = stakes or Stakes.money()
    moves, unit, payoffs, largest, is_end_best = _plan(stakes)
    found, followed, scale, error = solve_race(
        position,
        bearoff_rule == "highest_first",
        gammon_rule,
        moves,
        payoffs,
        largest,
        is_end_best,
    )

    def exact(value: float, of: Fraction) -> Number:
        return Fraction(int(value) * of.numerator, scale * of.denominator) if scale else value * float(of)

    def rolled(state: int) -> Number:
        return exact(found[state], unit)

    chances = [exact(value, _ONE) for value in followed] + [exact(0, _ONE)] * (5 - len(followed))
    no_double = rolled(0)
    take = passed = beaver = None
    value = no_double
    (to, by), (to_beaver, by_beaver), (to_raccoon, by_raccoon) = moves[0][0]
    if to >= 0:
        first, second = stakes.level(0), stakes.level(1)
        assert first.pass_mine is not None
        take = by * rolled(to)
        passed = first.pass_mine if scale else float(first.pass_mine)
        answer = min(take, passed)
        if to_beaver >= 0:
            refused = second.lose[0] if scale else float(second.lose[0])
            beaver = max(by_beaver * rolled(to_beaver), refused)
            if to_raccoon >= 0:
                dropped = stakes.level(2).win[0] if scale else float(stakes.level(2).win[0])
                beaver = max(beaver, min(by_raccoon * rolled(to_raccoon), dropped))
            answer = min(answer, beaver)
        value = max(no_double, answer)
    return Solution(
        no_double,
        take,
        passed,
        beaver,
        value,
        rolled(-1),
        (chances[0], chances[1], chances[2], chances[3], chances[4]),
        bool(scale),
        error * float(unit),
    )


@lru_cache(maxsize=1 << 8)
def _plan(stakes: Stakes) -> tuple[list[Moves], Fraction, list[list[int]], int, bool]:
    """Return what the solver needs to know of stakes, which many races share.

    Where doubles lead, the unit of the payoffs, each state's payoffs in it, the largest number that a value can
    reach, and whether a side that can bear off its last checker always should.
    """
    states, moves = _cube_states(stakes)
    unit, payoffs = _scaled([_payoffs(stakes, level) for level, _ in states])
    largest = [max(1, *(abs(value) for value in row)) for row in payoffs]
    reached = [by * largest[to] for move in moves for side in move for to, by in side if to >= 0]
    return moves, unit, payoffs, max(*largest, *reached), all(_is_end_best(level) for level in stakes.levels)


def _cube_states(stakes: Stakes) -> tuple[list[State], list[Moves]]:
    """List the cube states that doubles can lead to, the root first and the game without cube last.

    A state is (level, who may turn the cube). Of stakes that rescale, levels past the last are states of
    the last one, counted double for each level; and a cube that its holder can no longer turn is the game
    without cube, counted as often as its payoffs are larger, if they are multiples.
    """
    last = len(stakes.levels) - 1
    without_cube = -2  # replaced when the number of states is known
    states: list[State] = [(0, stakes.owner)]
    moves: list[Moves] = []

    def go(level: int, holder: Holder) -> tuple[int, int]:
        state = (min(level, last), holder)
        if not _can_double(stakes, level, holder):
            times = _multiple(stakes.level(level), stakes.levels[0])
            if times:
                return without_cube, times
            state = (level, "nobody")
        if state not in states:
            states.append(state)
        return states.index(state), 1 << (level - state[0])

    def ways(level: int, holder: Holder, doubler: Holder, doubled: Holder) -> Ways:
        double = beaver = raccoon = _NONE
        if holder in ("centre", doubler) and _can_double(stakes, level, doubler):
            double = go(level + 1, doubled)
            if stakes.beavers and _can_double(stakes, level + 1, doubled):
                beaver = go(level + 2, doubled)
                if stakes.raccoons and _can_double(stakes, level + 2, doubler):
                    raccoon = go(level + 3, doubled)
        return double, beaver, raccoon

    for level, holder in states:  # grows while it is walked
        moves.append((ways(level, holder, "mine", "theirs"), ways(level, holder, "theirs", "mine")))
    moves.append(((_NONE, _NONE, _NONE), (_NONE, _NONE, _NONE)))
    states.append((0, "nobody"))

    def placed(side: Ways) -> Ways:
        double, beaver, raccoon = ((len(states) - 1, by) if to == without_cube else (to, by) for to, by in side)
        return double, beaver, raccoon

    return states, [(placed(mine), placed(theirs)) for mine, theirs in moves]


def _multiple(level: Level, base: Level) -> int:
    """How many times the payoffs of one level are those of another; 0 if they are no whole multiple."""
    times = level.win[0] / base.win[0] if base.win[0] else Fraction(0)
    pairs = zip((*level.win, *level.lose), (*base.win, *base.lose), strict=True)
    return int(times) if times.denominator == 1 and all(value == times * of for value, of in pairs) else 0


def _can_double(stakes: Stakes, level: int, side: Holder) -> bool:
    found = stakes.level(level)
    assert side in ("mine", "theirs")
    return found.can_double_mine if side == "mine" else found.can_double_theirs


def _is_end_best(level: Level) -> bool:
    """Whether no refused double pays more than a win: then a side that can bear off its last checker does."""
    return (level.pass_mine is None or level.pass_mine <= level.win[0]) and (
        level.pass_theirs is None or level.pass_theirs >= level.lose[0]
    )


def _payoffs(stakes: Stakes, level: int) -> list[Fraction]:
    """Return a state's row of payoffs, in the order that the solver's `Cubes` states."""
    here = stakes.level(level)
    row = [*here.win, *here.lose]
    for may, refused in ((here.can_double_mine, here.pass_mine), (here.can_double_theirs, here.pass_theirs)):
        is_mine = len(row) == 6
        row.append(refused if may and refused is not None else Fraction(0))
        # A refused beaver loses the doubled cube, a refused raccoon wins the beavered one.
        for k in (1, 2):
            row.append(_single(stakes, level + k, is_win=is_mine == (k == 2)))
    return row


def _single(stakes: Stakes, level: int, *, is_win: bool) -> Fraction:
    if level >= len(stakes.levels) and not stakes.is_rescaling:
        return Fraction(0)
    found: Level = stakes.level(level)
    return found.win[0] if is_win else found.lose[0]


def _scaled(rows: list[list[Fraction]]) -> tuple[Fraction, list[list[int]]]:
    """Write payoffs as whole multiples of the largest unit that allows it."""
    denominator = lcm(*(value.denominator for row in rows for value in row))
    numerators = [[int(value * denominator) for value in row] for row in rows]
    common = gcd(*(value for row in numerators for value in row)) or 1
    return Fraction(common, denominator), [[value // common for value in row] for row in numerators]
