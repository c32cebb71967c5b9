"""What a rollout costs: standard error squared times CPU seconds, for the position after 3-1: 8/5 6/5.

Equities are those of the side that played 3-1. The lower the cost, the sooner a wanted error is reached.
"""

import re
import time

import _gnubg
from bgsage import BgBotAnalyzer

import bgcore
from bgcore.stakes import Stakes

PLAYED = next(play for play in bgcore.legal_plays(bgcore.Position.starting(), (3, 1)) if str(play) == "8/5 6/5").result


def ours(trials, stakes=None, **settings):
    """Equity, error and CPU seconds of bgcore on one thread."""
    start = time.process_time()
    found = bgcore.rollout(
        PLAYED.flip(), stakes=stakes, workers=1, settings=bgcore.RolloutSettings(trials=trials, **settings)
    )
    return trials, -found.value, found.value_std_error, time.process_time() - start


def gnubgs(trials, *settings):
    """The same of gnubg, read from its terminal; the side to move there is the opponent."""
    printed, spent = _gnubg.run_commands(
        [
            "set player 0 human", "set player 1 human", "set automatic roll off", "set jacoby off", "new session",
            "set turn 1", f"set board {PLAYED.flip().position_id}", "set threads 1", "set rollout seed 1",
            "set rollout chequerplay plies 0", "set rollout cubedecision plies 0", f"set rollout trials {trials}",
            *settings, "rollout",
        ]
    )  # fmt: skip
    last = printed[printed.rindex("Printing final results") :]
    label = "CF" if "CF" in last else "CL"
    means = re.findall(label + r"\s+([+-]?\d\.\d+)", last)
    games = int(re.search(r"(\d+) games", last)[1])
    return games, -float(means[0]), float(means[1]), spent


def sages(level, cubeful, **options):
    """The same of bgsage."""
    engine = BgBotAnalyzer(eval_level=level, cubeful=cubeful, parallel_threads=1, **options)
    start = time.process_time()
    found = engine.post_move_analytics(PLAYED.board.tolist(), jacoby=False)
    spent = time.process_time() - start
    if cubeful:
        return options.get("n_trials", "preset"), found.cubeful_equity, found.cubeful_se, spent
    return options.get("n_trials", "preset"), found.cubeless_equity, found.cubeless_se, spent


def rows():
    """One measured rollout after the other: name, trials, equity, standard error, CPU seconds."""
    money = Stakes.money(rules=bgcore.Rules(cube_limit=None))
    yield "bgcore, cubeless, luck taken off", *ours(1296)
    yield "bgcore, cubeless, plain", *ours(2592, variance_reduction=False)
    yield "bgcore, with the cube", *ours(1296, money)
    yield "bgcore, with the cube, decided at 0 plies", *ours(1296, money, cube_plies=0)
    if _gnubg.PROGRAM:
        yield "gnubg 0-ply, cubeless, luck taken off", *gnubgs(324, "set rollout cubeful off")
        plain = ("set rollout cubeful off", "set rollout varredn off")
        yield "gnubg 0-ply, cubeless, plain", *gnubgs(1296, *plain)
        yield "gnubg 0-ply, with the cube, luck taken off", *gnubgs(324, "set rollout cubeful on")
    yield "bgsage 1ply, cubeless, luck taken off", *sages("rollout", False, n_trials=72)
    yield "bgsage truncated1, with the cube (biased by its truncation)", *sages("truncated1", True)


def main():
    """Print the table, a row as soon as it is known."""
    print("| rollout of 3-1: 8/5 6/5 | trials | equity | standard error | CPU seconds | cost |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    for name, trials, equity, error, seconds in rows():
        shown = f"{trials:,}" if isinstance(trials, int) else trials
        print(
            f"| {name} | {shown} | {equity:+.4f} | {error:.4f} | {seconds:.1f} | {error**2 * seconds:.6f} |", flush=True
        )


if __name__ == "__main__":
    main()
