"""Building bear-off tables on disk: what an interruption leaves, who may build, and where."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from bgcore import bearoff


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="this system reserves no room for a file")
def test_a_build_reserves_its_room_on_the_disk(tmp_path):
    """On a disk that fills up meanwhile the system would end the process: nothing can catch that."""
    target = tmp_path / "table"
    sizes = []

    def look(done, bands):
        status = (tmp_path / "table.partial").stat()
        sizes.append((status.st_blocks * 512, status.st_size))

    bearoff.build(5, 5, kind="two-sided", path=target, progress=look)
    assert sizes[0][0] >= sizes[0][1] > 100_000


def test_interrupted_builds_go_on(tmp_path):
    whole = bearoff.build(6, 5, path=tmp_path / "whole.bearoff")
    calls = []

    def interrupt(done, total):
        calls.append((done, total))
        if len(calls) == total // 2:
            raise KeyboardInterrupt

    target = tmp_path / "interrupted.bearoff"
    with pytest.raises(KeyboardInterrupt):
        bearoff.build(6, 5, path=target, progress=interrupt)
    assert not target.exists()
    first_half = len(calls)
    calls.clear()
    bearoff.build(6, 5, path=target, progress=lambda done, total: calls.append((done, total)))
    assert calls[0][0] > 1
    assert len(calls) < calls[-1][1]
    assert calls[-1][0] == calls[-1][1]
    assert first_half > 1
    assert target.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["interrupted.bearoff", "whole.bearoff"]


def interrupted_build(target):
    """Stop a build of 6 points x 5 checkers when half of it is done."""

    def interrupt(done, total):
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bearoff.build(6, 5, path=target, progress=interrupt)


def test_what_an_interrupted_build_left_is_checked(tmp_path):
    """A byte that changed meanwhile costs the work done so far, not the truth of the table."""
    whole = bearoff.build(6, 5, path=tmp_path / "whole.bearoff")
    target, partial = tmp_path / "changed.bearoff", tmp_path / "changed.bearoff.partial"
    interrupted_build(target)
    content = bytearray(partial.read_bytes())
    content[3000] ^= 1
    partial.write_bytes(content)
    seen = []
    bearoff.build(6, 5, path=target, progress=lambda done, total: seen.append(done))
    assert seen[0] == 1
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("words", ["", "[]", '{"done": "x"}', '{"done": 10000000000, "crc": 0}'])
def test_a_record_that_says_nothing_begins_anew(tmp_path, words):
    whole = bearoff.build(6, 5, path=tmp_path / "whole.bearoff")
    target, record = tmp_path / "again.bearoff", tmp_path / "again.bearoff.progress"
    interrupted_build(target)
    said = record.read_text()
    record.write_text(words if not words.startswith("{") else json.dumps(json.loads(said) | json.loads(words)))
    bearoff.build(6, 5, path=target)
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="needs the locks of POSIX")
def test_two_builders_of_one_file(tmp_path):
    """The second waits, also for one that breaks off, and both end with the whole table."""
    target = tmp_path / "two.bearoff"
    program = f"from bgcore import bearoff; bearoff.build(6, 6, path={str(target)!r})"
    builders = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    assert [builder.wait() for builder in builders] == [0, 0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["two.bearoff"]
    assert np.array_equal(bearoff.open_table(target).values, bearoff.default().two.values)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    for kind in ("one-sided", "two-sided"):
        with pytest.raises(FileNotFoundError, match="nowhere"):
            bearoff.build(3, 3, kind=kind, path=tmp_path / "nowhere" / "table")
    assert not (tmp_path / "nowhere").exists()
