"""How fast plays are generated; every benchmark asserts its total. Plays per second go to ``extra_info``."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from bgcore import Position, legal_plays, legal_plays_batch, perft
from strategies import seeded_boards

ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def note_rate(benchmark, unit, number):
    benchmark.extra_info[f"million {unit}/s"] = round(number / benchmark.stats["min"] / 1e6, 2)


def test_native_loop_perft_3(benchmark):
    total = benchmark.pedantic(perft, (Position.starting(), 3), rounds=3)
    assert total == 116_154_993
    note_rate(benchmark, "plays", total)


def test_batch_from_numpy(benchmark):
    """All 21 rolls of the opening's 447 continuations in one call."""
    replies = [play.result.flip() for roll in ROLLS for play in legal_plays(Position.starting(), roll)]
    boards = np.repeat(np.array([reply.board for reply in replies]), len(ROLLS), axis=0)
    dice = np.tile(np.array(ROLLS, dtype=np.int8), (len(replies), 1))
    batch = benchmark(legal_plays_batch, boards, dice)
    dances = int((np.diff(batch.offsets) == 0).sum())
    assert len(batch.results) + dances == 202_782
    note_rate(benchmark, "plays", len(batch.results))


@pytest.mark.parametrize(("kind", "total"), [("opening", 447), ("mixed", 30_316)])
def test_play_objects(benchmark, kind, total):
    positions = [Position.starting()] if kind == "opening" else [Position.from_board(b) for b in seeded_boards(60, 3)]

    def run():
        return sum(len(legal_plays(position, roll)) for position in positions for roll in ROLLS)

    assert benchmark(run) == total
    note_rate(benchmark, "calls", len(positions) * len(ROLLS))
    note_rate(benchmark, "plays", total)
