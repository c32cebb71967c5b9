"""Games cut in the middle, from public records: their match-winning chances, read from identifiers."""

import pytest

from bgcore import adjudication as adj
from bgcore.errors import NotationError
from tests.shared_cases import ROOT, needs_shared, of_area

pytestmark = needs_shared

AWAY = {"black": {"away": True, "seconds": 600}}
CASES = {parameter.values[0]["id"]: parameter.values[0] for parameter in of_area("adjudication")}


def case(name):
    if name not in CASES:
        pytest.skip(f"the shared cases have no {name}")
    return CASES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, found in CASES.items() if "tolerance_mwc" in found["expected"]])
def test_cut_games_by_identifier(name):
    given, expected = case(name)["input"], case(name)["expected"]
    record = adj.Record.from_xgid(given["xgid"], absence=AWAY, match={"crawford": "auto"})
    assert record.position.position_id == expected["position_id"]
    verdict = adj.adjudicate(record, "gamesgrid_amr", precision="draft")
    assert verdict.status == "resume"
    verdict = adj.adjudicate(record, precision="draft")
    assert float(verdict.mwc_white) == pytest.approx(expected["mwc_side_to_roll"], abs=expected["tolerance_mwc"])
    same = adj.Record.from_gnubg(given["gnubg_id"], absence=AWAY, match={"crawford": "auto"})
    assert (same.position, same.cube.value, same.match) == (record.position, record.cube.value, record.match)


def test_a_race_in_the_crawford_game_is_exact():
    found = case("ad-006")
    board, expected = found["input"]["board"], found["expected"]
    white = {str(point): board[point] for point in range(1, 25) if board[point] > 0}
    black = {str(25 - point): -board[point] for point in range(1, 25) if board[point] < 0}
    record = {
        "schema": "bgcore.adjudication/1",
        "mode": "match",
        "board": {
            "white": {"points": white, "bar": 0, "off": 15 - sum(white.values())},
            "black": {"points": black, "bar": 0, "off": 15 - sum(black.values())},
        },
        "on_roll": "white",
        "cube": {"value": 1, "owner": "centre"},
        "match": {"length": 17, "score": {"white": 16, "black": 14}, "crawford": "yes"},
        "absence": AWAY,
    }
    verdict = adj.adjudicate(record)
    assert verdict.basis == "exact"
    assert float(verdict.value.chances.win) == pytest.approx(expected["p_win"], abs=5e-7)
    assert float(verdict.mwc_white) == pytest.approx(expected["mwc_side_to_roll"], abs=5e-6)


def test_an_open_double_names_both_answers():
    given = case("ad-013")["input"]
    record = adj.Record.from_xgid(given["xgid"], absence=AWAY)
    assert (record.pending.type, record.pending.by) == ("double", record.on_roll)
    verdict = adj.adjudicate(record, precision={"max_trials": 36})
    assert set(verdict.sensitivity) == {"take", "pass"}
    assert verdict.mwc_white == min(verdict.sensitivity.values())


def test_an_estimate_comes_with_its_spread():
    given = case("ad-013")["input"]
    record = adj.Record.from_xgid(given["xgid"], absence=AWAY)
    verdict = adj.adjudicate(record, {"pending_double": "take"}, precision={"max_trials": 36})
    low, high = (float(bound) for bound in verdict.to_dict()["value"]["ci95"])
    assert low < float(verdict.mwc_white) < high


def test_finished_records_hold_nothing_to_adjudicate():
    with pytest.raises(NotationError, match="nothing to adjudicate"):
        adj.Record.from_mat(str(ROOT / "mat" / "13_playok.mat"), absence=AWAY)


def test_a_record_that_stops_in_the_middle():
    text = (ROOT / "mat" / "13_playok.mat").read_text("utf-8")
    game = text.split("\n\n Game 2")[0]
    cut = "\n".join(game.splitlines()[:19]) + "\n"
    record = adj.Record.from_mat(cut, absence=AWAY, match={"prize": {"winner": "10.00", "loser": "0.00"}})
    assert (record.match.length, record.match.score) == (5, (0, 0))
    assert record.meta["names"].keys() == {"white", "black"}
    assert adj.adjudicate(record, "forfeit").payouts["sum"] == "10.00"
