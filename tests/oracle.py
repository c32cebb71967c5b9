"""A slow, obvious play generator, written from the rules alone: what the compiled one must agree with."""

from __future__ import annotations

Board = tuple[int, ...]


def single_moves(board: Board, die: int) -> list[Board]:
    """Every board after moving one checker by one die."""
    results = []
    starts = [25] if board[25] > 0 else [point for point in range(1, 25) if board[point] > 0]
    for start in starts:
        target = start - die
        if target < 1:
            if any(board[point] > 0 for point in range(7, 26)):
                continue
            if target < 0 and any(board[point] > 0 for point in range(start + 1, 7)):
                continue
        elif board[target] <= -2:
            continue
        after = list(board)
        after[start] -= 1
        if target >= 1:
            if after[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
        results.append(tuple(after))
    return results


def legal_results(board: Board, dice: tuple[int, int]) -> set[Board]:
    """Every distinct board after a roll; empty when nothing can be moved or the game is over."""
    if not any(n > 0 for n in board) or not any(n < 0 for n in board):
        return set()
    high, low = max(dice), min(dice)
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    by_number_of_dice: dict[int, set[Board]] = {}
    for order in orders:
        reached = {board}
        for used, die in enumerate(order, start=1):
            reached = {after for before in reached for after in single_moves(before, die)}
            if used < len(order) and high != low:
                one_die = by_number_of_dice.setdefault(1, set())
                if die == high or not single_moves(board, high):
                    one_die |= reached
            else:
                by_number_of_dice.setdefault(used, set()).update(reached)
    most = max((used for used, results in by_number_of_dice.items() if results), default=0)
    return by_number_of_dice.get(most, set())


def outcome(board: Board) -> int:
    """Points of a finished game under the standard rules, positive for the side to move; 0 if unfinished."""
    mine, theirs = sum(n for n in board if n > 0), -sum(n for n in board if n < 0)
    if mine == 0:
        if theirs < 15:
            return 1
        return 3 if any(board[point] < 0 for point in range(7)) else 2
    if theirs == 0:
        return -outcome(tuple(-n for n in reversed(board)))
    return 0
