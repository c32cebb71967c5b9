"""Results kept as JSON: a document holds the digest of all else in it, so that a changed or torn one is found."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from bgcore.errors import DataError, require, short

Saved = TypeVar("Saved")


def digest_of(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON values, whatever the order of their keys."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_saved(path: str | os.PathLike[str], what: str, from_dict: Callable[[Mapping[str, Any]], Saved]) -> Saved:
    """Read a JSON file and make a value of it; DataError names the file."""
    require(path, (str, os.PathLike), f"{what} is read from the path of a file")
    name = short(os.fspath(path)) or "a file without a name"
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        reason = short(getattr(error, "strerror", None) or error)
        raise DataError(f"cannot read {what} from {name}: {reason}") from error
    try:
        return from_dict(data)
    except DataError as error:
        raise DataError(f"cannot read {what} from {name}: {error}") from error
