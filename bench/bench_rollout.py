"""Rollouts: what an error costs, the speed of cube and look-ahead, and that none of it changes an answer.

The cost of a rollout is its squared standard error times the CPU-seconds it took: it does not depend on the
number of trials. After 3-1 8/5 6/5, cubeless to the end, gnubg 0-ply took 0.0041 on the same kind of core; the
goal is 0.0008. A cubeful error is held against the cubeless one of as many trials: at most 1.5 times.
"""

import time

import pytest

import bgcore
from bgcore import RolloutSettings, Stakes, compare_plays, rank_plays, rollout
from bgcore._core import rolls
from bgcore.rules import Rules

START = bgcore.Position.starting()
MONEY = Stakes.money(rules=Rules(cube_limit=None))


def after_three_one(trials, **changes):
    stakes = changes.pop("stakes", None)
    settings = RolloutSettings(trials=trials, **changes)
    return rollout(START, dice=(3, 1), play="8/5 6/5", stakes=stakes, settings=settings, workers=1)


@pytest.mark.parametrize(("name", "is_reduced"), [("plain", False), ("variance reduction", True)])
def test_cost_of_an_error(benchmark, name, is_reduced):
    """Squared standard error times CPU-seconds, in ``extra_info``."""
    after_three_one(36)
    begin = time.process_time()
    found = benchmark.pedantic(
        after_three_one, (648 if is_reduced else 2592,), {"variance_reduction": is_reduced}, rounds=1
    )
    seconds = time.process_time() - begin
    benchmark.extra_info["cost"] = found.std_error**2 * seconds
    benchmark.extra_info["trials_per_second"] = found.trials / seconds
    assert 0.05 < found.equity < 0.30
    assert benchmark.extra_info["cost"] < 0.0041
    if is_reduced:
        assert benchmark.extra_info["cost"] < 0.0008


def test_cubeful_error(benchmark):
    """The error with the cube, in units of the starting cube, over the one without."""
    cubeless = after_three_one(648)
    cubeful = benchmark.pedantic(after_three_one, (648,), {"stakes": MONEY}, rounds=1)
    benchmark.extra_info["ratio"] = cubeful.value_std_error / cubeless.std_error
    assert benchmark.extra_info["ratio"] < 1.5


def test_paired_difference(benchmark):
    """The error of a difference on the same dice, over what the two errors alone would say."""
    plays = ["8/5 6/5", "24/23 13/10"]
    found = benchmark.pedantic(
        compare_plays, (START, (3, 1), plays), {"settings": RolloutSettings(trials=216), "workers": 1}, rounds=1
    )
    _, error = found.difference(0, 1)
    apart = sum(one.value_std_error**2 for one in found.rollouts) ** 0.5
    benchmark.extra_info["ratio"] = error / apart
    assert found.best == "8/5 6/5"


@pytest.mark.parametrize(("plies", "most"), [(0, 0.001), (1, 0.005), (2, 0.02)])
def test_decision(benchmark, plies, most):
    """The best play of a roll, on average over contact positions of one game; CPU-seconds in ``extra_info``."""
    cases, position = [], START
    for die1, die2 in rolls(9, 0, 1, 30)[0].tolist():
        cases.append((position, (die1, die2)))
        ranked = rank_plays(position, (die1, die2))
        position = (ranked[0].play.result if ranked else position).flip()
    begin = time.process_time()
    benchmark.pedantic(lambda: [rank_plays(*case, plies) for case in cases], rounds=1)
    benchmark.extra_info["seconds_each"] = (time.process_time() - begin) / len(cases)
    assert benchmark.extra_info["seconds_each"] < most


def test_rolls(benchmark):
    """A million dealt and drawn rolls as an array."""
    found = benchmark.pedantic(rolls, (1, 0, 10_000, 100), rounds=3)
    assert int(found.sum()) == 6_996_588
