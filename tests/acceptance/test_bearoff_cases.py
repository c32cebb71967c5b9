"""Public bug reports about bear-offs and races, turned into checks; see tests/shared_cases.py."""

from fractions import Fraction
from functools import cache

import pytest

import shared_cases
from bgcore import Cube, Position, Rules, Stakes, bearoff, legal_plays
from bgcore._core import fill_one_sided
from bgcore.race import race
from shared_cases import needs_shared

pytestmark = needs_shared


@cache
def case(name):
    return next(found for found in shared_cases.load("cases.jsonl") if found["id"] == name)


def side(points):
    """The bear-off of checkers on given points."""
    board = [0] * 26
    for point in points:
        board[point] += 1
    board[24] = -1
    return bearoff.default().side(Position.from_board(board))


def stack(counts):
    return side([point for point, count in enumerate(counts, start=1) for _ in range(count)])


def test_last_rolls():
    chances = case("bo-003")["expected"]["probability"]
    assert len(chances) == 27
    for points, chance in chances.items():
        found = side([int(point) for point in points.split("-")]).all_off.within(1)
        assert found == pytest.approx(float(Fraction(chance)), abs=1e-7)


def test_stacks_on_the_ace():
    expected = case("bo-004")["expected"]
    for aces, mean in expected["mean"].items():
        assert stack([int(aces)]).all_off.mean == pytest.approx(float(Fraction(mean)), abs=1e-12)
    for aces, epc in expected["epc"].items():
        assert stack([int(aces)]).epc == pytest.approx(epc, abs=1e-6)


def test_layouts_with_two_best_plays():
    for counts in case("bo-006")["input"]["positions"]:
        found = stack(counts).all_off
        assert float(found.chances.sum()) == pytest.approx(1, abs=1e-6)
        assert sum(n * float(chance) for n, chance in enumerate(found.chances)) == pytest.approx(found.mean, abs=1e-5)


def test_one_checker_off_or_two():
    given, expected = case("bo-008")["input"], case("bo-008")["expected"]
    board = [0, *given["position"], *[0] * 19]
    board[24] = -1
    plays = legal_plays(Position.from_board(board), (4, 2))
    results = {tuple(int(n) for n in play.result.board[1:7]) for play in plays}
    assert {tuple(counts) for counts in expected["results"]} <= results
    for counts, mean in expected["means"].items():
        assert stack(counts_of(counts)).all_off.mean == pytest.approx(mean, abs=1e-6)


def counts_of(text):
    return [int(count) for count in text.strip("[]").split(",")]


@pytest.mark.parametrize("name", ["cu-002", "cu-003", "cu-004", "cu-005", "cu-006", "cu-008"])
@pytest.mark.parametrize(("owner", "cube"), [("centred", Cube()), ("side_to_move_owns", Cube(2, "mine"))])
def test_cube_decisions(name, owner, cube):
    given, expected = case(name)["input"], case(name)["expected"][owner]
    position = Position.from_board(given["board"])
    assert position.position_id == given["position_id"]
    found = bearoff.solve(position, Stakes.money(cube, Rules(cube_limit=None)))
    values = {
        "nd": found.no_double,
        "dt": found.double_take,
        "dp": found.double_pass,
        "optimal": found.value,
        "cubeless": found.cubeless,
    }
    for key, value in values.items():
        assert float(value / cube.value) == pytest.approx(expected[key], abs=1e-6)
    assert (found.is_double, found.is_take) == (expected["double"], expected["take"])
    if position in bearoff.default().two:
        table = bearoff.default().two_sided(position, cube)
        assert table.no_double == pytest.approx(float(found.no_double), abs=table.error)
        assert table.value == pytest.approx(float(found.value), abs=table.error)


def test_rollout_reference():
    expected = case("ro-007")["expected"]
    found = bearoff.solve(Position.from_board(case("ro-007")["input"]["board"]))
    assert float(found.cubeless) == pytest.approx(expected["cubeless"], abs=1e-6)
    assert float(found.no_double) == pytest.approx(expected["nd"], abs=1e-6)
    assert found.double_take is not None
    assert float(found.double_take) == pytest.approx(expected["dt"], abs=1e-6)


def test_thorp_and_8_9_12():
    for name, formula in (("ra-002", "thorp"), ("ra-004", "eight_nine_twelve")):
        found = race(Position.from_board(case(name)["input"]["board"]))
        assert getattr(found, formula).words == case(name)["expected"]["verdict"]
    expected = case("ra-002")["expected"]
    assert float(found.thorp.mine) == pytest.approx(expected["leader_plus_10_percent"])
    assert found.thorp.theirs == expected["trailer"]
    assert float(found.lead_percent) == pytest.approx(case("ra-004")["expected"]["percent_ahead"], abs=0.05)


def test_effective_pip_counts():
    expected = case("ra-005")["expected"]
    found = race(Position.from_board(case("ra-005")["input"]["board"]))
    assert found.mine.epc == pytest.approx(expected["epc_mover"], abs=5e-4)
    assert found.theirs.epc == pytest.approx(expected["epc_opponent"], abs=5e-4)
    assert found.mine.wastage == pytest.approx(expected["wastage_mover"], abs=5e-4)
    assert found.theirs.wastage == pytest.approx(expected["wastage_opponent"], abs=5e-4)
    assert found.win == pytest.approx(expected["p_win_from_one_sided_distributions"], abs=5e-5)


def test_lone_checkers():
    table = bearoff.OneSidedTable(24, 1, fill_one_sided(24, 1))
    for pips, chances in case("ra-007")["expected"]["within_1_2_3_rolls"].items():
        board = [0] * 26
        board[int(pips)], board[0] = 1, -1
        rolls = bearoff.Rolls(*table.rows(Position.from_board(board))[0])
        for n, chance in enumerate(chances, start=1):
            assert rolls.within(n) == pytest.approx(float(Fraction(chance)), abs=1e-6)
