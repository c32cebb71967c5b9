"""Train the network: ``python -m training.train STAGE RUN [options]``; see training/README.md.

Everything a stage needs to go on is in its run folder: ``checkpoint.npz`` (float32 weights), ``log.jsonl``
(one line a round) and ``labels/*.npz``.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from bgcore._core import Network
from training.measure import read_measured
from training.quantise import LABELLING, quantise
from training.trainer import BASE_ROWS, FEATURE_SIZES, SHAPES, Trainer, label

WORTH = np.array([1, 2, 3, -1, -2, -3], dtype=np.float32)


def initial(seed):
    """Random weights; buckets of one feature start on a straight line, so that neighbours start alike."""
    random = np.random.default_rng(seed)
    trainer = Trainer()
    arrays = trainer.arrays
    rows = arrays["rows"]
    width = rows.shape[1]
    rows[:BASE_ROWS] = random.normal(0, 0.05, (BASE_ROWS, width))
    at = BASE_ROWS
    for size in FEATURE_SIZES:
        ramp = np.linspace(-1, 1, size)[:, None] * random.normal(0, 0.04, width)
        rows[at : at + size] = ramp + random.normal(0, 0.01, (size, width))
        at += size
    arrays["bias"][:] = 0.3
    arrays["w1"][-1] = random.normal(0, 0.1, SHAPES["w1"][1:])
    arrays["b1"][-1] = 0.3
    arrays["w2"][-1, :, :6] = random.normal(0, 0.1, (32, 6))
    arrays["b2"][-1, :6] = np.log([0.36, 0.13, 0.01, 0.36, 0.13, 0.01])
    arrays["scale"][:] = 1
    return trainer


def load(path):
    """A trainer with the weights of a checkpoint."""
    trainer = Trainer()
    with np.load(path) as saved:
        for name, array in trainer.arrays.items():
            array[:] = saved[name]
    return trainer


def save(trainer, path):
    """Write a checkpoint; the old one stays until the new one is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez(part, **trainer.arrays)
    part.replace(path)


def to_planes(boards):
    """Bit planes (n, 8) of (n, 26) boards."""
    boards = np.asarray(boards, dtype=np.int64)
    slots = np.left_shift(1, np.arange(26))
    planes = np.zeros((len(boards), 8), dtype=np.uint32)
    for side, own in enumerate((np.maximum(boards, 0), np.maximum(-boards, 0))):
        for k in range(4):
            planes[:, 4 * side + k] = ((own >> k & 1) * slots).sum(1)
    return planes


def read_reference(path):
    """Planes and equities of a file of measured positions, both seen by the side to move."""
    boards, equity = read_measured(path)
    return to_planes(boards), equity


def measure(trainer, reference):
    """Mean absolute and root mean square error of the equity."""
    planes, equity = reference
    error = trainer.evaluate(planes) @ WORTH - equity
    return float(np.abs(error).mean()), float(np.sqrt((error**2).mean())), float(error.mean())


def in_threads(threads, call, parts):
    """Run ``call`` on each part, in threads; the loops release the GIL."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(call, parts))


def log(run, **record):
    """Append a line to the run's log, and show it."""
    record["time"] = time.strftime("%H:%M:%S")
    with (run / "log.jsonl").open("a") as out:
        out.write(json.dumps(record) + "\n")
    print(json.dumps(record), flush=True)


def td(args, run, reference):
    """Stage 1: plain TD(0) self-play."""
    path = run / "checkpoint.npz"
    trainer = load(path) if path.exists() else initial(args.seed)
    block = args.games // args.blocks
    for step in range(args.blocks):
        begin = time.time()
        high = args.rate * (args.rate_end / args.rate) ** (step / args.blocks)
        low = args.rate * (args.rate_end / args.rate) ** ((step + 1) / args.blocks)
        plies = in_threads(
            args.threads,
            lambda t, high=high, low=low, step=step: trainer.td_games(
                args.seed * 1_000_003 + step * 1009 + t, block // args.threads, high, low, args.row_share, args.rare
            ),
            range(args.threads),
        )
        save(trainer, path)
        mae, rmse, bias = measure(trainer, reference) if reference else (0, 0, 0)
        seconds = time.time() - begin
        log(
            run,
            stage="td",
            games=block * (step + 1),
            rate=low,
            plies=sum(plies) / block,
            per_second=block / seconds,
            mae=round(mae, 5),
            rmse=round(rmse, 5),
            bias=round(bias, 5),
        )


def fresh_labels(trainer, args, seed, count):
    """Labels from games that the present network, quantised, plays against itself."""
    ranker = args.run / "filter.npz"
    if ranker.exists():
        data, _ = quantise(trainer.arrays, np.load(ranker), LABELLING)
    else:
        data, _ = quantise(trainer.arrays)
    network = Network.from_bytes(data)
    planes = np.zeros((count, 8), dtype=np.uint32)
    targets = np.zeros((count, 6), dtype=np.float32)
    before = np.zeros((count, 6), dtype=np.float32)
    edges = np.linspace(0, count, args.threads * 8 + 1).astype(int)

    def work(part):
        low, high = edges[part], edges[part + 1]
        label(
            network,
            seed * 1_000_003 + part,
            planes[low:high],
            targets[low:high],
            before[low:high],
            args.decay,
            args.rare_decay,
            args.rare,
            args.keep_race,
        )

    in_threads(args.threads, work, range(args.threads * 8))
    return planes, targets, before


def descend(trainer, data, args, seed, epochs, high, low):
    """Lock-free descent over all of ``data``, the rate decaying geometrically in steps."""
    planes, targets = data
    random = np.random.default_rng(seed)
    pieces = [random.permutation(len(planes)) for _ in range(epochs)]
    order = np.concatenate(pieces).astype(np.int64)
    parts = np.array_split(order, 16)
    losses = []
    for step, part in enumerate(parts):
        from_rate = high * (low / high) ** (step / len(parts))
        to_rate = high * (low / high) ** ((step + 1) / len(parts))
        losses += in_threads(
            args.threads,
            lambda own, a=from_rate, b=to_rate: trainer.descend(planes, targets, own, a, b, args.row_share),
            np.array_split(part, args.threads),
        )
    return float(np.mean(losses[-2 * args.threads :])) ** 0.5


def rounds(args, run, reference):
    """Stage 2: rounds of dice-free TD(lambda) labels and descent."""
    path = run / "checkpoint.npz"
    folder = run / "labels"
    folder.mkdir(parents=True, exist_ok=True)
    done = sorted(folder.glob("*.npz"))
    first = int(done[-1].stem) + 1 if done else 0
    for number in range(first, first + args.rounds):
        trainer = load(path)
        begin = time.time()
        planes, targets, before = fresh_labels(trainer, args, args.seed + number, args.labels)
        np.savez(folder / f"{number:04d}.npz", planes=planes, targets=targets.astype(np.float16))
        labelled = time.time()
        recent = sorted(folder.glob("*.npz"))[-args.window :]
        saved = [np.load(name) for name in recent]
        data = (
            np.concatenate([part["planes"] for part in saved]),
            np.concatenate([part["targets"].astype(np.float32) for part in saved]),
        )
        loss = descend(trainer, data, args, args.seed + number, args.epochs, args.rate, args.rate_end)
        save(trainer, path)
        mae, rmse, bias = measure(trainer, reference) if reference else (0, 0, 0)
        residual = float(np.abs((targets - before) @ WORTH).mean())
        log(
            run,
            stage="round",
            round=number,
            labels=len(planes),
            samples=len(data[0]),
            epochs=args.epochs,
            decay=args.decay,
            rare_decay=args.rare_decay,
            rate=args.rate,
            rate_end=args.rate_end,
            label_seconds=round(labelled - begin),
            descent_seconds=round(time.time() - labelled),
            residual=round(residual, 5),
            loss=round(loss, 5),
            mae=round(mae, 5),
            rmse=round(rmse, 5),
            bias=round(bias, 5),
        )


def main(argv=None):
    """Parse the command line and run one stage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=["td", "rounds"])
    parser.add_argument("run", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--reference", type=Path, help="measured positions, for the log only")
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--rate-end", type=float, default=0.001)
    parser.add_argument("--row-share", type=float, default=0.3, help="rate of the first layer's rows, relative")
    parser.add_argument("--rare", type=float, default=0.3, help="share of games from random set-ups")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--blocks", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--labels", type=int, default=300_000)
    parser.add_argument("--window", type=int, default=3, help="train on the labels of so many rounds")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--decay", type=float, default=0.9, help="lambda")
    parser.add_argument("--rare-decay", type=float, default=0.95, help="lambda in games from random set-ups")
    parser.add_argument("--keep-race", type=float, default=0.3)
    args = parser.parse_args(argv)
    args.run.mkdir(parents=True, exist_ok=True)
    reference = read_reference(args.reference) if args.reference else None
    {"td": td, "rounds": rounds}[args.stage](args, args.run, reference)


if __name__ == "__main__":
    main()
