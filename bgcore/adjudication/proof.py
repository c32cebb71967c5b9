"""Outcomes that no dice can change: certain wins, and how many points they pay, without any evaluator.

A side that can surely bear off within ``L`` of its own rolls, whatever the dice, wins if the other side
cannot possibly finish sooner. How many points that pays is bounded from both sides in the same way: by
how soon the loser can possibly take a checker off, leave the winner's home board, or come home.
"""

from dataclasses import dataclass

from bgcore._core import Position
from bgcore.adjudication.turn import ROLLS, results
from bgcore.bearoff import RollBounds, roll_bounds
from bgcore.rules import BearoffRule, GammonRule, outcome_points


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
    if bearoff_rule != "standard" or not position.is_race:
        # Somebody may be in the way, so nothing but the roll itself proves a win.
        return _now(position, gammon_rule) if winning_rolls(position, bearoff_rule) == 36 else None
    sides = position, position.flip()
    bounds = roll_bounds(sides[0]), roll_bounds(sides[1])
    for is_mine, winner, loser in ((True, 0, 1), (False, 1, 0)):
        longest = bounds[winner].most
        # Turns the loser has had when the winner bears off his last checker, at most.
        turns = longest - is_mine
        if bounds[loser].fewest > turns:
            theirs = _Milestones.soonest(_own(sides[loser]), gammon_rule)
            least = theirs.points(gammon_rule, turns)
            return Certainty(is_mine, least, _most(sides, bounds, gammon_rule, is_mine), longest)
    return None


def most_possible(
    position: Position,
    is_mine: bool,
    gammon_rule: GammonRule = "standard",
    bearoff_rule: BearoffRule = "standard",
) -> int:
    """Return the most points that a side can still win if the other plays to lose few, for some dice.

    Parameters
    ----------
    position : Position
        Seen by the side to move, not finished.
    is_mine : bool
        Whether the side to move is the one that wins.
    gammon_rule, bearoff_rule : str
        As for `certainty`. With contact, or under ``highest_first``, only what is behind the loser already
        counts for him.
    """
    sides = position, position.flip()
    if bearoff_rule == "standard" and position.is_race:
        return _most(sides, (roll_bounds(sides[0]), roll_bounds(sides[1])), gammon_rule, is_mine)
    if not position.is_race:
        # Whoever may still be hit may end on the bar.
        return 1 if gammon_rule == "standard" and sides[is_mine].off[0] else 3
    return _Milestones.soonest(_own(sides[is_mine]), gammon_rule).points(gammon_rule, 0)


def _now(position: Position, rule: GammonRule) -> Certainty:
    """Return the win of a side that bears off its last checkers with any roll."""
    points = _Milestones.soonest(_own(position.flip()), rule).points(rule, 0)
    return Certainty(True, points, points, 1)


def _most(
    sides: tuple[Position, Position], bounds: tuple[RollBounds, RollBounds], rule: GammonRule, is_mine: bool
) -> int:
    """Return the most points a race can pay the winner: his best dice against the loser's worst."""
    winner, loser = (0, 1) if is_mine else (1, 0)
    turns = bounds[winner].fewest - is_mine
    return _Milestones.latest(_own(sides[loser]), bounds[loser]).points(rule, turns)


def _own(position: Position) -> list[int]:
    """Return the checkers of the side to move by slot."""
    return [max(count, 0) for count in position.board.tolist()]


def _points(rule: GammonRule, has_off: bool, has_escaped: bool, is_home: bool) -> int:
    """Return what the winner scores, given what the loser has achieved by then."""
    if rule == "standard":
        return 1 if has_off else 2 if has_escaped else 3
    triple = not has_escaped if rule == "portal_home_only" else not is_home
    return 3 if triple else 1 if has_off else 2


@dataclass(frozen=True, slots=True)
class _Milestones:
    """After how many of its own turns a side has come so far; 0 if it has already."""

    escaped: int
    home: int
    first_off: int

    @classmethod
    def soonest(cls, own: list[int], rule: GammonRule) -> "_Milestones":
        """Count moves of 6, four to a turn: no dice are faster, and blocks only slow a side down."""
        leave = sum(own[19:25])
        if rule != "portal_home_only":
            # From the bar it takes one move to enter and one to leave; that rule does not count the bar.
            leave += 2 * own[25]
        bring = sum([count * -(-away // 6) for away, count in enumerate(own[7:], 1) if count])
        return cls(
            escaped=-(-leave // 4),
            home=-(-bring // 4),
            first_off=0 if sum(own) < 15 else -(-(bring + 1) // 4),
        )

    @classmethod
    def latest(cls, own: list[int], bounds: RollBounds) -> "_Milestones":
        """Count two pips a turn, for in a race no die is lost on the way home: no dice are slower."""
        away = [count * (point - 18) for point, count in enumerate(own) if point > 18]
        to_go = [count * (point - 6) for point, count in enumerate(own) if point > 6]
        return cls(escaped=-(-sum(away) // 2), home=-(-sum(to_go) // 2), first_off=bounds.first_most)

    def points(self, rule: GammonRule, turns: int) -> int:
        """Return what the winner scores when the loser has had so many turns."""
        return _points(rule, self.first_off <= turns, self.escaped <= turns, self.home <= turns)


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
