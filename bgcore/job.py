"""What is rolled out, and how: settings, stop rules, and the job that workers are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from numbers import Real
from types import NoneType
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from bgcore import bearoff
from bgcore._core import COLUMNS, GAMMON_RULES, Network, Play, Position, Trials, legal_plays, rolls
from bgcore.bearoff.endings import endings_of
from bgcore.errors import NotationError, RulesError, require, short, shown
from bgcore.notation import parse_play
from bgcore.stakes import Stakes
from bgcore.tally import Tally

Line = Literal["play", "no_double", "double_take"]

BLOCK: Final = 36
NORMAL_95: Final = 1.959963984540054
_OWNERS: Final = ("centre", "mine", "theirs")
_RANGES: Final = (
    ("trials", 1, 1 << 40),
    ("seed", 0, (1 << 64) - 1),
    ("checkpoint", 1, 1 << 40),
    ("plies", 0, 1),
    ("cube_plies", 0, 1),
    ("luck_plays", 0, 16),
    ("splits", 0, 8),
)
_MOST_LIMIT: Final = 1e300
# The error of the evaluator before any ply, and the share of it that each ply leaves.
_MODEL_ERROR: Final = (0.037, 0.906)
_MODEL_ERROR_WITH_CUBE: Final = (0.11, 0.925)
_MONEY: Final = ((1.0, 2.0, 3.0, -1.0, -2.0, -3.0),) * 2

__all__ = [
    "BLOCK",
    "COLUMNS",
    "NORMAL_95",
    "Job",
    "Line",
    "RolloutSettings",
    "StopRule",
    "blocks",
    "make_job",
    "run_block",
]


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a rollout may stop before its number of trials; asked at checkpoints only, never by the clock.

    Parameters
    ----------
    std_error : float, optional
        Stop once the standard error of the value is at most this.
    joint_std_error : float, optional
        For comparisons: stop once the standard error of the difference between the best candidate and
        every other is at most this, or the difference is more than four of its standard errors.
    material : float, optional
        Stop once half the 95 % interval of the value, times ``stake``, is at most this much money.
    stake : float
        Money for each unit of the value (for each point, or for the whole match).

    Raises
    ------
    RulesError
        If not exactly one of the three limits is given, or a number is not above 0.
    """

    std_error: float | None = None
    joint_std_error: float | None = None
    material: float | None = None
    stake: float = 1.0

    def __post_init__(self) -> None:
        given = [limit for limit in (self.std_error, self.joint_std_error, self.material) if limit is not None]
        faults = []
        if len(given) != 1:
            faults.append("give exactly one of std_error, joint_std_error and material")
        for number in (*given, self.stake):
            if isinstance(number, bool) or not isinstance(number, Real) or not 0 < number <= _MOST_LIMIT:
                faults.append(f"limits and stake are numbers above 0, at most {_MOST_LIMIT:.0e}, not {shown(number)}")
        if faults:
            raise RulesError("stop rule: " + "; ".join(faults))

    def is_met(self, std_error: float) -> bool:
        """Whether a single value with this standard error is good enough.

        Parameters
        ----------
        std_error : float
            In the unit of the value.
        """
        if self.std_error is not None:
            return std_error <= self.std_error
        if self.material is not None:
            return NORMAL_95 * std_error * self.stake <= self.material
        return False


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """How to roll out; immutable, and all that decides the numbers beside the position and what is at stake.

    Parameters
    ----------
    trials : int
        Trials to run, or the most with a stop rule; 1,296 deals all 36 x 36 pairs of first rolls once.
    seed : int
        0 to 2**64 - 1.
    plies : 0 or 1
        How many rolls ahead plays are chosen; 1 costs about five times as much and plays better.
    cubeful : bool
        Whether both sides may use the cube, where the stakes have one.
    cube_plies : 0 or 1
        Look-ahead of cube decisions: the static evaluation, or its mean after each of the 21 rolls.
    variance_reduction : bool
        Whether the luck of each roll is taken off (see the notes of `rollout`).
    luck_plays : int
        Of how many plays of each roll, those the network's filter ranks first, the best stands for the roll
        when luck is noted or the cube decided (0 for as many as are weighed for a play that is made). Few
        are cheaper and hardly less exact.
    splits : int
        How often, 0 to 8, the weight of a line of a cubeful trial may be halved: it splits in four when the
        cube first goes up, in two later, so that the expensive part of the game is played more often.
    stratified : bool
        Whether the first four rolls are dealt evenly rather than drawn.
    as_initial_position : bool
        Whether the first roll opens a game, and so is never a double.
    truncation : "none", "table" or int
        Play out to the last checker, stop where an exact table knows the value (the same mean, less
        work), or also after that many plies, with the evaluator's value: that one has a model error.
    gammon_rule : str
        How final boards count, as in `bgcore.Rules`.
    least_spread : float
        Rolls are played without noting their luck where the variance of the payoff is less than this
        (in squared points): near the certain end of a game, noting it costs more than it saves.
    checkpoint : int
        Trials between two looks at the stop rule.
    stop : StopRule, optional

    Raises
    ------
    RulesError
        Naming everything that is out of range.
    """

    trials: int = 1296
    seed: int = 1
    plies: int = 0
    cubeful: bool = True
    cube_plies: int = 1
    variance_reduction: bool = True
    luck_plays: int = 3
    splits: int = 6
    stratified: bool = True
    as_initial_position: bool = False
    truncation: int | Literal["none", "table"] = "table"
    gammon_rule: str = "standard"
    least_spread: float = 0.001
    checkpoint: int = 324
    stop: StopRule | None = None

    def __post_init__(self) -> None:
        faults = [
            f"{name} must be a whole number from {low} to {high}, not {shown(value)}"
            for name, low, high in _RANGES
            for value in (getattr(self, name),)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high
        ]
        for name in ("cubeful", "variance_reduction", "stratified", "as_initial_position"):
            if not isinstance(getattr(self, name), bool):
                faults.append(f"{name} must be True or False, not {shown(getattr(self, name))}")
        cut = self.truncation
        if cut not in ("none", "table") and (isinstance(cut, bool) or not isinstance(cut, int) or not 1 <= cut <= 4096):
            faults.append(f"truncation must be 'none', 'table' or 1 to 4096 plies, not {shown(cut)}")
        if self.gammon_rule not in GAMMON_RULES:
            faults.append(f"gammon_rule must be one of {', '.join(GAMMON_RULES)}, not {shown(self.gammon_rule)}")
        if not isinstance(self.least_spread, int | float) or not 0 <= self.least_spread < 100:
            faults.append(f"least_spread must be a number from 0 to 100, not {shown(self.least_spread)}")
        if self.stop is not None and not isinstance(self.stop, StopRule):
            faults.append(f"stop must be a StopRule or None, not {shown(self.stop)}")
        if faults:
            raise RulesError("rollout settings: " + "; ".join(faults))

    def model_error(self, *, with_cube: bool) -> float:
        """Return what ending trials by the evaluator's value adds to the error, for one unit of the cube.

        A root mean square over positions of games, fitted to the same trials cut short and played out
        (``docs/rollouts.md``); 0 where trials are played out or end in an exact table.

        Parameters
        ----------
        with_cube : bool
            Whether both sides use the cube.
        """
        if not isinstance(self.truncation, int):
            return 0.0
        first, share = _MODEL_ERROR_WITH_CUBE if with_cube else _MODEL_ERROR
        return float(round(first * share**self.truncation, 4))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; RulesError for unknown names or values.

        Parameters
        ----------
        data : mapping
            From `to_dict`, or the JSON of it.
        """
        unknown = set(data) - {field.name for field in fields(cls)}
        if unknown:
            raise RulesError(f"rollout settings: unknown names {short(', '.join(sorted(unknown)))}")
        given = dict(data)
        if given.get("stop") is not None:
            try:
                given["stop"] = StopRule(**given["stop"])
            except TypeError as error:
                raise RulesError(f"rollout settings: not a stop rule: {error}") from error
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Job:
    """What is rolled out, and how: all that a worker needs, hashable and picklable.

    Parameters
    ----------
    position : Position
        Seen by the side to move.
    dice : (int, int) or None
        Its roll, if thrown already.
    play : Position or None
        The result of its play of that roll, seen by itself, if the play is chosen already.
    stakes : Stakes or None
        What the game pays; None for points without a cube.
    line : {"play", "no_double", "double_take"}
        Whether the side to move decides about the cube before its first roll like later ones, does not
        double there, or has just doubled and been taken.
    settings : RolloutSettings
    """

    position: Position
    dice: tuple[int, int] | None = None
    play: Position | None = None
    stakes: Stakes | None = None
    line: Line = "play"
    settings: RolloutSettings = RolloutSettings()

    def run_rows(self, first: int, count: int) -> NDArray[np.float64]:
        """Run trials; (count, 7) float64 in the order of `COLUMNS`."""
        return _trials(self).run(first, count)

    def run_tally(self, first: int, count: int) -> Tally:
        """Run trials and sum them."""
        return self.tally_of(first, self.run_rows(first, count))

    def tally_of(self, first: int, rows: NDArray[np.float64]) -> Tally:
        """Sum rows of trials from ``first`` on."""
        settings = self.settings
        thrown = rolls(
            settings.seed,
            first,
            len(rows),
            2,
            stratified=settings.stratified,
            as_initial_position=settings.as_initial_position,
        )
        tally = Tally(rows.shape[1])
        tally.add_rows(rows, thrown)
        return tally


@lru_cache(maxsize=8)  # each may hold a table of some megabytes
def _trials(job: Job) -> Trials:
    """Return the compiled trials of a job, which its blocks share."""
    settings, stakes = job.settings, job.stakes
    utility, scale, origin = np.array(_MONEY), 1.0, 0.0
    table = None if settings.truncation == "none" else bearoff.default().two
    cube, endings, level, owner = None, None, 0, 0
    is_plain = stakes is not None and stakes.is_plain_without_gammons
    if stakes is not None:
        mine, theirs = stakes.table, stakes.flip().table
        utility = np.array([mine[0, :6], theirs[0, :6]])
        scale = float(mine[0, 0] - mine[0, 3]) / 2
        origin = 1.0 if stakes.unit == "mwc" else 0.0
        if settings.cubeful and (not stakes.is_cubeless or job.line == "double_take"):
            cube = stakes.compiled
            level, owner = (1, 2) if job.line == "double_take" else (0, _OWNERS.index(stakes.owner))
            if table is not None and not stakes.is_rescaling:
                endings = endings_of(stakes)
    return Trials(
        Network.default(),
        job.position,
        dice=job.dice,
        played=job.play,
        utility=utility,
        seed=settings.seed,
        gammon_rule=settings.gammon_rule,
        variance_reduction=settings.variance_reduction,
        stratified=settings.stratified,
        as_initial_position=settings.as_initial_position,
        truncation=settings.truncation if isinstance(settings.truncation, int) else 0,
        least_spread=float(settings.least_spread) * scale * scale,
        origin=origin,
        cube=cube,
        level=level,
        owner=owner,
        decides_first=job.line == "play" and job.dice is None,
        surveys=settings.cube_plies == 1,
        luck_plays=settings.luck_plays,
        splits=settings.splits,
        plies=settings.plies,
        rolls=bearoff.default().one,
        table=table,
        worth_from_table=is_plain,
        endings=endings,
    )


def table_digest() -> str:
    """Return the SHA-256 of the tables that judge bear-offs in trials, and end them."""
    return bearoff.default().digest


def run_block(task: tuple[Job, int, int]) -> NDArray[np.float64]:
    """Run trials ``first`` to ``first + count - 1`` of a job: the task that executors are given."""
    job, first, count = task
    return job.run_rows(first, count)


def blocks(first: int, count: int) -> Iterator[tuple[int, int]]:
    """Cut a span of trials at multiples of `BLOCK`."""
    end = first + count
    while first < end:
        step = min(end, (first // BLOCK + 1) * BLOCK) - first
        yield first, step
        first += step


def make_job(
    position: Position,
    dice: tuple[int, int] | None = None,
    play: Play | Position | str | None = None,
    stakes: Stakes | None = None,
    line: Line = "play",
    settings: RolloutSettings | None = None,
) -> Job:
    """Make a checked `Job`; RulesError, DiceError or NotationError says what does not fit."""
    settings = settings or RolloutSettings()
    require(settings, RolloutSettings, "settings of a rollout are RolloutSettings")
    require(position, Position, "a rollout starts from a Position")
    require(stakes, (Stakes, NoneType), "stakes of a rollout are Stakes")
    if dice is not None:
        legal_plays(position, dice)  # says what is wrong with dice
        dice = int(dice[0]), int(dice[1])
    if line not in ("play", "no_double", "double_take"):
        raise RulesError(f"line must be 'play', 'no_double' or 'double_take', not {shown(line)}")
    has_cube = stakes is not None and stakes.can_double and settings.cubeful
    if line == "double_take" and (not has_cube or dice is not None):
        raise RulesError("line 'double_take' needs a cube that the side to move can turn, before its roll")
    if dice is not None and settings.as_initial_position:
        raise RulesError("the opening roll cannot be both given and thrown")
    return Job(position, dice, None if play is None else _checked_play(position, dice, play), stakes, line, settings)


def _checked_play(position: Position, dice: tuple[int, int] | None, play: Play | Position | str) -> Position:
    """Return the result of a play, which must be legal."""
    if dice is None:
        raise RulesError("a play can be rolled out only together with the dice it is a play of")
    require(play, (Play, Position, str), "a play is one of `legal_plays`, a written one, or the position it leaves")
    if isinstance(play, str):
        written = parse_play(play, position, dice)
        return position if written is None else written.result
    choices = legal_plays(position, dice)
    result = play if isinstance(play, Position) else play.result
    if all(choice.result != result for choice in choices) and (choices or result != position):
        raise NotationError(f"{play!s} is no legal play of {dice[0]}-{dice[1]} here")
    return result
