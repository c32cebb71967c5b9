"""What an evaluation depends on, and nothing else: the board, the cube, what is at stake, seen by the side on roll.

Two records that differ only in names, colours, currency or the size of the stake ask the same question, get
the same seed and so the same answer, to the bit.
"""

import hashlib
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any, Literal

from bgcore._core import Position
from bgcore.adjudication.canonical import canonical
from bgcore.adjudication.record import Colour, Record
from bgcore.met import MatchEquityTable
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Level, Stakes

Doublers = Literal["both", "mine", "theirs", "nobody"]
"""Who may still turn the cube, as far as the policy has a say."""

FLIPPED: dict[Doublers, Doublers] = {"both": "both", "mine": "theirs", "theirs": "mine", "nobody": "nobody"}


@dataclass(frozen=True)
class Question:
    """A position before the roll and all that its value depends on, seen by the side to move.

    Parameters
    ----------
    position : Position
    cube : Cube
        Before any action of this turn.
    rules : Rules
    cap : Fraction or None
        The most points that can change hands, in money play.
    score : MatchScore or None
        In match play.
    met : str
        Name of the match equity table.
    doublers : {"both", "mine", "theirs", "nobody"}
        Who may still double.
    may_double_now : bool
        Whether the side to move may double before this roll.
    """

    position: Position
    cube: Cube
    rules: Rules
    cap: Fraction | None = None
    score: MatchScore | None = None
    met: str = "Kazaross-XG2"
    doublers: Doublers = "both"
    may_double_now: bool = True

    @classmethod
    def of(cls, record: Record, position: Position, mover: Colour, doublers: Doublers = "both") -> "Question":
        """Return the question of a record, for a position seen by ``mover``, who is to roll."""
        money, match = record.money, record.match
        cap = None
        if money is not None and money.cap is not None:
            cap = Fraction(money.cap) / Fraction(money.stake)
        return cls(
            position=position,
            cube=record.cube.seen_by(mover),
            rules=record.game_rules,
            cap=cap,
            score=None if match is None else match.seen_by(mover),
            met="" if match is None else match.met,
            doublers=doublers,
        )

    @cached_property
    def _hash(self) -> int:
        return hash((self.position, self.cube, self.rules, self.cap, self.score, self.doublers, self.may_double_now))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def stakes(self) -> Stakes:
        """What the game pays to the side to move."""
        return _stakes(self.cube, self.rules, self.cap, self.score, self.met, self.doublers)

    @property
    def total(self) -> int:
        """What both sides' values add up to: 0 points, or 1 match."""
        return 0 if self.score is None else 1

    def within(self, number: float) -> float:
        """Return an estimate held between the least and the most that can come of the game: the cap, or the match."""
        if self.score is not None:
            return min(max(number, 0.0), 1.0)
        cap = math.inf if self.cap is None else float(self.cap)
        return min(max(number, -cap), cap)

    def flipped(self, position: Position) -> "Question":
        """Return the question of the opponent, who is to roll at ``position``, seen by him."""
        return replace(
            self,
            position=position,
            cube=self.cube.flip(),
            score=self.score and self.score.flip(),
            doublers=FLIPPED[self.doublers],
            may_double_now=True,
        )

    def turned(self, doubles: int) -> "Question":
        """Return the question after the cube was turned that often and came to rest with the opponent."""
        return replace(self, cube=Cube(self.cube.value << doubles, "theirs"), may_double_now=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as JSON values."""
        score = self.score
        return {
            "position": self.position.position_id,
            "cube": {"value": self.cube.value, "owner": self.cube.owner, "enabled": self.cube.enabled},
            "rules": {name: getattr(self.rules, name) for name in Rules.__dataclass_fields__},
            "cap": None if self.cap is None else str(self.cap),
            "score": score and [score.length, score.mine, score.theirs, score.is_crawford],
            "met": self.met,
            "doublers": self.doublers,
            "may_double_now": self.may_double_now,
        }

    def seed(self, engine: str) -> int:
        """Return the seed of the dice: nobody can shop for one.

        The first 8 bytes of SHA-256 over ``bgcore-adj-1``, the canonical question and the digest of the
        engine. The colours, the names and the size of the stake do not enter, so that a mirrored record
        gets exactly the mirrored answer, and a forced play the answer of the position it leads to.
        """
        text = b"bgcore-adj-1" + canonical(self.to_dict()) + engine.encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


@lru_cache(maxsize=1 << 10)
def _stakes(
    cube: Cube, rules: Rules, cap: Fraction | None, score: MatchScore | None, met: str, doublers: Doublers
) -> Stakes:
    """Return the stakes of a question; many positions share them, and what the solver makes of them."""
    if score is None:
        stakes = Stakes.money(cube, rules, cap)
    else:
        stakes = Stakes.match(cube, rules, score, equity_table(met, score.length))
    if doublers == "nobody" or not cube.enabled:
        return replace(stakes, levels=(_dead(stakes.levels[0], "both"),), is_rescaling=False, is_homogeneous=False)
    if doublers == "both":
        return stakes
    # The taker never doubles, so nothing happens beyond the level after the next double.
    taker: Doublers = "theirs" if doublers == "mine" else "mine"
    levels = [_dead(stakes.levels[0], taker)]
    if levels[0].can_double_mine or levels[0].can_double_theirs:
        levels.append(_dead(stakes.level(1), "both"))
    return replace(stakes, levels=tuple(levels), beavers=False, is_rescaling=False, is_homogeneous=False)


def _dead(level: Level, who: Doublers) -> Level:
    """Return a level at which some or all may not double."""
    mine = level.can_double_mine and who == "theirs"
    theirs = level.can_double_theirs and who == "mine"
    return replace(
        level,
        can_double_mine=mine,
        can_double_theirs=theirs,
        pass_mine=level.pass_mine if mine else None,
        pass_theirs=level.pass_theirs if theirs else None,
    )


@cache
def equity_table(name: str, length: int) -> MatchEquityTable:
    """Return a match equity table by name, extended by its stated rule where the match is longer."""
    return MatchEquityTable.load(name).extended(length)


def side_may_double(
    doublers: Literal["optimal", "frozen", "present_only"], leaver: Colour | None, mover: Colour
) -> Doublers:
    """Who may double, seen by ``mover``, when ``leaver`` is gone and the policy reads his cube so."""
    if doublers == "frozen":
        return "nobody"
    if doublers == "optimal" or leaver is None:
        return "both"
    return "theirs" if leaver == mover else "mine"
