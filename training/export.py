"""Quantise a checkpoint and its filter: ``python -m training.export CHECKPOINT FILTER bgcore/data/weights.bin``."""

import argparse
from pathlib import Path

import numpy as np

from training.quantise import quantise
from training.train import load


def main(argv=None):
    """Read the checkpoint, write the file, say what became of the ranges."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("filter", type=Path)
    parser.add_argument("weights", type=Path)
    args = parser.parse_args(argv)
    with np.load(args.filter) as ranker:
        data, worst = quantise(load(args.checkpoint).arrays, ranker)
    args.weights.parent.mkdir(parents=True, exist_ok=True)
    args.weights.write_bytes(data)
    print(f"{args.weights}: {len(data)} bytes; the row sum stays within {worst} of 32768 in any position")


if __name__ == "__main__":
    main()
