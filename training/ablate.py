"""What each part of the network is worth: variants of it trained alike from random weights, then measured.

    python -m training.ablate LABELS MEASURED.jsonl              # every variant, then the table
    python -m training.ablate LABELS MEASURED.jsonl "width 128"  # some

LABELS is a folder of labels (a run's ``labels/``); every variant gets the same, in the same order, once an epoch, at
the same rates. The file of measured positions is that of ``training.measure``: never trained on. Descent is in one
thread, so that a figure can be had again to the last digit on the same processor. Leaving inputs out is a mask; other
variants are compiled apart, under ``training/runs/ablation``, where results are kept too: a variant with a result
there is not trained again. Speeds are measured in turn, whenever the table is printed, in CPU time.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
RATES = (0.018, 0.0001)
ROW_SHARE = 0.3

COUNTS = {
    "shots": ("SHOTS", "DOUBLE_SHOTS", "PIPS_HIT", "SHOTS_BOARD", "BLOTS"),
    "escapes": ("ESCAPE_REAR", "ESCAPE_SECOND", "ESCAPE_BAR", "ESCAPE_LEAST", "REAR", "MOBILITY"),
    "blocks": ("PRIME", "ANCHORS", "OUTER", "MIDDLE", "ENTER", "BARS"),
    "places": ("BACK", "DEEP", "ZONE", "GAP", "PAST", "SPREAD"),
    "race and timing": ("PIPS", "TIMING", "LEAD", "SHARE"),
    "gammon race": ("GAMMON", "OUTSIDE"),
}


@dataclass(frozen=True)
class Variant:
    """A network like ours but for the counts it lacks and what its compiler is told."""

    without: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


VARIANTS = {
    "as it is": Variant(),
    "checkers alone": Variant(tuple(name for group in COUNTS.values() for name in group)),
    **{f"without {name}": Variant(group) for name, group in COUNTS.items()},
    "width 128": Variant(defines=("BG_HIDDEN=128",)),
    "width 512": Variant(defines=("BG_HIDDEN=512",)),
    "one head": Variant(defines=("BG_PHASES=1",)),
    "clipped, not squared": Variant(defines=("BG_UNSQUARED",)),
}


@cache
def built(defines, folder):
    """A folder with bgcore and the trainer compiled with some macros defined."""
    place = folder / ("_".join(defines).replace("=", "_").lower() or "ours")
    flags = {"CFLAGS": " ".join(f"-D{macro}" for macro in defines)} if defines else {}
    for script in ("setup.py", "training/setup.py"):
        command = [sys.executable, script, "-q", "build", "--build-base", place, "--build-lib", place / "lib"]
        subprocess.run(command, cwd=ROOT, env=os.environ | flags, check=True, stdout=subprocess.DEVNULL)
    for module in (ROOT / "training").glob("*.py"):
        shutil.copy2(module, place / "lib/training")
    return place / "lib"


def masked(trainer, without):
    """Take counts away: their rows are nothing and stay so."""
    from training.trainer import BASE_ROWS, FEATURE_NAMES, FEATURE_SIZES

    at = BASE_ROWS
    for name, size in zip(FEATURE_NAMES, FEATURE_SIZES, strict=True):
        if name in without:
            trainer.arrays["rows"][at : at + size] = 0
            trainer.arrays["scale"][at : at + size] = 0
        at += size


def positions_per_second(measured):
    """How fast bgcore's own integer network of this shape is over a batch, whatever its weights."""
    import bgcore
    from bgcore._core import Network
    from training.measure import read_measured
    from training.quantise import quantise
    from training.train import initial

    evaluator = bgcore.Evaluator(Network.from_bytes(quantise(initial(1).arrays)[0]))
    boards, best = np.tile(read_measured(measured)[0], (20, 1)), 0.0
    for _ in range(5):
        start = time.process_time()
        evaluator.evaluate_batch(boards)
        best = max(best, len(boards) / (time.process_time() - start))
    return best


def trained(variant, args):
    """Train a variant, in a process whose bgcore and trainer are its own, and measure it."""
    from training.measure import read_measured
    from training.train import descend, initial, measure, to_planes

    parts = [np.load(path) for path in sorted(args.labels.glob("*.npz"))]
    planes = np.concatenate([part["planes"] for part in parts])
    targets = np.concatenate([part["targets"] for part in parts]).astype(np.float32)
    trainer, manner = initial(args.seed), argparse.Namespace(threads=1, row_share=ROW_SHARE)
    masked(trainer, variant.without)
    descend(trainer, (planes, targets), manner, args.seed, args.epochs, *RATES)
    boards, equity = read_measured(args.measured)
    mae, rmse, bias = measure(trainer, (to_planes(boards), equity))
    return {"steps": len(planes) * args.epochs, "mae": mae, "rmse": rmse, "bias": bias}


def speeds(shapes, ask):
    """Positions a second of each shape, the most of four turns."""
    best = dict.fromkeys(shapes, 0.0)
    for _ in range(4):
        for defines in best:
            best[defines] = max(best[defines], float(ask(defines, "--speed").stdout))
    return best


def table(results, ask):
    """Results in Markdown, in the order of the variants; speeds where the integer network has the shape."""
    timed = {name: VARIANTS[name].defines for name in results if not VARIANTS[name].without}
    timed.pop("clipped, not squared", None)
    speed = speeds(timed.values(), ask)
    lines = ["| variant | mean abs. error | RMSE | positions/s |", "|---|---|---|---|"]
    for name in VARIANTS:
        if name in results:
            found, rate = results[name], f"{speed[timed[name]]:,.0f}" if name in timed else ""
            lines.append(f"| {name} | {found['mae']:.4f} | {found['rmse']:.4f} | {rate} |")
    return "\n".join(lines)


def read_results(path):
    """Name of a variant -> what it reached."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {line["variant"]: line for line in map(json.loads, lines)}


def main(argv=None):
    """Train the variants without a result, each in a process of its own, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, help="a folder of labels")
    parser.add_argument("measured", type=Path, help="measured positions")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=f"some of: {', '.join(VARIANTS)}")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the weights and of the order of labels")
    parser.add_argument("--folder", type=Path, default=ROOT / "training/runs/ablation")
    parser.add_argument("--alone", action="store_true", help="train the one variant named with what is installed")
    parser.add_argument("--speed", action="store_true", help="say how fast what is installed is")
    args = parser.parse_args(argv)
    unknown = set(args.variants) - set(VARIANTS)
    if unknown:
        parser.error(f"no variant {', '.join(map(repr, sorted(unknown)))}; there are {', '.join(VARIANTS)}")
    results = args.folder / "results.jsonl"
    if args.speed:
        print(positions_per_second(args.measured))
        return
    if args.alone:
        (name,) = args.variants
        found = {"variant": name, **trained(VARIANTS[name], args)}
        with results.open("a") as out:
            out.write(json.dumps(found) + "\n")
        return
    args.folder.mkdir(parents=True, exist_ok=True)

    def ask(defines, *words):
        """Give this command to a process with its own bgcore and trainer."""
        command = [sys.executable, "-m", "training.ablate", args.labels.resolve(), args.measured.resolve(), *words]
        command += ["--epochs", str(args.epochs), "--seed", str(args.seed), "--folder", args.folder.resolve()]
        place = built(defines, args.folder.resolve())
        return subprocess.run(command, cwd=place, check=True, stdout=subprocess.PIPE, text=True)

    for name in args.variants or VARIANTS:
        if name not in read_results(results):
            ask(VARIANTS[name].defines, name, "--alone")
    print(table(read_results(results), ask))


if __name__ == "__main__":
    main()
