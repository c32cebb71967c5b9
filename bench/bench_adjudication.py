"""Whole verdicts, from a line of JSON to a line of JSON: records a second by what decides them.

The goal is 2,000 records a second on one core for proofs and exact races. Every class asserts what it decides.
"""

import json
import random

import pytest

from bgcore import adjudication as adj
from bgcore.adjudication.batch import read_line, verdict_line
from bgcore.adjudication.engine import ask, ask_exactly

COUNT = 200
AWAY = {"black": {"away": True, "seconds": 200}}
HOME_15 = {"points": {"6": 5, "5": 4, "4": 3, "3": 3}, "bar": 0, "off": 0}


def side(rng, most):
    points = {}
    for _ in range(rng.randint(1, most)):
        point = str(rng.randint(1, 6))
        points[point] = points.get(point, 0) + 1
    return {"points": points, "bar": 0, "off": 15 - sum(points.values())}


def line(number, white, black, value=2):
    return json.dumps(
        {
            "schema": "bgcore.adjudication/1",
            "case_id": f"G{number}",
            "mode": "money",
            "board": {"white": white, "black": black},
            "on_roll": "white",
            "cube": {"value": value, "owner": "black"},
            "money": {"currency": "EUR", "stake": "1.00", "limit": "64.00"},
            "absence": AWAY,
        }
    )


def lines(kind):
    rng = random.Random(5)
    if kind == "proof":
        return [line(n, {"points": {"1": 2}, "bar": 0, "off": 13}, HOME_15, 2 << n % 5) for n in range(COUNT)]
    most = 2 if kind == "last rolls" else 4
    return [line(n, side(rng, most), side(rng, most)) for n in range(COUNT)]


@pytest.mark.parametrize(
    ("kind", "policy", "basis"),
    [
        ("rule", "forfeit", "rule"),
        ("proof", "play65", "exact"),
        ("last rolls", "play65", "exact"),
        ("exact races", "play65", "exact"),
    ],
)
def test_verdicts(benchmark, kind, policy, basis):
    """Read, judge and write 200 records, none of them seen before."""
    policy = adj.load_policy(policy)
    given = lines(kind)

    def judge():
        ask.cache_clear()
        ask_exactly.cache_clear()
        return [verdict_line(adj.adjudicate(read_line(text), policy)) for text in given]

    written = benchmark(judge)
    assert {json.loads(text)["basis"] for text in written} == {basis}
    benchmark.extra_info["records_per_second"] = round(COUNT / benchmark.stats.stats.min)
