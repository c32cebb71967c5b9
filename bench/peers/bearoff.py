"""Bear-off tables: CPU time to make them, their size, and how far from the exact value an engine's answer is."""

import os
import resource
import subprocess
import tempfile
import time
from itertools import combinations_with_replacement
from pathlib import Path

import _gnubg
import bgbot_cpp
import numpy as np
from bgsage import BgBotAnalyzer

import bgcore


def made(kind, points, checkers, folder):
    """CPU seconds and bytes of one of our tables."""
    start = time.process_time()
    path = bgcore.bearoff.build(points, checkers, kind=kind, path=Path(folder, f"{kind}.{points}.{checkers}"))
    return time.process_time() - start, path.stat().st_size


def made_by_gnubg(option, size, folder):
    """CPU seconds and bytes of one of gnubg's."""
    path = Path(folder, f"gnubg{option}{size}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [_gnubg.MAKEBEAROFF, option, size, "-f", str(path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, path.stat().st_size


def layouts(checkers):
    """Home boards of one to so many checkers."""
    for number in range(1, checkers + 1):
        for points in combinations_with_replacement(range(6), number):
            yield [points.count(point) for point in range(6)]


def differences():
    """Largest and mean difference of bgsage's chances from the two-sided table, three checkers a side."""
    engine = BgBotAnalyzer(eval_level="1ply", cubeful=False)._analyzer._strategy_1ply
    tables = bgcore.bearoff.default()
    asked, exact = [], []
    homes = list(layouts(3))
    for mine in homes:
        for theirs in homes:
            # after a move: the opponent, seen here as the other side, rolls next
            position = bgcore.Position.from_board([0, *mine, *[0] * 12, *(-n for n in reversed(theirs)), 0])
            asked.append((position.board.tolist(), bgbot_cpp.CubeOwner.CENTERED))
            exact.append(1 - tables.two_sided(position.flip()).win)
    answers = bgbot_cpp.batch_evaluate_post_move(asked, engine, 1, False)
    apart = np.abs(np.array([answer["probs"][0] for answer in answers]) - exact)
    return len(asked), apart.max(), apart.mean()


def main():
    """Print the tables."""
    os.environ["BGCORE_CACHE"] = tempfile.mkdtemp()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        rows.append(("bgcore, one-sided 6 points x 15", *made("one-sided", 6, 15, folder)))
        if _gnubg.MAKEBEAROFF:
            rows.append(("gnubg `makebearoff -o 6`", *made_by_gnubg("-o", "6", folder)))
        rows.append(("bgcore, two-sided 6 x 4", *made("two-sided", 6, 4, folder)))
        if _gnubg.MAKEBEAROFF:
            rows.append(("gnubg `makebearoff -t 6x4`", *made_by_gnubg("-t", "6x4", folder)))
        rows.append(("bgcore, two-sided 6 x 6", *made("two-sided", 6, 6, folder)))
        if _gnubg.MAKEBEAROFF:
            rows.append(("gnubg `makebearoff -t 6x6`", *made_by_gnubg("-t", "6x6", folder)))
    print("| bear-off table | CPU seconds | megabytes |\n|---|---:|---:|")
    for name, seconds, size in rows:
        print(f"| {name} | {seconds:.2f} | {size / 1e6:.2f} |")
    number, most, mean = differences()
    print(
        f"\nChance to win of {number:,} bear-offs of up to three checkers a side, against bgcore's two-sided table: "
        f"bgsage differs by up to {most:.4f}, {mean:.5f} on average."
    )


if __name__ == "__main__":
    main()
