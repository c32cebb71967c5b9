"""Errors of each engine by kind of position, in the tables of ``docs/evaluator.md``.

Always on ``training/rolled.txt``, bgcore's own rollouts, and before that on the file that BGCORE_REFERENCE names: one
JSON object a line, a ``board`` of 26 after a play, seen by the side that made it, and its cubeless ``equity``.
"""

import os
import sys
import time
from pathlib import Path

import _engines
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2]))  # behind the installed bgcore, for the files beside it

from training.measure import ROLLED, kinds, read_measured

HEAD = """| kind | positions | bgcore | RMSE | bias | gnubg-nn | RMSE | bgsage | RMSE |
|---|---|---|---|---|---|---|---|---|"""


def ahead(name, boards, equity):
    """Print errors with and without look-ahead, of the engines that can be asked for a position's value there."""
    print(f"\n| on {name} | plies (gnubg's counting) | mean error | RMSE | CPU seconds |\n|---|---:|---:|---:|---:|")
    for engine, most in ((_engines.Bgcore(), 2), (_engines.GnubgNn(), 1)):
        for plies in range(most + 1):
            before = time.process_time()
            error = engine.equities(boards, plies) - equity
            spent = time.process_time() - before
            mean, square = np.abs(error).mean(), np.sqrt((error**2).mean())
            print(f"| {engine.name} | {plies} | {mean:.4f} | {square:.4f} | {spent:.1f} |")


def main():
    """Print two tables for each file."""
    engines = [_engines.Bgcore(), _engines.GnubgNn(), _engines.Bgsage()]
    reference = os.environ.get("BGCORE_REFERENCE")
    print("Mean absolute error and RMSE of the cubeless equity, by kind without look-ahead; bias of bgcore.")
    for path in [Path(reference)] * bool(reference) + [ROLLED]:
        boards, equity = read_measured(path)
        errors = [engine.equities(boards) - equity for engine in engines]
        print(f"\nOn {path.name}:\n\n{HEAD}")
        for name, mask in kinds(boards).items():
            if not mask.any():
                continue
            cells = []
            for error in errors:
                own = error[mask]
                cells += [f"{np.abs(own).mean():.4f}", f"{np.sqrt((own**2).mean()):.4f}"]
            cells.insert(2, f"{errors[0][mask].mean():+.4f}")
            print(f"| {name} | {mask.sum()} | {' | '.join(cells)} |")
        ahead(path.name, boards, equity)


if __name__ == "__main__":
    main()
