"""Files are whole or absent: on a full disk the old one stays, and a killed writer leaves nothing half-written."""

import os
import signal
import subprocess
import sys
import time

import pytest

from bgcore.rollout import Rollout
from bgcore.wholefile import write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits and signals")
FULL = """
import os, resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
"""
WRITERS = {
    "rollout": """
import bgcore
done = bgcore.rollout(bgcore.Position.from_position_id("DwAA4AEAAAAAAA"), trials=36, workers=1)
target = folder / "rollout.json"
def write():
    done.save(target)
""",
    "one-sided": """
import bgcore
target = folder / "table"
def write():
    bgcore.bearoff.build(5, 8, kind="one-sided", path=target)
""",
    "two-sided": """
import bgcore
target = folder / "table"
def write():
    bgcore.bearoff.build(4, 4, kind="two-sided", path=target)
""",
    "page": """
from bgcore.cli.__main__ import main
target = folder / "board.svg"
def write():
    if main(["show", "start", "--svg", str(target)]):
        raise OSError
""",
    "batch": """
from bgcore import adjudication
target = folder / "verdicts.jsonl"
(folder / "cases.jsonl").write_text("nonsense\\n" * 20)
def write(**options):
    adjudication.run_batch(folder / "cases.jsonl", target, "refund", **options)
def go_on():
    write(resume=True)
""",
}
TRY = """
write()
whole = target.read_bytes()
resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) // 2, resource.RLIM_INFINITY))
try:
    write()
except OSError:
    print("refused")
else:
    print("written")
assert target.read_bytes() == whole
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
globals().get("go_on", write)()
assert target.read_bytes() == whole
print(sorted(path.name for path in folder.iterdir() if path.suffix in (".tmp", ".part", ".partial")))
"""


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL + WRITERS[name] + TRY, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["refused", "[]"], done.stdout


def test_links_stay_links_and_pipes_are_written_through(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", [b"n", b"ew"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    reading, writing = os.pipe()
    write_whole(f"/dev/fd/{writing}", [b"through"])
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"through"
    with pytest.raises(OSError) as refusal:
        write_whole(tmp_path / "missing" / "file", [b""])
    assert refusal.value.filename == str(tmp_path / "missing" / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    """Killed at some moment of writing the same file again and again."""
    again = FULL + WRITERS["rollout"] + "write()\nprint('begun', flush=True)\nwhile True:\n    write()\n"
    for milliseconds in (1, 7, 23):
        child = subprocess.Popen([sys.executable, "-c", again, str(tmp_path)], stdout=subprocess.PIPE)
        assert child.stdout.readline() == b"begun\n"
        time.sleep(milliseconds / 1000)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert Rollout.load(tmp_path / "rollout.json").trials == 36
