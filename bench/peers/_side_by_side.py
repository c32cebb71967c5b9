"""All tables of the topics as one, an engine a column: reads the topics' Markdown, prints the one table and then them.

A row is a figure of a topic. An engine that has several ways to one, or several settings, shows each.
"""

import re
import sys

ENGINES = ("bgcore", "gnubg-nn", "gnubg", "bgsage", "open_spiel")
NUMBER = re.compile(r"[-+]?[\d,]+(\.\d+)?")
WHICH = "plies (gnubg's counting)"


def tables(text):
    """Yield (header, rows) of each Markdown table."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        header, _, *rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()]
        yield header, rows


def engine_of(name):
    """Whose row it is, and what else its first cell says."""
    found = next((engine for engine in ENGINES if name.startswith(engine)), None)
    return found, name.removeprefix(found or "").strip(" ,")


def side_by_side(text):
    """The one table."""
    lines = [f"| | {' | '.join(ENGINES)} |", "|---" * (1 + len(ENGINES)) + "|"]
    for header, rows in tables(text):
        if not all(engine_of(row[0])[0] for row in rows):
            continue
        for column, figure in enumerate(header[1:], 1):
            if figure == WHICH or not all(NUMBER.fullmatch(row[column]) for row in rows):
                continue
            cells = dict.fromkeys(ENGINES, "")
            for row in rows:
                engine, way = engine_of(row[0])
                plies = f"{row[header.index(WHICH)]}-ply" if WHICH in header else ""
                note = ", ".join(filter(None, (way, plies)))
                shown = row[column] + (f" ({note})" if note else "")
                cells[engine] += ("<br>" if cells[engine] else "") + shown
            lines.append(f"| {header[0]}: {figure} | {' | '.join(cells.values())} |")
    return "\n".join(lines)


if __name__ == "__main__":
    everything = sys.stdin.read()
    print(f"{side_by_side(everything)}\n\n{everything}", end="")
