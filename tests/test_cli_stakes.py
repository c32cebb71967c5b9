"""What a game pays, said on the command line: caps, cube limits, raccoons, and the table of a match."""

import json
from fractions import Fraction

import pytest
from click.shell_completion import ShellComplete

from bgcore import Cube, MatchScore, Position, Rules, Stakes, compare_cube, cube_action, met, rank_plays
from bgcore.cli.__main__ import cli
from bgcore.cli._exit import Exit
from bgcore.cli._stakes import _read_table
from bgcore.rollout import RolloutSettings

MIDDLE = "8ObEAQljtoYBDA"
ENDING = "AQAAgAAAAAAAAA"  # one checker on the six point against one on the ace point
SHORT = ("--trials", "36", "--workers", "1", "--no-board")
LIMITED = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:2:0:2"  # cube 2:mine, beavers, up to 4
TABLE = "pre,1,0.5,0.6,0.9\npre,2,0.4,0.5,0.8\npre,3,0.1,0.2,0.5\npost,1,0.5,0.45,0.2\n"  # a match of three points


def cube(run, *args):
    code, out, err = run("cube", *args, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(("text", "cap"), [("3", 3), ("3.5", Fraction(7, 2)), ("7/2", Fraction(7, 2)), ("0.25", 0.25)])
def test_a_cap_is_the_cap_of_the_stakes(run, text, cap):
    found = cube(run, MIDDLE, "--cube", "2:mine", "--cap", text)
    expected = cube_action(
        Position.from_position_id(MIDDLE), Cube(2, "mine"), Rules(cube_limit=None), cap=Fraction(cap)
    )
    assert found["rules"]["cap"] == str(Fraction(cap))
    assert found["no_double"] == expected.no_double != cube(run, MIDDLE, "--cube", "2:mine")["no_double"]


def test_a_cap_counts_without_a_cube_too(run):
    """Nobody pays more than a single game: the value is that of the chance to win."""
    for how in ((), ("--cubeful",), ("--cube", "none")):
        found = json.loads(run("rollout", "start", *SHORT, *how, "--cap", "1", "--json")[1])
        assert {tuple(level["win"]) for level in found["stakes"]["levels"]} == {("1", "1", "1")}
    found = json.loads(run("rollout", "start", *SHORT, "--cap", "1", "--json")[1])["result"]
    assert found["value"]["mean"] == pytest.approx(2 * found["win"]["mean"] - 1, abs=1e-9)


def test_a_cube_limit_yields_to_the_flag_as_the_cube_does(run):
    def levels(*args):
        found = json.loads(run("rollout", *args, *SHORT, "--cubeful", "--json")[1])["stakes"]
        return found["is_rescaling"], [level["cube"] for level in found["levels"]]

    assert levels(LIMITED) == (False, [2, 4])
    assert levels(LIMITED, "--cube-limit", "8") == (False, [2, 4, 8])
    assert levels(LIMITED, "--cube-limit", "none") == (True, [2])
    assert levels(LIMITED, "--cube", "4:theirs") == (False, [4])
    assert levels("start")[1][-1] == 64
    assert cube(run, LIMITED)["rules"]["cube_limit"] == 4
    assert cube(run, LIMITED, "--cube-limit", "NONE")["rules"]["cube_limit"] is None
    assert (
        cube(run, MIDDLE, "--match", "5", "--cube-limit", "2")["double_take"]
        != cube(run, MIDDLE, "--match", "5")["double_take"]
    )


def test_a_cube_limit_goes_into_an_xgid(run):
    assert run("convert", "start", "--cube-limit", "16", "--to", "xgid")[1].endswith(":4\n")
    assert run("convert", LIMITED, "--cube-limit", "none", "--to", "xgid")[1].endswith(":10\n")
    assert json.loads(run("show", LIMITED, "--cube-limit", "32", "--json")[1])["cube_limit"] == 32


@pytest.mark.parametrize("limit", [(), ("--cube-limit", "1024")], ids=["the table", "the solver"])
def test_raccoons_answer_beavers(run, limit):
    """Three in four for the doubler, and no cube after: four times the beavered cube, halved."""
    beaver = cube(run, ENDING, "--beavers", *limit)
    raccoon = cube(run, ENDING, "--beavers", "--raccoons", *limit)
    assert (beaver["double_beaver"], raccoon["double_beaver"]) == pytest.approx((2, 4))
    assert (beaver["rules"]["raccoons"], raccoon["rules"]["raccoons"]) == (False, True)


def test_raccoons_go_with_the_beavers_of_an_identifier(run):
    assert cube(run, LIMITED, "--cube-limit", "none", "--raccoons")["rules"]["raccoons"] is True
    code, _, err = run("cube", LIMITED, "--no-beavers", "--raccoons")
    assert (code, err) == (Exit.USAGE, "bgcore cube: --raccoons answer beavers: give --beavers too\n")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text(TABLE, "utf-8")
    return path


def test_a_match_by_another_table(run, table):
    at = ("--match", "3", "--score", "1-0")
    other, position = met.load(table), Position.from_position_id(MIDDLE)
    stakes = Stakes.match(Cube(), Rules(cube_limit=None), MatchScore(3, 1, 0), other)
    found = cube(run, MIDDLE, *at, "--met", table)
    assert found["rules"]["met"] == {"name": "three", "digest": other.digest}
    assert found["mwc"]["value"] == cube_action(position, None, stakes).mwc
    assert found["mwc"] != cube(run, MIDDLE, *at)["mwc"] == cube(run, MIDDLE, *at, "--met", "kazaross-xg2")["mwc"]
    plays = json.loads(run("plays", MIDDLE, "31", *at, "--met", table, "--json")[1])
    assert plays["met"] == found["rules"]["met"]
    assert plays["plays"][0]["worth"] == rank_plays(position, (3, 1), stakes=stakes)[0].worth
    rolled = json.loads(run("rollout", MIDDLE, *SHORT, *at, "--met", table, "--json")[1])
    assert rolled["stakes"] == stakes.to_dict()
    compared = json.loads(run("compare", ENDING, *SHORT, *at, "--met", table, "--json")[1])
    settings = RolloutSettings(trials=36)
    assert (
        compared["double_pass"]
        == compare_cube(Position.from_position_id(ENDING), stakes, settings=settings).double_pass
    )


def test_a_table_in_the_form_of_gnubg(run, tmp_path):
    path = tmp_path / "small.xml"
    rows = "".join(
        "<row>" + "".join(f"<me>{me}</me>" for me in line.split(",")[2:]) + "</row>" for line in TABLE.split()
    ).rpartition("<row>")
    path.write_text(
        f'<met><info><name>Small</name></info><pre-crawford-table type="explicit">{rows[0]}</pre-crawford-table>'
        f'<post-crawford-table player="both" type="explicit"><row>{rows[2]}</post-crawford-table></met>'
    )
    found = cube(run, MIDDLE, "--match", "3", "--met", path)["rules"]["met"]
    assert found == {"name": "Small", "digest": met.load(path).digest}


def test_a_table_is_read_once_for_all_lines(run, table, monkeypatch):
    read = []
    load = met.load
    monkeypatch.setattr(met, "load", lambda source: read.append(source) or load(source))
    code, out, _ = run("cube", "-", "--match", "3", "--met", table, "--json", stdin=f"{MIDDLE}\nstart\n")
    assert (code, out.count("three"), read) == (0, 2, [str(table)])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--cap", "0"), "--cap is a number of points above 0 such as 8, 3.5 or 7/2, not '0'"),
        (("--cap", "1/0"), "--cap is a number"),
        (("--cap", "nan"), "--cap is a number"),
        (("--cap", "1e9"), "--cap is a number"),
        (("--cap", "9" * 5000), "--cap is a number"),
        (("--cap", ""), "--cap is a number"),
        (("--cap", "99999999999"), "--cap: a cap above 1073741824 points needs a cube limit, as --cube-limit 64"),
        (("--match", "5", "--cap", "3"), "--cap: for money games, and this is a match"),
        (("--match", "5", "--cap", ""), "--cap: for money games, and this is a match"),
        (("--match", "5", "--raccoons", "--jacoby"), "--jacoby and --raccoons: for money games, and this is a match"),
        (("--raccoons",), "--raccoons answer beavers: give --beavers too"),
        (("--beavers", "--raccoons", "--cube", "none"), "--raccoons: for games with a cube, and this one has none"),
        (("--cube-limit", "8", "--cube", "none"), "--cube-limit: for games with a cube, and this one has none"),
        (("--cube-limit", "3"), "--cube-limit is a power of two such as 64, or none for no limit, not '3'"),
        (("--cube-limit", "9" * 5000), "--cube-limit is a power of two"),
        (("--cube-limit", "2", "--cube", "4:mine"), "the cube is at 4, above the limit of 2 (see --cube-limit)"),
        (
            ("--match", "5", "--score", "4-2", "--crawford", "--cube-limit", "2"),
            "--cube-limit: nobody may double in the",
        ),
        (("--met", "Kazaross-XG2"), "--met: for matches, and this is a money game: give --match"),
        (("--match", "5", "--met", "unheard"), "--met: no match equity table 'unheard': there are Kazaross-XG2"),
        (("--match", "5", "--met", "none.xml"), "--met: match equity table 'none.xml' cannot be read: "),
    ],
)
def test_what_does_not_apply_is_said_by_its_flag(run, args, said):
    code, out, err = run("cube", MIDDLE, *args)
    assert (code, out, err.count("\n")) == (Exit.USAGE, "", 1)
    assert err.startswith(f"bgcore cube: {said}")


def test_a_table_that_does_not_reach_the_score(run, table):
    code, _, err = run("cube", MIDDLE, "--match", "5", "--met", table)
    assert (code, "a side needs 5 points, and the match equities of three end at 3" in err) == (Exit.USAGE, True)


@pytest.mark.parametrize(
    "args",
    [
        ("evaluate", "start", "--cap", "3"),
        ("bearoff", "probe", ENDING, "--cube-limit", "2"),
        ("show", "start", "--met", "Kazaross-XG2"),
        ("plays", "start", "31", "--no-raccoons"),
    ],
)
def test_a_command_that_does_not_count_says_which_ones_do(run, args):
    code, out, err = run(*args)
    flag = next(word for word in args if word.startswith("--"))
    assert (code, out) == (Exit.USAGE, "")
    assert f"there is no {flag} here: bgcore cube, rollout and compare" in err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("rollout", ENDING, "--beavers", "--raccoons"), "--beavers and --raccoons does not go with --cubeless"),
        (("rollout", ENDING, "--cube-limit", "2"), "--cube-limit does not go with --cubeless"),
        (("compare", "start", "--dice", "31", "--cap", "2"), "--cap does not go with plays weighed without the cube"),
        (("compare", "start", "--dice", "31", "--cube-limit", "2"), "--cube-limit does not go with plays weighed"),
        (("rollout", "--extend", "x.json", "--cap", "2"), "--cap does not go with --extend"),
        (("plays", "start", "31", "--plain", "--match", "3", "--met", "x"), "--met does not go with --plain"),
    ],
)
def test_what_would_change_nothing_is_refused(run, args, said):
    code, out, err = run(*args)
    assert (code, out) == (Exit.USAGE, "")
    assert said in err


def test_completion_knows_the_tables():
    shell = ShellComplete(cli, {}, "bgcore", "_BGCORE_COMPLETE")
    for begun, offered in (("kaz", ("Kazaross-XG2", "plain")), ("./t", ("./t", "file"))):
        assert [(one.value, one.type) for one in shell.get_completions(["cube", "--met"], begun)] == [offered]


@pytest.fixture(autouse=True)
def no_table_of_another_test():
    _read_table.cache_clear()
