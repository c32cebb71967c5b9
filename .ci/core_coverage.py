"""Lines of the compiled core that ran: ``python .ci/core_coverage.py``, in a folder built with BGCORE_COVERAGE=1.

gcov counts lines of C. A line of Cython counts as run if any of the C that was made of it ran: Cython puts a comment
with the file and the line in front of each piece. Lines of the C headers are counted as they are. A header or a
declaration that several modules include ran if it did in one of them.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

MARK = re.compile(r'^\s*/\* "(.*)":(\d+)$')
LEAST = 95


def origins(path):
    """For each line of a C file, the Cython file and line it was made of, or None."""
    found, origin = [], None
    for line in path.read_text("utf-8").splitlines():
        mark = MARK.match(line)
        if mark:
            origin = (mark[1], int(mark[2]))
        elif line.startswith("/* #### Code section"):
            origin = None  # what every module has, made of no line of ours
        found.append(origin)
    return found


def counted():
    """``{file: {line: times run}}`` of the Cython and the headers of the core."""
    lines = defaultdict(lambda: defaultdict(int))
    for data in sorted(Path("build").rglob("*.gcda")):
        source = Path("bgcore/_core") / f"{data.stem}.c"
        made_of = origins(source)
        done = subprocess.run(["gcov", "--json-format", "--stdout", data], capture_output=True, check=True)
        for file in json.loads(done.stdout)["files"]:
            for line in file["lines"]:
                where = (file["file"], line["line_number"])
                if file["file"] == str(source):
                    where = made_of[line["line_number"] - 1]
                if where and where[0].startswith("bgcore/_core/"):
                    lines[where[0]][where[1]] = max(lines[where[0]][where[1]], line["count"])
    return lines


def ranges(numbers):
    """``3-5, 9`` of a sorted list."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def main():
    """Print one line a file, and fail if less ran than should."""
    every = ran = 0
    print("| file | lines | ran | not run |\n|---|---:|---:|---|")
    for name, lines in sorted(counted().items()):
        missing = sorted(number for number, times in lines.items() if not times)
        every, ran = every + len(lines), ran + len(lines) - len(missing)
        print(f"| {name} | {len(lines)} | {100 * (1 - len(missing) / len(lines)):.1f} % | {ranges(missing)} |")
    print(f"| all | {every} | {100 * ran / every:.1f} % | |")
    return 100 * ran < LEAST * every


if __name__ == "__main__":
    sys.exit(main())
