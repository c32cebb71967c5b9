"""Races without contact: pip counts and the formulas that players judge them by, side by side.

Every formula adjusts the two pip counts for what they hide (stacks, gaps, checkers on the board) and compares
them; each gives a `RaceVerdict`, so they can be compared with one another and with the tables' figures.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from bgcore._core import Position
from bgcore.bearoff import Side, Tables, default
from bgcore.errors import UnsupportedError, require
from bgcore.namesake import speak_for

_TWO_OVER_ROOT_PI: Final = 1.1283791670955126


@dataclass(frozen=True, slots=True)
class RaceSide:
    """One side of a race.

    Attributes
    ----------
    points : tuple of 26 int
        Checkers on each point seen by that side; ``[25]`` the bar.
    pips, checkers : int
    outside : int
        Checkers that are not home yet.
    crossovers : int
        Quarters of the board that these still have to cross to come home.
    mean_rolls, epc, wastage : float or None
        Mean number of rolls to bear off, the same in pips (times 49/6), and how much that exceeds the pip
        count; None while one of its checkers is outside home, where the one-sided table does not reach.
    """

    points: tuple[int, ...]
    pips: int
    checkers: int
    outside: int
    crossovers: int
    mean_rolls: float | None
    epc: float | None
    wastage: float | None

    @property
    def gaps(self) -> tuple[int, ...]:
        """The empty points among 4, 5 and 6."""
        return tuple(point for point in (4, 5, 6) if not self.points[point])


@dataclass(frozen=True, slots=True)
class RaceVerdict:
    """What one formula says of a race, for money.

    Attributes
    ----------
    name : str
    source : str
        Author and year.
    mine, theirs : Fraction or float
        The counts that the formula compares, the side to move's first with its own surcharge.
    is_double, is_redouble, is_take : bool
        Whether to double first, to redouble, and to take a double.
    win : float or None
        The chance to win the formula implies, if it says so.
    """

    name: str
    source: str
    mine: Fraction | float
    theirs: Fraction | float
    is_double: bool
    is_redouble: bool
    is_take: bool
    win: float | None = None

    @property
    def words(self) -> str:
        """The verdict: "no double", "double, take" (do not redouble), "redouble, take" or "double, pass"."""
        if not self.is_double:
            return "no double"
        if not self.is_take:
            return "double, pass"
        return "redouble, take" if self.is_redouble else "double, take"


@dataclass(frozen=True, slots=True)
class Race:
    """A race in figures, seen by the side to move.

    Attributes
    ----------
    mine, theirs : RaceSide
    eight_nine_twelve, thorp, ward, keith, kleinman, isight, rule_62 : RaceVerdict
        The formulas, oldest first.
    effective : RaceVerdict or None
        The rule on effective pip counts; None while a checker is outside home.
    win : float
        The chance to win without cube, from the best basis at hand.
    basis : {"two-sided table", "one-sided table", "Kleinman"}
        Exact; within 0.01; a normal approximation.
    """

    mine: RaceSide
    theirs: RaceSide
    eight_nine_twelve: RaceVerdict
    thorp: RaceVerdict
    ward: RaceVerdict
    keith: RaceVerdict
    kleinman: RaceVerdict
    isight: RaceVerdict
    rule_62: RaceVerdict
    effective: RaceVerdict | None
    win: float
    basis: str

    def __repr__(self) -> str:
        return f"Race(pips {self.mine.pips} - {self.theirs.pips}, win={self.win:.4f}, basis={self.basis!r})"

    @property
    def lead(self) -> int:
        """By how many pips the side to move leads; negative if it is behind."""
        return self.theirs.pips - self.mine.pips

    @property
    def lead_percent(self) -> Fraction:
        """The lead in per cent of the pip count of the side to move."""
        return Fraction(100 * self.lead, self.mine.pips)

    @property
    def verdicts(self) -> tuple[RaceVerdict, ...]:
        """Every formula that applies."""
        return tuple(self._verdicts())

    def _verdicts(self) -> Iterator[RaceVerdict]:
        yield from (self.eight_nine_twelve, self.thorp, self.ward, self.keith, self.kleinman, self.isight, self.rule_62)
        if self.effective is not None:
            yield self.effective

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        verdicts = [
            asdict(verdict) | {"mine": float(verdict.mine), "theirs": float(verdict.theirs), "words": verdict.words}
            for verdict in self.verdicts
        ]
        return {
            "mine": asdict(self.mine),
            "theirs": asdict(self.theirs),
            "lead": self.lead,
            "lead_percent": float(self.lead_percent),
            "win": self.win,
            "basis": self.basis,
            "verdicts": verdicts,
        }


def race(position: Position, tables: Tables | None = None) -> Race:
    """Judge a race by every formula.

    Parameters
    ----------
    position : Position
        Without contact, not finished; seen by the side to move, which may double before it rolls.
    tables : Tables, optional
        Bear-off tables for effective pip counts; by default `bgcore.bearoff.default`.

    Raises
    ------
    UnsupportedError
        If there is contact or the game is over: pip counts alone are `Position.pip_counts`.

    Notes
    -----
    The formulas are meant for money games without gammons. Same bits on every machine. Thread-safe.
    """
    require(position, Position, "a race is judged of a Position")
    if not position.is_race or position.outcome:
        raise UnsupportedError("race formulas need a race: no contact, and a checker of both sides on the board")
    tables = tables or default()
    win, basis = None, ""
    if position in tables.one:
        win, basis = tables.one_sided(position).win, "one-sided table"
    if position in tables.two:
        win, basis = tables.two_sided(position).win, "two-sided table"
    mine = _side(position.board.tolist(), tables.side(position))
    theirs = _side(position.flip().board.tolist(), tables.side(position.flip()))
    normal = kleinman(mine, theirs)
    if win is None:
        assert normal.win is not None
        win, basis = normal.win, "Kleinman"
    return Race(
        mine,
        theirs,
        eight_nine_twelve(mine, theirs),
        thorp(mine, theirs),
        ward(mine, theirs),
        keith(mine, theirs),
        normal,
        isight(mine, theirs),
        rule_62(mine, theirs),
        effective(mine, theirs),
        win,
        basis,
    )


def _side(board: list[int], rolls: Side | None) -> RaceSide:
    points = tuple(max(count, 0) for count in board)
    return RaceSide(
        points,
        sum(point * count for point, count in enumerate(points)),
        sum(points),
        sum(points[7:]),
        sum((point - 1) // 6 * count for point, count in enumerate(points) if point > 6),
        None if rolls is None else rolls.all_off.mean,
        None if rolls is None else rolls.epc,
        None if rolls is None else rolls.wastage,
    )


def eight_nine_twelve(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Compare plain pips: double with a lead of 8 per cent of my count, redouble with 9, pass above 12."""
    lead = 100 * (theirs.pips - mine.pips)
    return RaceVerdict(
        "8-9-12",
        "traditional; Robertie 1991",
        Fraction(mine.pips),
        Fraction(theirs.pips),
        lead >= 8 * mine.pips,
        lead >= 9 * mine.pips,
        lead <= 12 * mine.pips,
    )


def thorp(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Thorp's count: pips, 2 a checker, 1 a checker on the ace, less 1 a home point held; mine over 30 and a tenth.

    Double if mine is at most theirs and 2, redouble at most theirs and 1, pass if theirs exceeds mine by more
    than 2.
    """

    def count(side: RaceSide) -> Fraction:
        held = sum(1 for point in range(1, 7) if side.points[point])
        return Fraction(side.pips + 2 * side.checkers + side.points[1] - held)

    leader, trailer = count(mine), count(theirs)
    if leader > 30:
        leader *= Fraction(11, 10)
    return RaceVerdict(
        "Thorp",
        "Thorp 1977",
        leader,
        trailer,
        leader <= trailer + 2,
        leader <= trailer + 1,
        leader >= trailer - 2,
    )


def ward(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Ward's count, relative: what one side has more of is added to its pips.

    2 for each checker past the second on the ace and 1 on the 2 point; less 1 for each home point held more
    than the other side; 2 for each checker more on the board; half a pip for each checker more outside; mine
    and a tenth. Double at most theirs and 2, redouble theirs and 1; the taking margin rises from 2 pips
    (50 pips each) over 3 (75) to 4 (100), between them in a straight line.
    """

    def count(side: RaceSide, other: RaceSide) -> Fraction:
        held, held_by_other = (sum(1 for point in range(1, 7) if a.points[point]) for a in (side, other))
        total = Fraction(side.pips + 2 * max(side.points[1] - 2, 0) + max(side.points[2] - 2, 0))
        total -= max(held - held_by_other, 0)
        total += 2 * max(side.checkers - other.checkers, 0)
        return total + Fraction(max(side.outside - other.outside, 0), 2)

    leader, trailer = count(mine, theirs) * Fraction(11, 10), count(theirs, mine)
    margin = min(max(Fraction(mine.pips + theirs.pips, 50), Fraction(2)), Fraction(4))
    return RaceVerdict(
        "Ward",
        "Ward 1982",
        leader,
        trailer,
        leader <= trailer + 2,
        leader <= trailer + 1,
        trailer <= leader + margin,
    )


def keith(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Keith's count: pips, what low stacks and gaps waste, and a seventh of mine, rounded down.

    2 for each checker past the first on the ace, 1 past the first on the 2, 1 past the third on the 3, 1 for
    each empty 4, 5 or 6 point. Double if mine exceeds theirs by at most 4, redouble at most 3; take if mine
    exceeds theirs by 2 or more.
    """

    def count(side: RaceSide) -> int:
        stacks = 2 * max(side.points[1] - 1, 0) + max(side.points[2] - 1, 0) + max(side.points[3] - 3, 0)
        return side.pips + stacks + len(side.gaps)

    leader, trailer = count(mine), count(theirs)
    leader += leader // 7
    return RaceVerdict(
        "Keith",
        "Keith 2004",
        Fraction(leader),
        Fraction(trailer),
        leader <= trailer + 4,
        leader <= trailer + 3,
        leader >= trailer + 2,
    )


def kleinman(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Kleinman's metric: K = (D + 4)^2 / (S - 4) of the pips' difference and sum, a normal approximation.

    The chance to win is that of a normal variable below the root of K/2. Double if K exceeds 0.44, redouble
    0.61, pass above 1.2. The counts given are plain pips.
    """
    ahead, total = theirs.pips - mine.pips + 4, theirs.pips + mine.pips - 4
    # So few pips that the metric has no meaning: whoever is on roll wins.
    metric = Fraction(ahead * ahead, total) if total > 0 else Fraction(100)
    leads = ahead > 0
    half = 0.5 * error_function(0.5 * sqrt(metric))
    return RaceVerdict(
        "Kleinman",
        "Kleinman 1980",
        Fraction(mine.pips),
        Fraction(theirs.pips),
        leads and metric > Fraction(44, 100),
        leads and metric > Fraction(61, 100),
        not leads or metric <= Fraction(12, 10),
        0.5 + half if leads else 0.5 - half,
    )


def isight(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Isight: Keith's idea with other weights, and what one side has more of; a sixth of mine.

    2 for each checker past the second on the ace, 1 past the second on the 2, 1 past the third on the 3, 1
    for each empty 4, 5 or 6 point where the other side has a checker on his, 1 for each checker and each
    crossover more than the other side. Double if mine exceeds theirs by at most 6, redouble
    at most 5; take if it exceeds theirs by 2 or more. The chance to win is 80 - 2 x excess per cent.
    """

    def count(side: RaceSide, other: RaceSide) -> Fraction:
        stacks = 2 * max(side.points[1] - 2, 0) + max(side.points[2] - 2, 0) + max(side.points[3] - 3, 0)
        gaps = sum(1 for point in side.gaps if other.points[point])
        more = max(side.checkers - other.checkers, 0) + max(side.crossovers - other.crossovers, 0)
        return Fraction(side.pips + stacks + gaps + more)

    leader, trailer = count(mine, theirs) * Fraction(7, 6), count(theirs, mine)
    excess = leader - trailer
    return RaceVerdict(
        "Isight",
        "Reichert 2014",
        leader,
        trailer,
        excess <= 6,
        excess <= 5,
        excess >= 2,
        min(max(float(80 - 2 * excess) / 100, 0.0), 1.0),
    )


def rule_62(mine: RaceSide, theirs: RaceSide) -> RaceVerdict:
    """Trice's rule 62 on plain pips: the most the other may be behind and still take.

    That is (mine - 5) / 7 rounded down up to 62 pips, else a tenth of mine and 1; double 3 pips before it,
    redouble 2. The counts given are plain pips.
    """
    last_take = (mine.pips - 5) // 7 if mine.pips <= 62 else mine.pips // 10 + 1
    lead = theirs.pips - mine.pips
    return RaceVerdict(
        "Rule 62",
        "Trice 2004",
        Fraction(mine.pips),
        Fraction(theirs.pips),
        lead >= last_take - 3,
        lead >= last_take - 2,
        lead <= last_take,
    )


def effective(mine: RaceSide, theirs: RaceSide) -> RaceVerdict | None:
    """Compare effective pips: the other may be behind by a seventh of mine less 3; double 2 before that, redouble 1."""
    if mine.epc is None or theirs.epc is None:
        return None
    last_take = mine.epc + mine.epc / 7 - 3
    return RaceVerdict(
        "Effective pips",
        "Trice 2004",
        mine.epc,
        theirs.epc,
        theirs.epc >= last_take - 2,
        theirs.epc >= last_take - 1,
        theirs.epc <= last_take,
    )


def error_function(x: float) -> float:
    """Return the error function to 2e-8, by its power series: the C library's may differ in the last bits."""
    if x < 0:
        return -error_function(-x)
    if x > 4:
        return 1.0
    term = total = x
    n = 0
    while abs(term) > 1e-18:
        n += 1
        term = -term * x * x / n
        total += term / (2 * n + 1)
    return min(_TWO_OVER_ROOT_PI * total, 1.0)


speak_for(race)
