"""``bgcore adjudicate batch`` from outside: files, journals, and a process that a server keeps open."""

import csv
import json
import signal
import subprocess
import sys

import pytest

from bgcore.cli._exit import Exit
from tests.adjudication_records import money_record

RECORD = money_record()


def lines(*changes):
    """JSON lines of the record above with a case id each, changed as told."""
    return "".join(json.dumps(RECORD | {"case_id": f"G{i}"} | change) + "\n" for i, change in enumerate(changes))


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "cases.jsonl", tmp_path / "verdicts.jsonl"


def test_a_file_becomes_a_file_in_the_same_order(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}, {"dice": [7, 1]}, {}) + "rubbish\n")
    code, out, err = run("adjudicate", "batch", cases, "-o", verdicts)
    assert (code, out) == (Exit.REJECTED, "")
    assert err == f"2 rejected, 2 settled; wrote {verdicts}\n"
    found = [json.loads(line) for line in verdicts.read_text().splitlines()]
    assert [verdict["status"] for verdict in found] == ["settled", "rejected", "settled", "rejected"]
    assert [verdict["case_id"] for verdict in found] == ["G0", "G1", "G2", None]


def test_resume_leaves_the_same_bytes(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}, {}, {}))
    run("adjudicate", "batch", cases, "-o", verdicts)
    whole = verdicts.read_bytes()
    journal = verdicts.with_name("verdicts.jsonl.journal")
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    verdicts.unlink()
    assert run("adjudicate", "batch", cases, "-o", verdicts, "--resume")[0] == 0
    assert verdicts.read_bytes() == whole


def test_verdicts_are_verified(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}, {"cube": {"value": 2, "owner": "white"}}))
    run("adjudicate", "batch", cases, "-o", verdicts)
    code, out, _ = run("adjudicate", "verify", verdicts, cases)
    assert (code, out) == (0, "G0: equal to the bit\nG1: equal to the bit\n")


def test_the_report_counts_and_lists(run, paths, tmp_path):
    cases, verdicts = paths
    report = tmp_path / "report.html"
    cases.write_text(lines({}, {"dice": [7, 1]}, {"cube": {"value": 2, "owner": "white"}}, {"policy": "claim"}))
    assert run("adjudicate", "batch", cases, "-o", verdicts, "--report", report)[0] == Exit.REJECTED
    text = report.read_text("utf-8")
    for part in ("<td>settled</td>", "<td>undecided</td>", "E34", "3.00", "2.00 EUR", "4 cases", "play65"):
        assert part in text, part
    assert "<script" not in text


def test_undecided_cases_have_their_own_code(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}))
    assert run("adjudicate", "batch", cases, "-o", verdicts, "--policy", "claim")[0] == Exit.UNDECIDED
    flags = ("--policy", "claim", "--fail-on", "rejected")
    assert run("adjudicate", "batch", cases, "-o", verdicts, *flags)[0] == 0


def test_progress_as_json_lines(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}, {}))
    err = run("adjudicate", "batch", cases, "-o", verdicts, "--progress", "json")[2]
    last = json.loads(err.splitlines()[-2])
    assert (last["done"], last["total"], last["settled"]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("missing.jsonl", "-o", "x"), "missing.jsonl"),
        (("-", "-o", "x"), "--output"),
        (("-", "--resume"), "--resume"),
        (("-", "--policy", "play56"), "play65"),
        (("-", "--fail-on", "settled"), "--fail-on"),
        (("missing.jsonl",), "missing.jsonl"),
    ],
)
def test_a_wrong_flag_is_named(run, args, named):
    code, out, err = run("adjudicate", "batch", *args)
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"-o": "cases.jsonl"}, "--output"),
        ({"-o": "v.jsonl", "--journal": "cases.jsonl"}, "--journal"),
        ({"-o": "v.jsonl", "--journal": "symlink.jsonl"}, "--journal"),
        ({"-o": "v.jsonl", "--journal": "hardlink.jsonl"}, "--journal"),
        ({"-o": "v.jsonl", "--report": "cases.jsonl"}, "--report"),
        ({"-o": "v.jsonl", "--report": "v.jsonl.journal"}, "--report"),
        ({"-o": "v.jsonl", "--journal": "./v.jsonl"}, "--journal"),
        ({"-o": "v.jsonl", "--journal": "mine.txt"}, "mine.txt is no journal"),
    ],
)
def test_no_file_is_read_and_written_or_written_twice(run, paths, monkeypatch, files, named):
    cases, verdicts = paths
    monkeypatch.chdir(cases.parent)
    cases.write_text(lines({}))
    cases.with_name("symlink.jsonl").symlink_to(cases)
    cases.with_name("hardlink.jsonl").hardlink_to(cases)
    cases.with_name("mine.txt").write_text("notes\n" * 3)
    code, _, err = run("adjudicate", "batch", "cases.jsonl", *(word for pair in files.items() for word in pair))
    assert code == Exit.USAGE
    assert named in err
    assert cases.read_text() == lines({})
    assert cases.with_name("mine.txt").read_text() == "notes\n" * 3
    assert not verdicts.with_name("v.jsonl").exists()


def test_the_lines_beside_a_spreadsheet_never_replace_the_cases(run, tmp_path):
    cases = tmp_path / "v.csv.jsonl"
    cases.write_text(lines({}))
    assert run("adjudicate", "batch", cases, "-o", tmp_path / "v.csv")[0] == Exit.USAGE
    assert cases.read_text() == lines({})


def test_what_a_stopped_run_found_is_not_thrown_away(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}, {}))
    run("adjudicate", "batch", cases, "-o", verdicts)
    assert run("adjudicate", "batch", cases, "-o", verdicts)[0] == 0, "a finished run may be done again"
    journal = verdicts.with_name("verdicts.jsonl.journal")
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    before = journal.read_bytes()
    for _ in ("beside the verdicts of an earlier run", "alone"):
        code, _, err = run("adjudicate", "batch", cases, "-o", verdicts)
        assert code == Exit.USAGE
        assert "--resume" in err
        assert journal.read_bytes() == before
        verdicts.unlink(missing_ok=True)
    assert run("adjudicate", "batch", cases, "-o", verdicts, "--resume")[0] == 0


@pytest.mark.parametrize("words", [("analyze",), ("adjudicate", "explain"), ("adjudicate", "one")])
def test_a_page_never_replaces_what_it_is_made_from(run, tmp_path, words):
    source = tmp_path / "source.mat"
    source.write_text("kept")
    code, _, err = run(*words, source, "--html", source)
    assert code == Exit.USAGE
    assert "--html is the same file" in err
    assert source.read_text() == "kept"


def test_a_journal_of_another_policy_is_refused(run, paths):
    cases, verdicts = paths
    cases.write_text(lines({}))
    run("adjudicate", "batch", cases, "-o", verdicts)
    code, _, err = run("adjudicate", "batch", cases, "-o", verdicts, "--resume", "--policy", "refund")
    assert code == Exit.USAGE
    assert "journal" in err


def test_a_server_gets_each_verdict_at_once():
    words = [sys.executable, "-m", "bgcore", "adjudicate", "batch", "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, text=True, **pipes) as process:
        for change, status in (({}, "settled"), ({"dice": [0, 1]}, "rejected"), ({}, "settled")):
            process.stdin.write(lines(change | {"case_id": None}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["status"] == status
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""
    assert process.returncode == Exit.REJECTED


def test_estimate_before_a_batch(run, paths):
    cases, _ = paths
    cases.write_text(lines({}, {}) + "rubbish\n")
    code, out, err = run("adjudicate", "estimate", cases, "--json")
    found = json.loads(out)
    assert code == Exit.REJECTED
    assert err.startswith("line 3: ")
    assert found["records"] == {"exact": 2, "rejected": 1}
    assert found["trials"] == 0
    cases.write_text(lines({}))
    code, out, err = run("adjudicate", "estimate", cases)
    assert (code, err) == (0, "")
    assert out.endswith("about 0 trials, at most 0; about 0 s\n")


COLUMNS = (
    "case_id,mode,on_roll,white_6,white_off,black_1,black_off,dice,cube_value,cube_owner,"
    "money_currency,money_stake,absence_black_away,absence_black_seconds"
)


def test_spreadsheets_in_and_out(run, tmp_path):
    cases, verdicts = tmp_path / "cases.csv", tmp_path / "verdicts.csv"
    cases.write_text(
        f"\ufeff{COLUMNS}\n"
        "G1,money,white,1,14,1,14,,2,black,EUR,1.00,true,200\n"
        "G2,money,white,1,14,1,14,6-1,2,black,EUR,1.00,yes,200.5\n"
        "G3,money,white,one,14,1,14,,3,black,EUR,1.00,true,200\n",
        encoding="utf-8",
    )
    code, out, err = run("adjudicate", "batch", cases, "-o", verdicts)
    assert (code, out) == (Exit.REJECTED, "")
    assert err == f"1 rejected, 2 settled; wrote {verdicts}\n"
    rows = list(csv.DictReader(verdicts.read_text("utf-8").splitlines()))
    assert [(row["case_id"], row["status"], row["transfer_amount"]) for row in rows] == [
        ("G1", "settled", "1.00"),
        ("G2", "settled", "2.00"),
        ("G3", "rejected", ""),
    ]
    assert "E05 board.white.points.6" in rows[2]["errors"]
    assert "E14 cube.value" in rows[2]["errors"]
    assert run("adjudicate", "verify", f"{verdicts}.jsonl")[0] in (0, Exit.MISMATCH)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "cases.csv", "verdicts.csv", "verdicts.csv.jsonl", "verdicts.csv.jsonl.journal",
    ]  # fmt: skip


ROWS = f"{COLUMNS}\nG1,money,white,1,14,1,14,,2,black,EUR,1.00,true,200\nG2,money,white,1,14,1,14,,{'7' * 5000},black\n"


def test_a_spreadsheet_is_told_by_its_name_everywhere(run, tmp_path):
    cases, verdicts = tmp_path / "cases.csv", tmp_path / "verdicts.jsonl"
    cases.write_text(ROWS, encoding="utf-8-sig")
    code, out, err = run("adjudicate", "batch", cases)
    assert (code, err) == (Exit.REJECTED, "")
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["settled", "rejected"]
    verdicts.write_text(out)
    code, out, err = run("adjudicate", "verify", verdicts, cases)
    assert (code, out) == (Exit.REJECTED, "G1: equal to the bit\n")
    assert err.startswith("line 2: E")
    assert run("adjudicate", "estimate", cases)[0] == Exit.REJECTED


def test_verify_goes_on_behind_a_line_that_is_no_case(run, paths):
    cases, verdicts = paths
    cases.write_text("\ufeff" + lines({}) + "rubbish\n\n[1]\n" + lines({}, {"case_id": "G7"}), "utf-8")
    run("adjudicate", "batch", cases, "-o", verdicts)
    code, out, err = run("adjudicate", "verify", verdicts, cases)
    assert (code, out) == (Exit.REJECTED, "G0: equal to the bit\nG0: equal to the bit\nG7: equal to the bit\n")
    assert [line[:11] for line in err.splitlines()] == ["line 2: E01", "line 3: E01", "line 4: E05"]
    text = cases.read_text("utf-8")
    cases.write_text(text.replace("G7", "G8"), "utf-8")
    code, out, _ = run("adjudicate", "verify", verdicts, cases)
    assert code == Exit.MISMATCH
    assert "'G8'" in out


def test_a_case_that_was_refused_is_refused_again(run, paths):
    cases, verdicts = paths
    there = {"white": {"away": False}, "black": {"away": False}}
    cases.write_text(lines({}, {"absence": there}))
    assert run("adjudicate", "batch", cases, "-o", verdicts)[0] == Exit.REJECTED
    code, out, err = run("adjudicate", "verify", verdicts, cases)
    assert (code, out) == (Exit.REJECTED, "G0: equal to the bit\n")
    assert err.startswith("line 2: E42")


def test_on_standard_input_a_case_may_be_asked_again(run, paths):
    again = lines({}) + lines({"money": {"currency": "EUR", "stake": "2.00"}})
    code, out, _ = run("adjudicate", "batch", "-", stdin=again)
    assert code == 0
    assert [json.loads(line)["transfer"]["amount"] for line in out.splitlines()] == ["1.00", "2.00"]
    paths[0].write_text(again)
    code, out, _ = run("adjudicate", "batch", paths[0])
    assert code == Exit.REJECTED
    assert "E50" in out


@pytest.mark.parametrize(
    ("head", "named"),
    [("case_id,cube_vlaue", "cube_value"), ("", "columns"), ("\x00", "column"), ("[" * 9999, "column")],
)
def test_a_wrong_column_is_named(run, tmp_path, head, named):
    cases = tmp_path / "cases.csv"
    cases.write_text(head + "\nG1,2\n")
    code, out, err = run("adjudicate", "batch", cases, "-o", tmp_path / "verdicts.csv")
    assert len(err) < 300
    assert (code, out) == (Exit.USAGE, "")
    assert named in err


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child there")
def test_ctrl_c_leaves_a_journal_to_go_on_from(paths):
    """The second record is a contact position, rolled out for long: the first is finished by then."""
    cases, verdicts = paths
    opening = {"points": {"24": 2, "13": 5, "8": 3, "6": 5}, "bar": 0, "off": 0}
    other = {"points": {"24": 2, "13": 4, "11": 1, "8": 3, "6": 5}, "bar": 0, "off": 0}
    long = {"board": {"white": opening, "black": other}, "cube": {"value": 1, "owner": "centre"}}
    cases.write_text(lines({}, long | {"money": {"currency": "EUR", "stake": "10000.00"}}))
    words = [
        sys.executable,
        "-m",
        "bgcore",
        "adjudicate",
        "batch",
        str(cases),
        "-o",
        str(verdicts),
        "--progress",
        "json",
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert json.loads(process.stderr.readline())["done"] == 1
        process.send_signal(signal.SIGINT)
        message = process.stderr.read()
    assert process.returncode == Exit.INTERRUPTED
    assert message == "\nbgcore: interrupted\n"
    journal = verdicts.with_name("verdicts.jsonl.journal").read_text().splitlines()
    assert [json.loads(line).get("line") for line in journal] == [None, 1]
    assert not verdicts.exists()
