"""The trainer in small: every stage once, up to weights that bgcore reads."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bgcore._core import Network, Position, outcomes

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """What the trainer is built from, apart: the bgcore that it runs with is the one that is tested, built anywhere."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "training", folder / "training", ignore=shutil.ignore_patterns("*.so", "*.c", "runs"))
    core = folder / "bgcore" / "_core"
    shutil.copytree(ROOT / "bgcore" / "_core" / "kernels", core / "kernels")
    for declarations in (ROOT / "bgcore" / "_core").glob("*.pxd"):
        shutil.copy(declarations, core)
    return folder


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the trainer is written for GCC and Clang")
@pytest.mark.skipif(not (ROOT / "training" / "trainer.pyx").is_file(), reason="needs a source checkout")
def test_from_nothing_to_weights(tmp_path, checkout):
    def run(*words):
        """One documented command, given in the checkout."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(checkout), *filter(None, sys.path)])}
        subprocess.run([sys.executable, *map(str, words)], cwd=checkout, env=environment, check=True)

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
