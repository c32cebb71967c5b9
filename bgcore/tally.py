"""Exact sums of what trials paid: adding them in any order, on any machine, gives the same mean and error.

Each number of a trial is rounded once to a whole number of 2**-40 units; from there on everything is whole
numbers, so blocks may be merged in any order. Beside the sums and sums of squares, a tally keeps the sums for
each of the 36 first and second rolls: rollouts deal these evenly, so differences between them are no error of
the mean, and the standard error counts only what is left (a two-way analysis of variance without interaction;
Cochran, *Sampling Techniques*, 3rd ed. 1977, sections 5.6 and 5A.11; what interaction there is stays in the
error, so that it is never understated).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from bgcore.errors import DataError, RulesError, shown

UNIT_BITS: Final = 40
_STRATA: Final = 36
# Below these many trials, taking out the first (and second) roll would leave too few degrees of freedom.
_TRIALS_FOR_ONE_WAY: Final = 108
_TRIALS_FOR_TWO_WAY: Final = 216


def _zeros(width: int) -> list[list[int]]:
    return [[0] * width for _ in range(_STRATA)]


@dataclass
class Tally:
    """Sums over trials of ``width`` numbers each.

    Parameters
    ----------
    width : int
        Numbers a trial.
    trials : int
        Trials summed so far.
    sums, squares : list of int
        Sums in units of 2**-40, and of squares in units of 2**-80.
    counts, by_roll : two lists
        For the first and the second roll: trials with each of the 36 rolls, and their sums.
    """

    width: int
    trials: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    counts: list[list[int]] = field(default_factory=lambda: [[0] * _STRATA, [0] * _STRATA])
    by_roll: list[list[list[int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = self.sums or [0] * self.width
        self.squares = self.squares or [0] * self.width
        self.by_roll = self.by_roll or [_zeros(self.width), _zeros(self.width)]

    def add_rows(self, rows: NDArray[np.float64], rolls: NDArray[np.int8]) -> None:
        """Add trials.

        Parameters
        ----------
        rows : (n, width) float64 array
            What each trial paid.
        rolls : (n, 2, 2) int8 array
            The first two rolls of each trial.

        Raises
        ------
        RulesError
            If a number is not finite or above 2**20 in size, where the units end.
        """
        if not bool(np.all(np.abs(rows) < 1 << 20)):
            raise RulesError("a trial paid more than a rollout can count (2**20 points)")
        units = np.rint(rows * float(1 << UNIT_BITS)).astype(np.int64).tolist()
        codes = ((rolls[:, :, 0].astype(np.int64) - 1) * 6 + rolls[:, :, 1] - 1).tolist()
        sums, squares = self.sums, self.squares
        for row, code in zip(units, codes, strict=True):
            first, second = self.by_roll[0][code[0]], self.by_roll[1][code[1]]
            self.counts[0][code[0]] += 1
            self.counts[1][code[1]] += 1
            for column, value in enumerate(row):
                sums[column] += value
                squares[column] += value * value
                first[column] += value
                second[column] += value
        self.trials += len(units)

    def merged(self, other: Tally) -> Tally:
        """Return the tally of both sets of trials together; neither is changed."""

        def added(mine: Sequence[int], theirs: Sequence[int]) -> list[int]:
            return [a + b for a, b in zip(mine, theirs, strict=True)]

        return Tally(
            self.width,
            self.trials + other.trials,
            added(self.sums, other.sums),
            added(self.squares, other.squares),
            [added(a, b) for a, b in zip(self.counts, other.counts, strict=True)],
            [
                [added(a, b) for a, b in zip(mine, theirs, strict=True)]
                for mine, theirs in zip(self.by_roll, other.by_roll, strict=True)
            ],
        )

    def mean(self, column: int) -> float:
        """Return the mean of a column, correctly rounded; 0.0 without trials."""
        if not self.trials:
            return 0.0
        return float(Fraction(self.sums[column], self.trials << UNIT_BITS))

    def std_error(self, column: int, *, is_stratified: bool) -> float:
        """Return the standard error of a mean; infinite while there are fewer than two trials.

        Parameters
        ----------
        column : int
        is_stratified : bool
            Whether the first two rolls were dealt evenly, so that their share of the variance is no error.
        """
        n = self.trials
        if n < 2:
            return float("inf")
        correction = Fraction(self.sums[column] ** 2, n)
        left = self.squares[column] - correction
        freedom = n - 1
        ways = 0
        if is_stratified and n >= _TRIALS_FOR_ONE_WAY:
            ways = 2 if n >= _TRIALS_FOR_TWO_WAY else 1
        for way in range(ways):
            # Rolls that came equally often share a denominator, which keeps the exact sum cheap.
            grouped: dict[int, int] = {}
            for count, sums in zip(self.counts[way], self.by_roll[way], strict=True):
                if count:
                    grouped[count] = grouped.get(count, 0) + sums[column] ** 2
                    freedom -= 1
            freedom += 1
            left -= sum((Fraction(total, count) for count, total in sorted(grouped.items())), Fraction(0)) - correction
        return sqrt(max(0.0, float(left / (freedom * n)))) / (1 << UNIT_BITS)

    def to_dict(self) -> dict[str, Any]:
        """Return the tally as JSON values; whole numbers of any size."""
        return {
            "trials": self.trials,
            "sums": self.sums,
            "squares": self.squares,
            "counts": self.counts,
            "by_roll": self.by_roll,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], width: int) -> Self:
        """Read what `to_dict` wrote; DataError if anything is missing or adds up wrongly."""

        def whole(values: Any, length: int) -> list[int]:
            if not isinstance(values, list) or len(values) != length:
                raise DataError(f"a tally needs a list of {length} whole numbers here, not {values!r:.60}")
            if any(not isinstance(value, int) or isinstance(value, bool) for value in values):
                raise DataError("a tally holds whole numbers only")
            return values

        try:
            trials = data["trials"]
            sums, squares = whole(data["sums"], width), whole(data["squares"], width)
            counts = [whole(values, _STRATA) for values in data["counts"]]
            by_roll = [[whole(values, width) for values in way] for way in data["by_roll"]]
        except (KeyError, TypeError) as error:
            raise DataError(f"not a tally: {shown(error)}") from error
        if not isinstance(trials, int) or len(counts) != 2 or [len(way) for way in by_roll] != [_STRATA, _STRATA]:
            raise DataError("not a tally: wrong shape")
        for way in range(2):
            totals = [sum(column) for column in zip(*by_roll[way], strict=True)]
            if sum(counts[way]) != trials or totals != sums:
                raise DataError("the sums of this tally contradict each other")
        return cls(width, trials, sums, squares, counts, by_roll)
