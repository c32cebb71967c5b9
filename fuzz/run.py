"""Attack readers by mutation: ``python fuzz/run.py [TARGET ...] --seconds 30 --seed 1``.

Needs nothing but bgcore, so that it also runs under sanitizers. For coverage-guided runs see ``guided.py``. What is
found is written to ``fuzz/findings/TARGET/``, where the tests feed it again for ever.
"""

import argparse
import hashlib
import os
import random
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

from mutations import mutated
from targets import TARGETS, is_fine

FINDINGS = Path(__file__).parent / "findings"
LONGEST = 5
MOST_MEMORY = 4 << 30


def too_long(*_):
    raise TimeoutError(f"more than {LONGEST} s for one input")


def attack(name, seconds, seed):
    """Feed one target for some time; return how many inputs, how many were read, and how many findings."""
    target, rng = TARGETS[name], random.Random(f"{name} {seed}")
    seeds = list(target.seeds)
    for data in seeds:
        is_fine(name, data)
    fed = read = 0
    found = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(rng, seeds, target.is_json)
        fed += 1
        signal.setitimer(signal.ITIMER_REAL, LONGEST)
        try:
            if is_fine(name, data):
                read += 1
                if len(seeds) < 500 and data not in seeds:
                    seeds.append(data)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"
            if kind not in found:
                found.add(kind)
                path = FINDINGS / name / hashlib.sha256(data).hexdigest()[:12]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                print(f"{name}: {kind}: {str(error)[:200]!r}; input kept as {path}", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return fed, read, len(found)


def main():
    """Attack the named targets, or all, and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="*", help=f"any of {', '.join(TARGETS)}; all by default")
    parser.add_argument("--seconds", type=float, default=30, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    unknown = [name for name in args.target if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]}; targets are {', '.join(TARGETS)}")
    signal.signal(signal.SIGALRM, too_long)
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # a sanitizer reserves terabytes of address space
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    print("| target | inputs | read | findings | seconds |\n|---|---:|---:|---:|---:|")
    total = 0
    for name in args.target or TARGETS:
        fed, read, found = attack(name, args.seconds, args.seed)
        total += found
        print(f"| {name} | {fed:,} | {read:,} | {found} | {args.seconds:g} |", flush=True)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
