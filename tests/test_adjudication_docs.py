"""The examples of docs/adjudication.md run as they stand."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "adjudication.md"


def test_the_page_shows_what_happens():
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 10
    assert found.failed == 0
