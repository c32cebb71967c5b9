"""The exact solver against the oracle, the textbook, and itself.

``BGCORE_EXACT_STEP=1`` asks every position of up to four checkers a side, not every eleventh.
"""

import os
import random
import threading
from fractions import Fraction

import pytest
from exact_oracle import Oracle, Retrograde, board_of, layouts
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import Position
from bgcore.bearoff import default, solve
from bgcore.errors import RulesError, UnsupportedError
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes


class LinearTable:
    """A match equity table from a formula, so that tests need no file."""

    def mwc(self, mine_away, theirs_away, *, is_post_crawford=False):
        if mine_away <= 0:
            return Fraction(1)
        if theirs_away <= 0:
            return Fraction(0)
        return Fraction(1, 2) + Fraction(theirs_away - mine_away, 2 * (theirs_away + mine_away + is_post_crawford))


MONEY = {
    "centred": Stakes.money(),
    "mine": Stakes.money(Cube(2, "mine")),
    "theirs": Stakes.money(Cube(4, "theirs")),
    "no limit": Stakes.money(rules=Rules(cube_limit=None)),
    "no cube": Stakes.money(Cube(enabled=False)),
    "Jacoby": Stakes.money(rules=Rules(jacoby=True)),
    "beavers": Stakes.money(rules=Rules(jacoby=True, beavers=True, cube_limit=None)),
    "beavers below a cap": Stakes.money(rules=Rules(beavers=True), cap=5),
    "cap 3": Stakes.money(cap=3),
    "cap 7/2": Stakes.money(Cube(2, "mine"), cap=Fraction(7, 2)),
    "cap 4 blocks doubles": Stakes.money(rules=Rules(limit_mode="block_double"), cap=4),
    "refusal pays the new cube": Stakes.money(rules=Rules(decline_value="shown_after_double", cube_limit=None)),
}
SCORES = {
    "3-away 5-away": Stakes.match(Cube(), None, MatchScore(7, 4, 2), LinearTable()),
    "2-away 2-away": Stakes.match(Cube(), None, MatchScore(5, 3, 3), LinearTable()),
    "post-Crawford": Stakes.match(Cube(2, "theirs"), None, MatchScore(7, 6, 1), LinearTable()),
    "Crawford": Stakes.match(Cube(), None, MatchScore(5, 4, 1, is_crawford=True), LinearTable()),
}
STAKES = MONEY | SCORES


def agree(mine, theirs, stakes, bearoff_rule="standard", oracle=None):
    oracle = oracle or Oracle(stakes, bearoff_rule == "highest_first")
    found = solve(Position.from_board(board_of(mine, theirs)), stakes, bearoff_rule=bearoff_rule)
    level, holder = oracle.root
    assert found.is_exact
    assert found.error == 0
    assert found.no_double == oracle.rolled(0, mine, theirs, level, holder)
    assert found.value == oracle.value(0, mine, theirs, level, holder)
    assert found.cubeless == oracle.rolled(0, mine, theirs, level, "dead")
    if stakes.can_double:
        assert found.double_take == oracle.rolled(0, mine, theirs, 1, 1)
        assert found.double_pass == stakes.levels[0].pass_mine
    else:
        assert found.double_take is None
    return found


def few_layouts(stakes):
    """Layouts that the oracle works through quickly: it follows a cube without limit as far as it goes."""
    return layouts(1 if stakes.is_rescaling else 2)


@pytest.mark.parametrize("name", STAKES)
def test_small_positions_against_the_oracle(name):
    rng = random.Random(name)
    few = few_layouts(STAKES[name])
    oracle = Oracle(STAKES[name])
    for _ in range(12):
        agree(rng.choice(few), rng.choice(few), STAKES[name], oracle=oracle)


STEP = int(os.environ.get("BGCORE_EXACT_STEP", "11"))
FOUR_CHECKERS = {
    "money": (Stakes.money, {}),
    "cap 3": (Stakes.money, {"cap": 3}),
    "cap 9/2": (Stakes.money, {"cap": Fraction(9, 2)}),
    "3-away 5-away": (Stakes.match, {"score": MatchScore(7, 4, 2)}),
    "2-away 2-away": (Stakes.match, {"score": MatchScore(5, 3, 3)}),
    "post-Crawford, 4-away": (Stakes.match, {"score": MatchScore(7, 3, 6)}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUR_CHECKERS)
def test_up_to_four_checkers_a_side_against_retrograde_analysis(name):
    """Every eleventh of all 43,681 positions (see ``STEP``), with the cube centred, mine and the opponent's."""
    make, arguments = FOUR_CHECKERS[name]
    if make == Stakes.match:
        arguments = {"rules": None, "met": LinearTable(), **arguments}
    oracle = Retrograde(make(cube=Cube(), **arguments), 4)
    cubes = {(0, None): Cube(), (1, 0): Cube(2, "mine"), (1, 1): Cube(2, "theirs")}
    pairs = [(mine, theirs) for mine in layouts(4) for theirs in layouts(4)][::STEP]
    for cube, shown in cubes.items():
        stakes = make(cube=shown, **arguments)
        for mine, theirs in pairs:
            found = solve(Position.from_board(board_of(mine, theirs)), stakes)
            places = oracle.place[mine], oracle.place[theirs]
            assert found.is_exact
            for value, table in ((found.no_double, oracle.rolled), (found.value, oracle.value)):
                assert value == Fraction(table[0][cube][places[0]][places[1]], oracle.scale)


@pytest.mark.parametrize("name", ["centred", "no cube", "cap 3"])
def test_highest_first_against_the_oracle(name):
    rng = random.Random(3)
    oracle = Oracle(STAKES[name], highest_first=True)
    for _ in range(12):
        agree(rng.choice(layouts(3)), rng.choice(layouts(2)), STAKES[name], "highest_first", oracle)


def test_gammons_against_the_oracle():
    """One side bears off its last checkers while the other still has all fifteen."""
    for name in ("centred", "Jacoby", "cap 3", "3-away 5-away"):
        for theirs in ((15, 0, 0, 0, 0, 0), (13, 2, 0, 0, 0, 0)):
            found = agree((2, 0, 1, 0, 0, 0), theirs, STAKES[name])
            assert found.probabilities == (1, Fraction(17, 18), 0, 0, 0) or found.probabilities[1] > 0


def test_probabilities_of_a_gammon_race():
    """Two checkers and fifteen: the leader is off in two rolls, the other takes one off in his first."""
    found = solve(Position.from_board(board_of((0, 0, 0, 0, 1, 1), (15, 0, 0, 0, 0, 0))))
    assert found.probabilities == (1, Fraction(6, 36), 0, 0, 0)
    lost = solve(Position.from_board(board_of((0, 0, 0, 0, 0, 15), (2, 0, 0, 0, 0, 0))))
    # One comes off with any 6, 5-1, 4-2, 3-3 and 2-2: 17 of 36 rolls.
    assert lost.probabilities == (0, 0, 0, Fraction(19, 36), 0)


@pytest.mark.parametrize(
    ("aces", "centred", "owned"),
    [
        (6, ("0.768519", "1.151235", "1"), ("0.768519", "1.151235", "1")),
        (8, ("0.760802", "0.916752", "0.916752"), ("0.792953", "0.916752", "0.916752")),
        (10, ("0.704278", "0.726911", "0.726911"), ("0.753396", "0.726911", "0.753396")),
    ],
)
def test_roll_positions_of_the_textbook(aces, centred, owned):
    """Four rolls each redouble, five do not; no double, double/take and the value per unit of cube."""
    position = Position.from_board(board_of((aces, 0, 0, 0, 0, 0), (aces, 0, 0, 0, 0, 0)))
    for cube, expected in ((Cube(), centred), (Cube(2, "mine"), owned)):
        found = solve(position, Stakes.money(cube, Rules(cube_limit=None)))
        values = (found.no_double, found.double_take, found.value)
        assert [f"{float(value / cube.value):.6f}".rstrip("0").rstrip(".") for value in values] == list(expected)


def test_cap_makes_the_cube_dead():
    """One checker on the 6 against one on the ace, 27 of 36 rolls win, cube 2 owned."""
    position = Position.from_position_id("AQAAgAAAAAAAAA")
    cube = Cube(2, "mine")
    values = [solve(position, Stakes.money(cube, cap=cap)).value for cap in (None, 2, 3, 100)]
    assert values == [2, 1, Fraction(3, 2), 2]
    blocked = Stakes.money(cube, Rules(limit_mode="block_double"), cap=3)
    assert solve(position, blocked).value == 1


def test_beaver_is_the_doubled_sides_choice():
    """A wrong double may be beavered; the doubler may refuse and lose the doubled cube."""
    position = Position.from_board(board_of((4, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)))
    found = solve(position, Stakes.money(rules=Rules(beavers=True, cube_limit=None)))
    assert (found.no_double, found.double_take) == (Fraction(-2, 3), Fraction(-4, 3))
    assert found.double_beaver == -2
    assert found.value == found.no_double
    assert not found.is_double
    assert found.is_take


@given(st.integers(1, 10**6))
@settings(max_examples=40)
def test_laws(seed):
    rng = random.Random(seed)
    few = layouts(4)
    mine, theirs = rng.choice(few), rng.choice(few)
    position = Position.from_board(board_of(mine, theirs))
    centred, owned, against, dead = (
        solve(position, Stakes.money(cube, Rules(cube_limit=None)))
        for cube in (Cube(), Cube(2, "mine"), Cube(2, "theirs"), Cube(enabled=False))
    )
    # Owning the cube is worth the most, facing it the least; without cube lies between.
    assert owned.value / 2 >= centred.value >= against.value / 2
    assert owned.no_double / 2 >= dead.value >= against.value / 2
    assert centred.cubeless == dead.value == 2 * centred.probabilities[0] - 1
    assert centred.double_take == against.no_double
    # A cap that is never reached, and one with the cube dead.
    assert solve(position, Stakes.money(cap=64)).value == solve(position, Stakes.money()).value
    assert solve(position, Stakes.money(cap=1)).value == dead.value
    # Money is zero-sum: the flipped stakes give the other side's view of the same turn.
    exact = default().two_sided(position)
    assert abs(exact.no_double - float(centred.no_double)) <= exact.error
    assert abs(exact.value - float(centred.value)) <= exact.error
    assert abs(exact.win - float(centred.probabilities[0])) <= exact.error


def test_long_races_fall_back_to_floats_with_a_bound():
    position = Position.from_board(board_of((0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 0, 6)))
    found = solve(position, Stakes.money(rules=Rules(cube_limit=None)))
    assert not found.is_exact
    assert 0 < found.error < 1e-10
    exact = default().two_sided(position)
    assert abs(found.no_double - exact.no_double) <= exact.error
    assert abs(found.probabilities[0] - exact.win) <= exact.error


def test_checkers_outside_home():
    """A lone checker n pips away is a plain sum of pips; the other side needs one roll more."""
    board = [0] * 26
    board[8], board[24] = 1, -1
    found = solve(Position.from_board(board))
    assert found.probabilities[0] == Fraction(17, 36)
    board[8], board[24] = 0, -2
    board[13] = 1
    assert solve(Position.from_board(board)).probabilities[0] == Fraction(3, 36)


def test_gammon_rules():
    """The loser has a checker outside home and one borne off: single, or triple under the manual's rule."""
    board = [0] * 26
    board[1], board[15] = 1, -1
    position = Position.from_board(board)
    no_cube = Stakes.money(Cube(enabled=False))
    assert solve(position, no_cube).value == 1
    assert solve(position, no_cube, gammon_rule="manual_garlando").value == 3
    assert solve(position, no_cube, gammon_rule="portal_home_only").value == 1


def test_refusals():
    with pytest.raises(UnsupportedError, match="only a race"):
        solve(Position.starting())
    with pytest.raises(UnsupportedError, match="only a race"):
        solve(Position.from_board([0] * 24 + [-1, 0]))
    with pytest.raises(UnsupportedError, match="too many"):
        solve(Position.from_board(board_of((3, 3, 3, 2, 2, 2), (3, 3, 3, 2, 2, 2))))
    with pytest.raises(UnsupportedError, match="both sides are home"):
        board = [0] * 26
        board[8], board[24] = 1, -1
        solve(Position.from_board(board), bearoff_rule="highest_first")
    with pytest.raises(RulesError, match="bearoff_rule"):
        solve(Position.from_board(board_of((1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))), bearoff_rule="lowest")
    with pytest.raises(RulesError, match="gammon_rule"):
        solve(Position.from_board(board_of((1, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))), gammon_rule="double")


def test_threads_get_the_same_answer():
    position = Position.from_board(board_of((1, 1, 1, 0, 1, 0), (0, 1, 1, 1, 0, 1)))
    alone = solve(position)
    found = []
    threads = [threading.Thread(target=lambda: found.append(solve(position))) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 7
