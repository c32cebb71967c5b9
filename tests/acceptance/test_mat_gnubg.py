"""Match files read by us and by gnubg: the same position before every roll. Needs the program gnubg."""

import json
import os
import shutil
import subprocess

import pytest

from bgcore.codecs.mat import format_mat, read_mat
from bgcore.codecs.sgf import read_sgf
from shared_cases import ROOT
from tests.foreign import ENVIRONMENT

GNUBG = os.environ.get("BGCORE_GNUBG") or shutil.which("gnubg") or "/usr/games/gnubg"
FILES = sorted((ROOT / "mat").glob("*.mat"))
WRITTEN = "-written.mat"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FILES, reason=f"no match files at {ROOT / 'mat'} (set BGCORE_SHARED)"),
    pytest.mark.skipif(not os.access(GNUBG, os.X_OK), reason="the program gnubg is not installed (set BGCORE_GNUBG)"),
]

# Run inside gnubg, whose Python has no access to ours: everything goes out as JSON.
SCRIPT = """
import json, gnubg
gnubg.command("set confirm new off")
found = {{}}
for path in {paths!r}:
    gnubg.command("import mat " + json.dumps(path))
    gnubg.command("save match " + json.dumps({folder!r} + path.rsplit("/", 1)[1] + ".sgf"))
    match = gnubg.match(0, 1, 0, 0)
    found[path] = [
        {{
            "points": game["info"].get("points-won"),
            "winner": game["info"].get("winner"),
            "rolls": [
                [action["player"], sorted(action["dice"]), action["board"]]
                for action in game["game"]
                if action["action"] == "move"
            ],
        }}
        for game in match["games"]
    ]
with open({out!r}, "w") as file:
    json.dump(found, file)
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gnubg")
    script, out = folder / "dump.py", folder / "dump.json"
    paths = [str(path) for path in FILES]
    for path in FILES:
        written = folder / f"{path.stem}{WRITTEN}"
        written.write_text(format_mat(read_mat(path)), encoding="utf-8")
        paths.append(str(written))
    script.write_text(SCRIPT.format(paths=paths, out=str(out), folder=f"{folder}/"))
    command = [GNUBG, "-t", "-q", "-p", str(script)]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, env=ENVIRONMENT)
    return folder, json.loads(out.read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_position_before_every_roll(imported, path):
    match = read_mat(path)
    theirs = imported[1][str(path)]
    assert len(match.games) == len(theirs)
    for game, other in zip(match.games, theirs, strict=True):
        # gnubg keeps a roll after which the player resigned as part of the resignation.
        turns = [turn for turn in game.turns if turn.kind not in ("unplayed", "unrecorded")]
        ours = [["XO"[turn.player], sorted(turn.dice), turn.before.position_id] for turn in turns]
        assert ours == other["rolls"], f"game {game.number}"
        if other["points"]:
            assert "XO".index(other["winner"]) == game.result.winner
            assert other["points"] == game.result.full_points


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_gnubg_reads_what_we_write(imported, path):
    folder, found = imported
    assert found[f"{folder / path.stem}{WRITTEN}"] == found[str(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_gnubg_saves_as_sgf(imported, path):
    match, saved = read_mat(path), read_sgf(imported[0] / f"{path.name}.sgf")
    assert (saved.length, len(saved.games)) == (match.length, len(match.games))
    assert saved.irregularities == ()
    for one, other in zip(match.games, saved.games, strict=True):
        # gnubg keeps neither a roll whose play was not recorded as such, nor points that no rule gives.
        assert [(turn.player, sorted(turn.dice), turn.before, turn.after) for turn in one.turns] == [
            (turn.player, sorted(turn.dice), turn.before, turn.after) for turn in other.turns
        ]
        assert (one.result.winner, one.result.full_points, one.result.how) == (
            other.result.winner,
            other.result.points,
            other.result.how,
        )
        assert one.is_crawford == other.is_crawford
