"""One spelling for every document: canonical JSON, SHA-256 digests, and exact numbers as text."""

import hashlib
import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_PLAIN: Final = frozenset((str, int, bool, type(None)))
_DECIMAL_TEXT: Final = re.compile(r"-?\d+(\.\d+|/[1-9]\d*)?", re.ASCII)


def canonical(document: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8, and no floats (exact numbers travel as strings).

    Follows RFC 8785 for the values that occur here: objects, arrays, strings, integers, booleans, null.

    Raises
    ------
    TypeError
        For a float or anything else that has no exact JSON form.
    """
    text = _ENCODER.encode(document)
    _refuse_floats((document,))
    return utf8(text)


def utf8(text: str) -> bytes:
    """Encode JSON; half a surrogate pair, which a record may hold as an escape, becomes that escape again."""
    return text.encode("utf-8", "backslashreplace")


def digest(document: Any) -> str:
    """``sha256:`` and the hexadecimal SHA-256 of the canonical JSON."""
    return "sha256:" + hashlib.sha256(canonical(document)).hexdigest()


def number_text(value: Fraction | float) -> str:
    """Return a number as text: ``13/9`` when exact, the shortest decimal that reads back to it for a float."""
    return str(value) if isinstance(value, Fraction) else repr(value)


def parse_number(text: str) -> Fraction | float:
    """Read what `number_text` wrote: floats have a point or an exponent, exact numbers have neither."""
    return float(text) if any(mark in text for mark in ".ein") else Fraction(text)


def decimal_text(value: Fraction) -> str:
    """Return an exact decimal where the number has one (``0.005``), else a fraction (``1/3``)."""
    rest, digits = value.denominator, 0
    for prime in (2, 5):
        times = 0
        while rest % prime == 0:
            rest //= prime
            times += 1
        digits = max(digits, times)
    if rest != 1:
        return str(value)
    text = f"{abs(value.numerator) * 10**digits // value.denominator:0{digits + 1}d}"
    return ("-" if value < 0 else "") + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def parse_decimal(text: str) -> Fraction:
    """Read what `decimal_text` wrote; ValueError for anything else, such as an exponent that asks for gigabytes."""
    if not _DECIMAL_TEXT.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not an exact decimal")
    return Fraction(text)


def _refuse_floats(items: Iterable[Any]) -> None:
    """Look at every number among JSON values."""
    for item in items:
        if type(item) in _PLAIN:
            continue
        if isinstance(item, dict):
            _refuse_floats(item.values())
        elif isinstance(item, (list, tuple)):
            _refuse_floats(item)
        elif isinstance(item, float):
            raise TypeError(f"a canonical document has no floats: {item!r}")
