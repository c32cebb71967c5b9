"""The shared cases on the command line, and all match records through it; see tests/shared_cases.py."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bgcore.cli._exit import Exit
from shared_cases import ROOT, load, needs_shared

pytestmark = needs_shared

CASES = {case["id"]: case for case in load("cases.jsonl")}


def test_nothing_to_adjudicate_is_said(run):
    """cl-001."""
    code, out, err = run(
        "adjudicate", "one", ROOT / CASES["cl-001"]["input"]["file"], "--away", "white", "--absent", "200"
    )
    assert (code, out) == (Exit.USAGE, "")
    assert "nothing to adjudicate" in err


@pytest.mark.parametrize("command", [("analyze",), ("convert",), ("adjudicate", "one"), ("adjudicate", "verify")])
def test_unreadable_files_are_named_in_one_line(run, tmp_path, monkeypatch, command):
    """cl-002: a missing file, a folder, an empty file, a binary file."""
    monkeypatch.chdir(tmp_path)
    binary = tmp_path / "match.xg"
    binary.write_bytes(b"RGMH\x18\x00\x00\x00\xff\xfe\x80" * 400)
    for name in CASES["cl-002"]["input"]["files"]:
        path = "match.xg" if name == "an .xg binary" else name
        code, out, err = run(*command, path)
        if (command[-1], path) == ("verify", "/dev/null"):
            assert (code, out) == (0, "")  # no verdicts, none wrong
            continue
        assert code != 0
        assert out == ""
        assert path in err
        assert err.count("\n") <= 2  # a hint may stand below


def test_a_folder_goes_on_past_a_bad_file(run, tmp_path):
    """cl-004: every game and play of the records that are handed out, with a bad file between them."""
    for path in (ROOT / "mat").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "05_bad.mat").write_bytes(b"\x00\xff" * 100)
    code, out, err = run("analyze", tmp_path, "--json", "--worst", "0")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == Exit.REJECTED
    assert [line["source"] for line in found if line["schema"] == "bgcore.error/1"] == [str(tmp_path / "05_bad.mat")]
    assert sum(line["schema"] == "bgcore.analysis/1" for line in found) == len(list((ROOT / "mat").iterdir()))
    assert "05_bad.mat" in err


def children(parent):
    """Processes that another one has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may have ended by now
            if stat.read_text().rpartition(")")[2].split()[1] == str(parent):
                found.append(stat.parent.name)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for children in /proc")
def test_no_worker_outlives_the_command(tmp_path):
    """cl-005: workers are threads, so that nothing is left when the command is killed."""
    words = [sys.executable, "-m", "bgcore", "rollout", "start", "--trials", "1000000", "--workers", "4"]
    with subprocess.Popen([*words, "--progress", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        assert children(process.pid) == []
        process.kill()
