"""How fast positions are evaluated and plays chosen, on one core."""

import numpy as np
import pytest

from bgcore import Position, evaluate, evaluate_batch
from bgcore._core import Network, self_play
from strategies import seeded_boards


def note_rate(benchmark, unit, number):
    benchmark.extra_info[f"{unit}/s"] = round(number / benchmark.stats["min"])


def test_batch_from_numpy(benchmark):
    """The goal is 600,000 positions a second."""
    boards = np.array(seeded_boards(20_000, 5), dtype=np.int8)
    answers = benchmark(evaluate_batch, boards)
    assert answers.shape == (20_000, 5)
    note_rate(benchmark, "evaluations", len(boards))


def test_choosing_plays(benchmark):
    """Both sides of a game; the goal is 800,000 plays considered a second."""
    dice = np.random.default_rng(1).integers(1, 7, (5000, 2)).astype(np.int8)
    considered, plies, _ = benchmark(self_play, Network.default(), Position.starting(), dice)
    assert plies == 5000
    note_rate(benchmark, "plays considered", considered)
    note_rate(benchmark, "plays chosen", plies)


@pytest.mark.parametrize("plies", [0, 1])
def test_one_position(benchmark, plies):
    answer = benchmark(evaluate, Position.starting(), plies)
    assert 0.5 < answer.win < 0.56
