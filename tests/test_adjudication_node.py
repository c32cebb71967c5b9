"""The Node.js client keeps a process open, has many records under way, and ends cleanly."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adjudication_records import money_record

CLIENT = Path(__file__).parents[1] / "examples" / "node" / "adjudicator.mjs"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")


def test_a_game_server_settles_many_games_through_one_process():
    stakes = [f"{number}.00" for number in range(1, 60)]
    records = [money_record(case_id=stake, money__stake=stake) for stake in stakes]
    environment = {
        **os.environ,
        "BGCORE_COMMAND": json.dumps([sys.executable, "-m", "bgcore"]),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        ["node", str(CLIENT)],
        input="".join(json.dumps(record) + "\n" for record in records),
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )
    assert done.stdout.splitlines() == [f"{stake}: settled, black pays white {stake}" for stake in stakes]
    assert done.returncode == 0, done.stderr


def test_a_process_that_cannot_start_is_told():
    environment = {**os.environ, "BGCORE_COMMAND": json.dumps([sys.executable, "-c", "raise SystemExit(7)"])}
    done = subprocess.run(
        ["node", str(CLIENT)], input="{}\n", capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode != 0
    assert "bgcore ended with 7" in done.stderr
