"""Match files on the command line: analysed, converted, and turned into cases."""

import json

import pytest

from bgcore.cli._exit import Exit

UNFINISHED = """\
 5 point match

 Game 1
 anna : 0                        ben : 0
  1) 31: 8/5 6/5                  42: 8/4 6/4
  2) 65: 24/13                     Doubles => 2
"""
FINISHED = UNFINISHED + "  3)  Drops\n                                   Wins 1 point\n"
MONEY = UNFINISHED.replace(" 5 point", " 0 point")


@pytest.fixture
def files(tmp_path):
    """A folder with three sound records and what a folder of the world holds besides."""
    (tmp_path / "unfinished.mat").write_text(UNFINISHED)
    (tmp_path / "finished.mat").write_text(FINISHED)
    (tmp_path / "money.mat").write_text(MONEY)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "empty.mat").write_bytes(b"")
    (tmp_path / "bad" / "binary.mat").write_bytes(b"RGMH\x18 \x00\x00\xff\xfe\x80" * 40)
    (tmp_path / "bad" / "folder.mat").mkdir()
    return tmp_path


def test_analyze_prints_totals_and_the_worst_errors(run, files):
    code, out, err = run("analyze", files / "unfinished.mat")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].endswith("unfinished.mat: match to 5, 1 game, 0-ply")
    assert lines[1].startswith("player  decisions  rating")
    assert "Game 1, ben: double, an error of 0." in out


def test_analyze_a_folder_goes_on_past_bad_files(run, files):
    code, out, err = run("analyze", files, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == Exit.REJECTED
    assert [line["schema"] for line in found].count("bgcore.analysis/1") == 3
    assert [line["schema"] for line in found].count("bgcore.error/1") == 2
    assert "binary.mat" in err
    assert "empty.mat" in err


def test_the_page_of_an_analysis_is_self_contained(run, files):
    page = files / "report.html"
    code, _, err = run("analyze", files / "unfinished.mat", "--html", page)
    assert code == 0
    assert err.endswith(f"wrote {page}\n")
    text = page.read_text("utf-8")
    assert "anna – ben" in text
    assert "<svg" in text
    assert "default-src 'none'" in text
    assert "src=" not in text
    assert "href=" not in text


@pytest.mark.parametrize("name", ["missing.mat", "bad/folder.mat", "bad/empty.mat", "bad/binary.mat"])
@pytest.mark.parametrize("command", [("analyze",), ("convert",), ("adjudicate", "one")])
def test_an_unreadable_file_is_named_in_one_line(run, files, name, command):
    code, out, err = run(*command, files / name)
    assert (code, out) == (Exit.USAGE, "")
    assert name.rpartition("/")[2] in err
    assert err.count("\n") <= 2 - (command != ("analyze",))


def test_a_match_file_written_again_reads_the_same(run, files):
    code, out, err = run("convert", files / "finished.mat")
    assert (code, err) == (0, "")
    (files / "again.mat").write_text(out)
    assert run("convert", files / "again.mat")[1] == out
    assert run("convert", files / "finished.mat", "--to", "xgid")[0] == Exit.USAGE
    assert run("convert", "start", "--to", "mat")[0] == Exit.USAGE


def test_an_unfinished_game_becomes_a_record(run, files):
    code, out, err = run("convert", files / "unfinished.mat", "--to", "case")
    document = json.loads(out)
    assert code == 0
    assert document["pending"] == {"type": "double", "by": "black"}
    assert "to be filled in: absence" in err


def test_an_unfinished_game_is_settled(run, files):
    flags = ("--away", "white", "--absent", "200", "--policy", "forfeit")
    code, out, err = run("adjudicate", "one", files / "unfinished.mat", *flags)
    assert (code, err) == (0, "")
    assert "Black doubles" in out
    code, out, _ = run("adjudicate", "one", files / "money.mat", *flags, "--stake", "2", "--currency", "EUR")
    assert code == 0
    assert "Black wins" in out


def test_the_value_alone_does_not_ask_who_left(run, files):
    flags = ("adjudicate", "one", files / "money.mat", "--cube-limit", "2")
    assert "--away" in run(*flags)[2]
    assert "--away" not in run(*flags, "--value-only")[2]


def test_what_a_file_leaves_open_is_asked_for(run, files):
    code, _, err = run("adjudicate", "one", files / "money.mat")
    assert code == Exit.USAGE
    for flag in ("--away", "--stake"):
        assert flag in err
    code, _, err = run("adjudicate", "one", files / "unfinished.mat", "--cube", "2:white")
    assert code == Exit.USAGE
    assert "--cube" in err


def test_a_value_needs_neither_an_absence_nor_a_stake(run, files):
    ending = files / "money.mat"
    ending.write_text(MONEY.replace(" Doubles => 2", " "))
    flags = ("--value-only", "--precision", "draft", "--json")
    code, out, _ = run("adjudicate", "one", ending, *flags)
    assert code == 0
    assert -1 < float(json.loads(out)["points_white"]) < 1


def test_a_record_from_standard_input(run):
    code, out, err = run("analyze", "-", "--worst", "0", stdin=UNFINISHED)
    assert (code, err) == (0, "")
    assert out.startswith("standard input: match to 5, 1 game, 0-ply\n")
    code, out, err = run("convert", "-", "--to", "mat", stdin=FINISHED)
    assert (code, err) == (0, "")
    assert "Drops" in out
    flags = ("--away", "white", "--absent", "200", "--policy", "forfeit")
    code, out, err = run("adjudicate", "one", "-", *flags, stdin=UNFINISHED)
    assert (code, err) == (0, "")
    assert "Black doubles" in out
    assert run("adjudicate", "one", "-", stdin="{")[2].startswith("bgcore adjudicate one: standard input is not JSON")
    code, out, err = run("analyze", "-", stdin="")
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("standard input: the file is empty")


def test_what_a_folder_holds_besides_records_is_said_in_one_line(run, files):
    for name in "abcd":
        (files / f"{name}.txt").write_text("Dear diary,\n")
    (files / "record.txt").write_text(FINISHED)
    (files / "headless.txt").write_text("  1) 31: 8/5 6/5                  42: 8/4 6/4\n")
    code, out, err = run("analyze", files, "--worst", "0")
    passed_over = [line for line in err.splitlines() if line.startswith("passed over")]
    assert passed_over == [
        f"passed over, not match records: {files / 'a.txt'}, {files / 'b.txt'}, {files / 'c.txt'} and 1 more"
    ]
    assert f"{files / 'record.txt'}: match to 5" in out
    assert "headless.txt: no line such as '7 point match'" in err
    assert code == Exit.REJECTED
    assert "Dear diary" not in err
    code, _, err = run("analyze", files / "a.txt")
    assert code == Exit.USAGE
    assert "this is no match file" in err


def test_an_irregular_line_is_said_once(run, files):
    path = files / "illegal.mat"
    path.write_text(UNFINISHED.replace("8/5 6/5", "8/5 6/4"))
    code, out, err = run("analyze", path)
    assert code == 0
    assert err.count("is not a legal play") == 1
    assert out.splitlines()[-1] == "not weighed: the play is illegal (line 5)"
    path.write_text(UNFINISHED.replace("8/5 6/5", "8/5 6/4").replace("8/4 6/4", "bar/4"))
    assert run("analyze", path)[1].splitlines()[-1] == (
        "not weighed: the play is illegal (line 5); the position is not known (line 6)"
    )


def test_progress_over_many_records(run, files):
    err = run("analyze", files / "unfinished.mat", files / "money.mat", "--progress", "json", "--json")[2]
    last = json.loads(err.splitlines()[-1])
    assert (last["done"], last["total"], last["unit"], last["seconds_left"]) == (2, 2, "records", 0)


def test_nothing_to_adjudicate_is_said(run, files):
    code, _, err = run("adjudicate", "one", files / "finished.mat", "--away", "white", "--absent", "200")
    assert code == Exit.USAGE
    assert "nothing to adjudicate" in err
