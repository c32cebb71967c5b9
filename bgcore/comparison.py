"""Candidates rolled out with the same dice: their differences, and how sure it is which is best.

Plays of one roll, or not doubling against doubling and being taken, share most of their luck when the same
trials meet the same rolls. So the standard error of their difference is measured on the differences, trial by
trial, and is much smaller than the two errors would suggest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from statistics import NormalDist
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from bgcore._core import COLUMNS, Play, Position, legal_plays
from bgcore.cube import CubeAction
from bgcore.errors import ArgumentError, DataError, RulesError, require, shown, whole
from bgcore.job import Job, RolloutSettings, blocks, make_job
from bgcore.parallel import map_ordered
from bgcore.rollout import (
    MOST_FIRST,
    Rollout,
    empty,
    require_callable,
    require_extensible,
    rule_to_ask,
    run_stamped,
)
from bgcore.saved import digest_of, read_saved
from bgcore.stakes import Stakes
from bgcore.tally import Tally
from bgcore.wholefile import write_whole

SCHEMA: Final = "bgcore.comparison/1"
_VALUE = COLUMNS.index("value")
# A difference of so many of its standard errors is settled, whatever its size.
_SETTLED = 4.0
_SAMPLES = 1 << 14


@dataclass(frozen=True)
class Comparison:
    """Rollouts of candidates over the same trials, and the exact sums of their differences.

    Everything is worth to the side to move, in the unit of the stakes. Made by `compare_plays` and
    `compare_cube`.

    Parameters
    ----------
    labels : tuple of str
        The candidates.
    rollouts : tuple of Rollout
        One for each.
    differences : dict of (i, j) to Tally
        For i < j, the sums over trials of candidate i's value less candidate j's.
    """

    labels: tuple[str, ...]
    rollouts: tuple[Rollout, ...]
    differences: dict[tuple[int, int], Tally]

    @property
    def trials(self) -> int:
        """Trials of each candidate."""
        return self.rollouts[0].trials

    @property
    def ranking(self) -> tuple[int, ...]:
        """The candidates from best to worst; the order given decides between equal values."""
        return tuple(sorted(range(len(self.labels)), key=lambda i: (-self.rollouts[i].value, i)))

    @property
    def best(self) -> str:
        """The label of the candidate with the highest value."""
        return self.labels[self.ranking[0]]

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """Return candidate i's value less candidate j's, and the standard error of that difference.

        Parameters
        ----------
        i, j : int
            Candidates, by their place in ``labels``.
        """
        if i == j:
            return 0.0, 0.0
        tally = self.differences[min(i, j), max(i, j)]
        mean = tally.mean(0)
        error = tally.std_error(0, is_stratified=self.rollouts[0].settings.stratified)
        return (mean, error) if i < j else (-mean, error)

    @property
    def p_best(self) -> tuple[float, ...]:
        """For each candidate, the chance that its true value is the highest.

        Normal approximation with the covariances of the differences; exact for two candidates, otherwise
        from 16,384 fixed samples (an error of at most 0.004).
        """
        number = len(self.labels)
        if number == 2:
            mean, error = self.difference(0, 1)
            if not isfinite(error):
                return (0.5, 0.5)
            first = NormalDist().cdf(mean / error) if error > 0 else 0.5 + 0.5 * ((mean > 0) - (mean < 0))
            return (first, 1.0 - first)
        if not all(isfinite(self.difference(0, j)[1]) for j in range(1, number)):
            return (1.0 / number,) * number
        return self._sampled()

    def _sampled(self) -> tuple[float, ...]:
        """Sample the differences from candidate 0; who is best depends on nothing else."""
        number = len(self.labels)
        variance = [[self.difference(i, j)[1] ** 2 for j in range(number)] for i in range(number)]
        size = number - 1
        factor = [[0.0] * size for _ in range(size)]
        for i in range(size):
            for j in range(i + 1):
                covariance = (variance[0][i + 1] + variance[0][j + 1] - variance[i + 1][j + 1]) / 2
                rest = covariance - sum(factor[i][k] * factor[j][k] for k in range(j))
                if i == j:
                    factor[i][i] = sqrt(max(0.0, rest))
                elif factor[j][j] > 0:
                    factor[i][j] = rest / factor[j][j]
        normal = np.random.Generator(np.random.Philox(key=0)).standard_normal((_SAMPLES, size))
        worse = np.array([self.difference(0, j)[0] for j in range(1, number)])
        ahead = np.column_stack([np.zeros(_SAMPLES), normal @ np.array(factor).T - worse])
        counts = np.bincount(ahead.argmax(axis=1), minlength=number)
        return tuple(int(count) / _SAMPLES for count in counts)

    def is_settled(self) -> bool:
        """Whether the stop rule of the settings is met."""
        rule = self.rollouts[0].settings.stop
        if rule is None:
            return False
        if rule.joint_std_error is None:
            return all(rule.is_met(rollout.value_std_error) for rollout in self.rollouts)
        best = self.ranking[0]
        for other in range(len(self.labels)):
            mean, error = self.difference(best, other)
            if other != best and error > rule.joint_std_error and abs(mean) <= _SETTLED * error:
                return False
        return True

    def extend(
        self,
        more: int,
        *,
        workers: int | None = None,
        executor: Executor | None = None,
        progress: Callable[[Comparison], object] | None = None,
        save: str | os.PathLike[str] | None = None,
    ) -> Comparison:
        """Run ``more`` trials of every candidate after the last; see `compare_plays` for the other parameters.

        Parameters
        ----------
        more : int
            How many, 1 or more.
        workers : int, optional
            Threads, by default one for each processor.
        executor : concurrent.futures.Executor, optional
            Where to run blocks of 36 trials instead.
        progress : callable, optional
            Called with the `Comparison` so far after each block; a true answer ends it there, keeping what is done.
        save : path, optional
            File to keep up to date after each block, see `Comparison.save`.

        Raises
        ------
        RulesError
            If ``more`` is not a whole number above 0.
        DataError
            If another bgcore, or other weights or tables, rolled it.
        """
        require_extensible(self.rollouts, more, "comparison")
        settings = replace(self.rollouts[0].settings, trials=self.trials + more)
        rollouts = tuple(replace(one, job=replace(one.job, settings=settings)) for one in self.rollouts)
        first = self.rollouts[0].next_trial
        return _run(replace(self, rollouts=rollouts), first, more, workers, executor, progress, save)

    def merge(self, other: Comparison) -> Comparison:
        """Both sets of trials together.

        Parameters
        ----------
        other : Comparison
            Of other trials of the same candidates.

        Raises
        ------
        RulesError
            If the candidates are not the same in the same order, if they share trials, or differ in anything but
            those (see `Rollout.merge`).
        """
        require(other, Comparison, "a comparison is merged with another one")
        if self.labels != other.labels:
            mine, theirs = ", ".join(self.labels), ", ".join(other.labels)
            raise RulesError(
                f"comparisons of {mine} and of {theirs} cannot be merged: give the same, in the same order"
            )
        rollouts = tuple(one.merge(two) for one, two in zip(self.rollouts, other.rollouts, strict=True))
        differences = {pair: tally.merged(other.differences[pair]) for pair, tally in self.differences.items()}
        return replace(self, rollouts=rollouts, differences=differences)

    def __repr__(self) -> str:
        ranked = ", ".join(f"{self.labels[i]} {self.rollouts[i].value:+.4f}" for i in self.ranking[:3])
        more = ", ..." if len(self.labels) > 3 else ""
        return f"Comparison({ranked}{more}; {self.trials:,} trials each, seed {self.rollouts[0].seed})"

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import comparison_html

        return comparison_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking with every figure as JSON values, and the sums to go on from."""
        ranking, p_best, job = self.ranking, self.p_best, self.rollouts[0].job
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "version": self.rollouts[0].version,
            "position_id": job.position.position_id,
            "dice": None if job.dice is None else list(job.dice),
            "trials": self.trials,
            "candidates": [
                {
                    "label": self.labels[i],
                    "value": self.rollouts[i].value,
                    "std_error": _finite(self.rollouts[i].value_std_error),
                    "behind_best": -self.difference(i, ranking[0])[0],
                    "behind_std_error": _finite(self.difference(i, ranking[0])[1]),
                    "p_best": p_best[i],
                    "rollout": self.rollouts[i].to_dict(),
                }
                for i in ranking
            ],
            "order": list(self.labels),
            "differences": [{"of": list(pair), "tally": tally.to_dict()} for pair, tally in self.differences.items()],
        }
        return {**data, "digest": digest_of(data)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote.

        Parameters
        ----------
        data : mapping
            From `to_dict`, or the JSON of it.

        Raises
        ------
        DataError
            If it is not a comparison of this format, or has been changed.
        """
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            raise DataError(f"not a comparison of the format {SCHEMA}")
        rest = {key: value for key, value in data.items() if key != "digest"}
        if data.get("digest") != digest_of(rest):
            raise DataError("the digest does not fit: the comparison was changed or damaged")
        try:
            rolled = {one["label"]: Rollout.from_dict(one["rollout"]) for one in data["candidates"]}
            labels = tuple(data["order"])
            rollouts = tuple(rolled[label] for label in labels)
            differences = {
                (first, second): Tally.from_dict(one["tally"], 1)
                for one in data["differences"]
                for first, second in (one["of"],)
            }
            expected = {(i, j) for j in range(len(labels)) for i in range(j)}
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise DataError(f"not a comparison: {error}") from error
        spans = {one.spans for one in rollouts}
        trials = {one.trials for one in rollouts} | {tally.trials for tally in differences.values()}
        if len(labels) < 2 or len(spans) != 1 or len(trials) != 1 or set(differences) != expected:
            raise DataError("not a comparison: its candidates and differences do not fit together")
        return cls(labels, rollouts, differences)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON; a reader sees the old file or the whole new one, never a part.

        Parameters
        ----------
        path : path
            The file.
        """
        write_whole(path, [json.dumps(self.to_dict(), separators=(",", ":")).encode()])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote; DataError names a file that is missing, torn, changed, or no comparison.

        Parameters
        ----------
        path : path
            The file.
        """
        return read_saved(path, "a comparison", cls.from_dict)


def compare_plays(
    position: Position,
    dice: tuple[int, int],
    plays: Iterable[Play | Position | str] | None = None,
    *,
    stakes: Stakes | None = None,
    settings: RolloutSettings | None = None,
    first_trial: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Comparison], object] | None = None,
    save: str | os.PathLike[str] | None = None,
) -> Comparison:
    """Roll out plays of one roll against each other with the same dice.

    Parameters
    ----------
    position : Position
        Seen by the side that rolled.
    dice : (int, int)
    plays : iterable of Play, Position or str, optional
        The candidates; by default all legal plays.
    stakes, settings, first_trial, workers, executor
        As for `bgcore.rollout.rollout`.
    progress : callable, optional
        Called with the `Comparison` so far after each block of 36 trials; a true answer ends it there.
    save : path, optional
        File to keep up to date after each block, see `Comparison.save`.

    Returns
    -------
    Comparison

    Raises
    ------
    RulesError, DiceError, NotationError
        If there are fewer than two candidates, or one is no legal play.
    """
    settings = RolloutSettings() if settings is None else settings
    if plays is None:
        plays = legal_plays(position, dice)
    elif isinstance(plays, str) or not isinstance(plays, Iterable):
        raise ArgumentError(f"plays are listed, such as ['8/5 6/5', '24/20'], not {shown(plays)}")
    plays = tuple(plays)
    if None in plays:
        raise ArgumentError("a candidate is a play, its result or its notation, not None")
    jobs = [make_job(position, dice, play, stakes, "play", settings) for play in plays]
    names = {choice.result: str(choice) for choice in legal_plays(position, dice)}
    labels = ["no play" if job.play is None else names.get(job.play, "no play") for job in jobs]
    return _compare(position, labels, jobs, first_trial, workers, executor, progress, save)


def compare_cube(
    position: Position,
    stakes: Stakes,
    *,
    settings: RolloutSettings | None = None,
    first_trial: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Comparison], object] | None = None,
    save: str | os.PathLike[str] | None = None,
) -> CubeComparison:
    """Roll out not doubling against doubling and being taken, each with its own plays and the same dice.

    Parameters
    ----------
    position : Position
        Seen by the side to move, before its roll.
    stakes : Stakes
        Under which it can double now.
    settings, first_trial, workers, executor, progress, save
        As for `compare_plays`.

    Returns
    -------
    CubeComparison

    Raises
    ------
    RulesError
        If the side to move cannot double, or the game is over.
    """
    settings = RolloutSettings() if settings is None else settings
    jobs = [
        make_job(position, None, None, stakes, "no_double", settings),
        make_job(position, None, None, stakes, "double_take", settings),
    ]
    both = _compare(position, ["no double", "double/take"], jobs, first_trial, workers, executor, progress, save)
    return CubeComparison(both, stakes)


@dataclass(frozen=True)
class CubeComparison:
    """A rolled-out cube decision: the three lines, the action, and how sure it is.

    Parameters
    ----------
    lines : Comparison
        Not doubling (0) and doubling with a take (1).
    stakes : Stakes
        What the game pays.
    """

    lines: Comparison
    stakes: Stakes

    @property
    def no_double(self) -> float:
        """Worth of not doubling now."""
        return self.lines.rollouts[0].value

    @property
    def double_take(self) -> float:
        """Worth of a double that is taken."""
        return self.lines.rollouts[1].value

    @property
    def double_pass(self) -> float:
        """Worth of a double that is passed; exact."""
        cash = self.stakes.levels[0].pass_mine
        if cash is None:
            raise RulesError("under these stakes the side to move cannot double")
        return float(cash)

    @property
    def is_take(self) -> bool:
        """Whether the opponent should take."""
        return self.double_take <= self.double_pass

    @property
    def is_double(self) -> bool:
        """Whether the side to move should double."""
        return min(self.double_take, self.double_pass) >= self.no_double

    @property
    def action(self) -> str:
        """The decision in the words of `bgcore.cube.CubeAction`."""
        return CubeAction.from_worths(self.stakes, self.no_double, self.double_take).action

    @property
    def value(self) -> float:
        """Worth of the position with the right actions of both sides."""
        return max(self.no_double, min(self.double_take, self.double_pass))

    @property
    def value_std_error(self) -> float:
        """Standard error of ``value``: that of the line it is taken from, 0 for a pass."""
        if not self.is_double:
            return self.lines.rollouts[0].value_std_error
        return self.lines.rollouts[1].value_std_error if self.is_take else 0.0

    @property
    def p_take(self) -> float:
        """The chance that taking is right (normal approximation)."""
        return _chance(self.double_pass - self.double_take, self.lines.rollouts[1].value_std_error)

    @property
    def p_double(self) -> float:
        """The chance that doubling is right, the opponent answering as the means say (normal approximation)."""
        if self.is_take:
            mean, error = self.lines.difference(1, 0)
            return _chance(mean, error)
        return _chance(self.double_pass - self.no_double, self.lines.rollouts[0].value_std_error)

    def __repr__(self) -> str:
        return (
            f"CubeComparison({self.action!r}, no double {self.no_double:+.4f}, double/take {self.double_take:+.4f}, "
            f"double/pass {self.double_pass:+.4f}; {self.lines.trials:,} trials each)"
        )

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import cube_comparison_html

        return cube_comparison_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return every figure as JSON values."""
        mean, error = self.lines.difference(1, 0)
        return {
            "no_double": self.no_double,
            "double_take": self.double_take,
            "double_pass": self.double_pass,
            "double_less_no_double": {"mean": mean, "std_error": error},
            "action": self.action,
            "value": self.value,
            "value_std_error": self.value_std_error,
            "p_double": self.p_double,
            "p_take": self.p_take,
            "trials": self.lines.trials,
            "lines": self.lines.to_dict(),
        }


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _chance(mean: float, error: float) -> float:
    """Chance that a true mean is above 0."""
    if not isfinite(error):
        return 0.5
    return NormalDist().cdf(mean / error) if error > 0 else 0.5 + 0.5 * ((mean > 0) - (mean < 0))


def _compare(
    position: Position,
    labels: list[str],
    jobs: list[Job],
    first_trial: int,
    workers: int | None,
    executor: Executor | None,
    progress: Callable[[Comparison], object] | None,
    save: str | os.PathLike[str] | None,
) -> Comparison:
    first = whole(first_trial, "first_trial", 0, MOST_FIRST)
    if position.outcome:
        raise RulesError("there is nothing to compare: the game is over")
    if len(jobs) < 2:
        raise RulesError(f"there is nothing to compare: two candidates or more are needed, not {len(jobs)}")
    if len(set(labels)) != len(labels):
        raise RulesError("a candidate is given twice")
    rollouts = tuple(empty(job) for job in jobs)
    pairs = {(i, j): Tally(1) for j in range(len(jobs)) for i in range(j)}
    start = Comparison(tuple(labels), rollouts, pairs)
    return _run(start, first, jobs[0].settings.trials, workers, executor, progress, save)


def _run(
    start: Comparison,
    first: int,
    count: int,
    workers: int | None,
    executor: Executor | None,
    progress: Callable[[Comparison], object] | None,
    save: str | os.PathLike[str] | None,
) -> Comparison:
    require_callable(progress, "comparison")
    done, jobs = start, [rollout.job for rollout in start.rollouts]
    settings = jobs[0].settings
    stamp = start.rollouts[0].stamp
    tasks = ((stamp, job, begin, step) for begin, step in blocks(first, count) for job in jobs)
    results = map_ordered(run_stamped, tasks, workers=workers, executor=executor)
    block: list[NDArray[np.float64]] = []
    try:
        for (*_, begin, _), rows in results:
            block.append(rows)
            if len(block) < len(jobs):
                continue
            before, done = done.trials, _with_block(done, begin, block)
            block = []
            if save is not None:
                done.save(save)
            if progress is not None and progress(done):
                break
            if rule_to_ask(settings, before, done.trials) is not None and done.is_settled():
                break
    finally:
        results.close()
    return done


def _with_block(done: Comparison, begin: int, block: list[NDArray[np.float64]]) -> Comparison:
    """Add one block of every candidate."""
    rollouts = tuple(one.with_rows(begin, rows) for one, rows in zip(done.rollouts, block, strict=True))
    job = done.rollouts[0].job
    differences = {
        (i, j): tally.merged(job.tally_of(begin, (block[i] - block[j])[:, _VALUE : _VALUE + 1]))
        for (i, j), tally in done.differences.items()
    }
    return replace(done, rollouts=rollouts, differences=differences)
