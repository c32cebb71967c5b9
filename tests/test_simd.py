"""Every level of SIMD gives the same bits."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from bgcore._core import active_level, supported_levels
from tests.strategies import seeded_boards

SCRIPT = """
import hashlib, sys
import numpy as np
from bgcore._core import Network, Position, active_level, self_play
from bgcore.evaluate import evaluate_batch
boards = np.load(sys.argv[1])
dice = np.random.default_rng(7).integers(1, 7, (400, 2)).astype(np.int8)
played = self_play(Network.default(), Position.starting(), dice)
print(active_level(), hashlib.sha256(evaluate_batch(boards).tobytes()).hexdigest(), played[0], played[2].position_id)
"""


@pytest.fixture(scope="module")
def boards_file(tmp_path_factory):
    """A corpus of 20,000 boards of all kinds."""
    path = tmp_path_factory.mktemp("simd") / "boards.npy"
    np.save(path, np.array(seeded_boards(20_000, seed=11), dtype=np.int8))
    return path


def run(level, path):
    """What a fresh interpreter says whose level is forced."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)],
        env={**os.environ, "BGCORE_SIMD": level},
        capture_output=True,
        text=True,
    )


def test_all_levels_agree(boards_file):
    answers = {level: run(level, boards_file).stdout.split() for level in supported_levels()}
    for level, answer in answers.items():
        assert answer[0] == level
        assert answer[1:] == answers["scalar"][1:]


def test_threads_agree(boards_file):
    from bgcore.evaluate import evaluate_batch

    boards = np.load(boards_file)
    digests = {hashlib.sha256(evaluate_batch(boards, workers=n).tobytes()).hexdigest() for n in (1, 2, 7)}
    assert len(digests) == 1


def test_the_best_level_is_used_unless_told():
    if "BGCORE_SIMD" not in os.environ:
        assert active_level() == supported_levels()[-1]


def test_an_unknown_level_is_refused(boards_file):
    refused = run("mmx", boards_file)
    assert refused.returncode
    assert "BGCORE_SIMD asks for 'mmx'" in refused.stderr
