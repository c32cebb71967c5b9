"""What bgcore raises: every error is a ``BgcoreError``, and so a ``ValueError``."""

import operator


class BgcoreError(ValueError):
    """Something given to bgcore is not usable; the message says what, where and what would be right."""


class ArgumentError(BgcoreError, TypeError):
    """An argument of a type that means nothing there, such as a number for an identifier; a ``TypeError`` too."""


class PositionError(BgcoreError):
    """A board that no legal position has; ``faults`` names everything wrong with it."""

    def __init__(self, message: str, faults: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults or (message,)


class NotationError(BgcoreError):
    """A text (identifier, play, record) that cannot be read."""


class DiceError(BgcoreError):
    """Dice that are not two numbers from 1 to 6."""


class RulesError(BgcoreError):
    """Rules, cube, score or settings that contradict each other or lie outside their range."""


class UnsupportedError(BgcoreError):
    """A request that is well formed but has no evaluator or format here."""


class DataError(BgcoreError):
    """A table or weights file that is missing, damaged, or not ours."""


def require(value: object, kinds: type | tuple[type, ...], what: str) -> None:
    """Raise an `ArgumentError` that begins with ``what`` ("an XGID is text") unless the value is of these types."""
    if not isinstance(value, kinds):
        raise ArgumentError(f"{what}, not {type(value).__name__}")


def binary(value: object, what: str) -> bytes:
    """Return the bytes of a `bytes`, `bytearray` or `memoryview`; an `ArgumentError` begins with ``what``."""
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise ArgumentError(f"{what}, not {type(value).__name__}")
    return bytes(value)


def short(text: object, most: int = 200) -> str:
    """Return a text, such as a path, for a message: cut where it is long, since nobody reads megabytes of an error."""
    words = str(text)
    return words if len(words) <= most else f"{words[: most - 3]}..."


def shown(value: object) -> str:
    """Return any value as it is written in Python, for a message."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole numbers of thousands of digits
        text = (
            "a whole number too long to write"
            if isinstance(value, int)
            else f"{type(value).__name__} too long to write"
        )
    return short(text, 80)


def whole(value: object, what: str, least: int, most: int) -> int:
    """Return a whole number that lies in its range; a `RulesError` says what it is and which range that is.

    A truth value is none, and neither is a float, be it 1.0.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        raise RulesError(f"{what} is a whole number from {least} to {most}, not {shown(value)}")
    return number
