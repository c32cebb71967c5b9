"""Public bug reports about identifiers, turned into checks; see tests/shared_cases.py."""

import pytest

from bgcore import Position
from bgcore.codecs.match_id import format_match_id, parse_match_id
from bgcore.codecs.xgid import format_xgid, parse_xgid
from bgcore.errors import BgcoreError
from shared_cases import needs_shared, of_area

pytestmark = needs_shared

OWNERS = {"centre": "centred", "mine": "side to move", "theirs": "opponent"}
# The case writes the Match ID of a 3-point match for an XGID of an 11-point match; gnubg 1.07 gives this one.
CORRECTED = {"id-005": "cAlmAQAACAAE"}
PENDING = {"beaver pending": "beaver", "raccoon pending": "raccoon"}


@pytest.mark.parametrize("case", of_area("ids"))
def test_identifier(case):
    given, expected = case["input"], case["expected"]
    if "position_id" in given:
        position_id(given, expected)
    elif "match_id" in given:
        match_id(given, expected)
    elif "board" in given:
        board(given, expected)
    elif "xgids" in given:
        several(given["xgids"], expected)
    else:
        xgid(case["id"], given["xgid"], expected)


def xgid(name, text, expected):
    situation = parse_xgid(text)
    assert format_xgid(situation) == text
    if "convention" in expected:
        assert (situation.pending, situation.pending_by) == ("double", "mine")
        return
    if "turn" in expected:
        assert situation.turn == expected["turn"]
        assert situation.points == (expected["score_bottom"], expected["score_top"])
        assert situation.rules.cube_limit == 2 ** expected["max_cube_exponent"]
    else:
        position, context = Position.from_xgid(text)
        assert position.position_id == expected["position_id"] == situation.position_id
        assert position.board.tolist() == expected["board_of_side_to_move"]
        assert list(position.pip_counts) == expected["pips"]
        assert context.points == (expected["score_side_to_move"], expected["score_opponent"])
        assert (context.jacoby, context.beavers) == (expected["jacoby"], expected["beaver"])
        assert format_match_id(context) == CORRECTED.get(name, expected["gnubg_match_id"])
    assert situation.cube_value == expected["cube_value"]
    assert OWNERS[situation.cube_owner] == expected["cube_owner"]
    assert situation.match_length == expected["match_length"]
    assert situation.is_crawford == expected["crawford"]
    assert "".join(str(die) for die in situation.dice or (0, 0)) == expected["dice"]


def several(texts, expected):
    if isinstance(texts, dict):
        for text in texts.values():
            with pytest.raises(ValueError, match=r"XGID (field \d+ \(.+\)|has 10 fields)|an XGID has 10 fields"):
                parse_xgid(text)
        return
    situations = [parse_xgid(text) for text in texts]
    if "equal" in expected:
        assert situations[0] == situations[1]
        assert {format_match_id(situation) for situation in situations} == {expected["gnubg_match_id"]}
    elif "state" in expected:
        assert [situation.pending for situation in situations] == [PENDING[state] for state in expected["state"]]
        assert {situation.position_id for situation in situations} == {expected["board_position_id"]}
        assert [format_xgid(situation) for situation in situations] == texts
    else:
        assert {situation.position_id for situation in situations} == {expected["position_id"]}


def position_id(given, expected):
    if "gnubg" in expected:
        with pytest.raises(BgcoreError, match="closed home board"):
            Position.from_position_id(given["position_id"])
        return
    position = Position.from_position_id(given["position_id"])
    assert position.board.tolist() == expected["board_of_side_to_move"]
    assert position.position_id == given["position_id"]


def board(given, expected):
    position = Position.from_board(given["board"])
    assert position.position_id == expected["position_id"]
    assert Position.from_position_id(expected["position_id"]) == position


def match_id(given, expected):
    context = parse_match_id(given["match_id"])
    points = {context.player: context.score.mine, 1 - context.player: context.score.theirs}
    owner = {"mine": context.player, "theirs": 1 - context.player, "centre": None}[context.cube_owner]
    assert context.match_length == expected["match_length"]
    assert (points[0], points[1]) == (expected["score_player0"], expected["score_player1"])
    assert (context.cube_value, f"player {owner}") == (expected["cube"], expected["cube_owner"])
    assert f"player {context.player}" == expected["on_roll"]
    assert context.is_crawford == expected["crawford"]
    assert "".join(str(die) for die in context.dice) == expected["dice"]
