"""The table of requirements names modules and tests that exist, and every requirement has its row."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROWS = re.findall(r"^\| (R\d+) \|(.*)\|$", (ROOT / "docs" / "requirements.md").read_text("utf-8"), re.MULTILINE)


def test_every_requirement_has_its_row():
    assert [name for name, _ in ROWS] == [f"R{number}" for number in range(1, 43)]


def test_modules_and_tests_exist():
    for name, row in ROWS:
        *_, modules, tests = row.split("|")
        for module in re.findall(r"`([\w/]+(?:\.\w+)?)`", modules):
            if "/" in module or module.endswith(".py"):
                assert (ROOT / "bgcore" / module).exists(), f"{name}: {module}"
        found = re.findall(r"`(\w+\.py)::(\w+)`", tests)
        assert found, name
        for file, function in found:
            text = (ROOT / "tests" / file).read_text("utf-8")
            assert f"def {function}(" in text, f"{name}: {file}::{function}"
