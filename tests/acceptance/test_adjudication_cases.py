"""The shared case file: every record must give exactly the expected verdict."""

import json
from fractions import Fraction

import pytest

from bgcore import adjudication as adj
from shared_cases import load, needs_shared

CASES = load("adjudication.jsonl")

pytestmark = needs_shared


def exact(expected):
    return Fraction(expected["exact"]) if "exact" in expected else None


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_case(case):
    expect = case["expect"]
    verdict = adj.adjudicate(adj.Record.from_dict(case["record"]), policy=case["policy"])
    assert verdict.status == expect["status"]
    assert verdict.basis == expect["basis"]
    for name, found in (("equity_points_white", verdict.equity_points_white), ("mwc_white", verdict.mwc_white)):
        if name in expect:
            if exact(expect[name]) is not None:
                assert isinstance(found, Fraction)
                assert found == exact(expect[name])
            else:
                assert float(found) == pytest.approx(expect[name]["decimal"], abs=expect["tolerance_points"])
    if "transfer" in expect:
        check_transfer(verdict.transfer, expect["transfer"])
    if "payouts" in expect:
        # A case whose expected payouts add up to 100 although its prize does not states shares of the match.
        prize = case["record"].get("match", {}).get("prize", {})
        is_share = bool(prize) and Fraction(expect["payouts"]["sum"]) != sum(Fraction(prize[k]) for k in prize)
        assert (verdict.shares if is_share else verdict.payouts) == expect["payouts"]
    if "sensitivity" in expect:
        found = {name: str(number) for name, number in verdict.sensitivity.items()}
        assert found == expect["sensitivity"]
    if "equals_record" in expect:
        other = adj.adjudicate({**case["record"], **expect["equals_record"]}, policy=case["policy"])
        assert (verdict.equity_points_white, verdict.transfer) == (other.equity_points_white, other.transfer)
    assert adj.verify(verdict).bit_equal
    assert adj.verify(json.loads(json.dumps(verdict.to_dict())), case["record"]).bit_equal


def check_transfer(found, expected):
    if expected is None or "amount" in expected:
        assert found == expected
        return
    low, high = map(Fraction, expected["amount_range"])
    assert (found["from"], found["to"]) == (expected["from"], expected["to"])
    assert low <= Fraction(found["amount"]) <= high
