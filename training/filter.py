"""Train the filter that ranks the plays of a roll: ``python -m training.filter RUN``; see training/README.md.

Positions come from the run's labels, values from its checkpoint; the result is ``RUN/filter.npz``.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from bgcore._core import Network
from training.quantise import quantise
from training.train import load
from training.trainer import Filter, rolls_of

KEPT = (4, 6, 8, 10)


def initial(seed):
    """Random weights."""
    random = np.random.default_rng(seed)
    ranker = Filter()
    ranker.arrays["rows"][:] = random.normal(0, 0.07, ranker.arrays["rows"].shape)
    ranker.arrays["bias"][:] = 0.4
    ranker.arrays["out"][:] = random.normal(0, 0.3, 32)
    return ranker


def misses(ranker, rolls):
    """For each number of plays kept: how often the best one is lost, and the mean equity that costs a roll."""
    planes, equities, offsets = rolls
    scores = ranker.scores(planes)
    lost = np.zeros((len(KEPT), 2))
    for low, high in pairwise(offsets):
        values = equities[low:high][np.argsort(scores[low:high], kind="stable")]
        for i, kept in enumerate(KEPT):
            loss = values[:kept].min() - values.min()
            lost[i] += loss > 0, loss
    return lost / (len(offsets) - 1)


def main(argv=None):
    """Train, report what is lost by keeping few plays, write the filter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=0.05)
    args = parser.parse_args(argv)
    network = Network.from_bytes(quantise(load(args.run / "checkpoint.npz").arrays)[0])
    random = np.random.default_rng(args.seed)
    names = sorted((args.run / "labels").glob("*.npz"))[-3:]
    planes = np.concatenate([np.load(name)["planes"] for name in names])
    planes = planes[random.choice(len(planes), min(args.positions, len(planes)), replace=False)]
    held = len(planes) // 20
    check = rolls_of(network, args.seed + 1, planes[:held], 64)
    rolls = rolls_of(network, args.seed, planes[held:], 64)
    ranker = initial(args.seed)
    for epoch in range(args.epochs):
        rate = args.rate * 0.02 ** (epoch / args.epochs)
        loss = ranker.descend(*rolls, random.permutation(len(rolls[2]) - 1), rate)
        print(epoch, round(loss, 5), flush=True)
    for kept, (share, loss) in zip(KEPT, misses(ranker, check), strict=True):
        print(f"keeping {kept}: the best play is lost in {share:.4f} of rolls, {loss:.5f} points a roll")
    np.savez(args.run / "filter.npz", **ranker.arrays)


if __name__ == "__main__":
    main()
