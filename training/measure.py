"""Errors of the shipped network by kind of position: ``python -m training.measure [MEASURED]``.

Without a file, the positions are those of ``training/rolled.txt``, rolled out by bgcore itself (training.validate).
A file of others' rollouts has one JSON object a line: a ``board`` of 26 after a play, seen by the side that made it,
and its cubeless ``equity``. Such positions measure; they are never trained on.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import bgcore
from bgcore import evaluate_batch

ROLLED = Path(__file__).resolve().parent / "rolled.txt"
WIN = np.array([2, 1, 1, -1, -1])


def read_measured(path):
    """Boards, seen by the side to move, and their equities to it."""
    lines = path.read_text("utf-8").splitlines()
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in lines]
        boards = -np.array([row["board"] for row in rows], dtype=np.int8)[:, ::-1]
        return np.ascontiguousarray(boards), -np.array([row["equity"] for row in rows])
    rows = [line.split() for line in lines if not line.startswith("#")]
    boards = [bgcore.Position.from_position_id(row[0]).board for row in rows]
    return np.array(boards, dtype=np.int8), np.array([float(row[1]) for row in rows])


def longest_run(made):
    """Longest run of neighbouring points among 24, for each row."""
    best = run = np.zeros(len(made), dtype=int)
    for point in range(made.shape[1]):
        run = np.where(made[:, point], run + 1, 0)
        best = np.maximum(best, run)
    return best


def kinds(boards):
    """Name -> mask; kinds overlap."""
    mine, theirs = np.maximum(boards, 0), np.maximum(-boards[:, ::-1], 0)
    slots = np.arange(26)
    pips, their_pips = (mine * slots).sum(1), (theirs * slots).sum(1)
    back, their_back = mine[:, 19:].sum(1), theirs[:, 19:].sum(1)
    rear, front = (25 - (boards[:, ::-1] > 0).argmax(1)), (boards < 0).argmax(1)
    off = 15 - mine.sum(1), 15 - theirs.sum(1)
    prime = np.maximum(longest_run(mine[:, 1:25] > 1), longest_run(theirs[:, 1:25] > 1))
    deep = np.maximum(mine[:, 1:4].sum(1), theirs[:, 1:4].sum(1))
    contact = rear > front
    return {
        "all": np.full(len(boards), True),
        "race": ~contact,
        "contact, none back": contact & (back == 0) & (their_back == 0),
        "on the bar, one": mine[:, 25] == 1,
        "on the bar, two or more": mine[:, 25] > 1,
        "back game, mine (four or more back)": back > 3,
        "back game, theirs": their_back > 3,
        "prime of five or six": prime > 4,
        "crashed (nine or more on the lowest three points)": deep > 8,
        "bear-off against contact": contact & ((off[0] > 0) | (off[1] > 0)),
        "more than 40 pips ahead": pips < their_pips - 40,
        "more than 40 pips behind": pips > their_pips + 40,
    }


def main(argv=None):
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path, nargs="?", default=ROLLED)
    args = parser.parse_args(argv)
    boards, equity = read_measured(args.measured)
    error = evaluate_batch(boards) @ WIN - 1 - equity
    print("| kind | positions | mean abs. error | RMSE | bias |\n|---|---|---|---|---|")
    for name, mask in kinds(boards).items():
        if mask.any():
            e = error[mask]
            print(f"| {name} | {len(e)} | {np.abs(e).mean():.4f} | {np.sqrt((e**2).mean()):.4f} | {e.mean():+.4f} |")


if __name__ == "__main__":
    main()
