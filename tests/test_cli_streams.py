"""Standard streams that are closed, as services start their children; folders in place of files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "bgcore", "plays", "start", "31", "--plain", "--no-board")


def run(words, closed):
    command = " ".join(f'"{word}"' for word in words)
    done = subprocess.run(["sh", "-c", f"exec {command} {closed}"], capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.skipif(os.name != "posix", reason="closes streams with a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_are_no_failure(closed):
    code, out, err = run(COMMAND, closed)
    assert (code, err) == (0, "")
    assert bool(out) == (">&-" not in closed.split())


@pytest.mark.skipif(os.name != "posix", reason="closes streams with a POSIX shell")
def test_messages_do_not_go_to_a_closed_standard_error():
    code, out, _ = run((*COMMAND[:4], "nonsense", "31"), "2>&-")
    assert (code, out) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["plays", "start", "31", "--plain"], ["plays", "--help"], ["--help"], ["--version"]])
def test_a_full_disk_is_the_caller_s_and_no_failure_of_ours(words):
    code, out, err = run((*COMMAND[:3], *words), ">/dev/full")
    name = "bgcore plays" if words[-1] == "--plain" else "bgcore"
    assert (code, out, err) == (2, "", f"{name}: no space left on device\n")


def test_a_folder_is_no_place_for_a_table(tmp_path, capsys):
    from bgcore.cli.__main__ import main

    assert main(["bearoff", "build", "--points", "3", "--checkers", "3", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"bgcore bearoff build: {tmp_path}: is a directory\n"
