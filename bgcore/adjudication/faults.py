"""The numbered faults of a record, a policy or a batch line, and the errors that carry them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from bgcore.errors import BgcoreError, DataError

NAMES: Final[dict[str, str]] = {
    "E01": "NOT_JSON",
    "E02": "WRONG_SCHEMA",
    "E03": "UNKNOWN_FIELD",
    "E04": "MISSING_FIELD",
    "E05": "WRONG_TYPE",
    "E06": "CHECKER_COUNT",
    "E07": "NEGATIVE_COUNT",
    "E08": "POINT_RANGE",
    "E09": "POINT_SHARED",
    "E10": "GAME_OVER",
    "E11": "BOTH_WON",
    "E12": "IMPOSSIBLE_BOTH_CLOSED",
    "E14": "CUBE_NOT_POWER",
    "E15": "CUBE_OVER_LIMIT",
    "E16": "LIMIT_NOT_POWER",
    "E17": "CUBE_OWNER_AT_ONE",
    "E18": "CUBE_CENTRED_ABOVE_ONE",
    "E19": "CUBE_DISABLED_TURNED",
    "E20": "CRAWFORD_CUBE",
    "E21": "CRAWFORD_SCORE",
    "E22": "CRAWFORD_AMBIGUOUS",
    "E23": "SCORE_TOO_HIGH",
    "E24": "SCORE_NEGATIVE",
    "E25": "LENGTH_RANGE",
    "E26": "MATCH_RULE",
    "E27": "STAKE_NOT_POSITIVE",
    "E28": "STAKE_PRECISION",
    "E29": "CURRENCY_DIGITS",
    "E30": "LIMIT_BELOW_STAKE",
    "E31": "BANKROLL_BELOW_EXPOSURE",
    "E32": "RAKE_RANGE",
    "E33": "PRIZE_ORDER",
    "E34": "DICE_RANGE",
    "E35": "DICE_COUNT",
    "E36": "OPENING_DOUBLE",
    "E37": "DICE_WITHOUT_TURN",
    "E38": "PENDING_AND_DICE",
    "E39": "PARTIAL_MOVE_ILLEGAL",
    "E40": "PENDING_NOT_ALLOWED",
    "E41": "BOTH_FLAGS",
    "E42": "NOBODY_AWAY",
    "E43": "ABSENCE_NEGATIVE",
    "E44": "EVENTS_ORDER",
    "E45": "UNKNOWN_POLICY",
    "E46": "UNKNOWN_RULE_VALUE",
    "E47": "POLICY_CONFLICT",
    "E48": "UNKNOWN_MET",
    "E49": "ENGINE_MISSING",
    "E50": "DUPLICATE_CASE",
    "E51": "UNSUPPORTED_RULES",
    "E52": "TOO_MANY_MEN_BAR",
    "E53": "BOARD_MISMATCH",
    "W01": "OFF_AND_OUTSIDE",
    "W02": "RESIGN_IMPOSSIBLE_LEVEL",
    "W03": "ID_OF_OTHER_SIDE",
    "W04": "NOT_FINISHED",
}
"""Code -> name. Codes starting with W are warnings: the record is used as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong (or, for a W code, odd) with a record or a policy.

    Parameters
    ----------
    code : str
        One of `NAMES`.
    path : str
        Where, as a dotted JSON path such as ``board.white.points.6``; ``$`` is the whole document.
    message : str
        A sentence: what is wrong and what would be right.
    value : object
        The offending value, JSON-ready, or None.
    hint : str
        What to do about it; may be empty.
    """

    code: str
    path: str
    message: str
    value: Any = None
    hint: str = ""

    @property
    def name(self) -> str:
        """The fault's name, such as ``CHECKER_COUNT``."""
        return NAMES[self.code]

    def __str__(self) -> str:
        return f"{self.code} {self.path}: {self.message}" + (f" ({self.hint})" if self.hint else "")

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "code": self.code,
            "name": self.name,
            "path": self.path,
            "message": self.message,
            "value": self.value,
            "hint": self.hint,
        }


class RecordError(BgcoreError):
    """A record, policy or batch line that cannot be used; ``errors`` names every fault at once.

    Attributes
    ----------
    errors : tuple of Fault
        Sorted by JSON path, then by code.
    """

    def __init__(self, errors: Iterable[Fault]) -> None:
        self.errors = tuple(sorted(errors, key=_order))
        super().__init__("; ".join(map(str, self.errors)))

    def __reduce__(self) -> tuple[type["RecordError"], tuple[tuple[Fault, ...]]]:
        return RecordError, (self.errors,)

    def to_list(self) -> list[dict[str, Any]]:
        """Return the faults as JSON values."""
        return [fault.to_dict() for fault in self.errors]


def numbered(error: BgcoreError) -> RecordError:
    """Return what stopped one record as a numbered fault: E49 where data is missing, E51 where no evaluator goes on."""
    if isinstance(error, RecordError):
        return error
    return RecordError([Fault("E49" if isinstance(error, DataError) else "E51", "$", str(error))])


def _order(fault: Fault) -> tuple[list[tuple[int, int, str]], bool, str]:
    """Sort by path, its numbers as numbers so that point 6 comes before point 13; E52 explains the E06 after it."""
    parts = [] if fault.path == "$" else fault.path.split(".")
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], fault.code != "E52", fault.code


class Faults:
    """Collects faults while a document is read, so that all of them are reported together."""

    def __init__(self) -> None:
        self.errors: list[Fault] = []
        self.warnings: list[Fault] = []

    def add(self, code: str, path: str, message: str, value: object = None, hint: str = "") -> None:
        """Note one fault; W codes become warnings."""
        fault = Fault(code, path, message, jsonable(value), hint)
        (self.warnings if code.startswith("W") else self.errors).append(fault)

    def refuse(self) -> None:
        """Raise a `RecordError` if any error was noted."""
        if self.errors:
            raise RecordError(self.errors)


SHOWN_DEPTH: Final = 4
SHOWN_ITEMS: Final = 30


def jsonable(value: object, depth: int = SHOWN_DEPTH) -> Any:
    """Return the value as it may be shown in JSON: plain values as they are, floats and anything else as text.

    What lies deeper than four levels, or behind the first thirty items, is left out: a fault shows what is
    wrong, not all that somebody sent.
    """
    if isinstance(value, str):
        return shortened(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Mapping | list | tuple) and not depth:
        return "..."
    if isinstance(value, Mapping):
        return {shortened(str(key)): jsonable(item, depth - 1) for key, item in islice(value.items(), SHOWN_ITEMS)}
    if isinstance(value, list | tuple):
        return [jsonable(item, depth - 1) for item in value[:SHOWN_ITEMS]]
    return str(value)


def shortened(text: str, most: int = 200) -> str:
    """Return a text from outside as it may stand in a message, however long it is."""
    return text if len(text) <= most else text[:most] + "…"


def nearest(word: object, allowed: Iterable[str]) -> str:
    """Return a hint that names the closest allowed word, or lists them all."""
    words = list(allowed)
    close = get_close_matches(str(word)[:80], words, 1)
    return f"did you mean {close[0]!r}?" if close else "allowed: " + ", ".join(words)
