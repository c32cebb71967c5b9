"""Options that say what a position alone does not: dice, cube, score and rules; the same in every command."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._position import read_roll
from bgcore.errors import RulesError, shown

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation
    from bgcore.rules import Cube, MatchScore


@dataclass(frozen=True, slots=True)
class Changes:
    """What the options say; None where an option was not given, and the identifier holds."""

    dice: str | None
    cube: str | None
    match: int | None
    score: str | None
    crawford: bool | None
    jacoby: bool | None
    beavers: bool | None

    def apply(self, situation: Situation) -> Situation:
        """Set on a situation what the options say.

        Raises
        ------
        DiceError, RulesError, NotationError
            Naming the option that cannot be read, or what contradicts what.
        """
        score = self._score(situation)
        rules = situation.rules
        if score is not None:  # of these two, neither belongs to a match
            rules = replace(rules, jacoby=bool(self.jacoby), beavers=bool(self.beavers))
        elif self.jacoby is not None or self.beavers is not None:
            jacoby = rules.jacoby if self.jacoby is None else self.jacoby
            beavers = rules.beavers if self.beavers is None else self.beavers
            rules = replace(rules, jacoby=jacoby, beavers=beavers)
        return replace(
            situation,
            dice=read_roll(self.dice) or situation.dice,
            cube=situation.cube if self.cube is None else read_cube(self.cube),
            score=score,
            rules=rules,
            session=(0, 0) if score is not None else situation.session,
        )

    def _score(self, situation: Situation) -> MatchScore | None:
        from bgcore.rules import MatchScore

        given = situation.score
        flags = {"--match": self.match, "--score": self.score, "--crawford": self.crawford}
        named = [name for name, value in flags.items() if value is not None]
        if not named:
            return given
        if given is None and self.match is None:
            raise RulesError(f"{named[0]} needs the length of the match: give --match too")
        now = given or MatchScore(self.match or 1, 0, 0)
        mine, theirs = (now.mine, now.theirs) if self.score is None else read_pair(self.score, "--score")
        try:
            return MatchScore(self.match or now.length, mine, theirs, bool(self.crawford))
        except RulesError as error:
            raise RulesError(f"{' and '.join(named)}: {str(error).partition(': ')[2]}") from None


def read_pair(text: str, option: str) -> tuple[int, int]:
    """Read two whole numbers such as 3-1."""
    words = re.fullmatch(r"(\d{1,9}) ?[-,: ] ?(\d{1,9})", text.strip(), re.ASCII)
    if words is None:
        raise RulesError(f"{option} is two whole numbers such as 3-1, not {shown(text)}")
    return int(words[1]), int(words[2])


def read_cube(text: str) -> Cube:
    """Read a cube such as 1, 2:mine, 4:theirs or none."""
    from bgcore.rules import Cube

    if text.lower() in ("none", "off"):
        return Cube(enabled=False)
    value, _, owner = text.lower().partition(":")
    if not re.fullmatch(r"\d{1,10}", value, re.ASCII):
        raise RulesError(f"--cube is a value and its owner such as 2:mine, or none, not {shown(text)}")
    number = int(value)
    if number > 1 and not owner:
        raise RulesError(f"--cube {number}: somebody owns it: {number}:mine, {number}:theirs or {number}:centre")
    owner = owner or "centre"
    if owner not in ("centre", "mine", "theirs"):
        raise RulesError(f"--cube: the owner is mine, theirs or centre, not {owner!r}")
    return Cube(number, owner)  # type: ignore[arg-type]


OPTIONS = (
    click.option("--dice", metavar="ROLL", help="The roll to play, such as 65."),
    click.option("--cube", metavar="VALUE:OWNER", help="The cube, such as 2:mine or 4:theirs; none for no cube."),
    click.option("--match", type=click.IntRange(1, 99), metavar="POINTS", help="The length of the match."),
    click.option("--score", metavar="MINE-THEIRS", help="The score of the match, such as 3-1."),
    click.option("--crawford/--no-crawford", default=None, help="Whether this is the Crawford game."),
    click.option("--jacoby/--no-jacoby", default=None, help="Money: gammons count single before the first double."),
    click.option("--beavers/--no-beavers", default=None, help="Money: the side doubled may turn the cube at once."),
)


def context_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options above; it receives them as one argument, ``changes``."""

    @functools.wraps(function)
    def inner(**arguments: Any) -> Any:
        changes = Changes(**{name: arguments.pop(name) for name in Changes.__dataclass_fields__})
        return function(changes=changes, **arguments)

    for option in reversed(OPTIONS):
        inner = option(inner)
    return inner
