"""Outcomes that no dice can change: certain wins, and how many points they pay, without any evaluator.

A side that can surely bear off within ``L`` of its own rolls, whatever the dice, wins if the other side
cannot possibly finish sooner. How many points that pays is bounded from both sides in the same way: by
how soon the loser can possibly take a checker off, leave the winner's home board, or come home.
"""

from dataclasses import dataclass
from functools import lru_cache

from bgcore._core import Position
from bgcore.adjudication.turn import ROLLS, results
from bgcore.rules import BearoffRule, GammonRule, outcome_points

MOST_CHECKERS = 8
"""Checkers of the winner up to which the slowest bear-off is worked out; with more, nothing is proved."""

Home = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Certainty:
    """A win that is certain, seen by the side to move.

    Parameters
    ----------
    is_mine : bool
        Whether the side to move is the one that wins.
    least, most : int
        The points (1 single, 2 gammon, 3 backgammon) that best play by both sides can still lead to.
    rolls : int
        The winner's rolls after which the game is over at the latest.
    """

    is_mine: bool
    least: int
    most: int
    rolls: int


def home_of(board: list[int]) -> Home:
    """Return a side's checkers on its own ace to 6 point, from a board seen by that side."""
    one, two, three, four, five, six = [count if count > 0 else 0 for count in board[1:7]]
    return one, two, three, four, five, six


def certainty(
    position: Position, gammon_rule: GammonRule = "standard", bearoff_rule: BearoffRule = "standard"
) -> Certainty | None:
    """Prove that one side wins, before the dice are rolled.

    Parameters
    ----------
    position : Position
        Seen by the side to move. A finished game is certain, too.
    gammon_rule : str
        See `bgcore.rules.outcome_points`.
    bearoff_rule : str
        Under ``highest_first`` only a side that bears off with every roll at once is proved to win.

    Returns
    -------
    Certainty or None
        None when nothing could be proved, which does not mean that nothing is certain.
    """
    points = outcome_points(position, gammon_rule)
    if points:
        return Certainty(points > 0, abs(points), abs(points), 0)
    mine = position.board.tolist()
    theirs = position.flip().board.tolist()
    if bearoff_rule != "standard":
        is_now = winning_rolls(position, bearoff_rule) == 36
        return _proved(mine, theirs, True, False, gammon_rule) if is_now else None
    return _proved(mine, theirs, True, position.is_race, gammon_rule) or _proved(
        theirs, mine, False, position.is_race, gammon_rule
    )


def _proved(winner: list[int], loser: list[int], is_mine: bool, is_race: bool, rule: GammonRule) -> Certainty | None:
    """Prove a win for ``winner``; both boards are the owner's view, 1..25 its own checkers."""
    home = home_of(winner)
    checkers = sum([count for count in winner if count > 0])
    if sum(home) != checkers or checkers > MOST_CHECKERS:
        return None
    longest = slowest(home)
    if not is_race and not (is_mine and longest == 1):
        return None
    # Turns the loser has had when the winner bears off his last checker, at most and at least.
    most_turns = longest - 1 if is_mine else longest
    least_turns = -(-checkers // 4) - 1 if is_mine else -(-checkers // 4)
    theirs = _Milestones.of(loser, rule)
    if theirs.finished <= most_turns:
        return None
    least = _points(rule, theirs.first_off <= most_turns, theirs.escaped <= most_turns, theirs.home <= most_turns)
    # A milestone is only sure for the loser if it is behind him already, or if he is home and has a turn.
    is_off = theirs.first_off == 0 or (theirs.home == 0 and least_turns >= 1 and _surely_takes_one(loser))
    most = _points(rule, is_off, theirs.escaped == 0, theirs.home == 0)
    return Certainty(is_mine, least, most, longest)


def _points(rule: GammonRule, has_off: bool, has_escaped: bool, is_home: bool) -> int:
    """Return what the winner scores, given what the loser has achieved by then."""
    if rule == "standard":
        return 1 if has_off else 2 if has_escaped else 3
    triple = not has_escaped if rule == "portal_home_only" else not is_home
    return 3 if triple else 1 if has_off else 2


@dataclass(frozen=True, slots=True)
class _Milestones:
    """The fewest own turns after which a side can have come so far; 0 if it has already."""

    escaped: int
    home: int
    first_off: int
    finished: int

    @classmethod
    def of(cls, board: list[int], rule: GammonRule) -> "_Milestones":
        """Count moves of 6, four to a turn: no dice are faster, and blocks only slow a side down."""
        own = [count if count > 0 else 0 for count in board]
        checkers = sum(own)
        leave = sum(own[19:25])
        if rule != "portal_home_only":
            # From the bar it takes one move to enter and one to leave; that rule does not count the bar.
            leave += 2 * own[25]
        bring = sum([count * -(-away // 6) for away, count in enumerate(own[7:], 1) if count])
        return cls(
            escaped=-(-leave // 4),
            home=-(-bring // 4),
            first_off=0 if checkers < 15 else -(-(bring + 1) // 4),
            finished=-(-(bring + checkers) // 4),
        )


def _surely_takes_one(board: list[int]) -> bool:
    """Whether a side with all checkers home can take one off with any roll."""
    home = home_of(board)
    return all(
        any(
            sum(second) < sum(home)
            for one, other in ((high, low), (low, high))
            for first in _plays(home, one)
            for second in _plays(first, other)
        )
        for high, low, _ in ROLLS
    )


@lru_cache(maxsize=1 << 14)
def slowest(home: Home) -> int:
    """Return the number of rolls after which a home board surely is empty, if nobody is in the way.

    The worst roll is always 2-1: any larger die can do what a smaller one does and leaves the checker
    at least as far on, and four 1s can do what a 2 and a 1 do. So the slowest bear-off is that of a
    player who keeps rolling 2-1 and makes the best of it.

    Parameters
    ----------
    home : tuple of 6 int
        Checkers on the ace to the 6 point.
    """
    if not any(home):
        return 0
    return 1 + min(slowest(after) for after in _plays_of_21(home))


def _plays_of_21(home: Home) -> set[Home]:
    after = {second for first in _plays(home, 2) for second in _plays(first, 1)}
    return after | {second for first in _plays(home, 1) for second in _plays(first, 2)}


def _plays(home: Home, die: int) -> list[Home]:
    """Home boards after one die; the board itself when it is empty."""
    if not any(home):
        return [home]
    highest = max(point for point in range(1, 7) if home[point - 1])
    boards = []
    for point in range(1, highest + 1):
        target = point - die
        if home[point - 1] and (target >= 0 or point == highest):
            after = list(home)
            after[point - 1] -= 1
            if target > 0:
                after[target - 1] += 1
            boards.append(tuple(after))
    return boards  # type: ignore[return-value]


def winning_rolls(position: Position, bearoff_rule: BearoffRule = "standard") -> int:
    """Of the 36 rolls, those with which the side to move bears off its last checkers at once.

    Cost: one legal-play generation for each of the 21 rolls when four checkers or fewer are left, else none.
    """
    board = position.board.tolist()
    checkers = sum(count for count in board if count > 0)
    if checkers == 0 or checkers > 4 or any(count > 0 for count in board[7:]):
        return 0
    return sum(
        weight
        for high, low, weight in ROLLS
        if any(result.off[0] == 15 for result in results(position, (high, low), bearoff_rule))
    )
