"""Match files cut off in the middle of a game become the cases that a judge settles; see tests/shared_cases.py."""

from dataclasses import replace

import pytest

from bgcore import cube_action
from bgcore.codecs.case import unfinished_case
from bgcore.codecs.mat import read_mat
from bgcore.codecs.match_id import format_gnubg_id
from bgcore.codecs.xgid import format_xgid
from bgcore.errors import NotationError
from shared_cases import ROOT, load, needs_shared

pytestmark = needs_shared

CASES = {case["id"]: case for case in load("cases.jsonl")}
CUTS = [name for name in ("ad-001", "ad-002", "ad-003", "ad-004") if name in CASES]


def cut(path, game, plays):
    """The file up to the last of so many rolls of one game."""
    match = read_mat(path)
    turn = next(item for item in match.games if item.number == game).turns[plays - 1]
    lines = path.read_text("utf-8-sig").splitlines()[: turn.line]
    if turn.player == 0:
        later = [action for item in match.games for action in item.actions if action.line == turn.line]
        if len(later) > 1:
            lines[-1] = lines[-1][:30].rstrip()
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CUTS)
def test_cut_off_games(name):
    given, expected = CASES[name]["input"], CASES[name]["expected"]
    path = ROOT / given["file"]
    case = unfinished_case(read_mat(cut(path, given["game"], given["plays_done"])))
    situation = case.situation
    assert situation.position_id == expected["position_id"] == given["position_id"]
    # The case leaves the cube limit of the file aside and writes the usual one.
    assert format_xgid(situation, rules=replace(situation.rules, cube_limit=1024)) == given["xgid"]
    assert format_gnubg_id(situation) == given["gnubg_id"]
    assert list(case.game.score) == given["score"]
    assert case.document["on_roll"] == ("white", "black")[given["column_to_roll"]]
    assert case.document["cube"]["value"] == given["cube"]
    owner = given["cube_owner_column"]
    assert case.document["cube"]["owner"] == ("centre" if owner is None else ("white", "black")[owner])
    assert case.document["match"]["length"] == given["match_length"]
    assert [question.path for question in case.questions] == ["absence", "match.prize"]
    worth = cube_action(situation.position, situation.cube, situation.score, plies=2)
    assert worth.action == expected["verdict"]
    assert worth.mwc == pytest.approx(expected["mwc_side_to_roll"], abs=expected["tolerance_mwc"])
    assert worth.mwc_no_double == pytest.approx(expected["mwc_if_no_double"], abs=expected["tolerance_mwc"])


def test_a_race_in_the_crawford_game():
    given = CASES["ad-006"]["input"]
    case = unfinished_case(read_mat(cut(ROOT / given["file"], given["game"], given["plays_done"])))
    assert case.situation.board.tolist() == given["board"]
    assert case.situation.position_id == given["position_id"]
    assert case.situation.is_crawford
    assert case.situation.points == (16, 14)
    assert case.document["match"]["crawford"] == "yes"
    worth = cube_action(case.situation.position, case.situation.cube, case.situation.score)
    assert worth.mwc == pytest.approx(CASES["ad-006"]["expected"]["mwc_side_to_roll"], abs=1e-5)


def test_a_roll_without_a_play_is_a_resignation():
    given, expected = CASES["ad-012"]["input"], CASES["ad-012"]["expected"]
    result = read_mat(ROOT / given["file"]).games[given["game"] - 1].result
    assert (result.how, result.level) == ("resigned", expected["level"])
    assert (result.points, result.cube) == (expected["points"], expected["cube"])


def test_nothing_to_adjudicate():
    match = read_mat(ROOT / CASES["cl-001"]["input"]["file"])
    assert match.unfinished is None
    with pytest.raises(NotationError, match="nothing to adjudicate: all 4 games have a result"):
        unfinished_case(match)
