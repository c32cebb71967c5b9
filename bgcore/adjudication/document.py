"""JSON from strangers: each key once, and no deeper than a record needs."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

DEEPEST: Final = 32
"""How deep a document may be nested; a record with its policy needs 6."""
LONGEST: Final = 1 << 24
"""How many characters a document may have: a record has some thousands, and memory takes forty times the text."""
MOST_DIGITS: Final = 1000
"""How long a whole number may be; Python refuses to read and write those of some thousands of digits."""
OBJECT: Final = (dict, Mapping)
"""What a JSON object may be; dict comes first because asking whether something is a Mapping takes long."""
_LEAVES: Final = frozenset((str, int, float, bool, type(None)))
_NESTED: Final = (*OBJECT, list, tuple)
TOO_DEEP: Final = f"it is nested more than {DEEPEST} deep"
_MOST_BITS: Final = (10**MOST_DIGITS).bit_length()
TOO_LONG: Final = "it holds a whole number of more than a thousand digits"


def parse_document(text: str) -> Any:
    """Read one JSON document as RFC 8785 wants it: no key twice in an object, no NaN or Infinity.

    Raises
    ------
    ValueError
        If it is not such a document; a ``json.JSONDecodeError`` where the column is known.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} characters")
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=_whole, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def unreadable(document: object) -> str:
    """Say why code that follows these JSON values, or writes them into a message, would fail; "" if nothing would."""
    level: list[Any] = [document]
    for _ in range(DEEPEST + 1):
        if [value for value in level if type(value) is int and value.bit_length() > _MOST_BITS]:
            return TOO_LONG
        level = [value for value in level if type(value) not in _LEAVES and isinstance(value, _NESTED)]
        if not level:
            return ""
        level = [item for value in level for item in (value.values() if isinstance(value, OBJECT) else value)]
    return TOO_DEEP


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice[:80]!r} stands twice in one object")
    return found


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(TOO_LONG)
    return int(text)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
