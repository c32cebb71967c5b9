"""A slow, obvious solver of bear-offs in Fractions, written from the rules alone: what the compiled one must match.

A layout is a tuple of six counts, ace point first. Values are worth to side 0, who is to roll at the root.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import lcm

Layout = tuple[int, ...]
ROLLS = list(combinations_with_replacement(range(1, 7), 2))
EMPTY = (0,) * 6


def layouts(checkers: int) -> list[Layout]:
    """Every home layout of 1 to ``checkers`` checkers."""
    return [counts for counts in product(range(checkers + 1), repeat=6) if 1 <= sum(counts) <= checkers]


def board_of(mine: Layout, theirs: Layout) -> list[int]:
    """The public board of two layouts."""
    board = [0] * 26
    for point, (my_count, their_count) in enumerate(zip(mine, theirs, strict=True), start=1):
        board[point] = my_count
        board[25 - point] = -their_count
    return board


def moves(layout: Layout, die: int, highest_first: bool) -> set[Layout]:
    """Every layout that one die leads to; a finished one stays."""
    if layout == EMPTY:
        return {EMPTY}
    rearmost = max(point for point in range(1, 7) if layout[point - 1])
    results = set()
    for point in range(1, 7):
        if not layout[point - 1]:
            continue
        after = list(layout)
        after[point - 1] -= 1
        if point > die:
            after[point - die - 1] += 1
        elif point != rearmost and (highest_first or point < die):
            continue
        results.add(tuple(after))
    return results


@cache
def results(layout: Layout, roll: tuple[int, int], highest_first: bool) -> frozenset[Layout]:
    """Every layout that a roll leads to."""
    low, high = roll
    orders = [[low] * 4] if low == high else [[low, high], [high, low]]
    found = set()
    for order in orders:
        reached = {layout}
        for die in order:
            reached = set().union(*(moves(before, die, highest_first) for before in reached))
        found |= reached
    return frozenset(found)


class Oracle:
    """Values of one game's stakes; a cube is (level, holder), holder 0, 1 or None for the centre."""

    def __init__(self, stakes, highest_first=False):
        self.stakes = stakes
        self.highest_first = highest_first
        self.root = (0, {"centre": None, "mine": 0, "theirs": 1}[stakes.owner])
        self.rolled = cache(self.rolled)

    def can_double(self, side, level):
        found = self.stakes.level(level)
        return found.can_double_mine if side == 0 else found.can_double_theirs

    def rolled(self, side, mine, theirs, level, holder):
        """The value of rolling now; holder "dead" for a cube that nobody turns."""
        pick, total = (max if side == 0 else min), Fraction(0)
        mover, other = (mine, theirs) if side == 0 else (theirs, mine)
        for roll in ROLLS:
            values = []
            for after in results(mover, roll, self.highest_first):
                if after == EMPTY:
                    kind = 1 if sum(other) == 15 else 0
                    ended = self.stakes.level(level)
                    values.append(ended.win[kind] if side == 0 else ended.lose[kind])
                elif side == 0:
                    values.append(self.value(1, after, theirs, level, holder))
                else:
                    values.append(self.value(0, mine, after, level, holder))
            total += pick(values) * (1 if roll[0] == roll[1] else 2)
        return total / 36

    def double(self, side, mine, theirs, level):
        """The value of doubling now, the answer being the best for the other side."""
        worst, best = (min, max) if side == 0 else (max, min)
        here, other = self.stakes.level(level), 1 - side
        answers = [
            here.pass_mine if side == 0 else here.pass_theirs,
            self.rolled(side, mine, theirs, level + 1, other),
        ]
        if self.stakes.beavers and self.can_double(other, level + 1):
            doubled = self.stakes.level(level + 1)
            refused = doubled.lose[0] if side == 0 else doubled.win[0]
            answers.append(best(self.rolled(side, mine, theirs, level + 2, other), refused))
        return worst(answers)

    def value(self, side, mine, theirs, level, holder):
        """The value before the choice to double."""
        rolled = self.rolled(side, mine, theirs, level, holder)
        if holder in (None, side) and self.can_double(side, level):
            return (max if side == 0 else min)(rolled, self.double(side, mine, theirs, level))
        return rolled


class Retrograde:
    """The same values for every position of a few checkers at once, from the last rolls backwards.

    Whole numbers over ``scale``; ``rolled[side][cube][mine][theirs]`` and ``value`` likewise, a cube being
    (level, holder) as above. Stakes must have an end, no beavers and no gammons in reach.
    """

    def __init__(self, stakes, checkers):
        self.stakes = stakes
        order = [EMPTY, *sorted(layouts(checkers), key=lambda counts: sum(p * n for p, n in enumerate(counts, 1)))]
        self.place = {layout: place for place, layout in enumerate(order)}
        self.after = [
            [
                (1 if roll[0] == roll[1] else 2, [self.place[end] for end in results(layout, roll, False)])
                for roll in ROLLS
            ]
            for layout in order
        ]
        size, levels = len(order), range(len(stakes.levels))
        self.cubes = [(0, None), *((level, holder) for level in levels for holder in (0, 1)), (0, "dead")]
        payoffs = [
            value
            for level in stakes.levels
            for value in (*level.win, *level.lose, level.pass_mine, level.pass_theirs)
            if value is not None
        ]
        self.scale = lcm(*(value.denominator for value in payoffs)) * 36**30
        self.rolled = [{cube: [[0] * size for _ in order] for cube in self.cubes} for _ in range(2)]
        self.value = [{cube: [[0] * size for _ in order] for cube in self.cubes} for _ in range(2)]
        for cube in self.cubes:
            level = stakes.levels[cube[0]]
            for place in range(size):
                self.value[1][cube][0][place] = int(level.win[0] * self.scale)
                self.value[0][cube][place][0] = int(level.lose[0] * self.scale)
        for mine in range(1, size):
            for theirs in range(1, size):
                self._fill(0, mine, theirs)
                self._fill(1, mine, theirs)

    def _fill(self, side, mine, theirs):
        pick, answer = (max, min) if side == 0 else (min, max)
        for cube in self.cubes:
            after = self.value[1 - side][cube]
            if side == 0:
                best = [weight * max(after[end][theirs] for end in ends) for weight, ends in self.after[mine]]
            else:
                row = after[mine]
                best = [weight * min(row[end] for end in ends) for weight, ends in self.after[theirs]]
            value, remainder = divmod(sum(best), 36)
            assert remainder == 0
            self.rolled[side][cube][mine][theirs] = value
        for level, holder in self.cubes:
            value = self.rolled[side][level, holder][mine][theirs]
            found = self.stakes.levels[level]
            may, refused = (
                (found.can_double_mine, found.pass_mine) if side == 0 else (found.can_double_theirs, found.pass_theirs)
            )
            if may and holder in (None, side):
                taken = self.rolled[side][level + 1, 1 - side][mine][theirs]
                value = pick(value, answer(taken, int(refused * self.scale)))
            self.value[side][level, holder][mine][theirs] = value
