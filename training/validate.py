"""Roll out positions of every kind with bgcore itself, to measure the network on: ``python -m training.validate``.

Positions come from games of the network against itself, half of them from random set-ups of rare kinds; they are taken
from each kind of ``training.measure`` in turn, so that the first hundred are as mixed as all. Those that a table
answers are left out. Each is played out without a cube, the luck taken off, until its standard error is small enough.
The file is written anew after every position; the same command goes on where it was stopped, also to more positions
and with newer weights: each line names those that played it. A line is rolled again to the last bit by its weights, its
position and its number, which is in the seed.
"""

import argparse
from itertools import chain
from pathlib import Path

import numpy as np

import bgcore
from bgcore._core import Network
from bgcore.rollout import RolloutSettings, StopRule
from training.measure import ROLLED, kinds, read_measured
from training.trainer import label

PLAYED = 40_000


def played(network, seed):
    """Boards of games of the network against itself, from the opening and from random set-ups."""
    planes, values = np.zeros((PLAYED, 8), dtype=np.uint32), np.zeros((2, PLAYED, 6), dtype=np.float32)
    label(network, seed, planes, *values, decay=0.5, rare_decay=0.5, rare=0.5, keep_race=0.5)
    bits = (planes[:, :, None] >> np.arange(26) & 1).astype(np.int8)
    return sum((bits[:, k] - bits[:, 4 + k]) << k for k in range(4))


def drawn(boards, number, seed, seen):
    """Some of the boards, one of each kind in turn, none ``seen``, none twice and none that a table answers."""
    random, taken = np.random.default_rng(seed), []
    pools = [random.permutation(np.flatnonzero(mask)).tolist() for mask in kinds(boards).values() if mask.any()]
    for index in chain.from_iterable(zip(*pools, strict=False)):
        position = bgcore.Position.from_board(boards[index])
        if len(taken) < number and position not in seen and bgcore.evaluate(position).basis == "network":
            seen.add(position)
            taken.append(position)
    return taken


def main(argv=None):
    """Add positions to the file until it has as many as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=ROLLED)
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--std-error", type=float, default=0.0075)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    network = Network.default()
    head = [
        f"# Rolled out by bgcore itself: python -m training.validate --seed {args.seed} --std-error {args.std_error}",
        "# Position ID of the side to move, its cubeless equity, standard error, trials, weights",
    ]
    lines = args.file.read_text("utf-8").splitlines() if args.file.exists() else head
    if lines[:2] != head:
        parser.error(f"{args.file} was begun with another seed or standard error; name another file")
    seen = {bgcore.Position.from_position_id(line.split()[0]) for line in lines[2:]}
    stop = StopRule(std_error=args.std_error)
    for position in drawn(played(network, args.seed), args.positions - len(seen), args.seed, seen):
        seed = args.seed * 1_000_003 + len(lines) - 2
        settings = RolloutSettings(trials=7776, seed=seed, checkpoint=108, stop=stop)
        found = bgcore.rollout(position, settings=settings, workers=args.workers)
        numbers = f"{found.equity:.4f} {found.std_error:.4f} {found.trials}"
        lines.append(f"{position.position_id} {numbers} {network.digest[:12]}")
        part = args.file.with_suffix(".part")
        part.write_text("\n".join(lines) + "\n", "utf-8")
        part.replace(args.file)
    boards, _ = read_measured(args.file)
    for name, mask in kinds(boards).items():
        print(f"{mask.sum():6} {name}")


if __name__ == "__main__":
    main()
