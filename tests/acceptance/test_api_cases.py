"""Public bug reports about libraries and programs, turned into checks; see tests/shared_cases.py."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bgcore import MatchScore, Position, Rules, cube_action, evaluate, legal_plays, legal_plays_batch, parse_play
from bgcore.codecs.records import iter_records
from bgcore.codecs.xgid import parse_xgid
from bgcore.errors import BgcoreError, PositionError
from shared_cases import ROOT, load, needs_shared

pytestmark = needs_shared

CASES = {case["id"]: case for case in load("cases.jsonl")}


@pytest.mark.parametrize("dice", [None, (), (0, 0), (1,), "31", (3, 7)])
def test_legal_plays_without_dice_are_refused(dice):
    with pytest.raises(ValueError, match=r"dice|die"):
        legal_plays(Position.starting(), dice)


def test_notation_is_read_tolerantly():
    given = CASES["ap-002"]["input"]
    position = Position.from_position_id(given["position_id"])
    roll = tuple(int(die) for die in given["dice"])
    assert len({parse_play(text, position, roll) for text in given["inputs"]}) == 1


def test_offsets_have_room():
    plays = legal_plays_batch(np.array([Position.starting().board] * 40), (1, 1))
    assert plays.offsets.dtype == np.int64
    assert plays.offsets[-1] > 127


def test_a_board_out_of_range_is_refused():
    with pytest.raises(PositionError, match="80"):
        Position.from_board(CASES["ap-005"]["input"]["board"])


def test_input_is_never_changed():
    given = CASES["ap-007"]["input"]
    board = list(given["board"])
    legal_plays(Position.from_board(board), (3, 1))
    rows = np.array([board], dtype=np.int8)
    legal_plays_batch(rows, (3, 1))
    assert board == given["board"] == rows[0].tolist()


def test_threads_give_what_one_thread_gives():
    positions = [play.result.flip() for play in legal_plays(Position.starting(), (4, 3))]
    scores = [Rules(), MatchScore(5, 3, 1), MatchScore(7, 6, 2), Rules(jacoby=True)]
    queries = [(position, score) for position in positions for score in scores] * 4

    def answer(query):
        position, score = query
        return evaluate(position).as_tuple(), cube_action(position, None, score).value

    alone = [answer(query) for query in queries]
    with ThreadPoolExecutor(CASES["ap-008"]["input"]["threads"]) as pool:
        assert list(pool.map(answer, queries)) == alone


def test_a_pending_double_waits_for_the_opponent():
    situation = parse_xgid(CASES["ad-013"]["input"]["xgid"])
    assert (situation.pending, situation.pending_by, situation.dice) == ("double", "mine", None)


@pytest.mark.parametrize("name", ["missing.mat", ".", "/dev/null", "binary.xg"])
def test_files_that_are_no_record(tmp_path, name):
    (tmp_path / "binary.xg").write_bytes(b"RGMH\0\1\2\3")
    command = [sys.executable, "-m", "bgcore", "analyze", name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert name in done.stderr


def test_a_folder_is_read_to_its_end_after_a_bad_file(tmp_path):
    (tmp_path / "bad.mat").write_bytes(b"RGMH")
    found = list(iter_records([tmp_path, ROOT / "mat"]))
    bad = [path.name for path, match in found if isinstance(match, BgcoreError)]
    matches = {path.name: match for path, match in found if not isinstance(match, BgcoreError)}
    assert bad == ["bad.mat"]
    files = [case for case in CASES.values() if case["area"] == "mat" and "file" in case["input"]]
    for case in files:
        match = matches[case["input"]["file"].removeprefix("mat/")]
        assert (len(match.games), match.plays) == (case["expected"]["n_games"], case["expected"]["plays"])
