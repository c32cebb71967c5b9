"""Do positions that are settled at 30 % win 30 %? They are played out, many times, by play that looks a roll ahead.

    python bench/calibration.py --plot docs/calibration.svg    # as docs/guides/auditor.md shows it
    python bench/calibration.py --ahead 60                      # what one roll more of look-ahead changes

One position from each of many games that the network plays against itself is valued twice, as a verdict values it: by a
rollout without look-ahead, and by the network at once. Then whole games are played on from it with dice of their own,
both sides looking one roll ahead and no luck taken off: only who won is counted. Positions are put in ten buckets by
the value; in each, the wins are compared with the mean value. About four minutes of CPU time. The run fails if the
wins are further off than chance allows.
"""

import argparse
import random
import sys
from math import sqrt

from bgcore import Position, RolloutSettings, Stakes, evaluate, rollout
from bgcore._core import Network, chosen_play

MONEY = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)
BUCKETS = 10


def positions(rng, count, *, with_contact=False):
    """Return one position from each of so many games, before the roll and not over."""
    found = []
    while len(found) < count:
        position, seen = Position.starting(), []
        while not position.outcome:
            dice = rng.randint(1, 6), rng.randint(1, 6)
            position = chosen_play(Network.default(), position, *dice, MONEY)[0].flip()
            if not position.outcome and not (with_contact and position.is_race):
                seen.append(position)
        found.append(rng.choice(seen))
    return found


def played_out(position, games, seed):
    """Play games on from a position; return how many the side to move won."""
    settings = RolloutSettings(trials=games, seed=seed, plies=1, variance_reduction=False, stratified=False)
    return round(games * rollout(position, settings=settings).probabilities.win)


def buckets(values, wins, games):
    """Return for each bucket: positions, mean value, share won, and how far chance lets the two differ (95 %)."""
    rows = []
    for bucket in range(BUCKETS):
        inside = [i for i, value in enumerate(values) if min(int(value * BUCKETS), BUCKETS - 1) == bucket]
        if not inside:
            continue
        mean = sum(values[i] for i in inside) / len(inside)
        share = sum(wins[i] for i in inside) / (games * len(inside))
        reach = 1.96 * sqrt(sum(values[i] * (1 - values[i]) for i in inside) / games) / len(inside)
        rows.append((bucket, len(inside), mean, share, reach))
    return rows


def shown(rows, games):
    """Return buckets as a table."""
    lines = ["| settled at | positions | games | mean value | won | 95 % by chance |", "|---|---:|---:|---:|---:|---:|"]
    lines += [
        f"| {10 * bucket}-{10 * bucket + 10} % | {count} | {count * games:,} | {100 * mean:.1f} % | "
        f"{100 * share:.1f} % | ± {100 * reach:.1f} |"
        for bucket, count, mean, share, reach in rows
    ]
    return "\n".join(lines)


def is_calibrated(rows):
    """Whether the deviations are what chance makes of them."""
    squares = sum(((share - mean) / (reach / 1.96)) ** 2 for _, _, mean, share, reach in rows if reach > 0)
    print(f"sum of squared deviations: {squares:.1f} for {len(rows)} buckets\n")
    return squares < len(rows) + 4 * sqrt(2 * len(rows))


def plot(tables, path):
    """Draw what was won against what was foretold."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "bgcore"
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    for axes, (name, rows) in zip(figure.subplots(1, 2, sharey=True), tables.items(), strict=True):
        axes.plot([0, 100], [0, 100], color="0.7", linewidth=1)
        means, shares, reaches = ([100 * row[k] for row in rows] for k in (2, 3, 4))
        axes.errorbar(means, shares, yerr=reaches, fmt="o", markersize=4, capsize=3)
        axes.set_title(name)
        axes.set_xlabel("settled at, %")
        axes.set_aspect("equal")
    figure.axes[0].set_ylabel("won when played out, %")
    figure.savefig(path, metadata={"Date": None})


def ahead(rng, count):
    """Print how far apart rollouts with and without look-ahead are, beyond what their sampling errors explain."""
    excess = {"cubeless": 0.0, "with a centred cube": 0.0}
    for number, position in enumerate(positions(rng, count, with_contact=True)):
        for name, stakes in zip(excess, (None, Stakes.money()), strict=True):
            near, far = (
                rollout(
                    position,
                    stakes=stakes,
                    line="play" if stakes is None else "no_double",
                    settings=RolloutSettings(trials=trials, seed=number + 1, plies=plies),
                )
                for trials, plies in ((1296, 0), (648, 1))
            )
            excess[name] += (near.value - far.value) ** 2 - near.value_std_error**2 - far.value_std_error**2
    for name, total in excess.items():
        print(f"{count} positions with contact, {name}: one roll more changes {sqrt(max(total, 0) / count):.4f} (rms)")


def main():
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--games", type=int, default=36, help="games played out from each position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="write a picture here (needs matplotlib)")
    parser.add_argument("--ahead", type=int, help="compare look-ahead on so many positions instead")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    if given.ahead:
        ahead(rng, given.ahead)
        return 0
    found = positions(rng, given.count)
    wins = [played_out(position, given.games, 1_000_000 + i) for i, position in enumerate(found)]
    valued = {
        "rollout": [
            min(max(rollout(position, settings=RolloutSettings(trials=72, seed=i + 1)).probabilities.win, 0.0), 1.0)
            for i, position in enumerate(found)
        ],
        "network": [evaluate(position).win for position in found],
    }
    tables = {name: buckets(values, wins, given.games) for name, values in valued.items()}
    is_good = True
    for name, rows in tables.items():
        print(f"By {name}:\n\n{shown(rows, given.games)}\n")
        is_good &= is_calibrated(rows)
    if given.plot:
        plot(tables, given.plot)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
