"""Legal plays per second from Python: every engine lists the same rolls of the same positions."""

import time
from itertools import combinations_with_replacement

import bgbot_cpp
import gnubg_nn
import numpy as np
import pyspiel

import bgcore

ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def best_of(rounds, run):
    """Shortest of several runs, in CPU seconds, and what the run returned."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        total = run()
        times.append(time.process_time() - start)
    return min(times), total


def gnubg_board(position):
    """Two lists of 25 counts, the opponent's first, each from its own ace point to the bar."""
    board = position.board.tolist()
    mine = [max(board[slot], 0) for slot in range(1, 26)]
    theirs = [max(-board[slot], 0) for slot in range(24, -1, -1)]
    return [theirs, mine]


def open_spiel_decisions(number):
    """States of random games at which a roll has just been made; no position can be set from Python."""
    rng = np.random.default_rng(5)
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    states = []
    while len(states) < number:
        state = game.new_initial_state()
        while not state.is_terminal() and len(states) < number:
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[rng.integers(len(outcomes))][0])
            else:
                states.append(state.clone())
                actions = state.legal_actions()
                state.apply_action(actions[rng.integers(len(actions))])
    return states


def main():
    """Print the table."""
    opening = bgcore.Position.starting()
    positions = [play.result.flip() for roll in ROLLS for play in bgcore.legal_plays(opening, roll)]
    rows = []

    def add(name, number, seconds, note=""):
        rows.append((name, number / seconds, note))

    seconds, total = best_of(3, lambda: bgcore.perft(opening, 3))
    add("bgcore, native loop (perft 3)", total, seconds)

    boards = np.repeat(np.array([position.board for position in positions]), len(ROLLS), axis=0)
    dice = np.tile(np.array(ROLLS, dtype=np.int8), (len(positions), 1))
    seconds, batch = best_of(5, lambda: bgcore.legal_plays_batch(boards, dice))
    expected = len(batch.results)
    add("bgcore, `legal_plays_batch`", expected, seconds, "boards as one array")

    def one_by_one():
        return sum(len(bgcore.legal_plays(position, roll)) for position in positions for roll in ROLLS)

    seconds, total = best_of(3, one_by_one)
    assert total == expected
    add("bgcore, `legal_plays`", total, seconds, "Play objects")

    given = [gnubg_board(position) for position in positions]
    seconds, total = best_of(3, lambda: sum(len(gnubg_nn.moves(b, *roll)) for b in given for roll in ROLLS))
    assert total == expected, (total, expected)
    add("gnubg-nn, `moves`", total, seconds, "20-character keys")

    lists = [position.board.tolist() for position in positions[::10]]
    plain = sum(len(bgcore.legal_plays(position, roll)) for position in positions[::10] for roll in ROLLS)

    def bgsage():
        # A dance is answered with the unchanged board; it is not a play.
        found = (bgbot_cpp.possible_moves(board, *roll) for board in lists for roll in ROLLS)
        return sum(len(moves) for moves in found)

    seconds, total = best_of(2, bgsage)
    assert plain <= total
    add("bgsage, `possible_moves`", plain, seconds, "lists of 26 ints")

    states = open_spiel_decisions(4000)
    seconds, total = best_of(3, lambda: sum(len(state.legal_actions()) for state in states))
    add("open_spiel, `legal_actions`", total, seconds, "its own random games; duplicates counted")

    slowest = min(rate for _, rate, _ in rows)
    print("| legal plays, one core | million plays/s | times the slowest | what comes back |")
    print("|---|---:|---:|---|")
    for name, rate, note in rows:
        print(f"| {name} | {rate / 1e6:.2f} | {rate / slowest:.0f} | {note} |")


if __name__ == "__main__":
    main()
