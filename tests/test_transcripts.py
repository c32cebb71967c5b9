"""Every ``$ bgcore ...`` in the documentation is run again, and must print what the page shows.

A block of the kind ``console`` holds commands after ``$ `` and below each what it prints on standard output and
standard error together. A line ``...`` stands for any number of lines, as in doctest. The commands of a block share a
folder, in which ``docs/cli`` lies, so that one may read what another wrote.
"""

import doctest
import importlib
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from bgcore.cli.__main__ import COMMANDS, main
from bgcore.cli._command import LazyGroup

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def transcripts(path):
    """Yield (line number, [(command, expected output), ...]) of a page, block by block."""
    text = path.read_text("utf-8")
    for block in BLOCK.finditer(text):
        parts = (part.partition("\n") for part in re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:])
        commands = [(command, expected) for command, _, expected in parts if command.startswith("bgcore ")]
        if commands:
            yield text.count("\n", 0, block.start(1)) + 1, commands


CASES = [
    pytest.param(commands, id=f"{path.relative_to(ROOT)}:{line}")
    for path in PAGES
    if path.exists()
    for line, commands in transcripts(path)
]


@pytest.mark.parametrize("commands", CASES)
def test_a_page_shows_what_happens(commands, capsys, monkeypatch, tmp_path):
    shutil.copytree(ROOT / "docs" / "cli", tmp_path / "docs" / "cli")
    monkeypatch.chdir(tmp_path)
    for command, expected in commands:
        program, _, save = command.partition(" > ")
        words = shlex.split(program)[1:]
        if "<" in words:
            source = words.index("<")
            monkeypatch.setattr(sys, "stdin", io.StringIO(Path(words[source + 1]).read_text("utf-8")))
            del words[source : source + 2]
        main(words)
        out, err = capsys.readouterr()
        if save:
            Path(save).write_text(out, "utf-8")
        printed = err if save else err + out
        checker = doctest.OutputChecker()
        flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
        example = doctest.Example(command, expected)
        assert checker.check_output(expected, printed, flags), checker.output_difference(example, printed, flags)


def test_every_command_is_on_the_page():
    page = (ROOT / "docs" / "cli" / "commands.md").read_text("utf-8")
    shown = [command for _, commands in transcripts(ROOT / "docs" / "cli" / "commands.md") for command, _ in commands]
    for name, (module, _) in COMMANDS.items():
        group = importlib.import_module(module).command
        for words in [f"{name} {child}" for child in group.lazy] if isinstance(group, LazyGroup) else [name]:
            assert f"\n## bgcore {name}" in page, f"no section on bgcore {name}"
            assert any(command.startswith(f"bgcore {words} ") for command in [f"{line} " for line in shown]), words
