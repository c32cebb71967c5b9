"""A batch of mixed records, killed at random again and again, gives the same bytes; its speed and its memory.

    python bench/killed_batch.py                       # 5,000 records, killed five times
    python bench/killed_batch.py --count 500 --kills 2
    python bench/killed_batch.py --memory              # instead: the most memory that 1,000 to 50,000 records take

The records are settled by a rule, by proof, exactly, by rollout, and refused for a fault, in random order; some
are the same position in another case. A process judges them undisturbed; another is killed with SIGKILL each time its
journal has grown to a random length, and started again with ``--resume``. The run fails unless both files are equal to
the last byte. Then each class is judged by itself, on one thread, in CPU time: from a line of JSON to a line of JSON.
Memory is that of batches without rollouts, which take too long to run so many of them and whose tables hide the rest.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bgcore import adjudication as adj
from bgcore._core import Network, Position, chosen_play
from bgcore.adjudication.batch import read_line, verdict_line
from bgcore.adjudication.engine import ask, ask_exactly

POLICY = {"name": "quick", "precision": {"profile": "draft", "max_trials": 36}}
POLICY_TOML = 'name = "quick"\n[precision]\nprofile = "draft"\nmax_trials = 36\n'
MONEY = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)
ABSENT = {"white": {"away": False}, "black": {"away": True, "seconds": 200}}
# How many of a thousand records are of each class.
SHARES = {"rule": 150, "proof": 350, "last rolls": 250, "exact races": 200, "rollout": 25, "refused": 25}


def home(rng, most):
    """Return a side with up to so many checkers left, all home."""
    points: dict[str, int] = {}
    for _ in range(rng.randint(1, most)):
        point = str(rng.randint(1, 6))
        points[point] = points.get(point, 0) + 1
    return {"points": points, "bar": 0, "off": 15 - sum(points.values())}


def sides(board):
    """Return a board array as the two sides of a record, white on roll."""
    white = {str(point): int(board[point]) for point in range(1, 25) if board[point] > 0}
    black = {str(25 - point): -int(board[point]) for point in range(1, 25) if board[point] < 0}
    return {
        name: {"points": points, "bar": bar, "off": 15 - bar - sum(points.values())}
        for name, points, bar in (("white", white, int(board[25])), ("black", black, -int(board[0])))
    }


def contact(rng):
    """Return a position from the middle of a game that the network plays against itself."""
    position = Position.starting()
    for _ in range(rng.randint(8, 24)):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        position = chosen_play(Network.default(), position, *dice, MONEY)[0].flip()
    return sides(position.board.tolist())


def record(rng, kind, number, middles):
    """Return one record of a class."""
    fields = {
        "schema": "bgcore.adjudication/1",
        "case_id": f"{kind}-{number}",
        "mode": "money",
        "on_roll": "white",
        "cube": {"value": 2 << rng.randint(0, 4), "owner": rng.choice(("white", "black"))},
        "money": {"currency": "EUR", "stake": rng.choice(("0.50", "1.00", "5.00")), "limit": "320.00"},
        "absence": ABSENT,
    }
    if kind == "rollout":
        fields["board"] = rng.choice(middles)
        fields["cube"] = {"value": 1, "owner": "centre"}
    elif kind == "proof":
        loser = home(rng, 6)
        while sum(loser["points"].values()) < 5:
            loser = home(rng, 6)
        fields["board"] = {"white": {"points": {"1": rng.randint(1, 2)}, "bar": 0}, "black": loser}
        fields["board"]["white"]["off"] = 15 - fields["board"]["white"]["points"]["1"]
    else:
        most = 4 if kind == "exact races" else 2
        fields["board"] = {"white": home(rng, most), "black": home(rng, most)}
    if kind == "rule":
        fields["absence"] = {**ABSENT, "cause": "server"}
    if kind == "refused":
        fields["cube"]["value"] = 3
    return json.dumps(fields)


def records(count, shares=SHARES):
    """Return so many records, mixed, with their classes."""
    rng = random.Random(2026)
    middles = [contact(rng) for _ in range(20)]
    kinds = rng.choices(list(shares), list(shares.values()), k=count)
    return [(kind, record(rng, kind, number, middles)) for number, kind in enumerate(kinds)]


def write_cases(folder, mixed):
    """Write records as the batch reads them."""
    (folder / "cases.jsonl").write_text("".join(text + "\n" for _, text in mixed), encoding="utf-8")


def start(folder, name, *, resume=False):
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "bgcore", "adjudicate", "batch", "cases.jsonl", "-o", name, "--progress", "none"]
    command += ["--policy", "quick.toml", *(["--resume"] if resume else [])]
    path = os.pathsep.join(sys.path)
    return subprocess.Popen(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.DEVNULL)


def peak_of(child):
    """Wait for a process; return the most memory it had, in megabytes.

    As Linux shows it while the process runs: what ``wait4`` tells afterwards counts this process, too, whose memory
    the other one shares until it has begun.
    """
    status = Path(f"/proc/{child.pid}/status")
    peak = 0
    while child.poll() is None:
        if shown := re.search(r"VmHWM:\s+(\d+) kB", status.read_text()):
            peak = int(shown[1])
        time.sleep(0.01)
    return peak / 1024


def lines_in(path):
    """Return how many lines a file has by now."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kill_at(child, journal, lines):
    """Kill a process once its journal has so many lines."""
    while lines_in(journal) < lines:
        if child.poll() is not None:
            raise SystemExit("the batch ended before it could be killed")
        time.sleep(0.01)
    child.kill()
    child.wait()


def disturbed(folder, count, kills):
    """Kill the batch at random and resume it; return what it wrote."""
    rng = random.Random(7)
    journal = folder / "killed.jsonl.journal"
    for number, lines in enumerate(sorted(rng.sample(range(count // 20, count - count // 20), kills))):
        kill_at(start(folder, "killed.jsonl", resume=number > 0), journal, lines)
        print(f"killed with {lines_in(journal)} lines in the journal", flush=True)
    start(folder, "killed.jsonl", resume=True).wait()
    return (folder / "killed.jsonl").read_bytes()


def memory(folder):
    """Print the most memory that batches of cheap records had."""
    mixed = records(50_000, {kind: share for kind, share in SHARES.items() if kind != "rollout"})
    print("\n| records | most memory, MB |\n|---:|---:|")
    for count in (1_000, 5_000, 20_000, 50_000):
        write_cases(folder, mixed[:count])
        print(f"| {count:,} | {peak_of(start(folder, f'whole{count}.jsonl')):.1f} |", flush=True)


def speeds(mixed):
    """Print records a second for each class."""
    print("\n| class | records | CPU seconds | records/s |\n|---|---:|---:|---:|")
    policy = adj.load_policy(POLICY)
    for kind in SHARES:
        given = [text for name, text in mixed if name == kind]
        given = given[:10] if kind == "rollout" else given
        ask.cache_clear()
        ask_exactly.cache_clear()
        begun = time.process_time()
        for text in given:
            try:
                written = verdict_line(adj.adjudicate(read_line(text), policy, workers=1))
            except adj.RecordError as error:
                written = str(error)
            assert written
        spent = time.process_time() - begun
        print(f"| {kind} | {len(given)} | {spent:.2f} | {len(given) / spent:,.1f} |")


def main():
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--memory", action="store_true")
    given = parser.parse_args()
    mixed = records(given.count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "quick.toml").write_text(POLICY_TOML, encoding="utf-8")
        if given.memory:
            memory(folder)
            return 0
        peaks = {}
        for part in (given.count // 5, given.count):
            write_cases(folder, mixed[:part])
            peaks[part] = peak_of(start(folder, f"whole{part}.jsonl"))
        whole = (folder / f"whole{given.count}.jsonl").read_bytes()
        is_equal = disturbed(folder, given.count, given.kills) == whole
    for part, peak in peaks.items():
        print(f"{part} records: at most {peak:.0f} MB")
    print(f"{len(whole.splitlines())} lines, {'equal to the last byte' if is_equal else 'NOT EQUAL'}")
    speeds(mixed)
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
