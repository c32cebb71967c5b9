"""Cube actions of positions: static and looking ahead, money and match."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bgcore import met
from bgcore._core import Position, chosen_play, cube_efficiency
from bgcore.bearoff import solve
from bgcore.codecs.xgid import parse_xgid
from bgcore.cube import cube_action, exclusive
from bgcore.errors import RulesError, UnsupportedError
from bgcore.evaluate import Evaluator
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

OPENING = Position.starting()
KAUDER = parse_xgid("XGID=-BBBBBC------A--caacbbba-A:0:0:1:00:0:0:3:0:10")
BLITZ = Position.from_position_id("8ObEAQljtoYBDA")


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_opening(plies):
    found = cube_action(OPENING, plies=plies)
    assert found.action == "No double, take"
    assert found.no_double == pytest.approx(0.107, abs=0.03)
    assert found.double_pass == 1.0 and found.double_take < found.no_double
    assert found.basis == (f"look-ahead {plies}" if plies else "static")
    assert found.cubeless == pytest.approx(0.07, abs=0.03)
    assert sum(found.probabilities) == pytest.approx(1)


def test_kauder_paradox():
    """Under Jacoby a double may be right although it is a beaver."""
    found = cube_action(KAUDER.position, KAUDER.cube, KAUDER.rules, plies=1)
    assert found.action == "Double, beaver"
    assert found.no_double == pytest.approx(-0.2222, abs=0.08) and found.double_take == pytest.approx(-0.0665, abs=0.08)
    assert found.double_beaver < found.double_take < 0 and found.no_double < found.double_beaver


def test_blitz():
    found = cube_action(BLITZ, plies=2)
    assert found.no_double == pytest.approx(0.502, abs=0.08) and found.double_take == pytest.approx(0.585, abs=0.12)


@pytest.mark.parametrize("plies", [0, 1])
def test_a_match_that_is_all_gammons(plies):
    """Two away with the cube at 2 or dead: equities are match-winning chances in another coat."""
    found = cube_action(OPENING, Cube(2, "mine"), MatchScore(5, 3, 3), plies=plies)
    assert found.action == "Cube not available" and found.mwc == pytest.approx(0.5, abs=0.04)
    outcomes = exclusive(Evaluator.default().evaluate(OPENING, plies))
    assert found.mwc == pytest.approx(sum(outcomes[:3]), abs=0.01)


def test_far_from_the_end_a_match_is_nearly_money():
    money, match = cube_action(BLITZ), cube_action(BLITZ, None, MatchScore(25, 0, 0))
    assert match.no_double == pytest.approx(money.no_double, abs=0.08)
    assert match.double_take == pytest.approx(money.double_take, abs=0.08)


def test_crawford_and_money_in_any_order():
    first = cube_action(BLITZ)
    crawford = cube_action(BLITZ, None, MatchScore(7, 6, 5, is_crawford=True))
    after = cube_action(BLITZ, None, MatchScore(7, 5, 6))
    assert not crawford.can_double and after.can_double
    assert cube_action(BLITZ) == first
    with ThreadPoolExecutor(4) as pool:
        scores = [None, MatchScore(7, 6, 5, is_crawford=True), MatchScore(7, 5, 6)] * 8
        answers = list(pool.map(lambda score: cube_action(BLITZ, None, score, plies=1), scores))
    assert answers == answers[:3] * 8


def test_arguments_in_every_form():
    assert cube_action(BLITZ, "mine").no_double == cube_action(BLITZ, Cube(2, "mine")).no_double
    assert cube_action(BLITZ, "centre") == cube_action(BLITZ) == cube_action(BLITZ, Cube(), Rules(cube_limit=None))
    assert cube_action(BLITZ, None, Stakes.money()) == cube_action(BLITZ, None, Rules())
    assert cube_action(BLITZ, "mine", cap=2).action == "Cube not available"
    wide = met.default().extended(40)
    assert cube_action(BLITZ, None, MatchScore(40, 0, 0), met=wide).can_double
    limited = cube_action(BLITZ, None, MatchScore(7, 0, 0), rules=Rules(cube_limit=1))
    assert not limited.can_double


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "words"),
    [
        ((), {"plies": 4}, RulesError, "plies"),
        ((), {"plies": True}, RulesError, "plies"),
        ((), {"plies": 1, "efficiency": 0.5}, RulesError, "without look-ahead"),
        ((), {"efficiency": 2}, RulesError, "between 0 and 1"),
        ((None, MatchScore(5, 0, 0)), {"cap": 2}, RulesError, "belongs to money"),
        ((None, Rules()), {"rules": Rules()}, RulesError, "given twice"),
        ((None, Rules()), {"met": met.default()}, RulesError, "needs a match score"),
        ((Cube(), Stakes.money()), {}, RulesError, "stakes already say"),
        (("ours",), {}, RulesError, "owner must be"),
        ((None, MatchScore(40, 0, 0)), {}, UnsupportedError, "beyond the table"),
        ((None, MatchScore(5, 0, 0)), {"rules": Rules(jacoby=True)}, RulesError, "Jacoby belongs"),
    ],
)
def test_refusals(arguments, keywords, error, words):
    with pytest.raises(error, match=words):
        cube_action(BLITZ, *arguments, **keywords)


def test_a_finished_game_has_no_cube_action():
    with pytest.raises(RulesError, match="the game is over"):
        cube_action(Position.from_board([0, *[0] * 23, -2, 0]))


def one_roll_ahead(position, stakes, level, owner):
    """Average over the 21 rolls what the other side's best cube action leaves us; an obvious second way."""
    network, model, other = Evaluator.default().network, stakes.compiled, stakes.flip().compiled
    paid = stakes.level(level)
    utility = [float(worth) for worth in (*paid.win, *paid.lose)]
    total = 0.0
    for one in range(1, 7):
        for two in range(1, 7):
            after, six, _ = chosen_play(network, position, one, two, utility)
            replies = np.array([*six[3:], *six[:3]])
            if after.outcome:
                total += utility[after.outcome - 1]
                continue
            efficiency = cube_efficiency(after.flip())
            total += model.total - other.decision(replies, level, (0, 2, 1)[owner], efficiency)[5]
    return total / 36


@pytest.mark.parametrize(
    "stakes",
    [
        Stakes.money(rules=Rules(cube_limit=None)),
        Stakes.money(cap=2),
        Stakes.match(Cube(), None, MatchScore(7, 4, 6), met.default()),
        Stakes.match(Cube(2, "mine"), None, MatchScore(9, 2, 4), met.default()),
    ],
)
@pytest.mark.parametrize("position", [OPENING, BLITZ, KAUDER.position])
def test_one_ply_is_the_average_over_the_rolls(stakes, position):
    found = cube_action(position, None, stakes, plies=1)
    owner = {"centre": 0, "mine": 1}[stakes.owner]
    assert found.no_double == pytest.approx(stakes.equity(one_roll_ahead(position, stakes, 0, owner)), abs=1e-12)
    assert found.double_take == pytest.approx(stakes.equity(one_roll_ahead(position, stakes, 1, 2)), abs=1e-12)


FOUR_ROLLS = Position.from_board([0, 8, *[0] * 22, -8, 0])
SHORT = Position.from_board([0, 0, 1, 0, 0, 1, *[0] * 18, -1, 0])


def test_plain_money_comes_from_the_table():
    found = cube_action(SHORT)
    assert found.basis == "two-sided table" and found.action == "Double, take"
    assert found.no_double == pytest.approx(1 / 18, abs=1e-6) and found.double_take == pytest.approx(1 / 9, abs=1e-6)
    solved = cube_action(SHORT, None, Rules())
    assert solved.basis == "exact" and solved.no_double == 1 / 18 and solved.double_take == 1 / 9


def test_the_table_counts_raccoons_as_the_solver_does():
    """Right to double, it is right to raccoon; a refused raccoon wins the cube as beavered, at most."""
    likely = Position.from_board([0, *[0] * 5, 1, *[0] * 17, -1, 0])
    hopeless = Position.from_board([0, *[0] * 4, 2, 1, *[0] * 17, -2, 0])
    for position, without, counted in ((SHORT, 2 / 9, 4 / 9), (likely, 2, 4), (hopeless, -2, -2)):
        for raccoons, expected in ((False, without), (True, counted)):
            stakes = Stakes.money(rules=Rules(beavers=True, raccoons=raccoons, cube_limit=None))
            found = cube_action(position, None, stakes)
            assert found.basis == "two-sided table" and found.double_beaver == pytest.approx(expected, abs=1e-6)
            assert float(solve(position, stakes).double_beaver) == pytest.approx(expected)


def test_races_are_solved_for_any_stakes():
    redouble = cube_action(FOUR_ROLLS, "mine")
    assert (redouble.basis, redouble.action) == ("exact", "Redouble, take")
    assert redouble.double_take == pytest.approx(0.916752, abs=1e-6)
    score = cube_action(SHORT, None, MatchScore(3, 1, 1))
    assert score.basis == "exact" and score.mwc_double_take == pytest.approx(19 / 36)
    assert cube_action(SHORT, "mine", cap=3).double_take == pytest.approx(3 / 36)
    beavers = Rules(beavers=True, cube_limit=None)
    assert cube_action(SHORT, None, beavers).double_beaver == pytest.approx(2 / 9, abs=1e-6)
    assert cube_action(SHORT, exact=False).basis == "static"
    assert cube_action(SHORT, plies=2) == cube_action(SHORT)


def test_other_rules_of_bearing_off_are_solved_or_refused():
    position = Position.from_board([0, 1, 1, 0, 0, 0, 1, *[0] * 17, -4, 0])
    standard = cube_action(position, None, Rules())
    other = cube_action(position, None, Rules(bearoff_rule="highest_first"))
    assert other.basis == "exact" and other.probabilities[0] < standard.probabilities[0]
    for rules in (Rules(bearoff_rule="highest_first"), Rules(gammon_rule="manual_garlando")):
        with pytest.raises(UnsupportedError, match="solved exactly"):
            cube_action(BLITZ, None, rules)


LONG = Position.from_board([0, 2, 2, 2, 2, 1, 1, *[0] * 12, -1, -1, -2, -2, -1, -1, 0])


def test_races_too_long_to_solve_lean_on_the_tables():
    """Eight or ten checkers a side: within what two rolls of doubles can hide, all bases agree."""
    static, one, two = (cube_action(LONG, "mine", plies=plies) for plies in (0, 1, 2))
    assert [found.basis for found in (static, one, two)] == ["static", "look-ahead 1", "look-ahead 2"]
    assert one.no_double == pytest.approx(two.no_double, abs=0.03) and one.action == two.action
    assert static.probabilities == one.probabilities and static.cubeless == pytest.approx(two.cubeless)


def test_looking_ahead_into_the_table_is_exact():
    """One roll before the table, one ply knows everything but the best play."""
    position = Position.from_board([0, 3, 2, 2, *[0] * 17, -2, -2, -2, 0, 0])
    solved = cube_action(position, "mine", Rules(cube_limit=None))
    ahead = cube_action(position, "mine", plies=2, exact=False)
    assert solved.basis == "exact"
    assert ahead.no_double == pytest.approx(solved.no_double, abs=0.01)
    assert ahead.double_take == pytest.approx(solved.double_take, abs=0.01)
