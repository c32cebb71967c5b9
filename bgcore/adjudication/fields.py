"""Typed access to untrusted JSON: every accessor notes its own faults and goes on."""

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, Final

from bgcore.adjudication.document import OBJECT
from bgcore.adjudication.faults import Faults, nearest, shortened

MISSING: Final = object()
DECIMAL_PATTERN: Final = r"^[+-]?\d{1,24}(\.\d{1,12})?$"
_DECIMAL: Final = re.compile(DECIMAL_PATTERN[:-1] + r"\Z", re.ASCII)
_JSON_TYPES: Final = {dict: "an object", list: "an array", str: "text", bool: "true or false", type(None): "null"}


def join(path: str, name: str) -> str:
    """Return the path of a field of the object at ``path``."""
    return name if path == "$" else f"{path}.{name}"


def kind(value: object) -> str:
    """Return what a JSON value is, in words."""
    for python_type, words in _JSON_TYPES.items():
        if isinstance(value, python_type):
            return f"the text {shortened(value, 40)!r}" if isinstance(value, str) else words
    return f"the number {value}" if isinstance(value, (int, float, Decimal)) else type(value).__name__


class Fields:
    """One JSON object: checks its field names when made, then hands out typed values.

    A field that may be left out may be null too, unless its accessor says otherwise; one that is required may not.
    Every accessor returns None (or the default) after a fault, which it has noted by then.
    """

    def __init__(
        self, faults: Faults, document: object, path: str, known: Collection[str], *, required: Collection[str] = ()
    ) -> None:
        self.faults = faults
        self.path = path
        self.is_object = isinstance(document, OBJECT)
        self._values: Mapping[str, Any] = document if self.is_object else {}  # type: ignore[assignment]
        self._required = required
        if not self.is_object:
            faults.add("E05", path, f"this must be an object, not {kind(document)}", document)
            return
        for name in self._values:
            if name not in known and not str(name).startswith("x_"):
                faults.add(
                    "E03",
                    join(path, shortened(str(name))),
                    f"there is no field {shortened(str(name))!r} here",
                    self._values[name],
                    nearest(name, known) + "; names that start with x_ are free",
                )
        for name in required:
            if name not in self._values:
                faults.add("E04", join(path, name), f"the field {name!r} is required")

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def at(self, name: str) -> str:
        """Return the path of a field."""
        return join(self.path, name)

    def raw(self, name: str, default: Any = None) -> Any:
        """Return the value as it stands."""
        return self._values.get(name, default)

    def wrong(self, name: str, wanted: str) -> None:
        """Note that a field has the wrong type."""
        value = self._values.get(name)
        self.faults.add("E05", self.at(name), f"{name} must be {wanted}, not {kind(value)}", value)

    def _is_absent(self, name: str, wanted: str) -> bool:
        """Whether a field is left out or null; null where the field is required is a fault."""
        if self._values.get(name) is not None:
            return False
        if name in self._values and name in self._required:
            self.wrong(name, wanted)
        return True

    def integer(self, name: str, default: int | None = None) -> int | None:
        """Return a whole JSON number; strings and fractions are not."""
        value = self._values.get(name, MISSING)
        if value is MISSING:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(name, "a whole number")
            return default
        return value

    def boolean(self, name: str, default: bool = False) -> bool:
        """Either true or false."""
        value = self._values.get(name, MISSING)
        if value is MISSING:
            return default
        if not isinstance(value, bool):
            self.wrong(name, "true or false")
            return default
        return value

    def text(self, name: str, default: str | None = None) -> str | None:
        """Return a string."""
        if self._is_absent(name, "a string"):
            return default
        value = self._values[name]
        if not isinstance(value, str):
            self.wrong(name, "a string")
            return default
        return value

    def choice(self, name: str, allowed: Collection[str], default: Any = None, code: str = "E46") -> Any:
        """One of a few words."""
        value = self._values.get(name, MISSING)
        if value is MISSING:
            return default
        if not isinstance(value, str):
            self.wrong(name, "one of " + ", ".join(allowed))
            return default
        if value not in allowed:
            self.faults.add(code, self.at(name), f"{name} cannot be {value!r}", value, nearest(value, allowed))
            return default
        return value

    def decimal(self, name: str, wanted: str = 'money as a decimal string such as "1.00"') -> Decimal | None:
        """Return an exact decimal: a string or a whole number, never a float."""
        if self._is_absent(name, wanted):
            return None
        value = self._values[name]
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**24:
            return Decimal(value)
        if isinstance(value, str) and _DECIMAL.match(value):
            return Decimal(value)
        self.wrong(name, wanted)
        return None

    def ratio(self, name: str, default: Decimal) -> Decimal:
        """Return a number that is no money: a decimal string or a JSON number, taken as it is written."""
        if self._is_absent(name, "a number"):
            return default
        value = self._values[name]
        text = repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        if isinstance(text, str) and _DECIMAL.match(text):
            return Decimal(text)
        self.wrong(name, "a number")
        return default

    def milliseconds(self, name: str, default: int | None = 0) -> int | None:
        """Seconds, a JSON number or a decimal string with at most three decimals, as milliseconds."""
        value = self._values.get(name, MISSING)
        if value is MISSING or value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            self.wrong(name, "seconds, with at most three decimals")
            return default
        text = value if isinstance(value, str) else repr(value)
        if not _DECIMAL.match(text):
            self.wrong(name, "seconds, with at most three decimals")
            return default
        scaled = Decimal(text) * 1000
        if scaled != scaled.to_integral_value():
            self.wrong(name, "seconds, with at most three decimals")
            return default
        if scaled < 0:
            self.faults.add("E43", self.at(name), f"{name} cannot be negative", value)
            return default
        return int(scaled)

    def section(self, name: str, known: Collection[str], *, required: Collection[str] = ()) -> "Fields | None":
        """Return a nested object; None if it is absent or null."""
        value = self._values.get(name)
        if value is None:
            return None
        return Fields(self.faults, value, self.at(name), known, required=required)
