"""The program gnubg, driven from outside: a Python script inside it, or its commands on a terminal."""

import json
import os
import pty
import resource
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
MAKEBEAROFF = shutil.which("makebearoff", path=os.environ.get("PATH", "") + ":/usr/games")


def run_script(body):
    """Run Python inside gnubg; the script leaves its answer in ``answer``, which comes back through JSON."""
    with tempfile.TemporaryDirectory() as folder:
        script, answer = Path(folder, "script.py"), Path(folder, "answer.json")
        begin = "import gnubg, json, time\nfor command in ('set player 0 human', 'set player 1 human', 'new game'):\n"
        end = f"\nwith open({str(answer)!r}, 'w') as file:\n    json.dump(answer, file)\n"
        script.write_text(f"{begin}    gnubg.command(command)\n{body}{end}")
        command = [PROGRAM, "-t", "-q", "-p", str(script)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=environment(folder), check=False
        )
        if not answer.is_file():
            raise RuntimeError(done.stdout.decode()[-1000:])
        return json.loads(answer.read_text())


def run_commands(lines, longest=600):
    """Run commands on a terminal of its own (gnubg drops what a rollout found when it writes elsewhere).

    Returns what it printed and the CPU seconds it took.
    """
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "commands")
        script.write_text("\n".join([*lines, "quit", ""]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ours, theirs = pty.openpty()
        command = [PROGRAM, "-t", "-q", "-c", str(script)]
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(folder))
        os.close(theirs)
        printed, end = b"", time.monotonic() + longest
        while time.monotonic() < end:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            printed += piece
            if b"sure you want to" in printed[-300:]:
                os.write(ours, b"y\n")
        process.kill()
        process.wait()
        os.close(ours)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return printed.decode(errors="replace"), spent


def environment(folder):
    """No settings of the user's, no colours."""
    return os.environ | {"HOME": folder, "TERM": "dumb"}
