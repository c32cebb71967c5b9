"""What the tables of short bear-offs are for: rollouts under caps, limits and match scores, against the exact solver.

    python bench/last_rolls.py    # the figures of docs/bearoff.md; some four CPU-minutes

Both sides are home with nearly as many checkers as stated, drawn from a fixed seed, and do not double at once. Each
position is rolled out with tables of so many checkers a side, one of a single checker standing for none. The error is
the root mean square, normalised (points per unit of cube, or EMG), of the differences from `bearoff.solve`.
"""

import argparse
import random
import time
from unittest import mock

from bgcore import Position, RolloutSettings, bearoff, job, met, rollout
from bgcore._core import Endings, whole_graph
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

CUBES = (Cube(), Cube(2, "mine"), Cube(2, "theirs"))
POINTS = (1, 2, 2, 3, 3, 4, 4, 5, 6)


def drawn(rng, checkers):
    """A bear-off in doubt, with its stakes and its exact solution."""
    while True:
        board = [0] * 26
        for _ in range(rng.randint(checkers - 1, checkers)):
            board[rng.choice(POINTS)] += 1
        for _ in range(rng.randint(checkers - 1, checkers)):
            board[25 - rng.choice(POINTS)] -= 1
        cube = rng.choice(CUBES)
        kind = rng.randrange(4)
        if kind == 0:
            stakes = Stakes.money(cube, cap=rng.choice([2, 3, 5, 8]))
        elif kind == 1:
            stakes = Stakes.money(cube, Rules(cube_limit=rng.choice([4, 8])))
        else:
            stakes = Stakes.match(cube, None, MatchScore(7, rng.randint(0, 5), rng.randint(0, 5)), met.default())
        position = Position.from_board(board)
        solution = bearoff.solve(position, stakes)
        if 0.05 < float(solution.probabilities[0]) < 0.95:
            return position, stakes, solution


def measured(checkers, size, count):
    """The error with tables of one size, and the CPU seconds it took."""
    graph = whole_graph(6, size)
    settings = RolloutSettings(trials=324)

    def endings_of(stakes):
        return Endings(graph, 6, size, stakes.compiled, stakes.owner == "centre")

    rng, total, spent = random.Random(3), 0.0, 0.0
    with mock.patch.object(job, "endings_of", endings_of):
        for _ in range(count):
            position, stakes, solution = drawn(rng, checkers)
            before = time.process_time()
            found = rollout(position, stakes=stakes, line="no_double", settings=settings, workers=1)
            spent += time.process_time() - before
            total += (stakes.equity(found.value) - stakes.equity(float(solution.no_double))) ** 2
    return (total / count) ** 0.5, spent


def main():
    """Print the errors as a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    print("| checkers a side | table of checkers a side | error | CPU seconds |\n|---:|---:|---:|---:|")
    for checkers in (6, 7):
        for size in (1, 4, 5, 6):
            error, spent = measured(checkers, size, given.count)
            print(f"| {checkers} | {size} | {error:.4f} | {spent:.0f} |", flush=True)


if __name__ == "__main__":
    main()
