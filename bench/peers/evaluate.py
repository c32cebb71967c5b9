"""Evaluations per second; what they are worth is measured by ``accuracy.py``."""

import re
import time

import _engines
import _gnubg
import numpy as np

import bgcore
from bgcore._core import Network, Position, active_level, self_play


def rate(run, number, rounds=3):
    """Most runs a second of several tries, in CPU time of this process."""
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        run()
        best = max(best, number / (time.process_time() - start))
    return best


def corpus(number):
    """Positions of games between random players with an eye for contact."""
    dice = np.random.default_rng(4).integers(1, 7, (number, 2)).tolist()
    position, rows = bgcore.Position.starting(), []
    choose = np.random.default_rng(5)
    for roll in dice:
        plays = bgcore.legal_plays(position, roll)
        position = (plays[choose.integers(len(plays))].result if plays else position).flip()
        if position.outcome or position.is_race:
            position = bgcore.Position.starting()
        rows.append(position.board)
    return np.array(rows)


def calibrated():
    """gnubg's own figure, of what it does inside, where nothing that calls it from outside comes near.

    It goes by the clock: what other work kept from it meanwhile is given back.
    """
    before = time.monotonic()
    printed, spent = _gnubg.run_commands(["calibrate 300"])
    return int(re.search(r"result: (\d+)", printed)[1]) * (time.monotonic() - before) / spent


def main():
    """Print the tables."""
    boards = corpus(4000)
    many = np.concatenate([boards] * 25)
    print(f"bgcore uses {active_level()}; 0 plies (bgsage: its 1-ply); CPU time.\n")
    print("| engine | evaluations/s |")
    print("|---|---|")
    print(f"| bgcore, `evaluate_batch` | {rate(lambda: bgcore.evaluate_batch(many), len(many)):,.0f} |")
    dice = np.random.default_rng(6).integers(1, 7, (20_000, 2)).astype(np.int8)
    network, opening = Network.default(), Position.starting()
    considered = self_play(network, opening, dice)[0]
    print(
        f"| bgcore, plays considered while choosing | "
        f"{rate(lambda: self_play(network, opening, dice), considered):,.0f} |"
    )
    for engine in (_engines.GnubgNn(), _engines.Bgsage()):
        print(f"| {engine.name} | {rate(lambda engine=engine: engine.equities(boards), len(boards)):,.0f} |")
    if _gnubg.PROGRAM:
        print(f"| gnubg, `calibrate` | {max(calibrated() for _ in range(3)):,.0f} |")


if __name__ == "__main__":
    main()
