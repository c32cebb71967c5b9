"""The trainer in small: every stage once, up to weights that bgcore reads."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bgcore._core import Network, Position, outcomes

ROOT = Path(__file__).parents[1]


def run(*words):
    """One documented command, given in the checkout; its output."""
    command = [sys.executable, *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the trainer is written for GCC and Clang")
@pytest.mark.skipif(not list(ROOT.glob("bgcore/_core/network.*.so")), reason="bgcore is not built in place")
def test_from_nothing_to_weights(tmp_path):
    run("training/setup.py", "-q", "build_ext", "--inplace")
    run("-m", "training.train", "td", tmp_path, "--games", 400, "--blocks", 2, "--rate", 0.02, "--rate-end", 0.01)
    run("-m", "training.train", "rounds", tmp_path, "--labels", 3000, "--rounds", 1)
    run("-m", "training.filter", tmp_path, "--positions", 1000, "--epochs", 2)
    run("-m", "training.train", "rounds", tmp_path, "--labels", 3000, "--rounds", 1)
    run("-m", "training.export", tmp_path / "checkpoint.npz", tmp_path / "filter.npz", tmp_path / "weights.bin")
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["stage"] for line in log] == ["td", "td", "round", "round"]
    with np.load(tmp_path / "labels" / "0001.npz") as labels:
        assert labels["targets"].sum(1) == pytest.approx(np.ones(3000), abs=0.02)
    network = Network.from_bytes((tmp_path / "weights.bin").read_bytes())
    assert sum(outcomes(network, Position.starting())) == pytest.approx(1)
