"""The Node.js client of the server guide, run against a real process."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adjudication_records import money_record

CLIENT = Path(__file__).parents[1] / "docs" / "guides" / "judge.mjs"
NODE = shutil.which("node")

SCRIPT = """
import { Judge } from %s;
const judge = new Judge({ policy: process.argv[2], command: process.argv.slice(3) });
const record = {
  schema: "bgcore.adjudication/1", mode: "money", on_roll: "white",
  board: { white: { points: { 6: 1 }, bar: 0, off: 14 }, black: { points: { 1: 1 }, bar: 0, off: 14 } },
  cube: { value: 2, owner: "black" }, money: { currency: "EUR", stake: "1.00" },
  absence: { white: { away: false }, black: { away: true, seconds: "200" } },
};
const cases = [record, { ...record, dice: [7, 1] }, { ...record, cube: { value: 2, owner: "white" } }];
try {
  const verdicts = await Promise.all(cases.map((one) => judge.settle(one)));
  console.log(JSON.stringify({ verdicts, code: await judge.close() }));
} catch (error) {
  console.log(JSON.stringify({ error: error.message, code: await judge.close() }));
}
"""


def run_node(tmp_path, *arguments):
    script = tmp_path / "server.mjs"
    script.write_text(SCRIPT % json.dumps(CLIENT.as_uri()))
    words = [NODE, str(script), *arguments, sys.executable, "-m", "bgcore"]
    done = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ), timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.skipif(NODE is None or not CLIENT.exists(), reason="needs Node.js and a source checkout")
def test_a_server_settles_many_cases_in_flight(tmp_path):
    found, _ = run_node(tmp_path, "play65")
    assert [verdict["status"] for verdict in found["verdicts"]] == ["settled", "rejected", "settled"]
    assert found["verdicts"][0]["transfer"] == {"from": "black", "to": "white", "amount": "1.00"}
    assert found["verdicts"][2]["transfer"]["amount"] == "2.00"
    assert found["code"] == 3  # one record was rejected


@pytest.mark.skipif(NODE is None or not CLIENT.exists(), reason="needs Node.js and a source checkout")
def test_a_server_learns_that_the_process_ended(tmp_path):
    found, err = run_node(tmp_path, "no-such-policy")
    assert found["error"] == "bgcore ended with code 2"
    assert "no-such-policy" in err


@pytest.mark.skipif(NODE is None or not CLIENT.exists() or os.name != "posix", reason="needs Node.js and a POSIX shell")
def test_the_example_of_the_server_guide(tmp_path):
    """As the page shows it, beside its client, with a `bgcore` on the path."""
    page = CLIENT.with_name("server.md").read_text("utf-8")
    (example,) = re.findall(r"^```js\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    shutil.copy(CLIENT, tmp_path)
    program = tmp_path / "bgcore"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bgcore "$@"\n')
    program.chmod(0o755)
    script = tmp_path / "example.mjs"
    given, said = f"const record = {json.dumps(money_record())};\n", "console.log(JSON.stringify([verdict, code]));\n"
    script.write_text(given + example + said)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([NODE, str(script)], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    verdict, code = json.loads(done.stdout)
    assert (verdict["status"], verdict["transfer"]["amount"], code) == ("settled", "1.00", 0)
