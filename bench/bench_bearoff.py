"""How fast bear-off tables are filled and asked, and short races solved; every benchmark asserts its answer."""

import hashlib
from fractions import Fraction

import numpy as np
import pytest

from bgcore import Cube, MatchScore, Position, Rules, Stakes, bearoff, met
from bgcore._core import Endings, band_count, fill_bands, fill_one_sided, whole_graph
from bgcore.race import race

FOUR_EACH = Position.from_position_id("TAEAABsAAAAAAA")


def filled(points, checkers):
    graph = whole_graph(points, checkers)
    values = np.zeros(4 * graph.size**2, np.float32)
    fill_bands(graph, values, 0, band_count(graph))
    return values


def test_one_sided_6x15(benchmark):
    all_off, first_off = benchmark.pedantic(fill_one_sided, (6, 15), rounds=5)
    assert all_off[0][-1] == pytest.approx(12.266187171764624, abs=0)
    assert (len(all_off[0]), len(first_off[0])) == (54_264, 15_504)


def test_two_sided_6x6(benchmark):
    values = benchmark.pedantic(filled, (6, 6), rounds=3)
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    assert digest == "b749b4799501ab89a9e67ad948793019c29f3ebe8d7f8a5f1f6c1990734acb6b"


@pytest.mark.slow
def test_two_sided_6x8(benchmark):
    values = benchmark.pedantic(filled, (6, 8), rounds=1)
    # Eight checkers on the 6 point each: win chance, and no-double equities of the three cubes.
    assert values[-4:] == pytest.approx([0.631161, 0.424993, 0.500109, 0.165715], abs=1e-6)


def test_open_default_tables(benchmark, monkeypatch):
    bearoff.default()

    def opened():
        bearoff.tables._loaded.clear()
        return bearoff.default()

    assert FOUR_EACH in benchmark(opened).two


def test_two_sided_lookup(benchmark):
    tables = bearoff.default()
    assert benchmark(tables.two_sided, FOUR_EACH).win == pytest.approx(0.6724037, abs=1e-6)


def test_one_sided_lookup(benchmark):
    tables = bearoff.default()
    assert benchmark(tables.one_sided, FOUR_EACH).mine.all_off.most == 6


@pytest.mark.parametrize(
    ("name", "stakes"),
    [
        ("money, limit 64", Stakes.money()),
        ("match to 7 at 2-5", Stakes.match(Cube(), None, MatchScore(7, 2, 5), met.default())),
    ],
)
def test_endings(benchmark, name, stakes):
    """Exact worths of up to five checkers a side for stakes of their own, as a rollout makes them on first use."""
    graph = whole_graph(6, 5)
    table = benchmark.pedantic(Endings, (graph, 6, 5, stakes.compiled, True), rounds=5)
    benchmark.extra_info["megabytes"] = round(table.values.nbytes / 1e6, 1)
    found = bearoff.solve(FOUR_EACH, stakes).value
    assert table.worth(FOUR_EACH, 0, 0, 0) == pytest.approx(float(found), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "position_id", "cube", "rules", "value"),
    [
        ("four aces each", "DwAA4AEAAAAAAA", Cube(2, "theirs"), Rules(), "13/9"),
        ("four checkers each, no limit", "lQAAICUAAAAAAA", Cube(), Rules(cube_limit=None), "2890495/34012224"),
        ("four checkers each, limit 64", "TAEAABsAAAAAAA", Cube(2, "mine"), Rules(), "8517576477373/7140934453248"),
    ],
)
def test_solve(benchmark, name, position_id, cube, rules, value):
    position, stakes = Position.from_position_id(position_id), Stakes.money(cube, rules)
    assert benchmark(bearoff.solve, position, stakes).value == Fraction(value)


def test_race_formulas(benchmark):
    assert benchmark(race, Position.from_position_id("9w4AALg3AAAAAA")).thorp.words == "redouble, take"
