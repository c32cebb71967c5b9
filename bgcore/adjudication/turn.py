"""What is left of a turn: ways to finish a half-made play, and plays under the highest-first bear-off rule."""

from collections.abc import Iterable, Iterator, Sequence

from bgcore._core import Position, legal_plays
from bgcore.rules import BearoffRule

Slots = tuple[int, ...]
ROLLS = tuple((high, low, 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 rolls with their weights out of 36."""


def results(position: Position, dice: Sequence[int], bearoff_rule: BearoffRule = "standard") -> list[Position]:
    """Every position one roll can lead to, seen by the mover; the position itself if nothing can be played."""
    if bearoff_rule == "standard":
        return [play.result for play in legal_plays(position, tuple(dice))] or [position]
    start = tuple(position.board.tolist())
    return [Position.from_board(slots) for slots in sorted(_full_plays(start, dice, bearoff_rule))]


def completions(
    position: Position, dice: Sequence[int], moved: Iterable[tuple[int, int]], bearoff_rule: BearoffRule = "standard"
) -> list[Position]:
    """Positions in which a play may end that began with the single moves ``moved``.

    Parameters
    ----------
    position : Position
        Before the roll was touched, seen by the mover.
    dice : two int
        The roll.
    moved : (from, to) pairs
        Moves already made, in order; 25 is the bar, 0 is off.

    Returns
    -------
    list of Position
        Seen by the mover; empty if no legal full play begins that way.
    """
    everything = results(position, dice, bearoff_rule)
    moves = list(moved)
    if not moves:
        return everything
    rest = tuple(dice) * 2 if dice[0] == dice[1] else tuple(dice)
    begun = {(tuple(position.board.tolist()), rest)}
    for source, target in moves:
        begun = {
            (_moved(slots, source, target), left[:place] + left[place + 1 :])
            for slots, left in begun
            for place, die in enumerate(left)
            if (source, target) in _steps(slots, die, bearoff_rule)
        }
    reachable = {slots for start, left in begun for slots, _ in _walk(start, left, bearoff_rule)}
    return [result for result in everything if tuple(result.board.tolist()) in reachable]


def _steps(slots: Slots, die: int, bearoff_rule: BearoffRule) -> Iterator[tuple[int, int]]:
    """Every single move of one die."""
    if slots[25] > 0:
        if slots[25 - die] >= -1:
            yield 25, 25 - die
        return
    highest = max((slot for slot in range(1, 25) if slots[slot] > 0), default=0)
    for source in range(1, 25):
        if slots[source] <= 0:
            continue
        target = source - die
        if target > 0:
            if slots[target] >= -1:
                yield source, target
        elif highest <= 6 and (source == highest or (target == 0 and bearoff_rule == "standard")):
            yield source, 0


def _moved(slots: Slots, source: int, target: int) -> Slots:
    """Return the board after one move."""
    after = list(slots)
    after[source] -= 1
    if target:
        if after[target] == -1:
            after[target] = 0
            after[0] -= 1
        after[target] += 1
    return tuple(after)


def _walk(slots: Slots, left: tuple[int, ...], bearoff_rule: BearoffRule) -> Iterator[tuple[Slots, tuple[int, ...]]]:
    """Every state the remaining dice lead to, finished or not, with the dice still unused there."""
    yield slots, left
    for die in set(left):
        place = left.index(die)
        for source, target in _steps(slots, die, bearoff_rule):
            yield from _walk(_moved(slots, source, target), left[:place] + left[place + 1 :], bearoff_rule)


def _full_plays(slots: Slots, dice: Sequence[int], bearoff_rule: BearoffRule) -> set[Slots]:
    """Boards after plays that use as many dice as possible, and the larger one if only one can be used."""
    rest = tuple(dice) * 2 if dice[0] == dice[1] else tuple(dice)
    states = list(_walk(slots, rest, bearoff_rule))
    fewest = min(len(left) for _, left in states)
    best = [(after, left) for after, left in states if len(left) == fewest]
    if fewest == 1 and len(rest) == 2:
        smallest = min(left for _, left in best)
        best = [(after, left) for after, left in best if left == smallest]
    return {after for after, _ in best}
