"""Everything an identifier says about a game: the position and what surrounds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from bgcore.errors import NotationError
from bgcore.rules import OTHER_OWNER, Cube, MatchScore, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bgcore._core import Position

Pending = Literal["double", "beaver", "raccoon", "resign"]
Side = Literal["mine", "theirs"]

OTHER_SIDE: Final[dict[Side, Side]] = {"mine": "theirs", "theirs": "mine"}


@dataclass(frozen=True, kw_only=True)
class Context:
    """What surrounds a position, as the side to move sees it.

    While an offer is pending the side to move stays the one whose turn it was: a player who doubled is
    still the side to move, and ``pending_by`` says whose offer waits for an answer.

    Parameters
    ----------
    cube : Cube
        Before the pending offer, if there is one.
    dice : (int, int) or None
        The roll to be played, the larger die first; None before the roll.
    score : MatchScore or None
        None in money play.
    rules : Rules
        Only what an identifier can say: Jacoby, beavers, raccoons, automatic doubles, the cube limit.
    pending : {"double", "beaver", "raccoon", "resign"} or None
        An offer that waits for its answer.
    pending_by : {"mine", "theirs"} or None
        Who made that offer.
    resign_level : int
        What a pending resignation gives up: 1 a single game, 2 a gammon, 3 a backgammon; else 0.
    session : (int, int)
        Points won so far in a money session, mine first; (0, 0) in a match.
    turn : {1, -1}
        For XGID: whether the side to move sits at the bottom (1) or at the top (-1).
    player : {1, 0}
        For Match IDs: gnubg's number of the side to move.
    state : {"playing", "none", "over", "resigned", "dropped"}
        For Match IDs: how far the game has come.
    """

    cube: Cube = field(default_factory=Cube)
    dice: tuple[int, int] | None = None
    score: MatchScore | None = None
    rules: Rules = field(default_factory=Rules)
    pending: Pending | None = None
    pending_by: Side | None = None
    resign_level: int = 0
    session: tuple[int, int] = (0, 0)
    turn: Literal[1, -1] = 1
    player: Literal[0, 1] = 1
    state: Literal["playing", "none", "over", "resigned", "dropped"] = "playing"

    def __post_init__(self) -> None:
        faults = self._faults()
        if faults:
            raise NotationError("game context: " + "; ".join(faults))

    def _faults(self) -> list[str]:
        """Fields that contradict each other; what one field may hold is checked by its own type."""
        faults = []
        is_match = self.score is not None
        if self.dice is not None and not all(1 <= die <= 6 for die in self.dice):
            faults.append(f"dice show 1 to 6, not {self.dice!r}")
        if (self.pending is None) != (self.pending_by is None):
            faults.append("pending and pending_by come together")
        if (self.pending == "resign") != (self.resign_level in (1, 2, 3)):
            faults.append("resign_level is 1, 2 or 3 while a resignation is pending, else 0")
        if self.pending in ("double", "beaver", "raccoon") and self.dice is not None:
            faults.append("cube offers come before the roll, so there are no dice while one is pending")
        if is_match and (self.rules.jacoby or self.rules.beavers or self.rules.raccoons):
            faults.append("Jacoby, beavers and raccoons belong to money play")
        if is_match and self.session != (0, 0):
            faults.append("session points belong to money play")
        if self.cube.is_centred and self.cube.value > 1 and (is_match or not self.rules.automatic_doubles):
            faults.append(f"a centred cube at {self.cube.value} needs automatic doubles, which belong to money play")
        if self.score is not None and self.score.is_crawford:
            if self.cube.value > 1:
                faults.append(f"the cube cannot be at {self.cube.value} in the Crawford game")
            if self.pending in ("double", "beaver", "raccoon"):
                faults.append("nobody may double in the Crawford game")
        if self.pending == "double" and self.cube.owner not in ("centre", self.pending_by):
            faults.append("the side that doubled does not hold the cube")
        if self.pending in ("beaver", "raccoon") and not self.rules.beavers:
            faults.append(f"a {self.pending} is pending, but beavers are off")
        limit = self.rules.cube_limit
        if limit is not None and self.cube.value > limit:
            faults.append(f"the cube is at {self.cube.value}, above the limit of {limit}")
        return faults

    @property
    def cube_value(self) -> int:
        """The number the cube shows."""
        return self.cube.value

    @property
    def cube_owner(self) -> str:
        """Who may turn the cube: "centre" (both), "mine" or "theirs"."""
        return self.cube.owner

    @property
    def match_length(self) -> int:
        """Points that win the match; 0 in money play."""
        return self.score.length if self.score else 0

    @property
    def points(self) -> tuple[int, int]:
        """Points won so far, mine first, in the match or the money session."""
        return (self.score.mine, self.score.theirs) if self.score else self.session

    @property
    def is_crawford(self) -> bool:
        """Whether this is the Crawford game."""
        return self.score is not None and self.score.is_crawford

    @property
    def jacoby(self) -> bool:
        """Whether gammons count single while the cube was never turned."""
        return self.rules.jacoby

    @property
    def beavers(self) -> bool:
        """Whether the side doubled may turn the cube at once and keep it."""
        return self.rules.beavers

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, seen by the side to move."""
        return {
            "cube": {"value": self.cube.value, "owner": self.cube.owner, "enabled": self.cube.enabled},
            "dice": list(self.dice) if self.dice else None,
            "match_length": self.match_length,
            "points": list(self.points),
            "is_crawford": self.is_crawford,
            "jacoby": self.jacoby,
            "beavers": self.beavers,
            "cube_limit": self.rules.cube_limit,
            "pending": self.pending,
            "pending_by": self.pending_by,
            "resign_level": self.resign_level,
        }

    def _flipped(self) -> dict[str, Any]:
        return {
            "cube": replace(self.cube, owner=OTHER_OWNER[self.cube.owner]),
            "score": self.score.flip() if self.score else None,
            "pending_by": OTHER_SIDE[self.pending_by] if self.pending_by else None,
            "session": self.session[::-1],
            "turn": -self.turn,
            "player": 1 - self.player,
        }


@dataclass(frozen=True, kw_only=True)
class Situation(Context):
    """A position together with its context; what :func:`parse_xgid` and its kin return.

    Unpacks as ``position, context = situation``, where the context is the situation itself.

    Parameters
    ----------
    position : Position
        Seen by the side to move.
    """

    position: Position

    def __iter__(self) -> Iterator[Any]:
        yield self.position
        yield self

    @property
    def position_id(self) -> str:
        """The 14-character Position ID; the side to move is its second half."""
        return self.position.position_id

    @property
    def board(self) -> NDArray[np.int8]:
        """The board as 26 int8, seen by the side to move."""
        return self.position.board

    def flip(self) -> Situation:
        """Return the situation as the other side sees it, who then counts as the side to move."""
        return replace(self, position=self.position.flip(), **self._flipped())

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, seen by the side to move."""
        return {"position_id": self.position_id, "board": self.board.tolist(), **super().to_dict()}
