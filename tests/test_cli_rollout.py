"""``bgcore rollout`` from outside: numbers, files, progress, and Ctrl-C."""

import json
import signal
import subprocess
import sys

import pytest

from bgcore import Rollout
from bgcore.cli._exit import Exit

ENDING = "AQAAgAAAAAAAAA"  # one checker on the six point against one on the ace point
SHORT = ("--trials", "36", "--workers", "1", "--no-board")


def test_text_and_json(run):
    code, out, err = run("rollout", ENDING, *SHORT)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "36 trials, seed 1"
    assert "wins" in out
    found = json.loads(run("rollout", ENDING, *SHORT, "--json")[1])
    assert found["schema"] == "bgcore.rollout/1"
    assert (found["trials"], found["settings"]["seed"]) == (36, 1)
    assert found["result"]["win"]["mean"] == pytest.approx(0.75)


def test_a_roll_and_a_board(run):
    code, out, _ = run("rollout", ENDING, "--dice", "61", "--trials", "36")
    assert code == 0
    assert out.startswith(" +13-14")
    assert "X to play 6-1" in out


def test_cubeful_with_the_stakes_of_the_identifier(run):
    found = json.loads(run("rollout", ENDING, *SHORT, "--cubeful", "--cube", "2:mine", "--json")[1])
    assert found["stakes"]["unit"] == "points"
    assert found["result"]["value"]["mean"] == pytest.approx(2.0)
    flags = ("--cubeful", "--match", "5", "--score", "3-3")
    assert json.loads(run("rollout", ENDING, *SHORT, *flags, "--json")[1])["stakes"]["unit"] == "mwc"
    assert "value (match-winning chance)" in run("rollout", ENDING, *SHORT, *flags)[1]


def test_saved_and_extended_is_the_same_as_at_once(run, tmp_path):
    path = tmp_path / "run.json"
    code, _, err = run("rollout", ENDING, *SHORT, "--save", path)
    assert (code, err) == (0, f"wrote {path}\n")
    code, extended, _ = run("rollout", "--extend", path, "--trials", "72", "--json")
    assert code == 0
    at_once = json.loads(run("rollout", ENDING, "--trials", "108", "--json")[1])
    assert json.loads(extended)["tally"] == at_once["tally"]


def test_shards_merge_and_are_drawn(run, tmp_path):
    one, two, picture = (str(tmp_path / name) for name in ("one.json", "two.json", "both.svg"))
    assert run("rollout", ENDING, *SHORT, "--save", one)[0] == 0
    assert run("rollout", ENDING, *SHORT, "--first-trial", "36", "--save", two)[0] == 0
    pytest.importorskip("matplotlib")
    code, merged, err = run("rollout", "--merge", two, "--merge", one, "--plot", picture, "--json")
    assert (code, err) == (0, f"wrote {picture}\n")
    assert json.loads(merged) == json.loads(run("rollout", ENDING, "--trials", "72", "--json")[1])
    assert "<svg" in (tmp_path / "both.svg").read_text("utf-8")
    code, _, err = run("rollout", "--merge", one, "--merge", one)
    assert code != 0
    assert "trial 0 is in both" in err


def test_a_score_counts_without_a_cube_too(run):
    """At double match point a gammon is worth no more: the value is the chance to win."""
    found = json.loads(run("rollout", "start", *SHORT, "--match", "3", "--score", "2-2", "--json")[1])
    assert found["settings"]["cubeful"] is False
    assert found["result"]["value"]["mean"] == pytest.approx(found["result"]["win"]["mean"], abs=1e-9)
    assert "value (match-winning chance)" in run("rollout", ENDING, *SHORT, "--match", "5", "--score", "3-3")[1]
    found = json.loads(run("rollout", ENDING, *SHORT, "--cube", "2:mine", "--json")[1])
    assert (found["result"]["value"]["mean"], found["result"]["equity"]["mean"]) == (1.0, 0.5)


def test_a_cut_rollout_states_its_model_error(run):
    words = "36 trials, seed 1, cut after 7 plies (model error 0.0185)"
    assert run("rollout", "start", *SHORT, "--truncate", "7")[1].splitlines()[0] == words
    code, out, _ = run("compare", "start", "--dice", "31", "--top", "2", *FEW, "--no-board", "--truncate", "3")
    assert (code, out.splitlines()[0]) == (0, "36 trials each, seed 1, cut after 3 plies (model error 0.0275)")


def test_both_sides_may_look_ahead(run):
    flags = ("start", "--trials", "2", "--workers", "1", "--plies", "1", "--truncate", "3", "--json")
    assert json.loads(run("rollout", *flags)[1])["settings"]["plies"] == 1
    flags = ("--dice", "31", "--compare", "8/5 6/5", "--compare", "24/20")
    found = json.loads(run("rollout", "start", *FEW, *flags, "--plies", "1", "--truncate", "1", "--json")[1])
    assert [one["rollout"]["settings"]["plies"] for one in found["candidates"]] == [1, 1]


def test_it_stops_once_the_interval_is_worth_little(run, tmp_path):
    path, money = tmp_path / "run.json", ("--target-money", "0.5", "--stake", "10")
    found = json.loads(run("rollout", "start", "--trials", "5000", *money, "--save", path, "--json")[1])
    assert found["settings"]["stop"] == {"std_error": None, "joint_std_error": None, "material": 0.5, "stake": 10.0}
    assert (found["trials"], found["spans"]) == (324, [[0, 324]])
    assert 10 * (found["result"]["value"]["interval"][1] - found["result"]["value"]["mean"]) <= 0.5
    assert json.loads(run("rollout", "start", "--trials", "360", *money[:3], "50", "--json")[1])["trials"] == 360
    goes_on = json.loads(run("rollout", "--extend", path, "--trials", "5000", "--json")[1])
    assert (goes_on["trials"], goes_on["settings"]["stop"]) == (648, found["settings"]["stop"])
    first = run("rollout", "--merge", path, "--no-board")[1].splitlines()[0]
    assert first.startswith("324 trials, seed 1, half the 95 % interval worth ")
    assert first.endswith(" (asked 0.5)")
    words = "1 trials, seed 1"
    assert run("rollout", "start", *money, "--trials", "1", "--no-board")[1].splitlines()[0] == words


def test_a_longer_match_keeps_the_score_of_the_identifier(run):
    known = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10"
    for more, score in ((), "match to 7: X 2, O 3"), (("--match", "9"), "match to 9: X 2, O 3"):
        assert score in run("rollout", known, "--trials", "36", *more)[1]


def test_a_picture_is_refused_before_the_trials_and_costs_no_answer(run, tmp_path):
    pytest.importorskip("matplotlib")
    code, out, err = run("rollout", ENDING, *SHORT, "--plot", "x.xyz", "--progress", "json")
    assert (code, out, '"done"' in err, "x.xyz: its ending is none of" in err) == (Exit.USAGE, "", False, True)
    code, out, err = run("rollout", ENDING, *SHORT, "--plot", tmp_path / "missing" / "x.png")
    assert (code, "wins" in out, "x.png" in err) == (Exit.USAGE, True, True)


def test_an_executor_is_a_cluster(run):
    code, _, err = run("rollout", ENDING, *SHORT, "--executor", "http://here")
    assert code != 0
    assert "dask://host:port" in err


def test_progress_as_json_lines(run):
    code, out, err = run("rollout", ENDING, "--trials", "72", "--progress", "json", "--json")
    last = json.loads(err.splitlines()[-1])
    assert code == 0
    assert (last["done"], last["total"], last["unit"]) == (72, 72, "trials")
    json.loads(out)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((), "--extend"),
        ((ENDING, "--extend", "x.json"), "--extend"),
        (("--extend", "missing.json"), "missing.json"),
        (("--extend", "missing.json", "--seed", "3"), "--seed does not go with --extend"),
        (("--extend", "missing.json", "--cubeless", "--dice", "31"), "--cubeful and --dice does not go with --extend"),
        (("--extend", "missing.json", "--first-trial", "0"), "--first-trial does not go with --extend"),
        (("--merge", "missing.json", "--trials", "36"), "--trials does not go with --merge"),
        ((ENDING, "--jacoby"), "--jacoby does not go with --cubeless"),
        ((ENDING, "--match", "5", "--score", "7-3"), "--match and --score: my score is 7, but a match to 5"),
        ((ENDING, "--match", "5", "--score", "-1-3"), "--score is two whole numbers such as 3-1, not '-1-3'"),
        ((ENDING, "--match", "5", "--score", "9" * 5000 + "-1"), "--score is two whole numbers"),
        ((ENDING, "--cube", "9" * 5000 + ":mine"), "--cube is a value and its owner"),
        (
            (ENDING, "--match", "5", "--score", "3-1", "--crawford"),
            "--match and --score and --crawford: 3-1 to 5 cannot",
        ),
        ((ENDING, "--crawford"), "--crawford needs the length"),
        ((ENDING, "--match", "40", "--score", "3-1"), "at 3-1 in a match to 40 a side needs 39 points, and"),
        (("-",), "one position"),
        ((ENDING, "--trials", "36", "--save", ""), "a file without a name: "),
        (("--extend", ""), "a rollout from a file without a name: "),
        (("--extend", "missing.json", "--plies", "1"), "--plies does not go with --extend"),
        ((ENDING, "--save", "x.svg", "--plot", "x.svg"), "--plot is the same file as --save"),
        ((ENDING, "--trials", "0"), "--trials"),
        ((ENDING, "--seed", "-1"), "--seed"),
        ((ENDING, "--workers", "x"), "--workers"),
        ((ENDING, "--target-error", "0"), "--target-error"),
        ((ENDING, "--target-error", "nan"), "'--target-error': 'nan' is not a number"),
        ((ENDING, "--target-money", "0", "--stake", "1"), "--target-money"),
        ((ENDING, "--target-money", "1", "--stake", "inf"), "'--stake': 'inf' is not a number"),
        ((ENDING, "--target-money", "1"), "--target-money needs --stake"),
        ((ENDING, "--stake", "1"), "--stake says what"),
        ((ENDING, "--target-money", "1", "--stake", "1", "--target-error", "1"), "--target-error does not go with"),
        (("--extend", "x.json", "--target-money", "1", "--stake", "1"), "--target-money and --stake does not go with"),
        (
            (ENDING, "--compare", "cube", "--target-money", "1", "--stake", "1"),
            "--target-money and --stake does not go",
        ),
        ((ENDING, "--progress", "loud"), "--progress"),
        (("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10",), "pending"),
        ((ENDING, "--trials", "36", "--save", "missing/run.json"), "missing"),
    ],
)
def test_a_wrong_flag_is_named(run, args, named):
    code, out, err = run("rollout", *args)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


FEW = ("--trials", "36", "--workers", "1")


def test_compare_plays_of_a_roll(run):
    code, out, err = run("compare", "start", "--dice", "31", "--top", "2", *FEW)
    assert (code, err) == (0, "")
    assert "X to play 3-1" in out
    assert "36 trials each, seed 1" in out
    found = json.loads(run("compare", "start", "--dice", "31", "--top", "2", *FEW, "--json")[1])
    assert found["candidates"][0]["label"] == "8/5 6/5"
    assert sum(candidate["p_best"] for candidate in found["candidates"]) == pytest.approx(1)


def test_compare_a_double(run):
    code, out, _ = run("compare", ENDING, "--cube", "2:mine", *FEW, "--no-board")
    assert code == 0
    assert "double, pass  +2.000000" in out
    found = json.loads(run("compare", ENDING, "--match", "5", "--score", "3-3", *FEW, "--json")[1])
    assert found["trials"] == 36
    assert 0 <= found["p_take"] <= 1


def test_a_saved_comparison_goes_on(run, tmp_path):
    path = tmp_path / "run.json"
    plays = ("start", "--dice", "31", "--play", "8/5 6/5", "--play", "24/20", "--workers", "1")
    code, _, err = run("compare", *plays, "--trials", "36", "--save", path)
    assert (code, err) == (0, f"wrote {path}\n")
    code, extended, _ = run("compare", "--extend", path, "--trials", "36", "--json")
    assert code == 0
    assert (
        json.loads(extended)["candidates"]
        == json.loads(run("compare", *plays, "--trials", "72", "--json")[1])["candidates"]
    )
    other, merged = tmp_path / "other.json", ("rollout", "start", "--dice", "31", "--first-trial", "36", *FEW)
    assert run(*merged, "--compare", "8/5 6/5", "--compare", "24/20", "--save", other)[0] == 0
    code, out, _ = run("compare", "--merge", other, "--merge", path, "--save", path, "--json")
    assert (code, json.loads(out)) == (0, json.loads(path.read_text("utf-8")))
    assert json.loads(out)["candidates"] == json.loads(extended)["candidates"]
    code, _, err = run("compare", "--merge", other, "--merge", path)
    assert (code, "trial 36 is in both" in err) == (Exit.USAGE, True)
    for option in ("--extend", "--merge"):
        code, out, err = run("rollout", option, path)
        assert (code, out, "bgcore compare --extend" in err) == (Exit.USAGE, "", True)
    code, _, err = run("compare", "--extend", tmp_path / "none.json")
    assert (code, "none.json" in err) == (Exit.USAGE, True)


def test_rollout_compares(run):
    plays = ("--compare", "8/5 6/5", "--compare", "24/20")
    found = json.loads(run("rollout", "start", "--dice", "31", *plays, *FEW, "--json")[1])
    assert [one["label"] for one in found["candidates"]] == ["8/5 6/5", "24/20"]
    code, out, _ = run("rollout", ENDING, "--cube", "2:mine", "--compare", "cube", *FEW, "--no-board")
    assert code == 0
    assert "double, pass  +2.000000" in out
    code, _, err = run("rollout", ENDING, "--compare", "6/off", *FEW)
    assert (code, "--dice" in err, "--play" in err) == (Exit.USAGE, True, False)
    code, _, err = run("rollout", "start", "--dice", "31", "--compare", "8/5 6/5", *FEW)
    assert (code, "two candidates or more" in err) == (Exit.USAGE, True)


@pytest.mark.parametrize("option", [("--extend", "a.json"), ("--plot", "x.png"), ("--merge", "a.json"), ("--cubeful",)])
def test_what_does_not_go_with_compare_is_named(run, option):
    code, _, err = run("rollout", "start", "--compare", "cube", *option)
    assert (code, f"{option[0]} does not go with --compare" in err) == (Exit.USAGE, True)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((ENDING, "--dice", "66"), "nothing to compare"),
        ((ENDING, "--cube", "2:theirs"), "double"),
        (("start", "--dice", "31", "--top", "1"), "--top"),
        (("start", "--dice", "31", "--play", "3/2"), "3/2"),
        (("start", "--dice", "31", "--executor", "http://here"), "dask://host:port"),
        (("start", "--dice", "31", "--beavers"), "--beavers does not go with plays weighed without the cube"),
        (("start", "--dice", "31", "--play", "cube"), "leave out the dice"),
        (("start", "--play", "cube", "--play", "8/5 6/5"), "leave out the dice and any play"),
        (("--extend", "x.json", "--cube", "2:mine"), "--cube does not go with --extend"),
        (("--merge", "x.json", "--top", "2"), "--top and --trials and --workers does not go with --merge"),
        (("0," * 24 + "-2,0",), "the game is over"),
        (("0," * 24 + "-2,0", "--dice", "31"), "the game is over"),
        ((), "--extend"),
        (("rubbish",), "rubbish"),
    ],
)
def test_what_cannot_be_compared_is_said(run, args, named):
    code, out, err = run("compare", *args, *FEW)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals for a child there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_rollout_is_in_the_file(tmp_path, number):
    """Ctrl-C and SIGTERM also print it; after SIGKILL at most the blocks in hand are lost."""
    path = tmp_path / "run.json"
    words = [sys.executable, "-m", "bgcore", "rollout", "start", "--trials", "1000000", "--workers", "1"]
    words += ["--progress", "json", "--json", "--save", str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        shown = json.loads(process.stderr.readline())  # the first block of trials is done
        process.send_signal(number)
        out, message = process.stdout.read(), process.stderr.read().decode()
    saved = Rollout.load(path)
    assert shown["done"] <= saved.trials < 1_000_000
    if number == signal.SIGKILL:
        assert process.returncode == -number
        assert saved.extend(36).spans == ((0, saved.trials + 36),)
        return
    assert process.returncode == Exit.INTERRUPTED
    assert json.loads(out) == saved.to_dict()
    assert f"interrupted after {saved.trials} trials" in message
    assert "once more ends at once" in message
