"""Rollouts beside published ones: opening plays without the cube, and cube decisions and plays with it.

    python bench/published.py [STANDARD_ERROR]      # half an hour of one core

Sources: the opening plays are Tom Keith's cubeless rollouts by GNU Backgammon (bkgm.com/openings/rollouts.html, 2006);
that they are cubeless shows in their chances. With the cube each line names its page: eXtreme Gammon 2 at 3-ply, full
games, or GNU Backgammon at 2-ply, full games. Equities for one unit of the cube.
"""

import argparse
import sys

import bgcore
from bgcore import RolloutSettings, Stakes, StopRule, met, rollout

OPENINGS = {
    "2-1": ("13/11 6/5", 0.0088),
    "3-1": ("8/5 6/5", 0.1670),
    "3-2": ("24/21 13/11", 0.0052),
    "4-1": ("24/23 13/9", 0.0024),
    "4-2": ("8/4 6/4", 0.1234),
    "4-3": ("13/10 13/9", 0.0125),
    "5-1": ("24/23 13/8", 0.0056),
    "5-2": ("24/22 13/8", 0.0032),
    "5-3": ("8/3 6/3", 0.0638),
    "5-4": ("24/20 13/8", 0.0155),
    "6-1": ("13/7 8/7", 0.1035),
    "6-2": ("24/18 13/11", 0.0066),
    "6-3": ("24/18 13/10", 0.0072),
    "6-4": ("8/2 6/2", 0.0102),
    "6-5": ("24/13", 0.0545),
}
# Play of a roll, or "no double" or "double/take" before it; published equity; page.
WITH_CUBE = (
    ("XGID=-b----E-C---eE---c-e----B-:0:0:1:51:0:0:0:0:10", "24/23 13/8", 0.0057, "bkgm.com/rgb/rgb.cgi?view+1344"),
    ("XGID=-a----E-CAA-fC---c-e----B-:0:0:1:44:0:0:3:0:10", "24/16(2)", 0.372, "bgonline.org read=167213"),
    ("XGID=---BBBBBA----B--a-a-Bbcce-:0:0:1:00:0:0:3:0:10", "no double", 0.261, "bgonline.org read=160613"),
    ("XGID=---BBBBBA----B--a-a-Bbcce-:0:0:1:00:0:0:3:0:10", "double/take", 0.463, "bgonline.org read=160613"),
    ("XGID=---BBBBBA----B---a-aBbcce-:0:0:1:00:0:0:3:0:10", "no double", 0.101, "bgonline.org read=160613"),
    ("XGID=---BBBBBA----B---a-aBbcce-:0:0:1:00:0:0:3:0:10", "double/take", 0.175, "bgonline.org read=160613"),
    ("XGID=-ABBBBBa-----Ba----cBb--h-:0:0:1:00:4:0:0:7:10", "no double", 0.701, "rec.games.backgammon 9W8xJucvIKA"),
    ("XGID=-ABBBBBa-----Ba----cBb--h-:0:0:1:00:4:0:0:7:10", "double/take", 0.891, "rec.games.backgammon 9W8xJucvIKA"),
    ("XGID=---ABBA------------bbaa---:1:1:1:00:4:3:0:9:10", "no double", 0.702, "bigmoneybill.blogspot.com 2012/03"),
    ("XGID=---ABBA------------bbaa---:1:1:1:00:4:3:0:9:10", "double/take", 0.814, "bigmoneybill.blogspot.com 2012/03"),
)
LINES = {"no double": "no_double", "double/take": "double_take"}
CLOSE = 0.02


def settings(error):
    """Trials until the standard error is small enough, by whole designs of the dice."""
    return RolloutSettings(trials=1296 * 40, checkpoint=1296, stop=StopRule(std_error=error))


def opening(name, play, error):
    """What an opening play is worth to the side that made it, without the cube; and the standard error."""
    found = rollout(bgcore.Position.starting(), dice=(int(name[0]), int(name[2])), play=play, settings=settings(error))
    return found.equity, found.std_error


def with_cube(xgid, choice, error):
    """What a choice is worth with the cube in use, for one unit of the cube; and the standard error."""
    situation = bgcore.parse_xgid(xgid)
    if situation.score is None:
        stakes = Stakes.money(situation.cube, situation.rules)
    else:
        stakes = Stakes.match(situation.cube, situation.rules, situation.score, met.default())
    first = stakes.levels[0]
    unit = float(first.win[0] - first.lose[0]) / 2
    how = {"line": LINES[choice]} if choice in LINES else {"dice": situation.dice, "play": choice}
    found = rollout(situation.position, stakes=stakes, settings=settings(error * unit), **how)
    return (found.value - float(first.win[0] + first.lose[0]) / 2) / unit, found.value_std_error / unit


def main():
    """Print both tables, a row as soon as it is known; end with 1 if an opening play is further off than 0.02."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("error", nargs="?", type=float, default=0.003, help="the standard error to reach; %(default)s")
    error = parser.parse_args().error
    print(f"Weights {bgcore.Evaluator.default().digest[:12]}; standard errors at most {error}.\n")
    print("| opening | play | published | bgcore | difference |\n|---|---|---:|---:|---:|", flush=True)
    furthest = 0.0
    for name, (play, published) in OPENINGS.items():
        mean, spread = opening(name, play, error)
        furthest = max(furthest, abs(mean - published))
        print(
            f"| {name} | {play} | {published:+.4f} | {mean:+.4f} ± {spread:.4f} | {mean - published:+.4f} |", flush=True
        )
    print(f"\nFurthest from a published opening: {furthest:.4f}.\n")
    print(
        "| with the cube | choice | published | bgcore | difference | page |\n|---|---|---:|---:|---:|---|", flush=True
    )
    for xgid, choice, published, page in WITH_CUBE:
        mean, spread = with_cube(xgid, choice, error)
        shown = xgid.removeprefix("XGID=")
        print(
            f"| `{shown}` | {choice} | {published:+.3f} | {mean:+.4f} ± {spread:.4f} | {mean - published:+.4f} "
            f"| {page} |",
            flush=True,
        )
    return furthest > CLOSE


if __name__ == "__main__":
    sys.exit(main())
