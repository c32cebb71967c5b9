"""Every level of SIMD gives the same bits."""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import bgcore
from bgcore._core import Network, active_level, outcomes, supported_levels
from tests.strategies import seeded_boards

KERNELS = Path(__file__).parents[1] / "bgcore/_core/kernels"
WEIGHTS = files("bgcore") / "data/weights.bin"
# As in setup.py, where contraction matters most: AArch64 could fuse every product of the softmax with its sum.
FLAGS = ["-O3", "-g0", "-std=c11", "-ffp-contract=off", "-fwrapv", "-static", f"-I{KERNELS}"]
CROSS, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"

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


def planes(positions):
    """Eight bit planes of each position, as the kernels are given them."""
    boards = np.array([position.board for position in positions], dtype=np.int64)
    counts = np.stack([np.maximum(boards, 0), np.maximum(-boards, 0)], axis=1)
    bits = counts[:, :, None, :] >> np.arange(4)[:, None] & 1
    return (bits << np.arange(26)).sum(3).reshape(-1, 8).astype("<u4")


@pytest.mark.skipif(not (shutil.which(CROSS) and shutil.which(EMULATOR)), reason=f"needs {CROSS} and {EMULATOR}")
@pytest.mark.skipif(not KERNELS.exists(), reason="needs the sources")
def test_another_processor_agrees(tmp_path):
    """The kernels compiled for AArch64 and emulated: plain C and NEON give this processor's bits."""
    random, parents, results = np.random.default_rng(12), [], []
    for board in seeded_boards(3_000, seed=12):
        position = bgcore.Position.from_board(board)
        plays = bgcore.legal_plays(position, random.integers(1, 7, 2).tolist())
        if plays and not plays[-1].result.outcome:
            parents.append(position)
            results.append(plays[-1].result)
    np.stack([planes(parents), planes(results)], axis=1).tofile(tmp_path / "pairs")
    subprocess.run([CROSS, *FLAGS, Path(__file__).with_name("kernels.c"), "-o", tmp_path / "kernels"], check=True)
    here, network = [], Network.default()
    for position, result in zip(parents, results, strict=True):
        here.append([outcomes(network, position), outcomes(network, result.flip())])
    answer = np.dtype([("before", "<f8", 6), ("rank", "<i4"), ("after", "<f8", 6)])
    for level in ("scalar", "neon"):
        command = [EMULATOR, tmp_path / "kernels", level, str(WEIGHTS), tmp_path / "pairs"]
        there = np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, answer)
        assert len(there) > 2_000
        assert (there["before"] == np.array(here)[:, 0]).all()
        assert (there["after"] == np.array(here)[:, 1]).all()
