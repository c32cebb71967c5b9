"""The static cube model against a brute-force game on a line, Janowski's closed forms, and laws that must hold."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import met
from bgcore._core import CubeModel, Position, cube_efficiency
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

OWNERS = {"centre": 0, "mine": 1, "theirs": 2}
NO_LIMIT = Stakes.money(rules=Rules(cube_limit=None))


def chances(p, gammons=0.0, losses=0.0):
    """Six outcomes: a chance to win, and the shares of gammons among wins and among losses."""
    return np.array([p * (1 - gammons), p * gammons, 0, (1 - p) * (1 - losses), (1 - p) * losses, 0])


def no_double(stakes, p, owner="centre", efficiency=1.0, level=0, gammons=0.0, losses=0.0):
    return stakes.compiled.decision(chances(p, gammons, losses), level, OWNERS[owner], efficiency)[0]


def live_on_a_line(stakes, gammons, losses, steps=40):
    """Values of a perfectly live cube by relaxation: the chance to win walks in small fair steps.

    Each side may double before every step; the value is the fixed point of that game.
    """
    p = np.linspace(0, 1, steps + 1)
    above = {}
    for level in reversed(stakes.levels):
        won = (1 - gammons) * float(level.win[0]) + gammons * float(level.win[1])
        lost = (1 - losses) * float(level.lose[0]) + losses * float(level.lose[1])
        here = {}
        for owner in OWNERS:
            low, high = np.full(p.shape, -np.inf), np.full(p.shape, np.inf)
            if owner != "theirs" and level.can_double_mine:
                low = np.minimum(above["theirs"], float(level.pass_mine))
            if owner != "mine" and level.can_double_theirs:
                high = np.maximum(above["mine"], float(level.pass_theirs))
            value = np.clip(lost + (won - lost) * p, low, high)
            for _ in range(6000):
                value[1:-1] = (value[:-2] + value[2:]) / 2
                value = np.clip(value, low, high)
            here[owner] = value
        above = here
    return p, above


@pytest.mark.parametrize(
    ("stakes", "gammons", "losses"),
    [
        (Stakes.money(rules=Rules(cube_limit=8)), 0.2, 0.3),
        (Stakes.money(rules=Rules(cube_limit=4, jacoby=True)), 0.4, 0.1),
        (Stakes.money(rules=Rules(decline_value="shown_after_double", cube_limit=4)), 0.0, 0.25),
        (Stakes.money(cap=Fraction(5, 2)), 0.3, 0.3),
        (Stakes.match(Cube(), None, MatchScore(3, 1, 1), met.default()), 0.2, 0.25),
        (Stakes.match(Cube(), None, MatchScore(7, 5, 6), met.default()), 0.3, 0.2),
        (Stakes.match(Cube(), None, MatchScore(9, 6, 2), met.default()), 0.25, 0.2),
        (Stakes.match(Cube(2, "mine"), None, MatchScore(9, 2, 7), met.default()), 0.2, 0.3),
    ],
)
def test_live_cube_is_the_game_on_a_line(stakes, gammons, losses):
    points, expected = live_on_a_line(stakes, gammons, losses)
    swing = float(stakes.levels[0].win[0] - stakes.levels[0].lose[0])
    for owner, values in expected.items():
        found = [no_double(stakes, p, owner, gammons=gammons, losses=losses) for p in points]
        # Compared where the fair walk has converged and the grid is fine enough to hold the corners.
        free = [i for i, p in enumerate(points) if 0 < p < 1]
        assert max(abs(found[i] - values[i]) for i in free) < 0.035 * swing


@pytest.mark.parametrize(
    ("efficiency", "gammons", "losses"), [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.68, 0.0, 0.0), (0.6, 0.3, 0.2)]
)
def test_money_points_are_janowskis(efficiency, gammons, losses):
    won, lost = 1 + gammons, 1 + losses
    whole = won + lost + efficiency / 2
    take, _, cash, _ = NO_LIMIT.compiled.window(chances(0.5, gammons, losses), 0, 0, efficiency)
    assert cash == pytest.approx((lost + 0.5 + efficiency / 2) / whole, abs=1e-6)
    assert take == pytest.approx((won - 0.5) / whole, abs=1e-6)


def test_money_values_scale_with_the_cube():
    deep = NO_LIMIT.compiled.decision(chances(0.7, 0.2), 3, 1, 0.68)
    flat = NO_LIMIT.compiled.decision(chances(0.7, 0.2), 0, 1, 0.68)
    assert [value / 8 for value in deep[:7]] == pytest.approx(list(flat[:7])) and deep[7:] == flat[7:]


def test_the_limit_and_the_cap_kill_the_cube():
    for stakes in (Stakes.money(Cube(64, "mine")), Stakes.money(Cube(2, "mine"), cap=2)):
        nd, dt, dp, db, answered, value, cubeless, can_double, is_double, _ = stakes.compiled.decision(
            chances(0.75), 0, 1, 0.68
        )
        assert nd == dt == dp == db == answered == value == cubeless == 0.5 * stakes.levels[0].cube
        assert not can_double and not is_double


def test_after_crawford_the_trailer_has_nothing_to_lose():
    trailer = Stakes.match(Cube(), None, MatchScore(7, 4, 6), met.default())
    decision = trailer.compiled.decision(chances(0.4), 0, 0, 0.68)
    assert decision[8] and decision[1] == pytest.approx(0.4 * 0.5)
    # Seen by the leader, the trailer doubles next turn whatever happens: no credit for an idle cube.
    leader = trailer.flip().compiled.decision(chances(0.6), 0, 0, 0.68)
    assert leader[0] == pytest.approx(1 - 0.4 * 0.5, abs=0.01)


def test_kauder_double_and_beaver():
    rules = Rules(jacoby=True, beavers=True, cube_limit=None)
    probabilities = np.array([0.26, 0.20, 0.01, 0.45, 0.08, 0.0])
    nd, dt, dp, db, _, _, _, can, is_double, answer = Stakes.money(rules=rules).compiled.decision(
        probabilities, 0, 0, 0.68
    )
    assert can and dt < 0 and db < dt < dp
    assert answer == 2 and is_double == (db >= nd)


def test_raccoon_is_the_doublers_option():
    rules = Rules(beavers=True, raccoons=True, cube_limit=None)
    for p in (0.2, 0.45, 0.55):
        with_raccoon = Stakes.money(rules=rules).compiled.decision(chances(p), 0, 0, 0.68)
        without = Stakes.money(rules=Rules(beavers=True, cube_limit=None)).compiled.decision(chances(p), 0, 0, 0.68)
        assert with_raccoon[3] >= without[3] >= -2


PROBABILITIES = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
STAKES = st.sampled_from(
    [
        NO_LIMIT,
        Stakes.money(),
        Stakes.money(rules=Rules(jacoby=True)),
        Stakes.money(cap=Fraction(7, 2)),
        *(
            Stakes.match(Cube(), None, MatchScore.from_away(mine, theirs), met.default())
            for mine in (1, 2, 3, 4, 7)
            for theirs in (1, 2, 3, 5)
        ),
    ]
)


@settings(max_examples=300)
@given(STAKES, PROBABILITIES, st.sampled_from(list(OWNERS)), st.floats(0, 1))
def test_laws(stakes, shape, owner, efficiency):
    p, gammons, losses = shape
    outcomes = chances(p, gammons, losses)
    nd, dt, dp, _, answered, value, cubeless, can, is_double, answer = stakes.compiled.decision(
        outcomes, 0, OWNERS[owner], efficiency
    )
    dead, live = (no_double(stakes, p, owner, x, 0, gammons, losses) for x in (0.0, 1.0))
    slack = 1e-9
    assert min(dead, live) - slack <= nd <= max(dead, live) + slack
    assert value == max(nd, answered) and is_double == (can and answered >= nd)
    assert answered == (min(dt, dp) if can else nd) and (not can or (answer == 1) == (dp < dt))
    first = stakes.levels[0]
    assert float(min(first.lose)) - slack <= cubeless <= float(max(first.win)) + slack
    # Owning the cube is worth at least as much as sharing it, sharing at least as much as facing it.
    mine, shared, faced = (no_double(stakes, p, who, 1.0, 0, gammons, losses) for who in ("mine", "centre", "theirs"))
    assert mine >= shared - slack >= faced - 2 * slack
    # The other side, seen from its own chair, has exactly what is left.
    mirrored = stakes.flip().compiled.decision(
        chances(1 - p, losses, gammons), 0, OWNERS[{"mine": "theirs", "theirs": "mine"}.get(owner, owner)], 1.0
    )
    total = 0 if stakes.unit == "points" else 1
    assert live + mirrored[0] == pytest.approx(total, abs=1e-9)


@settings(max_examples=60)
@given(STAKES, PROBABILITIES, st.sampled_from(["centre", "mine"]), st.floats(0, 0.95))
def test_window_is_where_decisions_turn(stakes, shape, owner, efficiency):
    p, gammons, losses = shape
    outcomes = chances(p, gammons, losses)
    take, double, cash, too_good = stakes.compiled.window(outcomes, 0, OWNERS[owner], efficiency)
    assert 0 <= double <= cash <= too_good <= 1 and take == 1 - cash
    if not stakes.compiled.decision(outcomes, 0, OWNERS[owner], efficiency)[7] or not 0.01 < p < 0.99:
        return
    if abs(p - cash) > 1e-6:
        decision = stakes.compiled.decision(outcomes, 0, OWNERS[owner], efficiency)
        assert (decision[1] >= decision[2]) == (p > cash)


def test_efficiency_by_class():
    assert cube_efficiency(Position.starting()) == 0.68
    assert cube_efficiency(Position.from_board([0, 8, 0, *[0] * 21, -8, 0])) != 0.68


def test_pickling_leaves_the_compiled_part_behind():
    stakes = Stakes.money()
    assert isinstance(stakes.compiled, CubeModel)
    copy = pickle.loads(pickle.dumps(stakes))
    assert copy == stakes and copy.compiled.decision(chances(0.6), 0, 0, 0.5) == stakes.compiled.decision(
        chances(0.6), 0, 0, 0.5
    )


def test_tables_of_the_wrong_shape_are_refused():
    table = np.zeros((2, 10))
    with pytest.raises(ValueError, match="rows of 10"):
        CubeModel(np.zeros((2, 9)), table, False, False, False)
    with pytest.raises(ValueError, match="same shape"):
        CubeModel(table, np.zeros((1, 10)), False, False, False)
    with pytest.raises(ValueError, match="six outcomes"):
        NO_LIMIT.compiled.decision(np.zeros(5), 0, 0, 0.5)
