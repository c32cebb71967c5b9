"""How long the command line takes to start: what every call pays before it does any work."""

import os
import subprocess
import sys

import pytest

CALLS = {
    "bare Python": ([sys.executable, "-c", "pass"], b""),
    "import bgcore": ([sys.executable, "-c", "import bgcore"], b""),
    "import numpy": ([sys.executable, "-c", "import numpy"], b""),
    "--help": ([sys.executable, "-m", "bgcore", "--help"], b"Examples:"),
    "plays --help": ([sys.executable, "-m", "bgcore", "plays", "--help"], b"Examples:"),
    "adjudicate one --help": ([sys.executable, "-m", "bgcore", "adjudicate", "one", "--help"], b"Examples:"),
    "plays start 31": ([sys.executable, "-m", "bgcore", "plays", "start", "31"], b"16 legal plays"),
}


@pytest.mark.parametrize("name", CALLS)
def test_start(benchmark, name):
    """Seconds of one fresh process; the least of the rounds is what an idle machine would show."""
    words, expected = CALLS[name]

    def start():
        return subprocess.run(words, capture_output=True, check=True).stdout

    printed = benchmark.pedantic(start, rounds=10, warmup_rounds=1)
    assert expected in printed


def test_completion(benchmark):
    """A press of the tabulator key."""
    environment = {**os.environ, "_BGCORE_COMPLETE": "bash_complete", "COMP_WORDS": "bgcore pl", "COMP_CWORD": "1"}

    def start():
        words = [sys.executable, "-m", "bgcore"]
        return subprocess.run(words, capture_output=True, env=environment, check=True).stdout

    assert benchmark.pedantic(start, rounds=10, warmup_rounds=1) == b"plain,plays\n"
