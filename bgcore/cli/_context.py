"""Options that say what a position alone does not: dice, cube, score and rules; the same in every command."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from bgcore.cli._position import read_roll
from bgcore.errors import RulesError, shown

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation
    from bgcore.rules import Cube, MatchScore, Rules


@dataclass(frozen=True, slots=True)
class Changes:
    """What the options say; None where an option was not given or the command has none: then the identifier holds."""

    dice: str | None
    cube: str | None
    match: int | None
    score: str | None
    crawford: bool | None
    jacoby: bool | None
    beavers: bool | None
    raccoons: bool | None = None
    cube_limit: str | None = None
    cap: str | None = None
    met: str | None = None

    def apply(self, situation: Situation) -> Situation:
        """Set on a situation what the options say.

        Raises
        ------
        DiceError, RulesError, NotationError
            Naming the option that cannot be read, or what contradicts what.
        """
        score = self._score(situation)
        cube = situation.cube if self.cube is None else read_cube(self.cube)
        rules = self._rules(situation.rules, is_match=score is not None)
        if not cube.enabled:
            _refuse("for games with a cube, and this one has none", raccoons=self.raccoons, cube_limit=self.cube_limit)
        limit = rules.cube_limit
        if limit is not None and cube.value > limit:
            raise RulesError(f"the cube is at {cube.value}, above the limit of {limit} (see --cube-limit)")
        return replace(
            situation,
            dice=read_roll(self.dice) or situation.dice,
            cube=cube,
            score=score,
            rules=rules,
            session=(0, 0) if score is not None else situation.session,
        )

    def _rules(self, rules: Rules, *, is_match: bool) -> Rules:
        said: dict[str, Any] = {name: getattr(self, name) for name in ("jacoby", "beavers", "raccoons")}
        if is_match:  # also of what the identifier says of these, none belongs to a match
            _refuse("for money games, and this is a match", **said, cap=self.cap)
            rules = replace(rules, jacoby=False, beavers=False, raccoons=False)
        else:
            _refuse("for matches, and this is a money game: give --match", met=self.met)
            if self.raccoons and not (rules.beavers if self.beavers is None else self.beavers):
                raise RulesError("--raccoons answer beavers: give --beavers too")
            rules = replace(rules, **{name: value for name, value in said.items() if value is not None})
        return rules if self.cube_limit is None else replace(rules, cube_limit=read_limit(self.cube_limit))

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


def _refuse(reason: str, **said: bool | str | None) -> None:
    """Refuse those options that ask for something, with the reason."""
    named = [f"--{name.replace('_', '-')}" for name, value in said.items() if value is not None and value is not False]
    if named:
        raise RulesError(f"{' and '.join(named)}: {reason}")


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


def read_limit(text: str) -> int | None:
    """Read how high the cube may go: a power of two, or none."""
    from bgcore.rules import MAX_CUBE

    if text.lower() == "none":
        return None
    value = int(text) if re.fullmatch(r"\d{1,10}", text, re.ASCII) else 0
    if not 1 <= value <= MAX_CUBE or value & (value - 1):
        raise RulesError(f"--cube-limit is a power of two such as 64, or none for no limit, not {shown(text)}")
    return value


def read_cap(text: str) -> Fraction:
    """Read the most points that can change hands: whole, decimal or a fraction, and more than none."""
    if re.fullmatch(r"\d{1,18}(\.\d{1,18}|/\d{1,18})?", text, re.ASCII) and not re.search(r"/0+$", text):
        cap = Fraction(text)
        if cap > 0:
            return cap
    raise RulesError(f"--cap is a number of points above 0 such as 8, 3.5 or 7/2, not {shown(text)}")


def _names_of_tables(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a shipped match equity table, or a file."""
    from click.shell_completion import CompletionItem

    from bgcore.met import available

    names = [CompletionItem(name) for name in available() if name.lower().startswith(incomplete.lower())]
    return names or [CompletionItem(incomplete, type="file")]


OPTIONS = (
    click.option("--dice", metavar="ROLL", help="The roll to play, such as 65."),
    click.option("--cube", metavar="VALUE:OWNER", help="The cube, such as 2:mine or 4:theirs; none for no cube."),
    click.option("--match", type=click.IntRange(1, 99), metavar="POINTS", help="The length of the match."),
    click.option("--score", metavar="MINE-THEIRS", help="The score of the match, such as 3-1."),
    click.option("--crawford/--no-crawford", default=None, help="Whether this is the Crawford game."),
    click.option("--jacoby/--no-jacoby", default=None, help="Money: gammons count single before the first double."),
    click.option("--beavers/--no-beavers", default=None, help="Money: the side doubled may turn the cube at once."),
)

FURTHER = {
    "raccoons": click.option(
        "--raccoons/--no-raccoons", default=None, help="Money: a beaver may be answered by one more turn of the cube."
    ),
    "cube_limit": click.option("--cube-limit", metavar="N", help="How high the cube may go; none for no limit."),
    "cap": click.option(
        "--cap", metavar="POINTS", help="Money: the most points that can change hands, such as 8 or 7/2."
    ),
    "met": click.option(
        "--met",
        metavar="NAME|FILE",
        shell_complete=_names_of_tables,
        help="Match: a match equity table, by name or as .csv or gnubg's .xml.",
    ),
}


def context_options(*further: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the options above; it receives them as one argument, ``changes``.

    Parameters
    ----------
    *further : str
        The names in `FURTHER` of those options that change what the command answers, beside the ones that every
        such command has.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inner(**arguments: Any) -> Any:
            said = {name: arguments.pop(name) for name in Changes.__dataclass_fields__ if name in arguments}
            return function(changes=Changes(**said), **arguments)

        for option in reversed([*OPTIONS, *(FURTHER[name] for name in further)]):
            inner = option(inner)
        return inner

    return decorate
