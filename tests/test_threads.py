"""Many threads at once give what one gives: nothing in the core remembers."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bgcore import Position, legal_plays, legal_plays_batch
from strategies import seeded_boards


@pytest.mark.parametrize("workers", [2, 7])
def test_plays_do_not_depend_on_threads(workers):
    boards = np.array(seeded_boards(400, 11), dtype=np.int8)
    dice = np.array([(1 + i % 6, 1 + i // 6 % 6) for i in range(400)], dtype=np.int8)

    def plays(i):
        return [str(play) for play in legal_plays(Position.from_board(boards[i]), dice[i].tolist())]

    alone = [plays(i) for i in range(400)]
    batch = legal_plays_batch(boards, dice)
    with ThreadPoolExecutor(workers) as pool:
        assert list(pool.map(plays, range(400))) == alone
        for other in pool.map(lambda _: legal_plays_batch(boards, dice), range(8)):
            assert np.array_equal(other.results, batch.results) and np.array_equal(other.offsets, batch.offsets)
