"""What the two sides agreed on: rule options, the cube, the match score, and what a finished board is worth.

Everything here is a small immutable value that checks itself when it is made and names all its faults
at once, so that code further in never asks again.
"""

from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Final, Literal, Self, TypeGuard, get_args

from bgcore._core import Position
from bgcore.errors import RulesError, require, shown

Owner = Literal["centre", "mine", "theirs"]
GammonRule = Literal["standard", "portal_home_only", "manual_garlando"]
BearoffRule = Literal["standard", "highest_first"]
DeclineValue = Literal["previous", "shown_after_double"]
LimitMode = Literal["clip", "block_double"]

MAX_LENGTH: Final = (1 << 15) - 1
"""The longest match: what a Match ID has room for."""

MAX_CUBE: Final = 1 << 30
"""The largest cube value and the largest cube limit that can be expressed."""

OTHER_OWNER: Final[dict[Owner, Owner]] = {"centre": "centre", "mine": "theirs", "theirs": "mine"}
"""The same owner as the other side names it."""


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_power_of_two(value: object) -> bool:
    return _is_int(value) and 1 <= value <= MAX_CUBE and value & (value - 1) == 0


def refuse(what: str, faults: list[str]) -> None:
    """Raise a `RulesError` that names every fault, if there is any."""
    if faults:
        raise RulesError(f"{what}: " + "; ".join(faults))


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube as the side to move sees it.

    Parameters
    ----------
    value : int
        The number it shows, a power of two. A cube that was never turned shows 1 (or more after
        automatic doubles) and is in the centre.
    owner : {"centre", "mine", "theirs"}
        Who may turn it next; in the centre both may.
    enabled : bool
        False for a game played without a cube; it then lies in the centre at 1.

    Raises
    ------
    RulesError
        Naming every fault: a value that is no power of two, an unknown owner, an owned cube at 1, a
        disabled cube that was turned.
    """

    value: int = 1
    owner: Owner = "centre"
    enabled: bool = True

    def __post_init__(self) -> None:
        faults = []
        if not _is_power_of_two(self.value):
            faults.append(f"the value must be a power of two from 1 to {MAX_CUBE}, not {shown(self.value)}")
        if self.owner not in get_args(Owner):
            faults.append(f"the owner must be 'centre', 'mine' or 'theirs', not {shown(self.owner)}")
        elif self.owner != "centre" and self.value == 1:
            faults.append("a cube that somebody owns was turned, so it shows 2 or more, not 1")
        if not isinstance(self.enabled, bool):
            faults.append(f"enabled must be True or False, not {shown(self.enabled)}")
        elif not self.enabled and (self.owner != "centre" or self.value != 1):
            faults.append("a game without a cube has it in the centre at 1")
        refuse("cube", faults)

    @property
    def is_centred(self) -> bool:
        """Whether nobody owns it, so that both sides may turn it."""
        return self.owner == "centre"

    def flip(self) -> Self:
        """Return the same cube seen by the other side."""
        return replace(self, owner=OTHER_OWNER[self.owner])

    def turned_by(self, side: Literal["mine", "theirs"]) -> Self:
        """Return the cube after a double and a take: twice the value, owned by the side that took.

        Parameters
        ----------
        side : {"mine", "theirs"}
            Who doubled.
        """
        return replace(self, value=2 * self.value, owner=OTHER_OWNER[side])


def as_cube(cube: Cube | Owner | None) -> Cube:
    """Return the cube meant: centred at 1 by default, and for the bare name of an owner one that shows 2."""
    require(cube, (Cube, str, NoneType), "cube is a Cube or the name of its owner")
    if cube is None or cube == "centre":
        return Cube()
    return Cube(2, cube) if isinstance(cube, str) else cube


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match as the side to move sees it.

    Parameters
    ----------
    length : int
        Points that win the match, 1 or more.
    mine, theirs : int
        Points won so far, each less than ``length``.
    is_crawford : bool
        True in the Crawford game: the one game, right after a side first needs one point, in which
        nobody may double.

    Raises
    ------
    RulesError
        Naming every fault: lengths or scores out of range, a Crawford game where nobody, or both
        sides, need exactly one point.
    """

    length: int
    mine: int
    theirs: int
    is_crawford: bool = False

    def __post_init__(self) -> None:
        faults = []
        if not _is_int(self.length) or not 1 <= self.length <= MAX_LENGTH:
            faults.append(f"the length must be a whole number from 1 to {MAX_LENGTH}, not {shown(self.length)}")
        for name, points in (("my score", self.mine), ("their score", self.theirs)):
            if not _is_int(points) or not 0 <= points < MAX_LENGTH:
                faults.append(f"{name} must be a whole number from 0 to {MAX_LENGTH - 1}, not {shown(points)}")
            elif _is_int(self.length) and points >= self.length >= 1:
                faults.append(f"{name} is {points}, but a match to {self.length} is over there")
        if not isinstance(self.is_crawford, bool):
            faults.append(f"is_crawford must be True or False, not {shown(self.is_crawford)}")
        elif self.is_crawford and not faults and (self.mine_away == 1) == (self.theirs_away == 1):
            faults.append(
                f"{self.mine}-{self.theirs} to {self.length} cannot be the Crawford game: "
                "exactly one side must need one point"
            )
        refuse("match score", faults)

    @classmethod
    def from_away(cls, mine_away: int, theirs_away: int, is_crawford: bool = False) -> Self:
        """Return the score in the shortest match in which the two sides need that many points.

        Parameters
        ----------
        mine_away, theirs_away : int
            Points needed, 1 or more.
        is_crawford : bool, default False
            Whether this is the Crawford game.
        """
        if not (_is_int(mine_away) and _is_int(theirs_away)) or min(mine_away, theirs_away) < 1:
            raise RulesError(
                f"match score: points away must be 1 or more, not {shown(mine_away)} and {shown(theirs_away)}"
            )
        length = max(mine_away, theirs_away)
        return cls(length, length - mine_away, length - theirs_away, is_crawford)

    @property
    def mine_away(self) -> int:
        """Points I still need."""
        return self.length - self.mine

    @property
    def theirs_away(self) -> int:
        """Points the opponent still needs."""
        return self.length - self.theirs

    @property
    def is_post_crawford(self) -> bool:
        """Whether the Crawford game is behind us: a side needs one point and this is not the Crawford game."""
        return not self.is_crawford and 1 in (self.mine_away, self.theirs_away)

    def flip(self) -> Self:
        """Return the same score seen by the other side."""
        return replace(self, mine=self.theirs, theirs=self.mine)


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule options on which sources and sites differ; the defaults are the common money game.

    Parameters
    ----------
    gammon_rule : {"standard", "portal_home_only", "manual_garlando"}
        Which final boards count double and triple; see `outcome_points`.
    bearoff_rule : {"standard", "highest_first"}
        Which checkers may leave: the standard rule, or only ever from the highest occupied point.
    decline_value : {"previous", "shown_after_double"}
        What refusing a double costs: the cube before it, or the number it would have shown.
    jacoby : bool
        Money play only: while the cube was never turned, gammons and backgammons count single.
    beavers : bool
        Money play only: the side doubled may turn the cube at once and keep it.
    raccoons : bool
        The doubler may answer a beaver by turning the cube once more. Needs ``beavers``.
    automatic_doubles : bool
        Equal opening dice turned the centred cube, so that a centred cube may show more than 1.
    cube_limit : int or None
        The highest number the cube may be turned to, a power of two; None for no limit.
    limit_mode : {"clip", "block_double"}
        What a cap on the points of a game does: payoffs are clipped but doubling stays free, or, on
        top of that, no double above the cap may be offered.

    Raises
    ------
    RulesError
        Naming every field whose value is not one of those above.
    """

    gammon_rule: GammonRule = "standard"
    bearoff_rule: BearoffRule = "standard"
    decline_value: DeclineValue = "previous"
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: bool = False
    cube_limit: int | None = 64
    limit_mode: LimitMode = "clip"

    def __post_init__(self) -> None:
        faults = []
        for name, allowed in _WORDS.items():
            value = getattr(self, name)
            if value not in allowed:
                faults.append(f"{name} must be one of {', '.join(allowed)}, not {shown(value)}")
        faults += [
            f"{name} must be True or False, not {shown(getattr(self, name))}"
            for name in _FLAGS
            if not isinstance(getattr(self, name), bool)
        ]
        if self.raccoons is True and self.beavers is False:
            faults.append("raccoons answer beavers, so they need beavers")
        if self.cube_limit is not None and not _is_power_of_two(self.cube_limit):
            faults.append(f"cube_limit must be a power of two up to {MAX_CUBE}, or None, not {shown(self.cube_limit)}")
        refuse("rules", faults)


_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "gammon_rule": get_args(GammonRule),
    "bearoff_rule": get_args(BearoffRule),
    "decline_value": get_args(DeclineValue),
    "limit_mode": get_args(LimitMode),
}
_FLAGS: Final = tuple(field.name for field in fields(Rules) if field.type is bool)


def outcome_points(position: Position, gammon_rule: GammonRule = "standard") -> int:
    """How many times the cube a board pays, seen by the side to move; 0 while the game goes on.

    Parameters
    ----------
    position : Position
        Any position; the game is over when a side has no checker left.
    gammon_rule : {"standard", "portal_home_only", "manual_garlando"}
        ``standard``: 1 if the loser has borne off a checker, else 3 if he has one on the bar or in the
        winner's home board, else 2. ``portal_home_only``: 3 if the loser has a checker on a point of the
        winner's home board (a checker on the bar is not there, and checkers borne off do not help), else
        2 if he has borne off none, else 1. ``manual_garlando``: 3 unless all the loser's checkers are
        home or off, else 2 if he has borne off none, else 1.

    Returns
    -------
    int
        1, 2 or 3 if the side to move has won, -1, -2 or -3 if it has lost, 0 otherwise.

    Raises
    ------
    RulesError
        For an unknown rule.
    """
    if gammon_rule not in get_args(GammonRule):
        raise RulesError(f"gammon_rule must be one of {', '.join(get_args(GammonRule))}, not {shown(gammon_rule)}")
    if not position.outcome:
        return 0
    sign = 1 if position.outcome > 0 else -1
    # The loser's own view: home is 1..6, the winner's home board 19..24, the bar 25.
    loser = (position.flip() if sign > 0 else position).board.tolist()
    none_off = sum(loser) == 15
    if gammon_rule == "standard":
        triple = none_off and any(loser[19:])
    elif gammon_rule == "portal_home_only":
        triple = any(loser[19:25])
    else:
        triple = any(loser[7:])
    return sign * (3 if triple else 2 if none_off else 1)
