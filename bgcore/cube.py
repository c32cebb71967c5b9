"""Cube actions: what doubling, taking and passing are worth, and what to do, in the words of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb
from types import NoneType
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from bgcore import bearoff
from bgcore import met as equity_tables
from bgcore._core import Position, cube_ahead, cube_efficiency
from bgcore.errors import RulesError, UnsupportedError, require, shown
from bgcore.evaluate import Evaluator, Probabilities
from bgcore.met import MatchEquityTable
from bgcore.rules import Cube, MatchScore, Owner, Rules, as_cube
from bgcore.stakes import Stakes

Answer = Literal["take", "pass", "beaver"]
Outcomes = tuple[float, float, float, float, float, float]

MOST_PLIES: Final = 3
"""How far `cube_action` may look ahead; each ply takes 21 times as long."""

_MOST_LAYOUTS: Final = 1_000_000
"""Pairs of layouts up to which `cube_action` solves a race; all of 6 checkers a side at home, about a second."""

_OWNERS: Final[dict[Owner, int]] = {"centre": 0, "mine": 1, "theirs": 2}


class CubeWindow(NamedTuple):
    """The chances to win between which doubling and taking are right, the shares of gammons unchanged.

    Parameters
    ----------
    take_point : float
        The chance the opponent needs to take a double now.
    double_point : float
        My chance from which doubling is right; between it and ``cash_point`` lies the market window.
    cash_point : float
        My chance above which the opponent must pass.
    too_good_point : float
        My chance above which playing on for a gammon is worth more than cashing; 1 where it never is.
    """

    take_point: float
    double_point: float
    cash_point: float
    too_good_point: float


@dataclass(frozen=True)
class CubeAction:
    """What each cube action is worth to the side to move, and which is right; immutable.

    Equities are normalised: +1 and -1 are a single win and a single loss at the present cube (in money
    play points per unit of cube, in a match EMG). The ``mwc_...`` properties give the same as chances to
    win the match.

    Parameters
    ----------
    no_double : float
        Playing on without a double now; the right to double later is included.
    double_take, double_pass : float or None
        Doubling, when the opponent takes or passes; None where no double is possible or could matter.
    double_beaver : float or None
        Doubling, when the opponent beavers; None where beavers are off or the cube cannot go that high.
    value : float
        The best of it: the larger of no double and double with the opponent's best answer. This is what
        the position is worth before the roll.
    cubeless : float or None
        The equity if the cube is never turned again.
    can_double : bool
        Whether the side to move may double and could gain by it.
    is_double : bool
        Whether doubling is at least as good as not doubling.
    answer : {"take", "pass", "beaver"} or None
        The opponent's best answer to a double; None where no double is possible.
    action : str
        The verdict in words: "No double, take", "Redouble, pass", "Too good to double, pass", ...
    probabilities : tuple of 6 float, or None
        The six exclusive outcomes before the roll that all this comes from.
    basis : str
        How it was found: ``exact`` (solved over the bear-off table), ``static``, ``look-ahead n`` or ``rollout``.
    efficiency : float or None
        How live the static model takes the cube to be; None where nobody asked it.
    stakes : Stakes
        What the game pays.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None
    double_beaver: float | None
    value: float
    cubeless: float | None
    can_double: bool
    is_double: bool
    answer: Answer | None
    action: str
    probabilities: Outcomes | None
    basis: str
    efficiency: float | None
    stakes: Stakes

    @classmethod
    def from_worths(
        cls,
        stakes: Stakes,
        no_double: Fraction | float,
        double_take: Fraction | float | None = None,
        double_beaver: Fraction | float | None = None,
        *,
        cubeless: Fraction | float | None = None,
        probabilities: Outcomes | None = None,
        basis: str = "static",
        efficiency: float | None = None,
    ) -> "CubeAction":
        """Compare the cube actions whose worths are known, and put the verdict into words.

        Parameters
        ----------
        stakes : Stakes
            What the game pays; a refused double and who may double come from here.
        no_double, double_take, double_beaver, cubeless : Fraction or float
            Worth to the side to move in the unit of the stakes (points, or the chance to win the match).
            ``double_take`` may be missing only where no double is possible.
        probabilities, basis, efficiency
            Kept as they are; see `CubeAction`.

        Raises
        ------
        RulesError
            If a double is possible and its worth is missing.
        """

        def equity(worth: Fraction | float | None) -> float | None:
            return None if worth is None else stakes.equity(worth)

        common: dict[str, Any] = {
            "no_double": equity(no_double),
            "cubeless": equity(cubeless),
            "can_double": stakes.can_double,
            "probabilities": probabilities,
            "basis": basis,
            "efficiency": efficiency,
            "stakes": stakes,
        }
        if not stakes.can_double:
            return cls(
                double_take=None,
                double_pass=None,
                double_beaver=None,
                value=common["no_double"],
                is_double=False,
                answer=None,
                action="Cube not available",
                **common,
            )
        if double_take is None:
            raise RulesError("a double is possible here, so its worth is needed")
        exact_pass = stakes.levels[0].pass_mine or Fraction(0)
        double_pass = float(exact_pass) if isinstance(double_take, float) else exact_pass
        answer: Answer = "take"
        answered = double_take
        if double_pass < answered:
            answer, answered = "pass", double_pass
        if double_beaver is not None and double_beaver < answered:
            answer, answered = "beaver", double_beaver
        return cls(
            double_take=equity(double_take),
            double_pass=stakes.equity(exact_pass),
            double_beaver=equity(double_beaver),
            value=stakes.equity(max(no_double, answered)),
            is_double=answered >= no_double,
            answer=answer,
            action=_words(stakes, no_double, answered, double_pass, answer),
            **common,
        )

    @property
    def mwc_no_double(self) -> float | None:
        """The chance to win the match without a double now; None in money play."""
        return self._mwc(self.no_double)

    @property
    def mwc_double_take(self) -> float | None:
        """The chance to win the match after double and take; None in money play or where no double is possible."""
        return self._mwc(self.double_take)

    @property
    def mwc_double_pass(self) -> float | None:
        """The chance to win the match after double and pass; None in money play or where no double is possible."""
        return self._mwc(self.double_pass)

    @property
    def mwc(self) -> float | None:
        """The chance to win the match with the best action; None in money play."""
        return self._mwc(self.value)

    def _mwc(self, equity: float | None) -> float | None:
        if equity is None or self.stakes.unit != "mwc":
            return None
        return self.stakes.worth(equity)

    @property
    def window(self) -> CubeWindow | None:
        """Take, double and cash points of the static model; None where no double is possible, or without outcomes.

        Where the action itself came from a table or a rollout, the model's usual efficiency for the
        position is used.
        """
        if self.probabilities is None or self.efficiency is None:
            return None
        return market_window(self.probabilities, self.stakes, efficiency=self.efficiency)

    def __repr__(self) -> str:
        names = ("no_double", "double_take", "double_pass", "double_beaver")
        known = ((name, getattr(self, name)) for name in names)
        worths = ", ".join(f"{name}={float(equity):+.4f}" for name, equity in known if equity is not None)
        return f"CubeAction({self.action!r}, {worths}, basis={self.basis!r})"

    def _repr_html_(self) -> str:
        from bgcore.render.notebook import cube_html

        return cube_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the action as JSON values."""
        names = ("no_double", "double_take", "double_pass", "double_beaver", "value", "cubeless")
        data: dict[str, Any] = {"action": self.action, "basis": self.basis}
        data.update({name: getattr(self, name) for name in names})
        if self.stakes.unit == "mwc":
            data["mwc"] = {
                "no_double": self.mwc_no_double,
                "double_take": self.mwc_double_take,
                "double_pass": self.mwc_double_pass,
                "value": self.mwc,
            }
        data["can_double"] = self.can_double
        data["is_double"] = self.is_double
        data["answer"] = self.answer
        window = self.window
        data["window"] = None if window is None else window._asdict()
        data["probabilities"] = None if self.probabilities is None else list(self.probabilities)
        data["efficiency"] = self.efficiency
        return data


def _words(
    stakes: Stakes, no_double: Fraction | float, answered: Fraction | float, refused: Fraction | float, answer: Answer
) -> str:
    turn = "redouble" if stakes.owner == "mine" else "double"
    if answered > no_double:
        return f"{turn.capitalize()}, {answer}"
    if answered == no_double:
        return f"Optional {turn}, {answer}"
    if no_double > refused:
        return f"Too good to {turn}, {answer}"
    return f"No {turn}, {answer}"


def market_window(probabilities: Sequence[float], stakes: Stakes, *, efficiency: float) -> CubeWindow | None:
    """Return the take, double, cash and too-good points of the static model.

    Parameters
    ----------
    probabilities : 6 float
        Exclusive outcomes of the side to move: win single, gammon, backgammon, lose single, gammon,
        backgammon. Only the shares of gammons among wins and among losses matter.
    stakes : Stakes
        What the game pays, and who owns the cube.
    efficiency : float
        0 for a cube that is never turned again (dead points), 1 for one turned at the perfect moment.

    Returns
    -------
    CubeWindow or None
        None where the side to move cannot double.
    """
    if not stakes.can_double:
        return None
    outcomes = _checked(probabilities, efficiency)
    return CubeWindow(*stakes.compiled.window(np.array(outcomes), 0, _OWNERS[stakes.owner], efficiency))


def static_action(probabilities: Sequence[float], stakes: Stakes, *, efficiency: float) -> CubeAction:
    """Decide on a double from the outcome chances alone, without looking ahead.

    Parameters
    ----------
    probabilities : 6 float
        Exclusive outcomes of the side to move before its roll: win single, gammon, backgammon, lose
        single, gammon, backgammon; they add up to 1.
    stakes : Stakes
        What the game pays, and who owns the cube.
    efficiency : float
        How live the cube is, from 0 (never turned again) to 1 (turned at the perfect moment).

    Raises
    ------
    RulesError
        If these are not six chances that add up to 1, or the efficiency lies outside 0..1.

    Notes
    -----
    Janowski's model, with the live value computed for whatever each cube level pays: for an owned cube the
    least concave function of the winning chance above what doubling pays, for the opponent's cube its
    mirror, for a centred cube the tight string between the two. The worth is
    ``dead + efficiency * (live - dead)``. An opponent who has nothing to lose by doubling (as after the
    Crawford game) is taken to double at his next turn. Takes a few microseconds; thread-safe.

    References
    ----------
    Rick Janowski, "Take-Points in Money Games", 1993.
    """
    outcomes = _checked(probabilities, efficiency)
    no_double, taken, _, beavered, _, _, cubeless, *_ = stakes.compiled.decision(
        np.array(outcomes), 0, _OWNERS[stakes.owner], efficiency
    )
    return CubeAction.from_worths(
        stakes,
        no_double,
        taken,
        beavered if stakes.can_beaver else None,
        cubeless=cubeless,
        probabilities=outcomes,
        efficiency=efficiency,
    )


def cube_action(
    position: Position,
    cube: Cube | Owner | None = None,
    score_or_rules: MatchScore | Rules | Stakes | None = None,
    *,
    rules: Rules | None = None,
    cap: Fraction | Decimal | int | None = None,
    met: MatchEquityTable | None = None,
    plies: int = 0,
    exact: bool = True,
    efficiency: float | None = None,
    evaluator: Evaluator | None = None,
) -> CubeAction:
    """Decide on a double: the side to move, before its roll.

    Parameters
    ----------
    position : Position
        Seen by the side to move.
    cube : Cube or {"centre", "mine", "theirs"}, optional
        By default centred at 1; a bare owner stands for a cube that shows 2.
    score_or_rules : MatchScore, Rules or Stakes, optional
        A score makes it a match game, rules a money game; stakes say what the game pays in full, and then
        nothing else may be said. By default money without Jacoby, beavers and cube limit.
    rules : Rules, optional
        Rules beside a match score.
    cap : Fraction, Decimal or int, optional
        Money only: the most points that can change hands.
    met : MatchEquityTable, optional
        Match only: by default Kazaross-XG2.
    plies : int, default 0
        Rolls to look ahead, at most 3, where there is no exact answer. 0 is the static model on the
        network's outcomes (in a race at home, on those of the one-sided table).
    exact : bool, default True
        Whether to answer from the two-sided table, or by solving the race, where that takes a second at
        most: up to 6 checkers a side at home, more when they stand low.
    efficiency : float, optional
        How live the static model takes the cube to be; by default `cube_efficiency` of the position.
        Only for ``plies=0``.
    evaluator : Evaluator, optional
        What values positions; by default the network that comes with bgcore.

    Returns
    -------
    CubeAction

    Raises
    ------
    RulesError
        If the game is over, the plies or the efficiency are out of range, or cube, rules and score do not
        go together.
    UnsupportedError
        If the score lies beyond the match equity table, or the rules of bearing off or of gammons are not
        the standard ones and the race is too long to be solved.

    Notes
    -----
    See `static_action` for the model. Looking ahead averages over the rolls, each played best for what the
    outcomes are worth at the cube in question; later doubles are decided by the static model on the way.
    Static, or plain money in the table: some 20 microseconds. One ply: half a millisecond; each further one
    some 25 times as long. Solving other stakes: up to a second. Thread-safe; the answer depends on the
    arguments alone.

    Examples
    --------
    >>> import bgcore
    >>> bgcore.cube_action(bgcore.Position.starting()).action
    'No double, take'
    """
    require(position, Position, "a double is weighed of a Position")
    require(score_or_rules, (MatchScore, Rules, Stakes, NoneType), "score_or_rules is a MatchScore, Rules or Stakes")
    require(met, (MatchEquityTable, NoneType), "met is a MatchEquityTable")
    require(efficiency, (int, float, NoneType), "an efficiency is a number from 0 to 1")
    faults = []
    if position.outcome:
        faults.append("the game is over")
    if isinstance(plies, bool) or plies not in range(MOST_PLIES + 1):
        faults.append(f"plies is a whole number from 0 to {MOST_PLIES}, not {shown(plies)}")
    if efficiency is not None and plies:
        faults.append("an efficiency can only be given without look-ahead")
    if faults:
        raise RulesError("cube action: " + "; ".join(faults))
    stakes, agreed = _agreed(cube, score_or_rules, rules, cap, met)
    live = cube_efficiency(position) if efficiency is None else efficiency
    is_standard = agreed.bearoff_rule == "standard" and agreed.gammon_rule == "standard"
    if exact and efficiency is None and position.is_race:
        if is_standard and stakes.is_homogeneous and _is_home(position, 6):
            return _from_table(position, stakes, live)
        if _layouts(position) <= _MOST_LAYOUTS:
            return _from_solution(
                bearoff.solve(position, stakes, bearoff_rule=agreed.bearoff_rule, gammon_rule=agreed.gammon_rule),
                stakes,
                live,
            )
    if not is_standard:
        raise UnsupportedError(
            f"bear-off rule {agreed.bearoff_rule} and gammon rule {agreed.gammon_rule} are judged only in races short "
            "enough to be solved exactly"
        )
    require(evaluator, (Evaluator, NoneType), "evaluator is an Evaluator")
    evaluator = evaluator or Evaluator.default()
    tables = bearoff.default() if position.is_race else None
    if tables is not None and position in tables.one:
        chances = tables.one.outcomes(position)
    else:
        chances = exclusive(evaluator.evaluate(position, min(plies, 1)))
    if not plies:
        return static_action(chances, stakes, efficiency=live)
    no_double, taken, beavered = cube_ahead(
        evaluator.network,
        position,
        stakes.compiled,
        _OWNERS[stakes.owner],
        plies,
        tables.one if tables else None,
        tables.two if tables and stakes.is_homogeneous else None,
    )
    return CubeAction.from_worths(
        stakes,
        no_double,
        taken,
        beavered if stakes.can_beaver else None,
        cubeless=stakes.expectation(chances),
        probabilities=chances,
        basis=f"look-ahead {plies}",
        efficiency=live,
    )


def _is_home(position: Position, checkers: int) -> bool:
    """Whether both sides have only checkers at home, at most so many of them."""
    board = position.board
    return bool(
        15 - min(position.off) <= checkers and not board[7:].clip(min=0).any() and not board[:19].clip(max=0).any()
    )


def _layouts(position: Position) -> int:
    """Bound the pairs of layouts that a race can still come to."""
    board = [int(count) for count in position.board]
    highest = (
        max(slot for slot in range(26) if board[slot] > 0),
        max(25 - slot for slot in range(26) if board[slot] < 0),
    )
    mine, theirs = (comb(15 - off + point, point) for off, point in zip(position.off, highest, strict=True))
    return mine * theirs


def _from_table(position: Position, stakes: Stakes, live: float) -> CubeAction:
    """Plain money from the two-sided table, whose entries are per unit of cube."""
    win, centre, mine, theirs = bearoff.default().two.entry(position)
    cube = stakes.levels[0].cube
    no_double = {"centre": centre, "mine": mine, "theirs": theirs}[stakes.owner]
    beaver = max(4 * theirs, -2.0)
    if stakes.raccoons:  # refused, it wins the cube as beavered
        beaver = max(beaver, min(8 * theirs, 4.0))
    return CubeAction.from_worths(
        stakes,
        cube * no_double,
        cube * 2 * theirs,
        cube * beaver if stakes.can_beaver else None,
        cubeless=cube * (2 * win - 1),
        probabilities=(win, 0.0, 0.0, 1 - win, 0.0, 0.0),
        basis="two-sided table",
        efficiency=live,
    )


def _from_solution(found: bearoff.Solution, stakes: Stakes, live: float) -> CubeAction:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (Fraction(chance) for chance in found.probabilities)
    outcomes = (win - gammon, gammon - backgammon, backgammon, 1 - win - lose_gammon, lose_gammon - lose_backgammon)
    first, second, third, fourth, fifth, sixth = (max(float(chance), 0.0) for chance in (*outcomes, lose_backgammon))
    return CubeAction.from_worths(
        stakes,
        found.no_double,
        found.double_take,
        found.double_beaver,
        cubeless=found.cubeless,
        probabilities=(first, second, third, fourth, fifth, sixth),
        basis="exact",
        efficiency=live,
    )


def exclusive(probabilities: Probabilities) -> Outcomes:
    """Return the six exclusive outcomes behind cumulative probabilities, never below 0."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = probabilities.as_tuple()
    return (
        max(win - gammon, 0.0),
        max(gammon - backgammon, 0.0),
        backgammon,
        max(1.0 - win - lose_gammon, 0.0),
        max(lose_gammon - lose_backgammon, 0.0),
        lose_backgammon,
    )


def _agreed(
    cube: Cube | Owner | None,
    score_or_rules: MatchScore | Rules | Stakes | None,
    rules: Rules | None,
    cap: Fraction | Decimal | int | None,
    met: MatchEquityTable | None,
) -> tuple[Stakes, Rules]:
    """Return what the game pays, and the rules it is played by."""
    if isinstance(score_or_rules, Stakes):
        if any(other is not None for other in (cube, rules, cap, met)):
            raise RulesError("cube action: stakes already say which cube, rules, cap and table are meant")
        return score_or_rules, _PLAIN
    cube = as_cube(cube)
    if isinstance(score_or_rules, MatchScore):
        if cap is not None:
            raise RulesError("cube action: a cap belongs to money play, not to a match")
        agreed = rules or _PLAIN
        return _match_stakes(cube, agreed, score_or_rules, met or equity_tables.default()), agreed
    if score_or_rules is not None and rules is not None:
        raise RulesError("cube action: rules are given twice")
    if met is not None:
        raise RulesError("cube action: a match equity table needs a match score")
    agreed = score_or_rules or rules or _PLAIN
    return _money_stakes(cube, agreed, cap), agreed


_PLAIN: Final = Rules(cube_limit=None)

# Stakes are values made from values, so remembering them cannot change an answer.
_match_stakes = lru_cache(1024)(Stakes.match)
_money_stakes = lru_cache(1024)(Stakes.money)


def _checked(probabilities: Sequence[float], efficiency: float) -> Outcomes:
    faults = []
    outcomes = tuple(float(chance) for chance in probabilities)
    if len(outcomes) != 6:
        faults.append(f"there must be six outcomes, not {len(outcomes)}")
    elif not all(chance >= 0 for chance in outcomes) or abs(sum(outcomes) - 1) > 1e-4:
        faults.append(f"outcome chances must not be negative and add up to 1, not {outcomes}")
    if not 0 <= efficiency <= 1:
        faults.append(f"the efficiency must lie between 0 and 1, not {shown(efficiency)}")
    if faults:
        raise RulesError("cube action: " + "; ".join(faults))
    win, gammon, backgammon, lose, lost_gammon, lost_backgammon = outcomes
    return (win, gammon, backgammon, lose, lost_gammon, lost_backgammon)
