"""What one game pays at every cube level: the one scale under exact solving, cube decisions, rollouts and settlement.

A `Stakes` answers three questions for the side to move at each cube level: what a win or a loss of each kind
is worth, what a refused double is worth, and who may still double. Money, caps, cube limits, Jacoby and match
scores differ only in the numbers, so nothing built on a `Stakes` asks which of them it serves.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bgcore._core import CubeModel
from bgcore.errors import RulesError, UnsupportedError, shown
from bgcore.rules import MAX_CUBE, OTHER_OWNER, Cube, MatchScore, Owner, Rules, refuse

Unit = Literal["points", "mwc"]
Triple = tuple[Fraction, Fraction, Fraction]

_MOST: Final = 2**60
_EXACT: Final = re.compile(r"-?\d{1,1000}(/[1-9]\d{0,999})?", re.ASCII)

COLUMNS: Final = (
    "win_single",
    "win_gammon",
    "win_backgammon",
    "lose_single",
    "lose_gammon",
    "lose_backgammon",
    "pass_mine",
    "pass_theirs",
    "can_double_mine",
    "can_double_theirs",
)
"""The columns of `Stakes.table`."""


class EquityTable(Protocol):
    """What `Stakes.match` asks of a match equity table."""

    def mwc(self, mine_away: int, theirs_away: int, *, is_post_crawford: bool = False) -> Fraction:
        """My chance to win a match in which I need ``mine_away`` points and the opponent ``theirs_away``."""
        ...


@dataclass(frozen=True, slots=True)
class Level:
    """What the game pays while the cube shows ``cube``; everything is worth to the side to move.

    Parameters
    ----------
    cube : int
        The number on the cube at this level.
    win, lose : tuple of 3 Fraction
        What I get when I win, or lose, a single game, a gammon, a backgammon.
    pass_mine : Fraction or None
        What I get when I double from this level and the opponent passes; None where I cannot double.
    pass_theirs : Fraction or None
        What I get when the opponent doubles from this level and I pass; None where he cannot double.
    can_double_mine, can_double_theirs : bool
        Whether a double from this level is allowed and can change anything, for whoever has the cube
        at his disposal. A cube that only could hurt its owner counts as one he cannot turn: the values
        are the same.
    """

    cube: int
    win: Triple
    lose: Triple
    pass_mine: Fraction | None
    pass_theirs: Fraction | None
    can_double_mine: bool
    can_double_theirs: bool

    def _flipped(self, total: int) -> "Level":
        """Return the level seen by the other side, when what the two sides get adds up to ``total``."""

        def turned(value: Fraction | None) -> Fraction | None:
            return None if value is None else total - value

        def turned_all(values: Triple) -> Triple:
            return (total - values[0], total - values[1], total - values[2])

        return Level(
            self.cube,
            turned_all(self.lose),
            turned_all(self.win),
            turned(self.pass_theirs),
            turned(self.pass_mine),
            self.can_double_theirs,
            self.can_double_mine,
        )

    def _scaled(self, factor: int) -> "Level":
        def scaled(values: Triple) -> Triple:
            return (factor * values[0], factor * values[1], factor * values[2])

        return replace(
            self,
            cube=factor * self.cube,
            win=scaled(self.win),
            lose=scaled(self.lose),
            pass_mine=None if self.pass_mine is None else factor * self.pass_mine,
            pass_theirs=None if self.pass_theirs is None else factor * self.pass_theirs,
        )


@dataclass(frozen=True)
class Stakes:
    """What the game pays the side to move, at each cube level from the present one up.

    Make one with `Stakes.money` or `Stakes.match`. Level ``k`` is the game after ``k`` more doubles; the
    present owner holds the cube at level 0, and every double gives it to the side that took.

    Parameters
    ----------
    unit : {"points", "mwc"}
        Points won (the cube's number included), or the chance to win the match.
    levels : tuple of Level
        From the present cube up to the level where nobody can double any more.
    owner : {"centre", "mine", "theirs"}
        Who has the cube at level 0.
    beavers, raccoons : bool
        Whether a double may be answered by a beaver, and a beaver by a raccoon. A beaver at level ``k``
        plays on at level ``k + 2`` with the cube at the side that was doubled; it needs
        ``level(k + 1)`` to allow a double, and refusing it costs a single loss at level ``k + 1``.
    is_rescaling : bool
        Whether the last level goes on for ever, everything doubling with the cube (`level` gives any of
        them). True for money without cube limit and cap.
    is_homogeneous : bool
        Plain money: rescaling from level 0 on, and a refused double costs the cube before it. One table
        of values per unit of cube then serves every level. Beavers do not change those values, since a
        double that deserves a beaver is wrong when gammons always count.
    """

    unit: Unit
    levels: tuple[Level, ...]
    owner: Owner
    beavers: bool = False
    raccoons: bool = False
    is_rescaling: bool = False
    is_homogeneous: bool = False

    @classmethod
    def money(
        cls,
        cube: Cube | None = None,
        rules: Rules | None = None,
        cap: Fraction | Decimal | int | None = None,
    ) -> Self:
        """Make the stakes of a money game, in points.

        Parameters
        ----------
        cube : Cube, optional
            The cube before any action; by default centred at 1.
        rules : Rules, optional
            By default no Jacoby, no beavers, cube limit 64.
        cap : Fraction, Decimal or int, optional
            The most points that can change hands, more than 0 and not necessarily whole (a loss limit
            divided by the stake). Every payoff is clipped to it, and cube decisions know that.

        Raises
        ------
        RulesError
            Naming every fault: a cube above the limit, a centred cube above 1 without automatic doubles,
            a cap that is not positive or not exact (a float).
        UnsupportedError
            A cap so large that more than 30 doubles would matter, without a cube limit.
        """
        cube, rules = cube or Cube(), rules or Rules()
        faults = _cube_faults(cube, rules)
        if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int | Fraction | Decimal)):
            faults.append(f"the cap must be an exact number of points (int, Fraction or Decimal), not {shown(cap)}")
        elif cap is not None and (not _is_finite(cap) or cap <= 0):
            faults.append(f"the cap must be more than 0 points, not {shown(cap)}")
        refuse("money stakes", faults)
        limit = None if cap is None else Fraction(cap)
        if limit is not None and limit > MAX_CUBE and rules.cube_limit is None:
            raise UnsupportedError(f"a cap above {MAX_CUBE} points needs a cube limit")

        def worth(points: int) -> Fraction:
            return Fraction(points) if limit is None else min(Fraction(points), limit)

        def may_double(value: int) -> bool:
            return (
                cube.enabled
                and (rules.cube_limit is None or 2 * value <= rules.cube_limit)
                # At or above the cap a double is legal but changes nothing.
                and (limit is None or value < limit)
                and (limit is None or rules.limit_mode == "clip" or 2 * value <= limit)
            )

        def level(value: int, is_jacoby: bool) -> Level:
            kinds = (1, 1, 1) if is_jacoby else (1, 2, 3)
            win: Triple = (worth(value * kinds[0]), worth(value * kinds[1]), worth(value * kinds[2]))
            can = may_double(value)
            refused = worth(value if rules.decline_value == "previous" else 2 * value) if can else None
            return Level(
                value,
                win,
                (-win[0], -win[1], -win[2]),
                refused,
                None if refused is None else -refused,
                can,
                can,
            )

        is_jacoby = rules.jacoby and cube.is_centred
        is_rescaling = cube.enabled and rules.cube_limit is None and limit is None
        levels = [level(cube.value, is_jacoby)]
        if is_rescaling and is_jacoby:
            levels.append(level(2 * cube.value, False))
        while not is_rescaling and levels[-1].can_double_mine:
            levels.append(level(2 * levels[-1].cube, False))
        return cls(
            "points",
            tuple(levels),
            cube.owner,
            rules.beavers,
            rules.raccoons,
            is_rescaling,
            is_rescaling and not is_jacoby and rules.decline_value == "previous",
        )

    @classmethod
    def match(
        cls,
        cube: Cube,
        rules: Rules | None,
        score: MatchScore,
        met: EquityTable,
    ) -> Self:
        """Make the stakes of one game of a match, as the chance to win the match.

        Parameters
        ----------
        cube : Cube
            The cube before any action.
        rules : Rules or None
            By default those of `Rules`; Jacoby, beavers and raccoons must be off.
        score : MatchScore
            The score before the game. In the Crawford game nobody can double.
        met : MatchEquityTable
            The chances at the scores this game can lead to.

        Raises
        ------
        RulesError
            Naming every fault: a turned cube in the Crawford game, a cube above the limit, a centred cube
            above 1 without automatic doubles, rules that only money play has.
        UnsupportedError
            A score that the table does not reach.
        """
        rules = rules or Rules()
        faults = _cube_faults(cube, rules)
        faults += [
            f"{name} belong to money play, not to a match" if name != "jacoby" else "Jacoby belongs to money play"
            for name in ("jacoby", "beavers", "raccoons")
            if getattr(rules, name)
        ]
        if score.is_crawford and (cube.value != 1 or not cube.is_centred):
            faults.append("in the Crawford game nobody may double, so the cube lies in the centre at 1")
        refuse("match stakes", faults)
        is_after_crawford = score.is_crawford or score.is_post_crawford

        def won(points: int) -> Fraction:
            return met.mwc(score.mine_away - points, score.theirs_away, is_post_crawford=is_after_crawford)

        def lost(points: int) -> Fraction:
            return met.mwc(score.mine_away, score.theirs_away - points, is_post_crawford=is_after_crawford)

        def level(value: int) -> Level:
            is_open = (
                cube.enabled and not score.is_crawford and (rules.cube_limit is None or 2 * value <= rules.cube_limit)
            )
            # Whoever wins the match with the cube as it is has nothing to gain by turning it.
            can_mine = is_open and value < score.mine_away
            can_theirs = is_open and value < score.theirs_away
            refused = value if rules.decline_value == "previous" else 2 * value
            return Level(
                value,
                (won(value), won(2 * value), won(3 * value)),
                (lost(value), lost(2 * value), lost(3 * value)),
                won(refused) if can_mine else None,
                lost(refused) if can_theirs else None,
                can_mine,
                can_theirs,
            )

        levels = [level(cube.value)]
        while levels[-1].can_double_mine or levels[-1].can_double_theirs:
            levels.append(level(2 * levels[-1].cube))
        return cls("mwc", tuple(levels), cube.owner)

    @cached_property
    def _hash(self) -> int:
        # Of numbers only, so that it is the same in every process and may travel with the object.
        return hash((len(self.levels), *self.levels[0].win, *self.levels[0].lose))

    def __hash__(self) -> int:
        return self._hash

    def level(self, k: int) -> Level:
        """Return the level after ``k`` more doubles, also beyond the last listed one when the stakes rescale.

        Parameters
        ----------
        k : int
            0 is the game as it stands.

        Raises
        ------
        RulesError
            If nobody can double that often.
        """
        last = len(self.levels) - 1
        if 0 <= k <= last:
            return self.levels[k]
        if k < 0 or not self.is_rescaling:
            raise RulesError(f"there is no cube level {k}: these stakes end at level {last}")
        return self.levels[last]._scaled(1 << (k - last))

    @property
    def is_plain_without_gammons(self) -> bool:
        """Whether these are the stakes of plain money where nobody can win a gammon any more, as under Jacoby."""
        return self.is_rescaling and all(level.pass_mine == level.win[0] for level in self.levels)

    @property
    def can_double(self) -> bool:
        """Whether the side to move may double now, and might gain by it."""
        return self.owner != "theirs" and self.levels[0].can_double_mine

    def __repr__(self) -> str:
        cube = self.levels[0].cube
        return f"Stakes({self.unit}, cube {cube} {self.owner}, {len(self.levels)} level{'s' * (len(self.levels) > 1)})"

    @property
    def is_cubeless(self) -> bool:
        """Whether no double can matter any more, so that the value is the plain expectation."""
        first = self.levels[0]
        return not (self.can_double or (self.owner != "mine" and first.can_double_theirs))

    def equity(self, worth: Fraction | float) -> float:
        """Turn what something is worth into a normalised equity.

        In money play that is points per unit of cube; in a match the scale on which a single win and a
        single loss at the present cube are +1 and -1 (EMG).

        Parameters
        ----------
        worth : Fraction or float
            In the unit of the stakes.
        """
        middle, half = self._scale
        return float((worth - middle) / half) if isinstance(worth, Fraction) else (worth - self._zero) / self._unit

    def worth(self, equity: float) -> float:
        """Turn a normalised equity back into what it is worth; the inverse of `equity`.

        Parameters
        ----------
        equity : float
            Normalised.
        """
        return self._zero + equity * self._unit

    def expectation(self, outcomes: Sequence[float]) -> float:
        """Return what six exclusive outcomes (wins, then losses) are worth if the cube is never turned again.

        Parameters
        ----------
        outcomes : sequence of 6 float
            Chances of a single win, a gammon, a backgammon, then of losing each.
        """
        first = self.levels[0]
        return sum(chance * float(paid) for chance, paid in zip(outcomes, (*first.win, *first.lose), strict=True))

    @cached_property
    def _scale(self) -> tuple[Fraction, Fraction]:
        """What equities 0 and 1 are worth: the first as it is, the second on top of it."""
        first = self.levels[0]
        if self.unit == "points":
            return Fraction(0), Fraction(first.cube)
        return (first.win[0] + first.lose[0]) / 2, (first.win[0] - first.lose[0]) / 2

    @cached_property
    def _zero(self) -> float:
        return float(self._scale[0])

    @cached_property
    def _unit(self) -> float:
        return float(self._scale[1])

    @cached_property
    def can_beaver(self) -> bool:
        """Whether a double of the side to move may be answered by a beaver."""
        return self.beavers and self.can_double and self.level(1).can_double_theirs

    def flip(self) -> "Stakes":
        """Return the same stakes seen by the other side: what is worth ``v`` to me costs him ``v``."""
        total = 0 if self.unit == "points" else 1
        levels = tuple(level._flipped(total) for level in self.levels)
        return replace(self, levels=levels, owner=OTHER_OWNER[self.owner])

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """The levels as float64, one row each, in the order of `COLUMNS`; read-only.

        Whoever cannot double has 0 in the columns ``pass_mine`` and ``pass_theirs``.
        """
        rows = [
            [
                *map(float, level.win),
                *map(float, level.lose),
                float(level.pass_mine or 0),
                float(level.pass_theirs or 0),
                float(level.can_double_mine),
                float(level.can_double_theirs),
            ]
            for level in self.levels
        ]
        table = np.array(rows, dtype=np.float64)
        table.setflags(write=False)
        return table

    @cached_property
    def compiled(self) -> CubeModel:
        """The stakes as the compiled core reads them, for cube decisions with the GIL released."""
        return CubeModel(self.table, self.flip().table, self.is_rescaling, self.beavers, self.raccoons)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        """Return the stakes as JSON values, exact numbers as strings such as ``"1/3"``."""

        def text(value: Fraction | None) -> str | None:
            return None if value is None else str(value)

        return {
            "unit": self.unit,
            "owner": self.owner,
            "beavers": self.beavers,
            "raccoons": self.raccoons,
            "is_rescaling": self.is_rescaling,
            "is_homogeneous": self.is_homogeneous,
            "levels": [
                {
                    "cube": level.cube,
                    "win": [str(value) for value in level.win],
                    "lose": [str(value) for value in level.lose],
                    "pass_mine": text(level.pass_mine),
                    "pass_theirs": text(level.pass_theirs),
                    "can_double_mine": level.can_double_mine,
                    "can_double_theirs": level.can_double_theirs,
                }
                for level in self.levels
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote.

        Parameters
        ----------
        data : mapping
            From `to_dict`, or the JSON of it.

        Raises
        ------
        RulesError
            If a field is missing or cannot be read.
        """

        def exact(value: str) -> Fraction:
            if not _EXACT.fullmatch(value):  # an exponent could ask for more digits than there is memory
                raise ValueError(f"{value[:20]!r} is not an exact number")
            return Fraction(value)

        def number(value: str | None) -> Fraction | None:
            return None if value is None else exact(value)

        def triple(values: list[str]) -> Triple:
            first, second, third = values
            return (exact(first), exact(second), exact(third))

        try:
            levels = tuple(
                Level(
                    int(level["cube"]),
                    triple(level["win"]),
                    triple(level["lose"]),
                    number(level["pass_mine"]),
                    number(level["pass_theirs"]),
                    bool(level["can_double_mine"]),
                    bool(level["can_double_theirs"]),
                )
                for level in data["levels"]
            )
            stakes = cls(
                data["unit"],
                levels,
                data["owner"],
                bool(data["beavers"]),
                bool(data["raccoons"]),
                bool(data["is_rescaling"]),
                bool(data["is_homogeneous"]),
            )
        except (KeyError, TypeError, ValueError, ArithmeticError) as error:
            raise RulesError(f"these are not stakes: {shown(error)}") from error
        words = isinstance(stakes.unit, str) and isinstance(stakes.owner, str)
        if not words or stakes.unit not in ("points", "mwc") or stakes.owner not in OTHER_OWNER or not levels:
            raise RulesError("these are not stakes: unit, owner or levels cannot be read")
        for level in levels:
            refused = [worth for worth in (level.pass_mine, level.pass_theirs) if worth is not None]
            paid = [Fraction(level.cube), *level.win, *level.lose, *refused]
            if level.cube < 1 or level.win[0] <= level.lose[0] or any(abs(value) > _MOST for value in paid):
                raise RulesError(f"these are not stakes: a game at cube {level.cube} cannot pay that")
        return stakes


def _is_finite(cap: Fraction | Decimal | int) -> bool:
    return not isinstance(cap, Decimal) or cap.is_finite()


def _cube_faults(cube: Cube, rules: Rules) -> list[str]:
    """Name what is wrong with a cube under these rules."""
    faults = []
    if rules.cube_limit is not None and cube.value > rules.cube_limit:
        faults.append(f"the cube shows {cube.value}, above its limit {rules.cube_limit}")
    if cube.is_centred and cube.value > 1 and not rules.automatic_doubles:
        faults.append(f"a centred cube at {cube.value} needs automatic doubles")
    return faults
