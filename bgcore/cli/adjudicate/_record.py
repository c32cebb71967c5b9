"""From flags to a record: the sections that an identifier does not hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bgcore.cli._context import read_pair
from bgcore.cli._position import read_roll, read_situation
from bgcore.errors import BgcoreError

if TYPE_CHECKING:
    from bgcore.codecs.match import Match
    from bgcore.codecs.situation import Situation


# What a match file leaves open and no verdict can do without, and the flags that say it.
ANSWERS = {
    "absence": "--away, --absent",
    "money": "--stake, --currency",
    "match.crawford": "--crawford yes or post",
}

# Which flag says what stands at a path of the record, and below it.
SAID_BY = {
    "absence": "absent",
    "absence.cause": "cause",
    "cube": "cube",
    "cube.limit": "cube_limit",
    "dice": "dice",
    "match.crawford": "crawford",
    "match.length": "match",
    "match.prize": "prize",
    "match.prize.currency": "currency",
    "match.score": "score",
    "money.currency": "currency",
    "money.limit": "limit",
    "money.minor_digits": "currency",
    "money.stake": "stake",
    "on_roll": "on_roll",
    "pending": "pending",
    "rules.beavers": "beavers",
    "rules.bearoff_rule": "bearoff_rule",
    "rules.gammon_rule": "gammon_rule",
    "rules.jacoby": "jacoby",
}


def flag_name(name: str) -> str:
    """Write the name of an argument as it is typed."""
    return "--" + name.replace("_", "-")


@dataclass(frozen=True, slots=True)
class Flags:
    """What the command line says about a case beside the position; None where a flag was not given."""

    on_roll: str
    dice: str | None
    pending: str | None
    cube: str | None
    cube_limit: int | None
    match: int | None
    score: str | None
    crawford: str
    prize: str | None
    stake: str | None
    currency: str | None
    limit: str | None
    jacoby: bool | None
    beavers: bool | None
    gammon_rule: str | None
    bearoff_rule: str | None
    away: str | None
    absent: str | None
    cause: str

    def place(self, path: str) -> str:
        """Name the flag that said what stands at a path of the record; the path itself where none was given."""
        above = path
        while above:
            name = SAID_BY.get(above)
            if name is not None and getattr(self, name) is not None:
                return flag_name(name)
            above = above.rpartition(".")[0]
        return path

    def document(self, identifier: str) -> dict[str, Any]:
        """Write the record of a case in JSON form, still unchecked.

        Raises
        ------
        BgcoreError
            Naming the flag that cannot be read, or the one that is missing.
        """
        from bgcore.adjudication.identifiers import situation_document

        situation = self._situation(read_situation(identifier))
        rules = {"gammon_rule": self.gammon_rule, "bearoff_rule": self.bearoff_rule}
        for name in ("jacoby", "beavers"):
            rules[name] = getattr(self, name)
        sections: dict[str, Any] = {
            "colour": self.on_roll,
            "rules": {name: value for name, value in rules.items() if value is not None},
            "absence": self._absence(),
        }
        if situation.score is None:
            sections["money"] = self._money()
        else:
            sections["match"] = self._match()
        document = situation_document(situation, sections)
        if self.cube is not None:
            document["cube"] |= read_cube(self.cube)
        if self.cube_limit is not None:
            document["cube"]["limit"] = self.cube_limit or None
        if self.pending is not None:
            document["pending"] = read_pending(self.pending)
        return document

    def case(self, match: Match, *, value_only: bool = False) -> dict[str, Any]:
        """Write the record of a match file's unfinished game, still unchecked.

        With ``value_only`` nobody is asked who left.

        Raises
        ------
        NotationError
            If every game has a result.
        BgcoreError
            Naming every flag that has to say what the file does not.
        """
        from bgcore.codecs.case import unfinished_case

        case = unfinished_case(match)
        document = dict(case.document)
        given = {
            "absence": self._absence(),
            "money": self._money() if document["mode"] == "money" else None,
        }
        document |= {name: section for name, section in given.items() if section is not None}
        if value_only and document["mode"] == "money":
            document.setdefault("money", {"currency": "FUN", "stake": "1"})  # points are all that is asked for
        if document["mode"] == "match":
            section = self._match()
            if section.get("crawford") == "auto":
                del section["crawford"]
            document["match"] = document["match"] | section
        if self.cube_limit is not None:
            document["cube"] = document["cube"] | {"limit": self.cube_limit or None}
        for name in ("jacoby", "beavers", "gammon_rule", "bearoff_rule"):
            if getattr(self, name) is not None:
                document["rules"] = document["rules"] | {name: getattr(self, name)}
        open_questions = [
            f"{question.text.rstrip('?')}? ({ANSWERS[question.path]})"
            for question in case.questions
            if question.path in ANSWERS
            and not self._answers(question.path)
            and not (value_only and question.path in ("absence", "money"))
        ]
        if open_questions:
            raise BgcoreError("the file does not say everything: " + " ".join(open_questions))
        return document

    def _answers(self, path: str) -> bool:
        """Whether the flags say what a question of a case asks."""
        return {
            "absence": self.away is not None,
            "money": self.stake is not None,
            "match.crawford": self.crawford != "auto",
        }[path]

    def _situation(self, situation: Situation) -> Situation:
        """Lay the roll and the match over what the identifier says."""
        from bgcore.rules import MatchScore

        situation = replace(situation, dice=read_roll(self.dice) or situation.dice)
        if self.match is None:
            if self.score is not None:
                raise BgcoreError("--score needs the length of the match: give --match too")
            return situation
        white, black = read_pair(self.score or "0-0", "--score")
        mine, theirs = (white, black) if self.on_roll == "white" else (black, white)
        rules = replace(situation.rules, jacoby=False, beavers=False, raccoons=False, automatic_doubles=False)
        return replace(situation, score=MatchScore(self.match, mine, theirs), rules=rules, session=(0, 0))

    def _match(self) -> dict[str, Any]:
        if self.stake is not None or self.limit is not None:
            raise BgcoreError("a match has a --prize, not a --stake or a --limit")
        section: dict[str, Any] = {}
        if self.match is not None or self.crawford != "auto":
            section["crawford"] = self.crawford
        if self.prize is not None:
            winner, _, loser = self.prize.partition("/")
            section["prize"] = {"winner": winner.strip(), "loser": loser.strip() or "0"}
            if self.currency is not None:
                section["prize"]["currency"] = self.currency
        return section

    def _money(self) -> dict[str, Any] | None:
        if self.prize is not None:
            raise BgcoreError("--prize belongs to a match: give --match and --score")
        if self.stake is None:
            if self.limit is not None or self.currency is not None:
                raise BgcoreError("--currency and --limit need the --stake of one point")
            return None
        if self.currency is None:
            raise BgcoreError("--stake needs its --currency, such as EUR or FUN")
        section = {"currency": self.currency, "stake": self.stake}
        return section if self.limit is None else section | {"limit": self.limit}

    def _absence(self) -> dict[str, Any] | None:
        if self.away is None:
            if self.absent is not None:
                raise BgcoreError("--absent needs to know who: give --away white, black or both")
            return None
        sides = ("white", "black") if self.away == "both" else (self.away,)
        if self.absent is None:
            raise BgcoreError("--away needs the seconds of the absence: give --absent too, such as --absent 200")
        seconds = [text.strip() for text in self.absent.split(",")]
        if len(seconds) > 2 or not all(seconds):
            raise BgcoreError(
                "--absent is a number of seconds such as 200, or WHITE,BLACK with --away both such as 200,10.5, "
                f"not {self.absent!r}"
            )
        section: dict[str, Any] = {"cause": self.cause}
        for colour, gone in zip(("white", "black"), seconds * (3 - len(seconds)), strict=True):
            section[colour] = {"away": colour in sides}
            if colour in sides:
                section[colour]["seconds"] = gone
        return section


def read_pending(text: str) -> dict[str, Any]:
    """Read an open offer such as double:white or resign:black:2; the record's checks do the rest."""
    kind, _, rest = text.lower().partition(":")
    colour, _, level = rest.partition(":")
    has_level = kind == "resign"
    if kind not in ("double", "beaver", "raccoon", "resign") or not colour or has_level != level.isdecimal():
        raise BgcoreError(
            "--pending is an offer and whose it is, such as double:white, or for a resignation its level too: "
            f"resign:black:1, not {text!r}"
        )
    return {"type": kind, "by": colour, **({"level": int(level)} if has_level else {})}


def read_cube(text: str) -> dict[str, Any]:
    """Read a cube such as 1, 2:white, 4:black or none as part of a record; the record's checks do the rest."""
    if text.lower() in ("none", "off"):
        return {"enabled": False, "value": 1, "owner": "centre"}
    value, _, owner = text.lower().partition(":")
    if not value.isdecimal():
        raise BgcoreError(f"--cube is a value and its owner such as 2:white, or none, not {text!r}")
    if int(value) > 1 and not owner:
        raise BgcoreError(f"--cube {value}: somebody owns it: {value}:white, {value}:black or {value}:centre")
    return {"value": int(value), "owner": owner or "centre"}
