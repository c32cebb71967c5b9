"""Games between engines: cubeless money, no look-ahead, the same dice twice with sides swapped.

BGCORE_PAIRS sets the number of pairs for each opponent (10,000).
"""

import os

import _engines
import numpy as np

import bgcore

OPENING = bgcore.Position.starting().board.tolist()
LONGEST = 2000


def dice_of(pair):
    """Endless rolls of a pair of games; the first is no double."""
    random = np.random.default_rng([17, pair])
    first = random.choice(6, 2, replace=False) + 1
    yield tuple(first.tolist())
    while True:
        for roll in random.integers(1, 7, (100, 2)).tolist():
            yield tuple(roll)


def game(first, second, pair):
    """Points that the engine which moves first wins."""
    board, dice = OPENING, dice_of(pair)
    for ply in range(LONGEST):
        board = (first, second)[ply % 2].play(board, next(dice))
        result = bgcore.Position.from_board(board).outcome
        if result:
            return result if ply % 2 == 0 else -result
        board = [-n for n in reversed(board)]
    raise RuntimeError(f"pair {pair} does not end")


def main():
    """Print the table."""
    pairs = int(os.environ.get("BGCORE_PAIRS", "10000"))
    ours = _engines.Bgcore()
    print("| bgcore against | games | points a game | 95 % interval |")
    print("|---|---|---|---|")
    for theirs in (_engines.GnubgNn(), _engines.Bgsage()):
        means = np.array([(game(ours, theirs, pair) - game(theirs, ours, pair)) / 2 for pair in range(pairs)])
        half = 1.96 * means.std(ddof=1) / np.sqrt(pairs)
        mean = means.mean()
        print(f"| {theirs.name} | {2 * pairs} | {mean:+.4f} | {mean - half:+.4f} to {mean + half:+.4f} |", flush=True)


if __name__ == "__main__":
    main()
