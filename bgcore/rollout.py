"""Rollouts as values: play a position out many times, and know the mean and its error.

A `Rollout` holds exact sums over numbered trials (see `bgcore.tally`). Trials are pure functions of the settings
and their number, so 1,296 trials and 1,296 more are 2,592 trials, to the bit; shards made on different machines
merge; and threads, processes and clusters give the same numbers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, fields, replace
from math import isfinite
from types import NoneType
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from bgcore._core import COLUMNS, Network, Play, Position
from bgcore._version import __version__
from bgcore.errors import DataError, RulesError, require, short, shown, whole
from bgcore.evaluate import Probabilities
from bgcore.job import NORMAL_95, Job, Line, RolloutSettings, StopRule, blocks, make_job, run_block, table_digest
from bgcore.namesake import speak_for
from bgcore.parallel import map_ordered
from bgcore.saved import digest_of, read_saved
from bgcore.stakes import Stakes
from bgcore.tally import Tally
from bgcore.wholefile import write_whole

__all__ = ["Rollout", "RolloutSettings", "StopRule", "rollout"]

SCHEMA: Final = "bgcore.rollout/1"
MOST_FIRST: Final = (1 << 60) - 1
"""The highest number that a first trial can have."""
Stamp = tuple[str, str, str | None]


@dataclass(frozen=True)
class Rollout:
    """Means over trials, with their standard errors; immutable, and made by `rollout`.

    Everything is seen by the side to move at the start. ``equity`` is cubeless, in points for a cube at 1;
    ``value`` is what the stakes pay (points or match-winning chance, cube included), and equals ``equity``
    where none were given.

    Parameters
    ----------
    job : Job
        Position, dice, stakes, line and settings.
    tally : Tally
        Exact sums.
    spans : tuple of (first, count)
        Which trials they hold, ascending and apart.
    weights : str
        Digest of the network that played.
    table : str or None
        Digest of the bear-off tables that trials are judged and ended by.
    version : str
        The bgcore that rolled.
    """

    job: Job
    tally: Tally
    spans: tuple[tuple[int, int], ...]
    weights: str
    table: str | None = None
    version: str = __version__

    @property
    def position(self) -> Position:
        """The position rolled out."""
        return self.job.position

    @property
    def settings(self) -> RolloutSettings:
        """How it was rolled out."""
        return self.job.settings

    @property
    def seed(self) -> int:
        """The seed of the dice."""
        return self.job.settings.seed

    @property
    def trials(self) -> int:
        """How many trials it holds."""
        return self.tally.trials

    @property
    def stamp(self) -> Stamp:
        """Version, weights and tables: what must be the same wherever its trials run."""
        return self.version, self.weights, self.table

    @property
    def next_trial(self) -> int:
        """The number of the trial that `extend` goes on with: one after the last it holds."""
        return sum(self.spans[-1]) if self.spans else 0

    def mean(self, name: str) -> float:
        """Return the mean of one of `COLUMNS`.

        Parameters
        ----------
        name : str
            "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "equity" or "value".
        """
        return self.tally.mean(_column(name))

    def error(self, name: str) -> float:
        """Return the standard error of the mean of one of `COLUMNS`.

        Parameters
        ----------
        name : str
            "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "equity" or "value".
        """
        return self.tally.std_error(_column(name), is_stratified=self.job.settings.stratified)

    def interval(self, name: str = "value") -> tuple[float, float]:
        """Return the 95 % interval of the mean of one of `COLUMNS` (normal approximation).

        Parameters
        ----------
        name : str, default "value"
            "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "equity" or "value".
        """
        mean, half = self.mean(name), NORMAL_95 * self.error(name)
        return mean - half, mean + half

    @property
    def equity(self) -> float:
        """Cubeless equity in points."""
        return self.mean("equity")

    @property
    def std_error(self) -> float:
        """Standard error of ``equity``."""
        return self.error("equity")

    @property
    def value(self) -> float:
        """What the stakes pay on average, in their unit; ``equity`` without stakes."""
        return self.mean("value")

    @property
    def value_std_error(self) -> float:
        """Standard error of ``value``."""
        return self.error("value")

    @property
    def model_error(self) -> float:
        """How far truncation moves ``value`` besides its standard error, as a root mean square; 0 without."""
        stakes = self.job.stakes
        if stakes is None:
            return self.settings.model_error(with_cube=False)
        first = stakes.levels[0]
        with_cube = self.settings.cubeful and not stakes.is_cubeless
        return self.settings.model_error(with_cube=with_cube) * float(first.win[0] - first.lose[0]) / 2

    @property
    def probabilities(self) -> Probabilities:
        """The five cumulative chances.

        With the luck taken out a mean can stray past what a chance can be by less than its error; it
        is shown at the bound. `equity` and `mean` are left as they are, free of bias.
        """
        win, gammon, backgammon, lose_gammon, lose_backgammon = (self.mean(name) for name in COLUMNS[:5])
        win = min(max(win, 0.0), 1.0)
        gammon = min(max(gammon, 0.0), win)
        backgammon = min(max(backgammon, 0.0), gammon)
        lose_gammon = min(max(lose_gammon, 0.0), 1.0 - win)
        lose_backgammon = min(max(lose_backgammon, 0.0), lose_gammon)
        return Probabilities(win, gammon, backgammon, lose_gammon, lose_backgammon, "rollout")

    @property
    def prob_std_errors(self) -> tuple[float, float, float, float, float]:
        """The standard errors of the five chances."""
        win, gammon, backgammon, lose_gammon, lose_backgammon = (self.error(name) for name in COLUMNS[:5])
        return win, gammon, backgammon, lose_gammon, lose_backgammon

    def extend(
        self,
        more: int,
        *,
        workers: int | None = None,
        executor: Executor | None = None,
        progress: Callable[[Rollout], object] | None = None,
        save: str | os.PathLike[str] | None = None,
    ) -> Rollout:
        """Run ``more`` trials after the last; see `rollout` for the other parameters.

        Parameters
        ----------
        more : int
            How many, 1 or more.
        workers : int, optional
            Threads, by default one for each processor.
        executor : concurrent.futures.Executor, optional
            Where to run blocks of 36 trials instead.
        progress : callable, optional
            Called with the `Rollout` so far after each block; a true answer ends it there, keeping what is done.
        save : path, optional
            File to keep up to date after each block, see `Rollout.save`.

        Raises
        ------
        RulesError
            If ``more`` is not a whole number above 0.
        DataError
            If another bgcore, or other weights or tables, rolled it.
        """
        require_extensible((self,), more, "rollout")
        settings = replace(self.settings, trials=self.trials + more)
        start = replace(self, job=replace(self.job, settings=settings))
        return _run(start, self.next_trial, more, workers, executor, progress, save)

    def with_rows(self, first: int, rows: NDArray[np.float64]) -> Rollout:
        """Add the rows of trials from ``first`` on; RulesError if it has one of them already.

        Parameters
        ----------
        first : int
            Number of the first of these trials.
        rows : (n, 7) array of float64
            What each trial paid, in the order of `COLUMNS`.
        """
        tally = self.tally.merged(self.job.tally_of(first, rows))
        return replace(self, tally=tally, spans=_joined((*self.spans, (first, len(rows)))))

    def merge(self, other: Rollout) -> Rollout:
        """Both sets of trials together.

        Parameters
        ----------
        other : Rollout
            Of other trials of the same job.

        Raises
        ------
        RulesError
            If they share trials, or differ in anything but those: position, stakes, settings, weights, version.
        """
        require(other, Rollout, "a rollout is merged with another one")
        differing = _differences(self, other)
        if differing:
            raise RulesError(f"these rollouts differ in {', '.join(differing)} and cannot be merged")
        spans = _joined((*self.spans, *other.spans))
        tally = self.tally.merged(other.tally)
        settings = replace(self.settings, trials=tally.trials)
        return replace(self, job=replace(self.job, settings=settings), tally=tally, spans=spans)

    def __repr__(self) -> str:
        unit = "equity" if self.job.stakes is None else self.job.stakes.unit
        mean = f"{unit} {self.value:{'' if unit == 'mwc' else '+'}.4f} ± {self.value_std_error:.4f}"
        return f"Rollout({mean}, {self.trials:,} trials, seed {self.seed})"

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import rollout_html

        return rollout_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values: what was asked, the result, and the sums to go on from."""
        job = self.job
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "version": self.version,
            "position_id": job.position.position_id,
            "dice": None if job.dice is None else list(job.dice),
            "play": None if job.play is None else job.play.position_id,
            "stakes": None if job.stakes is None else job.stakes.to_dict(),
            "line": job.line,
            "settings": job.settings.to_dict(),
            "weights": self.weights,
            "table": self.table,
            "trials": self.trials,
            "model_error": self.model_error,
            "result": {
                name: {
                    "mean": self.mean(name),
                    "std_error": _finite(self.error(name)),
                    "interval": self._interval(name),
                }
                for name in COLUMNS
            },
            "spans": [list(span) for span in self.spans],
            "tally": self.tally.to_dict(),
        }
        return {**data, "digest": digest_of(data)}

    def _interval(self, name: str) -> list[float] | None:
        return list(self.interval(name)) if isfinite(self.error(name)) else None

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
            If it is not a rollout of this format, or has been changed.
        """
        schema = data.get("schema") if isinstance(data, Mapping) else None
        if schema == "bgcore.comparison/1":
            raise DataError("it is a comparison: bgcore compare --extend and --merge go on with those")
        if schema != SCHEMA:
            raise DataError(f"not a rollout of the format {SCHEMA}")
        rest = {key: value for key, value in data.items() if key != "digest"}
        if data.get("digest") != digest_of(rest):
            raise DataError("the digest does not fit: the rollout was changed or damaged")
        try:
            job = make_job(
                Position.from_position_id(data["position_id"]),
                data["dice"],
                None if data["play"] is None else Position.from_position_id(data["play"]),
                None if data["stakes"] is None else Stakes.from_dict(data["stakes"]),
                data["line"],
                RolloutSettings.from_dict(data["settings"]),
            )
            spans = _joined(tuple((first, count) for first, count in data["spans"]))
            tally = Tally.from_dict(data["tally"], len(COLUMNS))
            rollout = cls(job, tally, spans, data["weights"], data["table"], data["version"])
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise DataError(f"not a rollout: {error}") from error
        if sum(count for _, count in spans) != tally.trials:
            raise DataError("not a rollout: its spans and its tally differ in the number of trials")
        return rollout

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
        """Read what `save` wrote.

        Parameters
        ----------
        path : path
            The file.

        Raises
        ------
        DataError
            Naming the file, if it is missing, torn, changed, or not a rollout.
        """
        return read_saved(path, "a rollout", cls.from_dict)


def rollout(
    position: Position,
    trials: int | None = None,
    seed: int | None = None,
    *,
    stakes: Stakes | None = None,
    dice: tuple[int, int] | None = None,
    play: Play | Position | str | None = None,
    line: Line = "play",
    settings: RolloutSettings | None = None,
    first_trial: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[Rollout], object] | None = None,
    save: str | os.PathLike[str] | None = None,
) -> Rollout:
    """Play a position out many times and average what it pays.

    Parameters
    ----------
    position : Position
        Seen by the side to move, before its roll (or with ``dice``, after it).
    trials, seed : int, optional
        Override those of the settings (1,296 and 1).
    stakes : Stakes, optional
        What the game pays, the cube included; by default points without a cube.
    dice : (int, int), optional
        The roll of the side to move, if thrown already.
    play : Play, Position or str, optional
        How it plays that roll (the play, its result, or its notation); by default what it holds best.
    line : {"play", "no_double", "double_take"}
        With a cube: decide about it before the first roll as in the rest of the game, do not double there,
        or start after a double that was taken.
    settings : RolloutSettings, optional
    first_trial : int
        Number of the first trial, for shards that are merged later.
    workers : int, optional
        Threads, by default one for each processor.
    executor : concurrent.futures.Executor, optional
        Where to run blocks of 36 trials instead: processes, or a cluster.
    progress : callable, optional
        Called with the `Rollout` so far after each block; a true answer ends it there, keeping what is done.
    save : path, optional
        File to keep up to date after each block, see `Rollout.save`.

    Returns
    -------
    Rollout
        The same bits whatever the workers or executor.

    Raises
    ------
    RulesError, DiceError, NotationError
        Naming what is out of range.

    Notes
    -----
    Variance reduction takes the luck of each roll off the result: the value of the roll after its best reply,
    less the mean of all 21 (both by the static evaluator). Its expectation is zero, so the mean does not
    change, however weak the evaluator.
    """
    settings = RolloutSettings() if settings is None else settings
    require(settings, RolloutSettings, "settings of a rollout are RolloutSettings")
    if settings.stop is not None and settings.stop.joint_std_error is not None:
        raise RulesError("a rollout has no differences to stop at: joint_std_error is for comparisons")
    if trials is not None or seed is not None:
        settings = replace(
            settings,
            trials=settings.trials if trials is None else trials,
            seed=settings.seed if seed is None else seed,
        )
    job = make_job(position, dice, play, stakes, line, settings)
    first = whole(first_trial, "first_trial", 0, MOST_FIRST)
    return _run(empty(job), first, settings.trials, workers, executor, progress, save)


def _run(
    start: Rollout,
    first: int,
    count: int,
    workers: int | None,
    executor: Executor | None,
    progress: Callable[[Rollout], object] | None,
    save: str | os.PathLike[str] | None,
) -> Rollout:
    """``start`` and ``count`` trials from ``first`` on, or fewer if the stop rule or the caller says so."""
    require_callable(progress, "rollout")
    done, settings = start, start.settings
    tasks = ((start.stamp, start.job, begin, step) for begin, step in blocks(first, count))
    results = map_ordered(run_stamped, tasks, workers=workers, executor=executor)
    try:
        for (*_, begin, _), rows in results:
            before, done = done.trials, done.with_rows(begin, rows)
            if save is not None:
                done.save(save)
            if progress is not None and progress(done):
                break
            rule = rule_to_ask(settings, before, done.trials)
            if rule is not None and rule.is_met(done.value_std_error):
                break
    finally:
        results.close()
    return done


def run_stamped(task: tuple[Stamp, Job, int, int]) -> NDArray[np.float64]:
    """Run a block of trials for a rollout with this stamp: the task that executors are given.

    Raises
    ------
    DataError
        If this process, perhaps on another machine, has another bgcore, weights or tables.
    """
    asked, job, first, count = task
    here = empty(job).stamp
    names = [
        name for name, one, other in zip(("version", "weights", "tables"), asked, here, strict=True) if one != other
    ]
    if names:
        raise DataError(f"a worker has bgcore {here[0]}, not the same as this {asked[0]}: {', '.join(names)} differ")
    return run_block((job, first, count))


def rule_to_ask(settings: RolloutSettings, before: int, now: int) -> StopRule | None:
    """Return the stop rule if a block that took the trials from ``before`` to ``now`` reached a checkpoint.

    Blocks end where they end, also beside a checkpoint: trials may begin with any, and be looked at every so many.
    """
    return settings.stop if now // settings.checkpoint > before // settings.checkpoint else None


def _joined(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Spans in ascending order, neighbours joined; RulesError where two share trials."""
    joined: list[tuple[int, int]] = []
    for first, count in sorted(spans):
        if not isinstance(first, int) or not isinstance(count, int) or first < 0 or count < 1:
            raise RulesError(f"not a span of trials: {shown(first)}, {shown(count)}")
        if joined and first < joined[-1][0] + joined[-1][1]:
            raise RulesError(f"trial {first} is in both rollouts: shards must not overlap")
        if joined and first == joined[-1][0] + joined[-1][1]:
            joined[-1] = (joined[-1][0], joined[-1][1] + count)
        else:
            joined.append((first, count))
    return tuple(joined)


def require_extensible(rollouts: Iterable[Rollout], more: int, what: str) -> None:
    """Refuse to add no trials, or trials that the weights and tables of now would not make comparable.

    Parameters
    ----------
    rollouts : iterable of Rollout
        All of the ``what``, a word for the message, that is to be extended.
    more : int
        Trials to add, 1 or more.
    what : str
        ``"rollout"`` or ``"comparison"``.

    Raises
    ------
    RulesError
        If ``more`` is not a whole number above 0.
    DataError
        If another bgcore, or other weights or tables, rolled them.
    """
    if isinstance(more, bool) or not isinstance(more, int) or more < 1:
        raise RulesError(f"the number of trials to add must be a whole number above 0, not {shown(more)}")
    for one in rollouts:
        now = empty(one.job)
        if one.version != now.version:
            raise DataError(
                f"this {what} was made by bgcore {short(one.version)}, and this is {now.version}; "
                "more trials would not be comparable"
            )
        if (one.weights, one.table) != (now.weights, now.table):
            raise DataError(f"this {what} was made with other weights or tables; more trials would not be comparable")


def require_callable(progress: object, what: str) -> None:
    """Refuse a ``progress`` that cannot be called with the ``what`` so far."""
    require(progress, (Callable, NoneType), f"progress is called with the {what} so far: give a function")  # type: ignore[arg-type]


def _differences(one: Rollout, other: Rollout) -> list[str]:
    """Name all that keeps the trials of two rollouts from belonging together."""
    pairs: list[tuple[str, object, object]] = [
        (field.name, one.job, other.job) for field in fields(Job) if field.name != "settings"
    ]
    pairs += [
        (field.name, one.settings, other.settings)
        for field in fields(RolloutSettings)
        if field.name not in ("trials", "stop", "checkpoint")
    ]
    pairs += [(name, one, other) for name in ("weights", "table", "version")]
    return [name.replace("_", " ") for name, mine, theirs in pairs if getattr(mine, name) != getattr(theirs, name)]


def _column(name: str) -> int:
    if name not in COLUMNS:
        raise RulesError(f"a rollout has means of {', '.join(COLUMNS)}, not of {shown(name)}")
    return COLUMNS.index(name)


def empty(job: Job) -> Rollout:
    """Return the rollout of a job before its first trial."""
    return Rollout(job, Tally(len(COLUMNS)), (), weights_digest(), table_digest())


def weights_digest() -> str:
    """Return the digest of the weights that rollouts use now."""
    return Network.default().digest


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


speak_for(rollout)
