"""How long a cube decision takes once the outcome chances are known; the goal is 50 microseconds at most."""

import numpy as np
import pytest

from bgcore import met
from bgcore._core import Position
from bgcore.cube import cube_action, static_action
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

OUTCOMES = (0.55, 0.20, 0.01, 0.19, 0.045, 0.005)
STAKES = {
    "money": Stakes.money(rules=Rules(jacoby=True, beavers=True, cube_limit=None)),
    "money to 64": Stakes.money(),
    "match to 7": Stakes.match(Cube(), None, MatchScore(7, 1, 2), met.default()),
    "match to 25": Stakes.match(Cube(), None, MatchScore(25, 0, 0), met.default()),
}
ACTIONS = {
    "money": "Double, pass",
    "money to 64": "Double, pass",
    "match to 7": "Double, pass",
    "match to 25": "Double, pass",
}


@pytest.mark.parametrize("name", STAKES)
def test_compiled_decision(benchmark, name):
    """What a trial pays: one call of the compiled model, seen from Python."""
    model, outcomes = STAKES[name].compiled, np.array(OUTCOMES)
    found = benchmark(model.decision, outcomes, 0, 0, 0.68)
    assert found[8]


@pytest.mark.parametrize("name", STAKES)
def test_static_action(benchmark, name):
    """All equities, the four points of the market window, and the words."""
    found = benchmark(static_action, OUTCOMES, STAKES[name], efficiency=0.68)
    assert found.action == ACTIONS[name]


def test_stakes_of_a_match(benchmark):
    """Exact stakes of one game at a new score."""
    stakes = benchmark(Stakes.match, Cube(), None, MatchScore(7, 1, 2), met.default())
    assert [level.cube for level in stakes.levels] == [1, 2, 4, 8]


@pytest.mark.parametrize(("plies", "rounds"), [(0, 2000), (1, 50), (2, 5)])
def test_cube_action(benchmark, plies, rounds):
    """From a position to the words: evaluation, decision, and the rolls ahead."""
    opening = Position.starting()
    found = benchmark.pedantic(cube_action, (opening,), {"plies": plies}, rounds=rounds, warmup_rounds=1)
    assert found.action == "No double, take"
