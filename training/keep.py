"""Pack a run into ``training/checkpoint.npz``, or unpack it: ``python -m training.keep save|restore RUN``."""

import argparse
from pathlib import Path

import numpy as np

KEPT = Path(__file__).resolve().parent / "checkpoint.npz"


def main(argv=None):
    """Copy the weights of network and filter, as float16 in the kept file and float32 in the run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("direction", choices=["save", "restore"])
    parser.add_argument("run", type=Path)
    args = parser.parse_args(argv)
    parts = ("checkpoint", "filter")
    if args.direction == "save":
        arrays = {}
        for part in parts:
            with np.load(args.run / f"{part}.npz") as saved:
                arrays |= {f"{part}_{name}": saved[name].astype(np.float16) for name in saved.files}
        np.savez_compressed(KEPT, **arrays)
        return
    args.run.mkdir(parents=True, exist_ok=True)
    with np.load(KEPT) as saved:
        for part in parts:
            names = [name for name in saved.files if name.startswith(f"{part}_")]
            np.savez(
                args.run / f"{part}.npz", **{name.removeprefix(f"{part}_"): saved[name].astype("f4") for name in names}
            )


if __name__ == "__main__":
    main()
