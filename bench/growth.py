"""How cost grows with trials, threads, table size and batch size: a table, and the picture of `docs/growth.md`.

    python bench/growth.py                       # prints the tables
    python bench/growth.py --svg docs/growth.svg # and draws it

Seconds are CPU seconds of this process, so that other work on the machine counts little, and the least of three runs
where a run is short; only the threads are also timed by the clock, which is what they are for. The exponent is the
slope of a straight line through the logarithms: 1 means twice the work for twice the size.
"""

import argparse
import time

import numpy as np

import bgcore
from bgcore import RolloutSettings
from bgcore._core import band_count, fill_bands, fill_one_sided, whole_graph

START = bgcore.Position.starting()


def least(run, rounds=3):
    """The least CPU seconds, and the least seconds by the clock, of some runs."""
    spent = []
    for _ in range(rounds):
        cpu, clock = time.process_time(), time.perf_counter()
        run()
        spent.append((time.process_time() - cpu, time.perf_counter() - clock))
    return tuple(map(min, zip(*spent, strict=True)))


def by_trials():
    """CPU seconds, and the standard error that they buy, of a rollout of the opening."""
    for trials in (144, 288, 576, 1152, 2304):
        before = time.process_time()
        found = bgcore.rollout(START, settings=RolloutSettings(trials=trials), workers=1)
        yield trials, time.process_time() - before, found.std_error


def by_threads():
    """CPU seconds of all threads, and seconds by the clock, of the same trials."""
    settings = RolloutSettings(trials=288)
    for workers in (1, 2, 4, 8):
        yield workers, *least(lambda workers=workers: bgcore.rollout(START, settings=settings, workers=workers), 1)


def by_layouts():
    """CPU seconds of one-sided tables of 15 checkers, by their layouts."""
    for points in (4, 5, 6, 7, 8):
        graph = whole_graph(points, 15)
        yield graph.size, least(lambda points=points: fill_one_sided(points, 15))[0]


def filled(graph):
    """A two-sided table."""
    values = np.zeros(4 * graph.size**2, np.float32)
    fill_bands(graph, values, 0, band_count(graph))
    return values


def by_pairs():
    """CPU seconds of two-sided tables on 6 points, by their pairs of layouts."""
    for checkers in (3, 4, 5, 6, 7):
        graph = whole_graph(6, checkers)
        yield graph.size**2, least(lambda graph=graph: filled(graph))[0]


def by_batch():
    """Microseconds for each position: values, and legal plays of a roll, by the positions of a call."""
    positions = [play.result.flip() for roll in ((6, 5), (3, 1), (4, 4)) for play in bgcore.legal_plays(START, roll)]
    for size in (1, 8, 64, 512, 4096, 32768):
        boards = np.array([positions[n % len(positions)].board for n in range(size)], dtype=np.int8)
        dice = np.tile(np.array([5, 2], dtype=np.int8), (size, 1))
        calls = max(1, 8192 // size)

        def values(boards=boards, calls=calls):
            for _ in range(calls):
                bgcore.evaluate_batch(boards)

        def plays(boards=boards, dice=dice, calls=calls):
            for _ in range(calls):
                bgcore.legal_plays_batch(boards, dice)

        yield size, *(least(run)[0] / calls / size * 1e6 for run in (values, plays))


# What grows: its title, what is counted along the bottom, what is measured.
MEASURES = (
    (by_trials, "Rollout of the opening", "trials", ("CPU seconds", "standard error, points")),
    (by_threads, "288 trials on threads", "threads", ("CPU seconds of all", "seconds by the clock")),
    (by_layouts, "One-sided tables of 15 checkers", "layouts", ("CPU seconds",)),
    (by_pairs, "Two-sided tables on 6 points", "pairs of layouts", ("CPU seconds",)),
    (by_batch, "Positions in one call", "positions", ("values, µs each", "plays of a roll, µs each")),
)


def exponent(sizes, costs):
    """Slope of the line through the logarithms."""
    return np.polyfit(np.log(sizes), np.log(costs), 1)[0]


def table(title, size, names, rows):
    """One measure in Markdown, the exponents below."""
    sizes, *columns = zip(*rows, strict=True)
    lines = [f"| {title}: {size} | {' | '.join(names)} |", "|---:" * (1 + len(names)) + "|"]
    lines += [f"| {row[0]:,} | {' | '.join(f'{cost:.3g}' for cost in row[1:])} |" for row in rows]
    lines.append(f"| exponent | {' | '.join(f'{exponent(sizes, column):+.2f}' for column in columns)} |")
    return "\n".join(lines)


def draw(found, path):
    """All measures as one picture, on logarithmic axes; the same numbers give the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator

    with matplotlib.rc_context({"svg.hashsalt": "bgcore", "font.size": 9}):
        figure = Figure(figsize=(9, 9), layout="constrained")
        panels = figure.subplot_mosaic("AB;CD;EE").values()
        for panel, (title, size, names, rows) in zip(panels, found, strict=True):
            sizes, *columns = zip(*rows, strict=True)
            for name, column, style in zip(names, columns, ("o-", "s--"), strict=False):
                panel.loglog(sizes, column, style, label=name)
            panel.set_title(title)
            panel.set_xlabel(size)
            panel.set_xticks(sizes, [f"{one:,}" for one in sizes])
            panel.set_xticks([], minor=True)
            panel.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            panel.yaxis.set_major_formatter("{x:g}")
            panel.yaxis.set_minor_formatter("")
            panel.grid(visible=True, alpha=0.3)
            panel.legend()
        figure.savefig(path, metadata={"Date": None, "Creator": None})


def main():
    """Measure, print, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", help="where the picture goes; needs matplotlib")
    args = parser.parse_args()
    found = [(title, size, names, list(measure())) for measure, title, size, names in MEASURES]
    print("\n\n".join(table(*one) for one in found))
    if args.svg:
        draw(found, args.svg)


if __name__ == "__main__":
    main()
