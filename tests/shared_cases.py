"""Where the shared acceptance cases lie, if they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(os.environ.get("BGCORE_SHARED", Path(__file__).parents[2] / "shared"))
needs_shared = pytest.mark.skipif(
    not (ROOT / "cases").is_dir(), reason=f"no shared acceptance cases at {ROOT} (set BGCORE_SHARED)"
)


def load(name: str) -> list[dict[str, Any]]:
    """Read one JSON Lines file of cases; empty when the folder is absent, so that collection still works."""
    path = ROOT / "cases" / name
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def of_area(area: str) -> list[Any]:
    """All cases of one area, as pytest parameters named by their id."""
    return [pytest.param(case, id=case["id"]) for case in load("cases.jsonl") if case["area"] == area]
