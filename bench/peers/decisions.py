"""How long one choice of a play takes, by level, over the same positions and rolls; CPU time, one core."""

import time

import _gnubg
import gnubg_nn
import numpy as np
from bgsage import BgBotAnalyzer

import bgcore
from bgcore._core import Network, chosen_play

MONEY = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)


def situations(number):
    """Boards and rolls of games that choose among the plays at random."""
    random = np.random.default_rng(12)
    position, found = bgcore.Position.starting(), []
    while len(found) < number:
        dice = tuple(sorted(random.integers(1, 7, 2).tolist(), reverse=True))
        plays = bgcore.legal_plays(position, dice)
        if len(plays) > 1 and not position.is_race:
            found.append((position, dice))
        position = (plays[random.integers(len(plays))].result if plays else position).flip()
        if position.outcome:
            position = bgcore.Position.starting()
    return found


def gnubg_board(position):
    """Two lists of 25 counts, the opponent's first, each from its own ace point to the bar."""
    board = position.board.tolist()
    return [[max(-board[s], 0) for s in range(24, -1, -1)], [max(board[s], 0) for s in range(1, 26)]]


def sage_board(position):
    """bgsage counts the opponent's checkers on the bar upwards."""
    board = position.board.tolist()
    return [-board[0], *board[1:]]


def seconds(run, cases):
    """CPU seconds for each case."""
    start = time.process_time()
    for case in cases:
        run(*case)
    return (time.process_time() - start) / len(cases)


def inside_gnubg(cases, plies):
    """CPU seconds of gnubg's own search for each case, timed inside it."""
    asked = [(position.position_id, list(dice)) for position, dice in cases]
    return _gnubg.run_script(f"""
context = gnubg.evalcontext(0, {plies}, 1, 1, 0.0)
cube = gnubg.cubeinfo()
boards = [(gnubg.positionfromid(name), tuple(dice)) for name, dice in {asked!r}]
start = time.process_time()
for board, dice in boards:
    gnubg.findbestmove(board, cube, context, dice)
answer = (time.process_time() - start) / len(boards)
""")


def main():
    """Print the table."""
    cases = situations(200)
    network = Network.default()
    rows = [("bgcore, network", 0, seconds(lambda p, d: chosen_play(network, p, *d, MONEY), cases * 5))]
    for plies, number in ((0, 200), (1, 100), (2, 20)):
        asked = [(position, dice, plies) for position, dice in cases[:number]]
        bgcore.rank_plays(*asked[0])
        rows.append(("bgcore, `rank_plays`, all plays in order", plies, seconds(bgcore.rank_plays, asked)))
    for plies, number in ((0, 200), (1, 30)):
        boards = [(gnubg_board(position), *dice, plies) for position, dice in cases[:number]]
        rows.append(("gnubg-nn, `best_move`", plies, seconds(gnubg_nn.best_move, boards)))
    if _gnubg.PROGRAM:
        rows += [
            ("gnubg, `findbestmove`", plies, inside_gnubg(cases[:number], plies))
            for plies, number in ((0, 200), (1, 40), (2, 10))
        ]
    for level, plies, number in (("1ply", 0, 60), ("2ply", 1, 10)):
        engine = BgBotAnalyzer(eval_level=level, parallel_threads=1)
        boards = [(sage_board(position), *dice) for position, dice in cases[:number]]
        rows.append((f"bgsage, `checker_play` {level}", plies, seconds(engine.checker_play, boards)))
    print("| one play chosen | plies (gnubg's counting) | milliseconds |\n|---|---:|---:|")
    for name, plies, each in sorted(rows, key=lambda row: (row[1], row[2])):
        print(f"| {name} | {plies} | {each * 1e3:.3f} |")


if __name__ == "__main__":
    main()
