"""Cube actions in words, in equity and in match-winning chance."""

from fractions import Fraction

import pytest

from bgcore import met
from bgcore.cube import CubeAction, market_window, static_action
from bgcore.errors import RulesError
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

CENTRED = Stakes.money(rules=Rules(cube_limit=None))
OWNED = Stakes.money(Cube(2, "mine"), Rules(cube_limit=None))
BEAVERS = Stakes.money(rules=Rules(beavers=True, cube_limit=None))


@pytest.mark.parametrize(
    ("stakes", "no_double", "double_take", "beaver", "action"),
    [
        (CENTRED, Fraction(-1, 6), Fraction(-1, 3), None, "No double, take"),
        (CENTRED, Fraction(3, 4), Fraction(9, 10), None, "Double, take"),
        (CENTRED, Fraction(3, 4), Fraction(6, 5), None, "Double, pass"),
        (CENTRED, Fraction(6, 5), Fraction(7, 5), None, "Too good to double, pass"),
        (CENTRED, Fraction(11, 10), Fraction(9, 10), None, "Too good to double, take"),
        (CENTRED, Fraction(1), Fraction(2), None, "Optional double, pass"),
        (CENTRED, Fraction(1, 2), Fraction(1, 2), None, "Optional double, take"),
        (OWNED, Fraction(3, 2), Fraction(7, 5), None, "No redouble, take"),
        (OWNED, Fraction(3, 2), Fraction(9, 5), None, "Redouble, take"),
        (OWNED, Fraction(3, 2), Fraction(3), None, "Redouble, pass"),
        (OWNED, Fraction(5, 2), Fraction(3), None, "Too good to redouble, pass"),
        (OWNED, Fraction(2), Fraction(4), None, "Optional redouble, pass"),
        (BEAVERS, Fraction(-1, 4), Fraction(-1, 10), Fraction(-1, 5), "Double, beaver"),
        (BEAVERS, Fraction(-1, 6), Fraction(-1, 3), Fraction(-2, 3), "No double, beaver"),
        (BEAVERS, Fraction(1, 2), Fraction(3, 4), Fraction(4, 3), "Double, take"),
    ],
)
def test_words(stakes, no_double, double_take, beaver, action):
    found = CubeAction.from_worths(stakes, no_double, double_take, beaver)
    assert found.action == action
    assert found.is_double == (not action.startswith(("No", "Too")))
    assert found.answer == action.rsplit(", ", 1)[1]
    cube = stakes.levels[0].cube
    assert found.no_double == float(no_double / cube) and found.double_pass == 1.0
    assert found.value == max(
        found.no_double, min(x for x in (found.double_take, found.double_pass, found.double_beaver) if x is not None)
    )
    assert found.mwc is None and found.mwc_double_take is None


def test_no_double_possible():
    for stakes in (
        Stakes.money(Cube(2, "theirs")),
        Stakes.money(Cube(64, "mine")),
        Stakes.money(Cube(enabled=False)),
        Stakes.match(Cube(), None, MatchScore(7, 5, 6, is_crawford=True), met.default()),
    ):
        found = static_action([0.6, 0.1, 0, 0.25, 0.05, 0], stakes, efficiency=0.68)
        assert found.action == "Cube not available" and not found.can_double and not found.is_double
        assert found.double_take is found.double_pass is found.double_beaver is found.answer is found.window is None
        assert found.value == found.no_double
    with pytest.raises(RulesError, match="its worth is needed"):
        CubeAction.from_worths(CENTRED, Fraction(1, 2))


def test_last_roll_at_two_away_two_away():
    stakes = Stakes.match(Cube(), None, MatchScore(3, 1, 1), met.default())
    found = static_action([19 / 36, 0, 0, 17 / 36, 0, 0], stakes, efficiency=0.0)
    assert found.mwc_no_double == pytest.approx(0.50985, abs=1e-5)
    assert found.mwc_double_take == pytest.approx(0.52778, abs=1e-5)
    assert found.mwc_double_pass == pytest.approx(0.67736, abs=1e-5)
    assert found.action == "Double, take" and found.window.take_point == pytest.approx(0.32264)
    assert found.double_pass == 1.0 and found.mwc == found.mwc_double_take


@pytest.mark.parametrize(
    ("score", "no_double", "double_take", "double_pass", "action"),
    [
        (MatchScore(7, 5, 6), 0.26389, 0.52778, 0.5, "Double, pass"),
        (MatchScore(7, 4, 6), 0.25757, 0.26389, 0.48803, "Double, take"),
    ],
)
def test_after_crawford(score, no_double, double_take, double_pass, action):
    stakes = Stakes.match(Cube(), None, score, met.default())
    found = static_action([19 / 36, 0, 0, 17 / 36, 0, 0], stakes, efficiency=0.0)
    assert found.mwc_no_double == pytest.approx(no_double, abs=1e-5)
    assert found.mwc_double_take == pytest.approx(double_take, abs=1e-5)
    assert found.mwc_double_pass == pytest.approx(double_pass, abs=1e-5)
    assert found.action == action


def test_static_money_action():
    found = static_action([0.55, 0.2, 0.0, 0.2, 0.05, 0.0], CENTRED, efficiency=0.68)
    assert found.cubeless == pytest.approx(0.65) and found.basis == "static" and found.efficiency == 0.68
    assert found.action == "Double, pass" and found.window == market_window(
        found.probabilities, CENTRED, efficiency=0.68
    )
    dead, live = (market_window(found.probabilities, CENTRED, efficiency=x) for x in (0.0, 1.0))
    assert dead.take_point > found.window.take_point > live.take_point
    assert found.to_dict()["action"] == found.action and "mwc" not in found.to_dict()
    assert market_window(found.probabilities, OWNED.flip(), efficiency=0.5) is None


def test_a_cube_of_two_gives_the_same_equities_per_cube():
    outcomes = [0.5, 0.2, 0.01, 0.2, 0.08, 0.01]
    low = static_action(outcomes, OWNED, efficiency=0.6)
    high = static_action(outcomes, Stakes.money(Cube(16, "mine"), Rules(cube_limit=None)), efficiency=0.6)
    assert (low.no_double, low.double_take, low.action) == (high.no_double, high.double_take, high.action)


def test_money_and_match_never_share_state():
    outcomes = [19 / 36, 0, 0, 17 / 36, 0, 0]
    first = static_action(outcomes, Stakes.money(), efficiency=0.6)
    crawford = Stakes.match(Cube(), None, MatchScore(7, 6, 5, is_crawford=True), met.default())
    assert not static_action(outcomes, crawford, efficiency=0.6).can_double
    assert static_action(outcomes, Stakes.money(), efficiency=0.6) == first
    post = Stakes.match(Cube(), None, MatchScore(7, 6, 5), met.default())
    assert static_action(outcomes, post, efficiency=0.6) != static_action(outcomes, crawford, efficiency=0.6)


@pytest.mark.parametrize(
    ("outcomes", "efficiency", "words"),
    [
        ([0.5, 0.5], 0.5, ["six outcomes"]),
        ([0.5, 0.1, 0, 0.5, 0, 0], 0.5, ["add up to 1"]),
        ([1.2, -0.2, 0, 0, 0, 0], 1.5, ["not be negative", "between 0 and 1"]),
        ([float("nan"), 0, 0, 1, 0, 0], 0.5, ["not be negative"]),
    ],
)
def test_faults(outcomes, efficiency, words):
    with pytest.raises(RulesError) as caught:
        static_action(outcomes, CENTRED, efficiency=efficiency)
    assert all(word in str(caught.value) for word in words)
