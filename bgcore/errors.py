"""What bgcore raises: every error is a ``BgcoreError``, and so a ``ValueError``."""


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
