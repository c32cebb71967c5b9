"""Race formulas against worked figures, and what must hold for all of them."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bgcore
from bgcore import Position, bearoff
from bgcore.errors import UnsupportedError
from bgcore.race import error_function, race

LOW_STACKS = Position.from_position_id("9w4AALg3AAAAAA")  # 17 pips on 3 points against 20 on 3


def home_race(mine, theirs):
    board = [0] * 26
    for point in mine:
        board[point] += 1
    for point in theirs:
        board[25 - point] -= 1
    return Position.from_board(board)


def test_formulas_disagree_about_low_stacks():
    found = race(LOW_STACKS)
    assert (found.mine.pips, found.theirs.pips, found.lead) == (17, 20, 3)
    assert found.lead_percent == Fraction(300, 17)
    assert (found.thorp.mine, found.thorp.theirs, found.thorp.words) == (Fraction(77, 2), 40, "redouble, take")
    assert found.eight_nine_twelve.words == "double, pass"
    assert found.keith.words == "double, pass"
    assert found.mine.epc == pytest.approx(36.181, abs=5e-4)
    assert found.theirs.epc == pytest.approx(37.106, abs=5e-4)
    assert found.mine.wastage == pytest.approx(19.181, abs=5e-4)
    assert found.win == pytest.approx(0.7654, abs=5e-5)
    assert found.basis == "one-sided table"


def test_keith_as_published_on_a_forum():
    """59 pips and 56: Keith counts of 70 and 64, more than four apart, so no double."""
    mine = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 5, 6, 6]
    found = race(home_race(mine, [1] * 3 + [2] * 2 + [3] * 5 + [5] * 3 + [6] * 2))
    assert found.mine.pips == 59
    assert found.keith.mine == (59 + 2 + 1) + (59 + 2 + 1) // 7 == 70
    assert found.keith.theirs == found.theirs.pips + 4 + 1 + 2 + 1


def test_kleinman_of_a_long_race():
    """100 pips against 110: K = 14^2 / 206."""
    board = [0] * 26
    board[10], board[6], board[5] = 5, 5, 4
    board[25 - 10], board[25 - 6] = -5, -10
    position = Position.from_board(board)
    found = race(position)
    assert position.pip_counts == (100, 110)
    metric = 14**2 / 206
    assert found.kleinman.win == pytest.approx(0.5 * (1 + math.erf(math.sqrt(metric) / 2)), abs=1e-7)
    assert found.kleinman.words == "redouble, take"
    assert found.basis == "Kleinman"
    assert found.effective is None
    assert found.mine.epc is None
    assert (found.mine.outside, found.mine.crossovers) == (5, 5)
    assert found.rule_62.words == "redouble, take"


def test_ward_and_isight_count_what_one_side_has_more_of():
    found = race(home_race([6, 5, 4, 3, 2, 1, 1, 1], [6, 6, 5, 4, 3, 3]))
    # Pips 23: 2 for the third ace, 2 x 2 for two checkers more, all points held but one by the other.
    assert found.ward.mine == Fraction(11, 10) * (23 + 2 + 4 - 2)
    assert found.ward.theirs == 27
    assert found.isight.mine == Fraction(7, 6) * (23 + 2 + 2)
    assert found.isight.theirs == 27


def test_chances_from_the_exact_table():
    found = race(home_race([6, 1], [1, 1]))
    assert found.win == pytest.approx(15 / 36, abs=1e-7)
    assert found.basis == "two-sided table"


def test_a_lone_checker_needs_so_many_rolls(tmp_path):
    table = bearoff.open_table(bearoff.build(24, 1, kind="one-sided", path=tmp_path / "lone.bearoff"))
    for pips, one, two, three in [
        (3, "1", "1", "1"),
        (7, "23/36", "323/324", "1"),
        (12, "1/9", "1063/1296", "23255/23328"),
        (16, "1/12", "581/1296", "14675/15552"),
        (24, "1/36", "83/648", "10537/23328"),
    ]:
        board = [0] * 26
        board[pips], board[pips + 1 if pips < 24 else 0] = 1, -1
        rows, _ = table.rows(Position.from_board(board))
        rolls = bearoff.Rolls(*rows)
        assert rolls.within(1) == pytest.approx(float(Fraction(one)), abs=1e-6)
        assert rolls.within(2) == pytest.approx(float(Fraction(two)), abs=1e-6)
        assert rolls.within(3) == pytest.approx(float(Fraction(three)), abs=1e-6)


home = st.lists(st.integers(1, 6), min_size=1, max_size=15)


@given(home, home)
@settings(max_examples=50)
def test_laws(mine, theirs):
    position = home_race(mine, theirs)
    found, mirrored = race(position), race(position.flip())
    assert found.lead == -mirrored.lead
    assert found.mine.epc >= found.mine.pips
    assert found.mine == mirrored.theirs
    # Having the roll never hurts.
    assert found.win + mirrored.win >= 1 - 1e-6
    for verdict in found.verdicts:
        assert verdict.is_double or not verdict.is_redouble
        assert verdict.words in {"no double", "double, take", "redouble, take", "double, pass"}
        assert verdict.win is None or 0 <= verdict.win <= 1
    json = found.to_dict()
    assert [entry["words"] for entry in json["verdicts"]] == [verdict.words for verdict in found.verdicts]


@given(st.floats(-8, 8))
def test_error_function(x):
    assert error_function(x) == pytest.approx(math.erf(x), abs=2e-8)


def test_the_module_is_its_main_function():
    assert bgcore.race(LOW_STACKS) == race(LOW_STACKS)


def test_refusals():
    for position in (Position.starting(), Position.from_board([0] * 24 + [-1, 0])):
        with pytest.raises(UnsupportedError, match="race formulas need a race"):
            race(position)
