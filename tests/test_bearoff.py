"""Bear-off tables: what they say, and how they live on disk."""

import hashlib
import os
import pickle
import random
import sys
import tempfile
import threading
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb
from pathlib import Path

import numpy as np
import pytest
from exact_oracle import EMPTY, ROLLS, board_of, layouts, results
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import Position, bearoff
from bgcore._core import count_layouts, fill_one_sided, whole_graph
from bgcore.bearoff import files
from bgcore.errors import DataError, UnsupportedError
from bgcore.rules import Cube

ACE = (1, 0, 0, 0, 0, 0)


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    """A cache folder of its own, with nothing loaded from it yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BGCORE_CACHE", str(folder))
    monkeypatch.setattr(bearoff.tables, "_loaded", {})
    return folder


def mine(layout):
    return bearoff.default().one_sided(Position.from_board(board_of(layout, ACE))).mine


def weight(roll):
    return 1 if roll[0] == roll[1] else 2


@cache
def best_mean(layout):
    """The least mean number of rolls, in Fractions and by listing every play."""
    if layout == EMPTY:
        return Fraction(0)
    return (
        1 + sum(weight(roll) * min(best_mean(after) for after in results(layout, roll, False)) for roll in ROLLS) / 36
    )


@cache
def bounds(layout):
    if layout == EMPTY:
        return 0, 0
    by_roll = [[bounds(after) for after in results(layout, roll, False)] for roll in ROLLS]
    return 1 + min(b[0] for bs in by_roll for b in bs), 1 + max(min(b[1] for b in bs) for bs in by_roll)


def test_means_and_bounds_against_the_oracle():
    for layout in layouts(4):
        found = mine(layout).all_off
        assert abs(found.mean - best_mean(layout)) < 1e-12
        assert (found.fewest, found.most) == bounds(layout)
        assert found.within(found.most) == pytest.approx(1, abs=1e-6)
        assert found.within(found.fewest - 1) == 0


@pytest.mark.parametrize(
    ("aces", "mean"),
    [
        (1, "1"),
        (2, "1"),
        (3, "11/6"),
        (4, "11/6"),
        (6, "97/36"),
        (7, "767/216"),
        (10, "5713/1296"),
        (14, "285649/46656"),
        (15, "1953839/279936"),
    ],
)
def test_stacks_on_the_ace(aces, mean):
    side = mine((aces, 0, 0, 0, 0, 0))
    assert side.all_off.mean == pytest.approx(float(Fraction(mean)), abs=1e-12)
    assert side.epc == pytest.approx(float(Fraction(mean) * 49 / 6))
    assert side.wastage == pytest.approx(side.epc - aces)


@pytest.mark.parametrize(
    ("points", "chance"),
    [((6,), "3/4"), ((5, 2), "19/36"), ((6, 1), "15/36"), ((6, 6), "4/36"), ((4, 1), "29/36"), ((4, 4), "11/36")],
)
def test_last_roll(points, chance):
    layout = [0] * 6
    for point in points:
        layout[point - 1] += 1
    assert mine(tuple(layout)).all_off.within(1) == pytest.approx(float(Fraction(chance)), abs=1e-7)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=15))
@settings(max_examples=60)
def test_rows_follow_from_their_successors(points):
    """Each row is one roll before those of the best results; within 1e-6, fewer checkers left is better."""
    layout = tuple(points.count(point) for point in range(1, 7))
    rows = {}
    for roll in ROLLS:
        for after in results(layout, roll, False):
            if after not in rows:
                rows[after] = (
                    (0.0, np.ones(1)) if after == EMPTY else (mine(after).all_off.mean, mine(after).all_off.chances)
                )
    chances = np.zeros(40)
    for roll in ROLLS:
        plays = results(layout, roll, False)
        least = min(rows[after][0] for after in plays)
        chosen = min((sum(after), rows[after][0], after) for after in plays if rows[after][0] <= least + 1e-6)[2]
        after = rows[chosen][1]
        chances[1 : len(after) + 1] += weight(roll) / 36 * after
    found = mine(layout)
    assert np.allclose(
        found.all_off.chances, chances[: len(found.all_off.chances)], rtol=bearoff.tables.ONE_SIDED_ERROR, atol=1e-17
    )
    assert found.all_off.chances.sum() == pytest.approx(1, abs=1e-6)
    assert found.all_off.chances @ np.arange(len(found.all_off.chances)) == pytest.approx(found.all_off.mean, abs=1e-5)
    assert found.epc > found.pips
    assert found.all_off.variance >= 0
    assert (found.first_off is None) == (len(points) < 15)


def test_first_checker_off():
    side = mine((0, 0, 0, 0, 0, 15))
    # Any 6, 5-1, 4-2, 3-3 and 2-2.
    assert side.first_off.within(1) == pytest.approx(17 / 36, abs=1e-7)
    assert (side.first_off.fewest, side.first_off.most) == (1, 8)  # seven rolls of 5-4
    assert mine((15, 0, 0, 0, 0, 0)).first_off.mean == 1
    assert mine((14, 0, 0, 0, 0, 0)).first_off is None


def lower_by_a_pip(layout):
    """Every layout with one checker a pip lower; from the ace point it is off."""
    for point in range(1, 7):
        if layout[point - 1]:
            after = list(layout)
            after[point - 1] -= 1
            if point > 1:
                after[point - 2] += 1
            yield tuple(after)


def test_the_unluckiest_number_never_grows_when_a_checker_stands_lower():
    """What `roll_bounds` rests on for checkers outside home, over every layout of the table."""
    index = {layout: place for place, layout in enumerate(sorted((EMPTY, *layouts_15()), key=index_of))}
    most = bearoff.default().one.arrays[0][3][:, 1].tolist()
    for layout, place in index.items():
        for lower in lower_by_a_pip(layout):
            assert most[index[lower]] <= most[place]


def layouts_15():
    """Every home layout of 1 to 15 checkers."""
    for taken in combinations(range(21), 6):
        counts = tuple(b - a - 1 for a, b in pairwise((-1, *taken)))
        if any(counts):
            yield counts


def index_of(layout):
    """The table's numbering, from its definition: t checkers on the i highest points add C(t + i - 1, i)."""
    return sum(comb(sum(layout[6 - i :]) + i - 1, i) for i in range(1, 7))


def test_roll_bounds():
    home = bearoff.roll_bounds(Position.from_board(board_of((2, 0, 0, 0, 0, 1), ACE)))
    assert (home.fewest, home.most, home.first_fewest, home.is_tight) == (1, 3, 0, True)
    board = [0] * 26
    board[8], board[24] = 1, -1
    outside = bearoff.roll_bounds(Position.from_board(board))
    # Any double from 2-2 on, or 6-2, 5-3 and more: one roll; 2-1, 2-1, 2-1 takes three.
    assert (outside.fewest, outside.is_tight) == (1, False)
    assert outside.most >= 3
    opening = bearoff.roll_bounds(Position.starting())
    assert (opening.fewest, opening.first_fewest) == (9, 5)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3))
@settings(max_examples=25)
def test_roll_bounds_hold(points):
    """A table that reaches far enough gives the true numbers."""
    board = [0] * 26
    for point in points:
        board[point] += 1
    board[24] = -1
    position = Position.from_board(board)
    bounds = bearoff.roll_bounds(position)
    _, _, fewest, most = far_table().rows(position)[0]
    assert bounds.fewest <= fewest <= most <= bounds.most


@cache
def far_table():
    return bearoff.OneSidedTable(12, 3, fill_one_sided(12, 3))


def test_gammons_by_one_sided_play():
    found = bearoff.default().one_sided(Position.from_board(board_of((2, 2, 0, 0, 0, 0), (0, 0, 0, 0, 0, 15))))
    exact = bearoff.solve(Position.from_board(board_of((2, 2, 0, 0, 0, 0), (0, 0, 0, 0, 0, 15)))).probabilities
    assert sum(found.outcomes) == pytest.approx(1)
    assert found.win == pytest.approx(1)
    assert found.outcomes[1] == pytest.approx(float(exact[1]), abs=0.01)


def test_two_plays_with_nearly_equal_means():
    """After 4-2 from seven aces, three deuces and a 4: two off is a little better than one off."""
    assert mine((7, 2, 0, 0, 0, 0)).all_off.mean == pytest.approx(4.408179, abs=1e-6)
    assert mine((7, 3, 0, 0, 0, 0)).all_off.mean == pytest.approx(4.410129, abs=1e-6)


def test_two_sided_values():
    tables = bearoff.default()
    position = Position.from_position_id("lQAAICUAAAAAAA")
    centred = tables.two_sided(position)
    assert centred.value == pytest.approx(float(Fraction(2890495, 34012224)), abs=centred.error)
    assert centred.double_pass == 1
    owned = tables.two_sided(position, Cube(4, "mine"))
    against = tables.two_sided(position, Cube(2, "theirs"))
    assert owned.double_take == 2 * owned.double_pass * against.no_double / 2
    assert against.double_take is None
    assert owned.no_double >= 4 * centred.no_double >= 2 * against.no_double
    dead = tables.two_sided(position, Cube(enabled=False))
    assert dead.value == dead.no_double == dead.cubeless == 2 * dead.win - 1


def test_every_stored_number_is_within_the_stated_error():
    """Fill the 6 x 6 table again in float64, entry by entry from the stored plays, and compare."""
    values = np.asarray(bearoff.default().two.values, np.float64)
    rng = random.Random(5)
    few = layouts(6)
    worst = 0.0
    for _ in range(150):
        mover, other = rng.choice(few), rng.choice(few)
        sums = np.zeros(4)
        for roll in ROLLS:
            best = np.full(4, 9.0)
            for after in results(mover, roll, False):
                if after == EMPTY:
                    lose, centre, owned, against = 0.0, -1.0, -1.0, -1.0
                else:
                    lose, centre, owned, against = bearoff.default().two.entry(
                        Position.from_board(board_of(other, after))
                    )
                    doubled = min(2 * against, 1.0)
                    centre, owned = max(centre, doubled), max(owned, doubled)
                best = np.minimum(best, (lose, centre, against, owned))
            sums += weight(roll) / 36 * best
        expected = (1 - sums[0], -sums[1], -sums[2], -sums[3])
        found = bearoff.default().two.entry(Position.from_board(board_of(mover, other)))
        worst = max(worst, *(abs(a - b) for a, b in zip(expected, found, strict=True)))
    assert worst < 6e-8
    assert values.min() >= -1
    assert values.max() <= 1


def test_positions_outside_the_tables():
    tables = bearoff.default()
    outside = [0] * 26
    outside[7], outside[24] = 1, -1
    seven = board_of((7, 0, 0, 0, 0, 0), ACE)
    on_bar = [0] * 26
    on_bar[1], on_bar[0] = 1, -1
    for board in (outside, seven, on_bar):
        position = Position.from_board(board)
        assert position not in tables.two
        with pytest.raises(UnsupportedError, match="two-sided table of 6 checkers on 6 points"):
            tables.two_sided(position)
    finished = Position.from_board([0] * 24 + [-1, 0])
    with pytest.raises(UnsupportedError, match="one-sided table"):
        tables.one_sided(finished)
    for point in range(1, 7):
        board = [0] * 26
        board[point], board[25 - point] = 1, -1
        assert Position.from_board(board) in tables.two


def test_default_tables_are_made_once_and_mapped(cache_folder):
    first = bearoff.default()
    names = sorted(path.name for path in cache_folder.iterdir())
    assert names == ["one-sided-6x15-v1.bearoff", "two-sided-6x6-v1.bearoff"]
    listed = bearoff.info()
    assert listed["folder"] == str(cache_folder)
    pinned = {kind: digest for kind, _, _, digest in bearoff.tables._DEFAULT}
    assert {table["kind"]: table["sha256"] for table in listed["tables"]} == pinned
    assert first.digest == "7cdf691514253ea2791d6b7b5a73706013f582ba00415c87198e3f4a8bf15d44"
    assert bearoff.default() is first
    bearoff.tables._loaded.clear()
    times = [path.stat().st_mtime_ns for path in sorted(cache_folder.iterdir())]
    again = bearoff.default()
    assert [path.stat().st_mtime_ns for path in sorted(cache_folder.iterdir())] == times
    assert np.array_equal(again.two.values, first.two.values)
    assert not again.two.values.flags.writeable


def test_threads_share_one_pair_of_tables(cache_folder):
    found = []
    threads = [threading.Thread(target=lambda: found.append(bearoff.default())) for _ in range(7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(tables) for tables in found}) == 1


def test_no_place_to_write_is_no_failure(tmp_path, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("BGCORE_CACHE", str(blocked / "below"))
    monkeypatch.setattr(bearoff.tables, "_loaded", {})
    position = Position.from_position_id("lQAAICUAAAAAAA")
    with pytest.warns(bearoff.CacheWarning, match="set BGCORE_CACHE") as said:
        assert bearoff.default().two_sided(position).value == pytest.approx(0.084984, abs=1e-6)
    assert len(said) == 1
    assert str(blocked / "below") in str(said[0].message)
    bearoff.default()  # once is enough: another warning would be an error here


def test_full_disk_is_no_failure(cache_folder, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.warns(bearoff.CacheWarning, match="no space left on device"):
        assert bearoff.default().one_sided(Position.from_board(board_of(ACE, ACE))).win == pytest.approx(1)
    assert list(cache_folder.iterdir()) == []


def damaged(path, how):
    data = bytearray(path.read_bytes())
    if how == "torn":
        del data[-1000:]
    elif how == "foreign":
        data[:8] = b"GNUBGDB1"
    elif how == "header":
        data[20] ^= 1
    elif how == "content":
        data[5000] ^= 1
    elif how == "short":
        del data[50:]
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("torn", "is torn"),
        ("foreign", "is not a bear-off table"),
        ("header", "damaged header"),
        ("content", "is damaged"),
        ("short", "is not a bear-off table"),
    ],
)
def test_damaged_files_are_refused_by_name_and_made_anew(cache_folder, how, said):
    path = bearoff.build(6, 3)
    assert isinstance(bearoff.open_table(path), bearoff.TwoSidedTable)
    damaged(path, how)
    with pytest.raises(DataError, match=said) as error:
        bearoff.open_table(path)
    assert str(path) in str(error.value)
    assert "fault" in bearoff.info()["tables"][0]
    # In the default cache it is simply made again.
    again = bearoff.tables._cached(cache_folder, "two-sided", 6, 3, "")[0]
    assert np.array_equal(again.values, bearoff.open_table(path).values)


def test_a_whole_file_with_other_numbers_is_made_anew(cache_folder):
    first = bearoff.default()
    path = cache_folder / files.file_name("two-sided", 6, 6)
    header, _ = files.map_file(path)
    invented = np.zeros(first.two.values.size, np.float32).tobytes()
    files.write_file(path, replace(header, sha256=hashlib.sha256(invented).digest()), invented)
    assert bearoff.open_table(path).values.max() == 0
    bearoff.tables._loaded.clear()
    assert bearoff.default().digest == first.digest


def test_a_user_without_a_home(monkeypatch):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    for name in ("BGCORE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    monkeypatch.setattr(bearoff.tables, "_loaded", {})
    with pytest.warns(bearoff.CacheWarning):
        assert Position.from_board(board_of(ACE, ACE)) in bearoff.default().two
    assert bearoff.info()["tables"] == []


def test_tables_pickle(tmp_path, monkeypatch):
    tables = bearoff.default()
    written = pickle.dumps(tables)
    assert len(written) < 400  # by name: a worker has its own
    assert pickle.loads(written) is tables
    monkeypatch.setattr(bearoff.tables, "_DEFAULT", (("one-sided", 6, 15, "0"), ("two-sided", 6, 6, "0")))
    with pytest.raises(DataError, match="other default tables"):
        pickle.loads(written)
    monkeypatch.undo()
    small = bearoff.Tables(
        bearoff.open_table(bearoff.build(3, 15, path=tmp_path / "one")),
        bearoff.open_table(bearoff.build(3, 4, path=tmp_path / "two")),
    )
    again = pickle.loads(pickle.dumps(small))
    position = Position.from_board(board_of(ACE, ACE))
    assert again.digest == small.digest
    assert again.two_sided(position) == small.two_sided(position)
    assert again.one_sided(position).outcomes == small.one_sided(position).outcomes


@given(st.integers(0, 2**32), st.binary(max_size=3))
@settings(max_examples=150)
def test_no_other_bytes_are_taken_for_a_table(where, instead):
    """Change, cut out or insert anything: the file is refused with its name, or it is the same file."""
    whole = two_by_two()
    place = where % len(whole)
    changed = whole[:place] + instead + whole[place + (where >> 16) % 4 :]
    path = Path(tempfile.gettempdir()) / f"bgcore-{os.getpid()}.bearoff"
    path.write_bytes(changed)
    try:
        table = bearoff.open_table(path)
    except DataError as error:
        assert str(path) in str(error)
    else:
        assert changed == whole
        assert (table.points, table.checkers) == (2, 2)
    finally:
        path.unlink()


@cache
def two_by_two():
    header, payload = files.two_sided_bytes(2, 2, None)
    return header.pack() + bytes(payload)


def test_missing_and_other_files(tmp_path):
    with pytest.raises(DataError, match=r"cannot read .*nothing\.bearoff"):
        bearoff.open_table(tmp_path / "nothing.bearoff")
    other = tmp_path / "other.bearoff"
    header = files.Header("two-sided", 6, 3, (84, 0, 0), 0, bytes(32))
    other.write_bytes(header.pack())
    with pytest.raises(DataError, match="wrong size"):
        bearoff.open_table(other, verify=False)
    newer = bytearray(header.pack())
    newer[8] = 9
    with pytest.raises(DataError, match="damaged header"):
        files.Header.unpack(bytes(newer), "newer")


def test_a_link_to_nothing_among_the_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path))
    (tmp_path / "x.bearoff").symlink_to(tmp_path / "nothing")
    (entry,) = bearoff.info()["tables"]
    assert "nothing" in entry["fault"] or "x.bearoff" in entry["fault"]


def test_a_larger_table_agrees_with_the_smaller(tmp_path):
    """Layouts with fewer checkers keep their indices, and their values do not depend on the table's size."""
    large = bearoff.open_table(bearoff.build(6, 4, path=tmp_path / "large.bearoff"))
    small = bearoff.open_table(bearoff.build(6, 3, path=tmp_path / "small.bearoff"))
    assert np.array_equal(large.values[:84, :84], small.values)
    assert np.array_equal(bearoff.default().two.values[:84, :84], small.values)


def test_tables_with_points_outside_home(tmp_path):
    seen = []
    path = bearoff.build(8, 4, kind="one-sided", path=tmp_path / "8.bearoff", progress=lambda *at: seen.append(at))
    table = bearoff.open_table(path)
    assert seen[-1] == (495, 495)
    home = Position.from_board(board_of((1, 0, 2, 0, 0, 1), ACE))
    assert table.rows(home)[0][1] == bearoff.default().one.rows(home)[0][1]
    board = [0] * 26
    board[8], board[24] = 1, -1
    chances, *_ = table.rows(Position.from_board(board))[0]
    assert chances[1] == pytest.approx(17 / 36, abs=1e-7)
    assert chances[1] + chances[2] == pytest.approx(80 / 81, abs=1e-6)
    both = bearoff.open_table(bearoff.build(7, 2, path=tmp_path / "7x2.bearoff"))
    board[8], board[7] = 0, 1
    exact = bearoff.solve(Position.from_board(board))
    assert both.entry(Position.from_board(board))[0] == pytest.approx(float(exact.probabilities[0]), abs=1e-7)


@pytest.mark.parametrize(
    ("points", "checkers", "kind", "said"),
    [
        (25, 15, "one-sided", "points is a whole number from 1 to 24, not 25"),
        (11, 15, "one-sided", "more than 4 million"),
        (24, 15, "one-sided", "8,388,608 layouts at most"),
        (0, 0, "two-sided", "points is a whole number from 1 to 10, not 0; checkers is a whole number from 1 to 10"),
        (6, 11, "two-sided", "checkers is a whole number from 1 to 10, not 11"),
        (6.5, 2, "two-sided", "points is a whole number from 1 to 10, not 6.5"),
        (True, "x", "two-sided", "points is a whole number from 1 to 10, not True; checkers is .* not 'x'"),
        (9, 9, "two-sided", "GB"),
        (6, 6, "three-sided", "three-sided"),
    ],
)
def test_tables_that_cannot_be_built(points, checkers, kind, said):
    with pytest.raises(UnsupportedError, match=said):
        bearoff.build(points, checkers, kind=kind)


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (25, 1), (1, 16), (-1, -1), (10**6, 10**6)])
def test_numberings_out_of_range(size):
    values = np.zeros((1, 1, 4), np.float32)
    for refused in (
        lambda: bearoff.TwoSidedTable(*size, values),
        lambda: count_layouts(*size),
        lambda: whole_graph(*size),
    ):
        with pytest.raises(UnsupportedError, match="cannot be numbered"):
            refused()


def test_cache_folder_of_each_platform(monkeypatch):
    monkeypatch.delenv("BGCORE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    monkeypatch.setattr(sys, "platform", "linux")
    assert bearoff.cache_folder() == Path("/somewhere/cache/bgcore")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert bearoff.cache_folder() == Path.home() / ".cache" / "bgcore"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert bearoff.cache_folder() == Path.home() / "Library" / "Caches" / "bgcore"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/windows")
    assert bearoff.cache_folder() == Path("/windows/bgcore")
