"""One spelling for every document: canonical JSON, SHA-256 digests, and exact numbers as text."""

import hashlib
import json
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

_DECIMAL_TEXT: Final = re.compile(r"-?\d+(\.\d+|/[1-9]\d*)?", re.ASCII)


def canonical(document: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8, and no floats (exact numbers travel as strings).

    Follows RFC 8785 for the values that occur here: objects, arrays, strings, integers, booleans, null.

    Raises
    ------
    TypeError
        For a float or anything else that has no exact JSON form.
    """
    _forbid_floats(document)
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


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
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return str(value)
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    return format(Decimal(int(value * 10**digits)).scaleb(-digits), "f")


def parse_decimal(text: str) -> Fraction:
    """Read what `decimal_text` wrote; ValueError for anything else, such as an exponent that asks for gigabytes."""
    if not _DECIMAL_TEXT.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not an exact decimal")
    return Fraction(text)


def _forbid_floats(document: Any) -> None:
    left = [document]
    while left:
        value = left.pop()
        kind = type(value)
        if kind is dict:
            left.extend(value.values())
        elif kind is list or kind is tuple:
            left.extend(value)
        elif kind is float:
            raise TypeError(f"a canonical document has no floats: {value!r}")
