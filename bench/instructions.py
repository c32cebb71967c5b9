"""Instructions of the hot loops, counted by callgrind: a measure that other work on the machine does not disturb.

    python bench/instructions.py                 # a table beside the baseline
    python bench/instructions.py --json > FILE   # a new baseline, for bench/instructions.json

A process runs every loop once; another one runs one of them some times more, and the difference is what those cost.
A run without valgrind goes before, so that tables are made and cached where no one counts, and numpy's linear algebra
gets one thread: its waiting workers made the counts of whole processes vary. Valgrind knows no AVX-512, so the network
is counted at the level AVX2. Counts depend on the compiler: the baseline names its own.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

BASELINE = Path(__file__).parent / "instructions.json"
TOLERANCE = 0.05
RUNS = 4
SETUP = f"""
from itertools import combinations_with_replacement
from pathlib import Path
import numpy as np
import bgcore
from bgcore import bearoff
from bgcore._core import Network, chosen_play
from bgcore.job import make_job
lines = Path({str(Path(__file__).parents[1] / "tests/signature/positions.txt")!r}).read_text().splitlines()
positions = [bgcore.Position.from_position_id(line) for line in lines if not line.startswith("#")]
boards = np.array([position.board for position in positions], dtype=np.int8)
rolls = np.array(list(combinations_with_replacement(range(1, 7), 2)), dtype=np.int8)
every, dice = np.repeat(boards, 21, axis=0), np.tile(rolls, (len(boards), 1))
start = bgcore.Position.starting()
network, money = Network.default(), (1, 2, 3, -1, -2, -3)
short = bgcore.RolloutSettings(truncation=8)
trials = make_job(start, stakes=bgcore.Stakes.money(), settings=short)
plain = bgcore.Stakes.money(rules=bgcore.Rules(cube_limit=None))
ending = bgcore.Position.from_position_id("TAEAABsAAAAAAA")
"""
LOOPS = {
    "perft 2 of the opening": ("bgcore.perft(start, 2)", 202_782 + 447),
    "plays of 250 positions x 21 rolls, one batch": ("bgcore.legal_plays_batch(every, dice)", 250 * 21),
    "values of 250 positions, one batch": ("bgcore.evaluate_batch(boards)", 250),
    "a play chosen in 250 positions": ("[chosen_play(network, one, 3, 1, money) for one in positions]", 250),
    "plays of a roll two rolls ahead": ("bgcore.rank_plays(start, (3, 1), 2)", 1),
    "4 trials of 8 plies with the cube": ("trials.run_rows(0, 4)", 4),
    "cube decisions of 50 positions": ("[bgcore.cube_action(one, exact=False) for one in positions[:50]]", 50),
    "a race of 4 checkers a side solved": ("bearoff.solve(ending, plain)", 1),
}


def compiler():
    """The first line of what the C compiler says of itself."""
    command = os.environ.get("CC", "cc").split()[-1]
    return subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def levels():
    """SIMD levels of this processor; valgrind shows a process no higher one than AVX2."""
    from bgcore._core import supported_levels

    return supported_levels()


def process(body="pass", tool=()):
    """What a whole process that runs every loop once and then one some times more, under a tool, wrote to stderr."""
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {
        "BGCORE_SIMD": "avx2",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": paths,
    }
    once = "\n".join(loop for loop, _ in LOOPS.values())
    script = f"{SETUP}{once}\nfor _ in range({RUNS}):\n    {body}"
    command = [*tool, sys.executable, "-S", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done.stderr


def count(body="pass"):
    """Instructions of one such process."""
    said = process(body, ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"))
    return int(re.search(r"Collected : (\d+)", said)[1])


def measured():
    """Instructions of one run of each loop."""
    process()
    others = count()
    return {name: (count(body) - others) // RUNS for name, (body, _) in LOOPS.items()}


def main():
    """Count, and print a table or a new baseline."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed")
    counts = measured()
    if args.json:
        print(json.dumps({"compiler": compiler(), "counts": counts}, indent=2))
        return
    baseline = json.loads(BASELINE.read_text("utf-8"))["counts"]
    print("| loop | instructions | for each of them | against the baseline |\n|---|---:|---:|---:|")
    for name, found in counts.items():
        print(f"| {name} | {found:,} | {found / LOOPS[name][1]:,.0f} | {found / baseline[name] - 1:+.1%} |")


if __name__ == "__main__":
    main()
