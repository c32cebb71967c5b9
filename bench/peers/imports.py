"""How long an import takes, and how much disk an installed package; Python's own start taken off."""

import resource
import statistics
import subprocess
import sys
from importlib.metadata import distribution

PACKAGES = (
    ("bgcore", "bgcore-backgammon", "import bgcore"),
    (
        "bgcore and its first evaluation",
        "bgcore-backgammon",
        "import bgcore; bgcore.evaluate(bgcore.Position.starting())",
    ),
    ("gnubg-nn", "gnubg-nn", "import gnubg_nn"),
    ("bgsage", "bgsage", "import bgsage"),
    ("bgsage and its analyzer", "bgsage", "import bgsage; bgsage.BgBotAnalyzer()"),
    ("open_spiel", "open_spiel", "import pyspiel"),
)


def seconds(code):
    """Median CPU time of nine runs, after one that warms the disk cache."""
    times = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times[1:])


def size(name):
    """Bytes of a distribution's files."""
    return sum(path.stat().st_size for file in distribution(name).files for path in [file.locate()] if path.is_file())


def main():
    """Print the table."""
    bare = seconds("pass")
    numpy = seconds("import numpy") - bare
    print("| import | CPU milliseconds | installed megabytes |\n|---|---:|---:|")
    for shown, name, code in PACKAGES:
        print(f"| {shown} | {(seconds(code) - bare) * 1e3:.0f} | {size(name) / 1e6:.1f} |")
    print(
        f"\nOf these, numpy takes {numpy * 1e3:.0f} ms where it is imported; "
        f"Python itself, not counted, {bare * 1e3:.0f} ms."
    )


if __name__ == "__main__":
    main()
