"""Public bug reports about legal plays, positions and pip counts, turned into checks; see tests/shared_cases.py."""

import hashlib
import json

import pytest

import shared_cases
from bgcore import Position, legal_plays, perft
from shared_cases import needs_shared, of_area

pytestmark = needs_shared


def digest(plays):
    boards = sorted(play.result.board.tolist() for play in plays)
    return hashlib.sha256(json.dumps(boards, separators=(",", ":")).encode()).hexdigest()[:16]


@pytest.mark.parametrize("case", of_area("movegen"))
def test_legal_plays(case):
    given, expected = case["input"], case["expected"]
    if "dice" not in given:
        pytest.skip("not about one roll: perft and whole files have their own tests")
    position = Position.from_board(given["board"])
    assert position.position_id == given["position_id"]
    plays = legal_plays(position, tuple(int(die) for die in given["dice"]))
    assert len(plays) == expected["n_results"]
    assert {len(play.moves) for play in plays} <= {expected["dice_played"]}
    if "results" in expected:
        wanted = {json.dumps(result["after_board"]): result for result in expected["results"]}
        assert {json.dumps(play.result.board.tolist()) for play in plays} == set(wanted)
        for play in plays:
            result = wanted[json.dumps(play.result.board.tolist())]
            assert play.result.flip().position_id == result["after_position_id_opponent_to_roll"]
    if "results_sha256_16" in expected:
        assert digest(plays) == expected["results_sha256_16"]
    if "must_not_contain" in expected:
        assert expected["must_not_contain"] not in {str(play) for play in plays}
    if expected.get("outcome_after"):
        assert {play.result.outcome for play in plays} == {expected["outcome_after"]}


@pytest.mark.parametrize("case", of_area("rules"))
def test_outcomes(case):
    if "outcome_for_side_shown" not in case["expected"]:
        pytest.skip("not about the outcome of a board")
    position = Position.from_board(case["input"]["board"])
    assert position.position_id == case["input"]["position_id"]
    assert position.outcome == case["expected"]["outcome_for_side_shown"]


@pytest.mark.parametrize("case", of_area("pipcount"))
def test_pip_counts(case):
    position = Position.from_board(case["input"]["board"])
    assert position.pip_counts == (case["expected"]["mover"], case["expected"]["opponent"])


def test_perft_per_roll_of_the_opening():
    case = next(case for case in shared_cases.load("cases.jsonl") if case["id"] == "mg-040")
    counts = {
        roll: len(legal_plays(Position.starting(), (int(roll[0]), int(roll[1]))))
        for roll in case["expected"]["per_roll"]
    }
    assert counts == case["expected"]["per_roll"]
    assert [perft(Position.starting(), depth) for depth in (1, 2)] == [
        case["expected"]["perft1"],
        case["expected"]["perft2"],
    ]


def test_plays_of_120_positions():
    perfts = json.loads((shared_cases.ROOT / "cases" / "perft.json").read_text("utf-8"))
    for given in perfts["positions"]:
        position = Position.from_board(given["board"])
        assert position.position_id == given["position_id"]
        for roll, count in given["counts"].items():
            plays = legal_plays(position, (int(roll[0]), int(roll[1])))
            assert len(plays) == count
            assert {len(play.moves) for play in plays} <= {given["dice_playable"][roll]}
