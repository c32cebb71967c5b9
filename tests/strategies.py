"""Legal positions of every kind: random set-ups for hypothesis, and a seeded stream for long runs."""

from __future__ import annotations

import random

from hypothesis import strategies as st

KINDS = ("scattered", "bar-heavy", "bear-off", "crashed", "prime", "stack")


def random_board(rng: random.Random, kind: str) -> list[int]:
    """Draw a legal board of one kind, seen by the side to move."""
    board = [0] * 26

    def place(sign: int, slots: list[int], number: int) -> None:
        for _ in range(number):
            free = [slot for slot in slots if board[slot] * sign >= 0]
            if free:
                board[rng.choice(free)] += sign

    points = list(range(1, 25))
    if kind == "scattered":
        place(1, points, rng.randint(1, 15))
        place(-1, points, rng.randint(1, 15))
    elif kind == "bar-heavy":
        board[25] = rng.randint(1, 6)
        board[0] = -rng.randint(0, 4)
        place(1, points, rng.randint(0, 15 - board[25]))
        place(-1, points, rng.randint(max(0, 1 + board[0]), 15 + board[0]))
    elif kind == "bear-off":
        place(1, list(range(1, 7)), rng.randint(1, 15))
        place(-1, rng.choice([list(range(19, 25)), points, [0, *range(1, 7)]]), rng.randint(1, 15))
    elif kind == "crashed":
        place(1, [1, 2, 3, 23, 24, 25], 15)
        place(-1, [24, 23, 22, 5, 6, 0], 15)
    elif kind == "prime":
        start = rng.randint(1, 19)
        for point in range(start, start + rng.randint(3, 6)):
            board[point] = -2
        place(-1, points, max(0, 15 + sum(n for n in board if n < 0)))
        place(1, [*points, 25], 15)
    else:
        board[rng.choice(points)] = 15
        place(-1, points, rng.randint(1, 15))
    if not any(n > 0 for n in board):
        board[next(slot for slot in range(1, 25) if board[slot] == 0)] = 1
    if not any(n < 0 for n in board):
        board[next(slot for slot in range(24, 0, -1) if board[slot] == 0)] = -1
    closed = all(board[p] >= 2 for p in range(1, 7)) and all(board[p] <= -2 for p in range(19, 25))
    if closed and board[25] > 0 and board[0] < 0:
        board[0] = 0
    return board


def seeded_boards(number: int, seed: int) -> list[list[int]]:
    """Return ``number`` legal boards, every kind in turn."""
    rng = random.Random(seed)
    return [random_board(rng, KINDS[index % len(KINDS)]) for index in range(number)]


boards = st.builds(
    lambda seed, kind: random_board(random.Random(seed), kind),
    st.integers(min_value=0, max_value=2**32 - 1),
    st.sampled_from(KINDS),
)
dice = st.tuples(st.integers(1, 6), st.integers(1, 6))
