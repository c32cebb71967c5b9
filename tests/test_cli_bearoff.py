"""``bgcore bearoff`` from outside."""

import json

import pytest

from bgcore.cli._exit import Exit

FOUR_ACES = "DwAA4AEAAAAAAA"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder of this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BGCORE_CACHE", str(folder))
    return folder


def test_info_before_and_after_a_build(run, cache):
    code, out, err = run("bearoff", "info")
    assert (code, err) == (0, "")
    assert str(cache) in out
    assert "no tables yet" in out
    code, out, _ = run("bearoff", "build", "--checkers", "2", "--progress", "none")
    assert code == 0
    assert out.startswith(str(cache))
    found = json.loads(run("bearoff", "info", "--json")[1])
    assert [(table["kind"], table["checkers"]) for table in found["tables"]] == [("two-sided", 2)]
    assert found["tables"][0]["sha256"][:16] in run("bearoff", "info")[1]


def test_a_damaged_table_is_named(run, cache):
    path = json.loads(run("bearoff", "build", "--checkers", "2", "--json")[1])["path"]
    with open(path, "r+b") as file:  # noqa: PTH123
        file.seek(200)
        file.write(b"\xff\xff\xff\xff")
    code, out, _ = run("bearoff", "info")
    assert code == 0
    assert "damaged" in out or "digest" in out or "SHA" in out


def test_build_where_told(run, tmp_path):
    path = tmp_path / "two.bearoff"
    code, out, err = run("bearoff", "build", "--kind", "two-sided", "--checkers", "2", "--output", path)
    assert (code, err) == (0, "")
    assert out == f"{path} ({path.stat().st_size:,} bytes)\n"


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--checkers", "40"), "checkers"),
        (("--points", "0"), "points"),
        (("--kind", "three-sided"), "--kind"),
        (("--checkers", "2", "--output", __file__ + "/two.bearoff"), "test_cli_bearoff.py"),
    ],
)
def test_what_cannot_be_built_is_said(run, args, named):
    code, out, err = run("bearoff", "build", *args)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


def test_probe_is_exact(run):
    found = json.loads(run("bearoff", "probe", FOUR_ACES, "--json")[1])
    assert found["mine"]["mean_rolls"] == pytest.approx(11 / 6)
    assert found["two_sided"]["no_double"] == pytest.approx(0.722222, abs=1e-6)
    assert found["two_sided"]["value"] == 1
    code, out, _ = run("bearoff", "probe", FOUR_ACES)
    assert code == 0
    assert "exact: X wins 86.1111 % without the cube" in out


def test_probe_of_more_checkers_says_that_it_estimates(run):
    board = "0,2,2,2,2,2,2,0,0,0,0,0,0,0,0,0,0,0,0,-2,-2,-2,-2,-2,-2,0"
    assert "an estimate" in run("bearoff", "probe", board, "--no-board")[1]


def test_probe_of_a_position_that_is_no_bearoff_is_refused(run):
    code, out, err = run("bearoff", "probe", "start")
    assert (code, out) == (Exit.USAGE, "")
    assert "table" in err


def test_a_match_gets_no_values_of_money(run):
    code, out, _ = run("bearoff", "probe", "DwAA4AEAAAAAAA", "--no-board", "--match", "7", "--score", "5-6")
    assert (code, "cubeless" in out, "double" in out.partition("the table knows")[0]) == (0, True, False)
    found = json.loads(run("bearoff", "probe", "DwAA4AEAAAAAAA", "--match", "7", "--json")[1])["two_sided"]
    assert found["win"] and found["cubeless"]
    assert (found["no_double"], found["double_take"], found["double_pass"], found["value"]) == (None,) * 4


def test_a_table_that_was_built_is_asked(run, tmp_path):
    seven, board = tmp_path / "seven.bearoff", "0,7," + "0," * 22 + "-7,0"
    assert run("bearoff", "build", "--points", "2", "--checkers", "7", "-o", seven)[0] == 0
    assert json.loads(run("bearoff", "probe", board, "--json")[1])["two_sided"] is None
    found = json.loads(run("bearoff", "probe", board, "--table", seven, "--json")[1])["two_sided"]
    assert 0.5 < found["win"] < 1
    wide, board = tmp_path / "wide.bearoff", "0,1," + "0,0,0,0,0,1," + "0," * 16 + "-1,0"
    assert run("bearoff", "build", "--kind", "one-sided", "--points", "7", "--checkers", "2", "-o", wide)[0] == 0
    assert run("bearoff", "probe", board)[0] == Exit.USAGE
    assert json.loads(run("bearoff", "probe", board, "--table", wide, "--json")[1])["mine"]["pips"] == 8
    code, _, err = run("bearoff", "probe", board, "--table", __file__)
    assert (code, "is not a bear-off table of bgcore" in err) == (Exit.USAGE, True)


def test_a_finished_game_and_a_roll_are_named(run):
    code, out, err = run("bearoff", "probe", "0," * 24 + "-2,0")
    assert (code, out, "the game is over" in err) == (Exit.USAGE, "", True)
    code, out, err = run("bearoff", "probe", "DwAA4AEAAAAAAA", "--dice", "31")
    assert (code, out, "leave --dice out" in err) == (Exit.USAGE, "", True)


def test_progress_counts_steps(run, tmp_path):
    err = run("bearoff", "build", "--points", "3", "--checkers", "3", "-o", tmp_path / "t", "--progress", "json")[2]
    assert json.loads(err.splitlines()[-1])["unit"] == "steps"
