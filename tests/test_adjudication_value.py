"""What positions are worth: sources of the number, turns, offers, seeds, and what a verdict says of itself."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from bgcore import adjudication as adj
from bgcore._core import supported_levels
from bgcore.adjudication.engine import Effort, ask, decided
from bgcore.adjudication.proof import certainty, winning_rolls
from bgcore.adjudication.question import Question
from bgcore.errors import DataError
from tests.adjudication_records import HOME_15, OPENING, match_record, money_record

ACE = {"points": {"1": 1}, "bar": 0, "off": 14}
ON_THE_BAR = {"points": {"6": 5, "5": 4, "4": 3, "3": 2}, "bar": 1, "off": 0}
OUTSIDE = {"points": {"10": 1, "6": 5, "5": 4, "4": 2, "3": 2}, "bar": 0, "off": 1}
IN_WHITES_HOME = {"points": {"23": 1, "6": 5, "5": 4, "4": 3, "3": 2}, "bar": 0, "off": 0}
QUICK = {"precision": {"profile": "draft", "max_trials": 36}}
CLOSEOUT = {
    "board": {
        "white": {"points": {"6": 3, "5": 3, "4": 3, "3": 2, "2": 2, "1": 2}, "bar": 0, "off": 0},
        "black": {"points": {"1": 4}, "bar": 1, "off": 10},
    },
    "cube": {"value": 1, "owner": "centre"},
}
OPEN = {"board": {"white": OPENING, "black": OPENING}, "cube": {"value": 1, "owner": "centre"}}


def position_of(record):
    return adj.Record.from_dict(record, value_only=True).position


@pytest.mark.parametrize(
    ("black", "rule", "points"),
    [
        (ON_THE_BAR, "standard", 3),
        (ON_THE_BAR, "portal_home_only", 2),
        (ON_THE_BAR, "manual_garlando", 3),
        (OUTSIDE, "standard", 1),
        (OUTSIDE, "portal_home_only", 1),
        (OUTSIDE, "manual_garlando", 3),
        (IN_WHITES_HOME, "standard", 3),
        (IN_WHITES_HOME, "portal_home_only", 3),
        (HOME_15, "standard", 2),
        (HOME_15, "portal_home_only", 2),
        (HOME_15, "manual_garlando", 2),
    ],
)
def test_gammon_rules_of_the_sources(black, rule, points):
    record = money_record(
        board={"white": ACE, "black": black}, cube={"value": 2, "owner": "white"}, rules={"gammon_rule": rule}
    )
    verdict = adj.adjudicate(record)
    assert (verdict.equity_points_white, verdict.certain, verdict.value.basis) == (2 * points, True, "proof")


@pytest.mark.parametrize(
    ("white", "black", "on_roll", "found"),
    [
        # Three rolls at the most against three at the least: the side on roll is first.
        ({"1": 6}, {"6": 12}, "white", (True, 1, 1, 3)),
        ({"1": 6}, {"6": 8}, "white", None),
        ({"1": 6}, {"6": 8}, "black", None),
        ({"1": 2}, {"6": 5}, "black", (False, 1, 1, 1)),
        # Four rolls at the most against 15 checkers at home: a gammon may still be saved.
        ({"6": 1, "5": 1}, {"6": 15}, "white", (True, 1, 2, 4)),
        ({"1": 2}, {"6": 15}, "white", (True, 2, 2, 1)),
        # Four checkers outside cannot all come home and one go off in one turn: a gammon for certain.
        ({"1": 4}, {"6": 11, "12": 4}, "white", (True, 2, 2, 2)),
        # More than eight checkers, or some outside home: the side so far behind loses a gammon all the same.
        ({"1": 10}, {"13": 8, "14": 7}, "white", (True, 2, 2, 5)),
        ({"7": 2}, {"13": 8, "14": 7}, "white", (True, 2, 2, 5)),
        # 15 checkers at home: even 2-1 takes one off from the ace point, so the gammon is saved at once.
        ({"3": 1, "2": 1}, {"1": 15}, "black", (False, 1, 1, 2)),
        # A point in the way: with 2-1, 1-1 and 2-2 the last checker stays, and may yet be hit.
        ({"3": 1}, {"24": 2, "23": 2, "6": 11}, "white", None),
        # A checker in white's home and no turn left to leave it: a backgammon.
        ({"1": 2}, {"23": 1, "6": 14}, "white", (True, 3, 3, 1)),
    ],
)
def test_what_is_certain(white, black, on_roll, found):
    sides = {
        name: {"points": points, "bar": 0, "off": 15 - sum(points.values())}
        for name, points in (("white", white), ("black", black))
    }
    proved = certainty(position_of(money_record(board=sides, on_roll=on_roll)))
    assert (proved and (proved.is_mine, proved.least, proved.most, proved.rolls)) == found


def test_a_proof_is_believed_only_where_it_settles_the_points():
    record = money_record(board__white={"points": {"6": 1, "5": 1}, "bar": 0, "off": 13}, board__black=HOME_15)
    assert adj.adjudicate(record).value.basis == "exact_table"
    capped = adj.adjudicate({**record, "money": {"currency": "EUR", "stake": "1.00", "limit": "2.00"}})
    assert (capped.value.basis, capped.equity_points_white) == ("proof", 2)


def test_a_loss_limit_that_blocks_doubles_blocks_the_beaver():
    record = money_record(
        board__white={"points": {"6": 2}, "bar": 0, "off": 13},
        cube={"value": 1, "owner": "centre"},
        pending={"type": "double", "by": "white"},
        rules={"beavers": True, "limit_mode": "block_double"},
        money__limit="3.00",
    )
    verdict = adj.adjudicate(record)
    assert (verdict.equity_points_white, set(verdict.sensitivity)) == (Fraction(-14, 9), {"take", "pass"})
    assert "beaver" in adj.adjudicate({**record, "money": {**record["money"], "limit": "4.00"}}).sensitivity


def test_an_exact_chance_of_one_is_certain():
    sides = {"white": {"points": {"9": 1}, "bar": 0, "off": 14}, "black": {"points": {"9": 6}, "bar": 0, "off": 9}}
    verdict = adj.adjudicate(money_record(board=sides))
    assert (verdict.value.basis, verdict.certain, verdict.equity_points_white) == ("exact_table", True, 2)
    assert "No dice could have changed it: White wins." in adj.explain(verdict)
    assert not adj.adjudicate(money_record()).certain


NEARLY_WON = {
    "white": {"points": {"1": 1, "3": 2, "4": 2, "6": 1}, "bar": 0, "off": 9},
    "black": {"points": {"4": 2, "6": 5, "8": 5}, "bar": 0, "off": 3},
}


def test_an_estimate_stays_within_what_can_be_lost():
    # Four trials with luck taken off come out above a certain win: a millionth of a large stake is real money.
    few = {"precision": {"profile": "draft", "checkpoints": [4]}}
    money = {"currency": "EUR", "stake": "1000000.00", "limit": "1000000.00"}
    limited = adj.adjudicate(money_record(board=NEARLY_WON, cube={"value": 1, "owner": "centre"}, money=money), few)
    assert float(limited.value.rollouts[0]["mean"]) > 1
    assert limited.interval_money[1] == "1000000.00"
    assert (limited.equity_points_white, limited.payouts["black"]) == (1, "0.00")
    prize = {"winner": "1000000.00", "loser": "0.00"}
    match = {"match__score": {"white": 4, "black": 4}, "match__prize": prize}
    shared = adj.adjudicate(match_record(board=NEARLY_WON, **match), few)
    assert float(shared.value.rollouts[0]["mean"]) > 1
    assert (shared.mwc_white, shared.payouts["black"], shared.interval_money[1]) == (1, "0.00", "1000000.00")


def test_winning_rolls_are_counted():
    assert winning_rolls(position_of(money_record())) == 27
    assert adj.adjudicate(money_record()).value.winning_rolls == 27
    four = {"points": {"1": 4}, "bar": 0, "off": 11}
    assert adj.adjudicate(money_record(board={"white": four, "black": four})).value.winning_rolls is None


def test_an_open_beaver():
    record = money_record(
        board__white={"points": {"3": 2}, "bar": 0, "off": 13},
        cube={"value": 1, "owner": "centre"},
        pending={"type": "beaver", "by": "black"},
        rules={"beavers": True},
    )
    verdict = adj.adjudicate(record)
    assert verdict.sensitivity == {"accept": Fraction(-2, 9), "refuse": -2}
    assert verdict.equity_points_white == Fraction(-2, 9)
    assert adj.adjudicate(record, {"pending_beaver": "refuse"}).equity_points_white == -2
    void = adj.adjudicate(record, {"pending_beaver": "void"}).equity_points_white
    assert void == adj.adjudicate({**record, "pending": None}).equity_points_white


def test_a_closed_out_side_passes():
    closed = {"points": {"6": 2, "5": 2, "4": 2, "3": 2, "2": 2, "1": 2, "8": 3}, "bar": 0, "off": 0}
    waiting = {"points": {"6": 5, "5": 4, "4": 5}, "bar": 1, "off": 0}
    board = {"white": waiting, "black": closed}
    rolled = adj.adjudicate(money_record(board=board, dice=[6, 5]), QUICK)
    passed = adj.adjudicate(money_record(board=board, on_roll="black"), QUICK)
    assert rolled.equity_points_white == passed.equity_points_white
    assert rolled.value.seed == passed.value.seed


def test_estimates_mirror_and_repeat_to_the_bit():
    record = adj.Record.from_dict(money_record(**CLOSEOUT))
    verdict = adj.adjudicate(record, QUICK)
    mirrored = adj.adjudicate(record.mirrored(), QUICK)
    assert verdict.basis == "rollout"
    assert mirrored.equity_points_white == -verdict.equity_points_white
    ask.cache_clear()
    assert adj.adjudicate(record, QUICK, workers=3).to_dict() == verdict.to_dict()
    ask.cache_clear()
    assert adj.verify(verdict.to_dict(), workers=1).bit_equal
    assert verdict.repro["seed"].startswith("0x")
    low, high = verdict.to_dict()["interval_money"]
    assert Fraction(low) <= Fraction(verdict.equity_points_white) <= Fraction(high)


def test_the_seed_follows_from_the_question_alone():
    record = adj.Record.from_dict(money_record(**OPEN))
    question = Question.of(record, record.position, "white")
    richer = replace(record, money=replace(record.money, stake=record.money.stake * 100), case_id="other")
    assert Question.of(richer, richer.position, "white").seed("e") == question.seed("e")
    assert question.seed("other engine") != question.seed("e")
    limited = replace(record, money=replace(record.money, limit=record.money.stake * 5))
    assert Question.of(limited, limited.position, "white").seed("e") != question.seed("e")


def test_a_rollout_stops_when_the_money_is_known():
    record = adj.Record.from_dict(money_record(**CLOSEOUT))
    question = Question.of(record, record.position, "white")
    rough = ask(question, Effort(target=1.0, z=2.58, checkpoints=(36, 72, 144)))
    fine = ask(question, Effort(target=0.0, z=2.58, checkpoints=(36, 72)))
    assert rough.trials <= 2 * 36
    assert fine.rollouts[0]["trials"] == 72
    assert [point[0] for point in fine.rollouts[-1]["history"]] == ["36", "72"]
    assert rough.rollouts[-1]["history"][0] == fine.rollouts[-1]["history"][0]


def test_cube_decisions():
    assert decided(0.5, 0.8, 1.0) == 0.8
    assert decided(0.5, 1.2, 1.0) == 1.0
    assert decided(1.3, 1.5, 1.0) == 1.3
    assert decided(0.5, None, None) == 0.5


def test_before_the_opening_roll():
    assert adj.adjudicate(money_record(**OPEN, on_roll=None)).equity_points_white == 0
    score = {"match__score": {"white": 3, "black": 1}, "match__crawford": "auto"}
    verdict = adj.adjudicate(match_record(board=OPEN["board"], on_roll=None, **score))
    assert Fraction(1, 2) < verdict.mwc_white < 1
    assert verdict.basis == "exact"


def test_play_money():
    verdict = adj.adjudicate(money_record(money={"currency": "FUN", "stake": "10", "limit": "80"}))
    assert verdict.transfer == {"from": "black", "to": "white", "amount": "10"}
    assert verdict.payouts["escrow_each"] == "80"


def test_rules_are_part_of_the_digest():
    digests = {
        adj.Record.from_dict(money_record(rules=rules)).digest
        for rules in ({}, {"gammon_rule": "standard"}, {"jacoby": True}, {"bearoff_rule": "highest_first"})
    }
    assert len(digests) == 3


def test_a_verdict_names_the_one_it_replaces():
    first = adj.adjudicate(money_record())
    second = adj.adjudicate(money_record(meta={"previous": first.verdict_id}))
    assert second.to_dict()["previous"] == first.verdict_id
    assert second.verdict_id != first.verdict_id
    assert adj.verify(second.to_dict()).bit_equal


def test_values_without_a_policy_and_settling_with_an_evaluator_of_ones_own():
    record = adj.Record.from_dict(money_record())
    value = adj.value(record)
    assert (value.points_white, value.per_cube, value.unit) == (1, Fraction(1, 2), "points")
    assert adj.settle(value, record) == adj.adjudicate(record)
    own = replace(value, number=Fraction(3, 2))
    assert adj.settle(own, record).transfer["amount"] == "1.50"
    with pytest.raises(adj.RecordError, match="E49"):
        adj.settle(None, record)


def test_every_machine_gives_the_same_verdict():
    code = (
        "import json, sys; from bgcore import adjudication as adj; from bgcore._core import active_level; "
        "print(active_level(), adj.verify(json.loads(sys.argv[1]), workers=int(sys.argv[2])))"
    )
    stored = json.dumps(adj.adjudicate(money_record(**CLOSEOUT), QUICK).to_dict())
    for number, level in enumerate(supported_levels(), 1):
        environment = {**os.environ, "BGCORE_SIMD": level, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", code, stored, str(number)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.stdout.startswith(f"{level} Verification(bit_equal=True, "), done.stdout + done.stderr


def test_an_estimate_among_the_answers_makes_the_choice_an_estimate():
    offered = {**CLOSEOUT, "pending": {"type": "double", "by": "white"}}
    verdict = adj.adjudicate(money_record(**offered), QUICK)
    assert verdict.basis == "rollout"
    assert verdict.equity_points_white == min(verdict.sensitivity.values())
    low, high = verdict.value.low, verdict.value.high
    assert low < float(verdict.equity_points_white) < high <= 1
    taken = adj.adjudicate(money_record(**offered), {**QUICK, "pending_double": "take"})
    assert taken.equity_points_white == verdict.sensitivity["take"]
    given = adj.adjudicate(money_record(**offered), {**QUICK, "pending_double": "pass"})
    assert (given.equity_points_white, given.basis) == (1, "exact")


def test_the_majority_of_a_certain_win_whose_points_do_not_matter():
    record = money_record(
        board__white={"points": {"6": 1, "5": 1}, "bar": 0, "off": 13}, board__black=HOME_15, money__limit="2.00"
    )
    verdict = adj.adjudicate(record, {"one_away": "majority"})
    assert (verdict.equity_points_white, verdict.value.chances) == (2, None)


def test_missing_weights_stop_everything(monkeypatch):
    def missing(*_, **__):
        raise DataError("the weights are missing")

    monkeypatch.setattr("bgcore.adjudication.engine.rollout", missing)
    ask.cache_clear()
    with pytest.raises(adj.RecordError, match="E49"):
        adj.adjudicate(money_record(**CLOSEOUT), QUICK)
    with pytest.raises(adj.RecordError, match="E49"):
        list(adj.adjudicate_many([money_record(**CLOSEOUT)], QUICK))
