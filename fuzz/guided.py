"""Coverage-guided attack on one reader: ``python fuzz/guided.py TARGET [libFuzzer options]``.

Needs atheris (``pip install atheris``, Linux). For example, a minute on XGIDs with what was learnt kept::

    mkdir -p /tmp/xgid && python fuzz/guided.py xgid /tmp/xgid -max_total_time=60 -timeout=5
"""

import sys
import tempfile
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

with atheris.instrument_imports(include=["bgcore"]):
    import bgcore

    for public in bgcore.__all__:
        getattr(bgcore, public)  # imported on first use, which would be too late to be watched
    from targets import TARGETS, is_fine


def main():
    """Hand the target to libFuzzer, its seeds as a second corpus."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"{__doc__}\nTARGET is one of {', '.join(TARGETS)}")
    name = sys.argv.pop(1)
    folder = Path(tempfile.mkdtemp())
    for number, seed in enumerate(TARGETS[name].seeds):
        (folder / str(number)).write_bytes(seed)
    atheris.Setup([*sys.argv, str(folder)], lambda data: is_fine(name, data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
