"""Candidates on the same dice: differences, P(best), cube decisions."""

from dataclasses import replace

import pytest

from bgcore import Position, met
from bgcore.comparison import Comparison, compare_cube, compare_plays
from bgcore.errors import DataError, NotationError, RulesError
from bgcore.rollout import RolloutSettings, StopRule, rollout
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.saved import digest_of
from bgcore.stakes import Stakes

MONEY = Stakes.money(Cube(), Rules(cube_limit=None))
LAST_ROLL = Position.from_position_id("AQAAiAAAAAAAAA")
FOUR_ROLLS = Position.from_board([0, 4, 4, *[0] * 19, -1, -3, -3, 0])
START = Position.starting()
CUT = RolloutSettings(trials=144, truncation=6)


def test_plays_share_their_dice():
    result = compare_plays(START, (3, 1), ["24/20", "8/5 6/5", "24/23 24/21"], settings=CUT)
    assert result.best == "8/5 6/5"
    assert result.p_best[1] > 0.9
    assert sum(result.p_best) == pytest.approx(1)
    alone = rollout(START, dice=(3, 1), play="8/5 6/5", settings=CUT)
    assert result.rollouts[1] == alone
    mean, error = result.difference(1, 0)
    assert mean == pytest.approx(result.rollouts[1].value - result.rollouts[0].value)
    assert result.difference(0, 1) == (-mean, error)
    ranked = result.to_dict()["candidates"]
    assert ranked[0]["label"] == "8/5 6/5"
    assert ranked[0]["behind_best"] == 0


def test_comparisons_do_not_depend_on_workers_and_extend():
    whole = compare_plays(START, (6, 4), ["8/2 6/2", "24/14"], settings=CUT, workers=3)
    half = compare_plays(
        START, (6, 4), ["8/2 6/2", "24/14"], settings=RolloutSettings(trials=72, truncation=6), workers=1
    )
    assert half.extend(72, workers=2) == whole


def test_shards_of_a_comparison_merge():
    half, plays = RolloutSettings(trials=72, truncation=6), ["8/2 6/2", "24/14"]
    first = compare_plays(START, (6, 4), plays, settings=half)
    second = compare_plays(START, (6, 4), plays, settings=half, first_trial=72)
    whole = compare_plays(START, (6, 4), plays, settings=CUT)
    assert first.merge(second) == second.merge(first) == whole
    assert second.extend(36).rollouts[0].spans == ((72, 108),)
    with pytest.raises(RulesError, match="trial 0 is in both"):
        first.merge(whole)
    with pytest.raises(RulesError, match=r"of 8/2 6/2, 24/14 and of 24/14, 8/2 6/2 cannot be merged"):
        first.merge(compare_plays(START, (6, 4), plays[::-1], settings=half, first_trial=72))
    with pytest.raises(RulesError, match="differ in seed and cannot be merged"):
        first.merge(compare_plays(START, (6, 4), plays, settings=replace(half, seed=9), first_trial=72))


def test_shards_of_a_cube_decision_merge():
    shards = [
        compare_cube(FOUR_ROLLS, MONEY, settings=RolloutSettings(trials=36), first_trial=first).lines
        for first in (36, 0)
    ]
    assert shards[0].merge(shards[1]) == compare_cube(FOUR_ROLLS, MONEY, settings=RolloutSettings(trials=72)).lines


def test_a_comparison_of_unequal_trials_is_refused():
    half = RolloutSettings(trials=36, truncation=2)
    plays = ["8/2 6/2", "24/14"]
    data = compare_plays(START, (6, 4), plays, settings=half).to_dict()
    later = compare_plays(START, (6, 4), plays, settings=half, first_trial=36).to_dict()
    del data["digest"]
    data["candidates"][0]["rollout"] = later["candidates"][0]["rollout"]
    with pytest.raises(DataError, match="do not fit together"):
        Comparison.from_dict({**data, "digest": digest_of(data)})


def test_a_saved_comparison_is_the_same(tmp_path):
    path = tmp_path / "plays.json"
    cut = RolloutSettings(trials=72, truncation=6)
    result = compare_plays(START, (6, 4), ["8/2 6/2", "24/14"], settings=cut, workers=1, save=path)
    assert Comparison.load(path) == result
    for change in (lambda text: text[:-40], lambda text: text.replace('"trials":72', '"trials":73', 1), lambda _: "{}"):
        torn = tmp_path / "torn.json"
        torn.write_text(change(path.read_text()))
        with pytest.raises(DataError, match=r"torn\.json"):
            Comparison.load(torn)


def test_a_comparison_stops_at_its_joint_error():
    settings = RolloutSettings(trials=1296, truncation=4, checkpoint=72, stop=StopRule(joint_std_error=10.0))
    assert compare_plays(START, (3, 1), ["24/20", "8/5 6/5"], settings=settings).trials == 72
    assert compare_plays(START, (3, 1), ["24/20", "8/5 6/5"], settings=settings, first_trial=10).trials == 98


def test_what_cannot_be_compared():
    with pytest.raises(NotationError, match="is not a legal play of 31"):
        compare_plays(START, (3, 1), ["24/10"])
    with pytest.raises(RulesError, match="twice"):
        compare_plays(START, (3, 1), ["8/5 6/5", "8/5 6/5"])
    with pytest.raises(RulesError, match="two candidates or more are needed, not 1"):
        compare_plays(START, (3, 1), ["8/5 6/5"])
    with pytest.raises(RulesError, match="needed, not 0"):
        compare_plays(START, (3, 1), [])
    with pytest.raises(RulesError, match="double_take"):
        compare_cube(START, Stakes.money(Cube(2, "theirs"), Rules()))
    over = Position.from_board([0] * 24 + [-2, 0])
    with pytest.raises(RulesError, match="the game is over"):
        compare_cube(over, MONEY, settings=RolloutSettings(trials=36))
    with pytest.raises(RulesError, match="the game is over"):
        compare_plays(over, (3, 1))


def test_the_cube_on_the_last_roll():
    result = compare_cube(LAST_ROLL, MONEY, settings=RolloutSettings(trials=36))
    assert result.no_double == pytest.approx(2 / 36, abs=1e-6)
    assert result.double_take == pytest.approx(4 / 36, abs=1e-6)
    assert (result.double_pass, result.action, result.is_take) == (1.0, "Double, take", True)
    assert result.value == result.double_take


def test_redoubles_in_a_long_bearoff():
    """Exact: no double 0.755166, double and take 0.877542 (a solver over the same positions)."""
    result = compare_cube(FOUR_ROLLS, MONEY, settings=RolloutSettings(trials=2592))
    assert result.no_double == pytest.approx(0.755166, abs=0.06)
    assert result.double_take == pytest.approx(0.877542, abs=0.06)
    assert result.action == "Double, take"
    assert result.p_double > 0.5
    assert result.p_take > 0.9


def test_a_match_is_rolled_out_in_chances():
    stakes = Stakes.match(Cube(), None, MatchScore.from_away(2, 2), met.default())
    result = rollout(START, stakes=stakes, settings=RolloutSettings(trials=108))
    assert 0.3 < result.value < 0.7
    crawford = Stakes.match(Cube(), None, MatchScore.from_away(1, 3, is_crawford=True), met.default())
    cubeless = rollout(START, stakes=crawford, settings=RolloutSettings(trials=72))
    assert 0.6 < cubeless.value < 1
    assert cubeless.value != cubeless.equity


def test_points_stay_symmetric_at_higher_cubes():
    once = rollout(START, stakes=Stakes.money(Cube(2, "mine"), Rules(cube_limit=None)), trials=72)
    twice = rollout(START, stakes=Stakes.money(Cube(4, "mine"), Rules(cube_limit=None)), trials=72)
    assert twice.value == pytest.approx(2 * once.value)


def test_splitting_keeps_the_mean_and_shrinks_the_error():
    split = rollout(START, stakes=MONEY, trials=216)
    single = rollout(START, stakes=MONEY, settings=RolloutSettings(trials=216, splits=0, seed=2))
    joint = (split.value_std_error**2 + single.value_std_error**2) ** 0.5
    assert abs(split.value - single.value) < 4 * joint
    assert split.value_std_error < single.value_std_error
