"""Every ``$ bgcore ...`` in the documentation is run again, and must print what the page shows.

A block of the kind ``console`` holds commands after ``$ `` and below each what it prints on standard output and
standard error together. A line ``...`` stands for any number of lines, as in doctest.
"""

import doctest
import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from bgcore.cli.__main__ import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def transcripts(path):
    """Yield (line number, command, expected output) of a page."""
    text = path.read_text("utf-8")
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            yield line, command, expected
            line += part.count("\n")


CASES = [
    pytest.param(command, expected, id=f"{path.relative_to(ROOT)}:{line}")
    for path in PAGES
    if path.exists()
    for line, command, expected in transcripts(path)
    if command.startswith("bgcore ")
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_a_page_shows_what_happens(command, expected, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    program, _, save = command.partition(" > ")
    words = shlex.split(program)[1:]
    if "<" in words:
        source = words.index("<")
        monkeypatch.setattr(sys, "stdin", io.StringIO(Path(words[source + 1]).read_text("utf-8")))
        del words[source : source + 2]
    main(words)
    out, err = capsys.readouterr()
    assert not save or not err
    printed = "" if save else err + out
    checker = doctest.OutputChecker()
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    example = doctest.Example(command, expected)
    assert checker.check_output(expected, printed, flags), checker.output_difference(example, printed, flags)
