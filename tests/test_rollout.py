"""Rollouts: exact additivity, unbiasedness, saving, refusals."""

import json
import re
from dataclasses import replace

import pytest

import bgcore
from bgcore import Position
from bgcore.errors import ArgumentError, DataError, DiceError, NotationError, RulesError
from bgcore.job import table_digest
from bgcore.rollout import COLUMNS, Rollout, RolloutSettings, StopRule, rollout
from bgcore.rules import Cube
from bgcore.stakes import Stakes

LAST_ROLL = Position.from_position_id("AQAAiAAAAAAAAA")
BEAROFF = Position.from_board([0, 4, 4, *[0] * 19, -1, -3, -3, 0])
SHORT = Position.from_board([0, 2, 2, 3, 2, 2, 2, 2, *[0] * 9, -1, -2, -2, -2, -2, -2, -2, -2, 0])
PLAIN = RolloutSettings(variance_reduction=False, truncation="none")


def numbers(result):
    return [(result.mean(name), result.error(name)) for name in COLUMNS]


def test_a_rollout_is_the_sum_of_its_parts():
    whole = rollout(SHORT, trials=144, seed=5)
    first = rollout(SHORT, trials=72, seed=5)
    second = rollout(SHORT, trials=72, seed=5, first_trial=72)
    extended = first.extend(72)
    assert extended.to_dict() == whole.to_dict()
    assert second.merge(first).to_dict() == whole.to_dict() == first.merge(second).to_dict()
    odd = rollout(SHORT, trials=31, seed=5).extend(70).extend(43)
    assert odd.to_dict() == whole.to_dict()
    assert whole.spans == ((0, 144),)


def test_last_roll_is_exact():
    result = rollout(LAST_ROLL, trials=36, seed=9, settings=PLAIN)
    assert result.probabilities.win == 19 / 36
    reduced = rollout(LAST_ROLL, trials=36, seed=9, settings=RolloutSettings(truncation="none"))
    assert reduced.probabilities.win == pytest.approx(19 / 36, abs=1e-9)
    many = rollout(LAST_ROLL, trials=216, seed=9, settings=PLAIN)
    assert many.probabilities.win == 19 / 36
    assert many.std_error == 0
    table = rollout(LAST_ROLL, trials=2)
    assert table.equity == pytest.approx(2 / 36, abs=1e-6)
    assert table.std_error == 0


def test_no_gammon_once_a_checker_is_off():
    position = Position.from_position_id("YEYF4TnO7w4AAA")
    result = rollout(position, trials=72, dice=(5, 4), settings=PLAIN)
    assert result.probabilities.lose_gammon == 0
    assert result.probabilities.lose_backgammon == 0


def test_chances_stay_possible_with_the_luck_taken_out():
    """A closeout with ten men off: neither side can lose a gammon, but means stray a little about 0 and 1."""
    closeout = Position.from_position_id("DwAA0La7AwAAAA")
    for seed in (1, 2, 3):
        win, gammon, backgammon, lose_gammon, lose_backgammon = rollout(
            closeout, trials=36, seed=seed
        ).probabilities.as_tuple()
        assert 1 >= win >= gammon >= backgammon >= 0
        assert 1 - win >= lose_gammon >= lose_backgammon >= 0


def test_ending_in_the_table_keeps_the_mean():
    """Exact: cubeless 0.473632 (by a solver); plays chosen by the rolls both sides need cost less than 0.001."""
    out = rollout(BEAROFF, trials=1296, settings=RolloutSettings(truncation="none", seed=3))
    cut = rollout(BEAROFF, trials=1296, settings=RolloutSettings(seed=4))
    assert out.equity == pytest.approx(0.473632, abs=4 * out.std_error + 0.001)
    assert cut.equity == pytest.approx(0.473632, abs=4 * cut.std_error + 0.001)
    assert cut.std_error < out.std_error
    assert out.table == cut.table == table_digest()


def test_plays_chosen_one_roll_ahead():
    settings = RolloutSettings(trials=36, plies=1, truncation=6)
    ahead = rollout(Position.starting(), settings=settings)
    assert ahead == rollout(Position.starting(), settings=settings, workers=2)
    static = rollout(Position.starting(), settings=replace(settings, plies=0))
    assert 0 < abs(ahead.equity - static.equity) < 0.2
    exact = rollout(LAST_ROLL, settings=RolloutSettings(trials=36, plies=1, truncation="none"))
    assert exact.probabilities.win == pytest.approx(19 / 36, abs=1e-9)


@pytest.mark.parametrize("position", [SHORT, BEAROFF])
def test_variance_reduction_keeps_the_mean_and_shrinks_the_error(position):
    plain = rollout(position, trials=5184, seed=3, settings=PLAIN)
    reduced = rollout(position, trials=1296, seed=4, settings=RolloutSettings(truncation="none"))
    joint = (plain.std_error**2 + reduced.std_error**2) ** 0.5
    assert abs(plain.equity - reduced.equity) < 4.5 * joint
    assert reduced.std_error < 2 * plain.std_error


def test_opening_roll():
    result = rollout(Position.starting(), trials=30, settings=RolloutSettings(as_initial_position=True, truncation=2))
    assert result.trials == 30
    with pytest.raises(RulesError, match="both given and thrown"):
        rollout(Position.starting(), dice=(3, 1), settings=RolloutSettings(as_initial_position=True))


def test_truncation_states_its_model_error():
    cut = RolloutSettings(trials=36, truncation=7)
    assert cut.model_error(with_cube=False) == pytest.approx(0.0185, abs=1e-4)
    assert RolloutSettings().model_error(with_cube=True) == 0
    money = rollout(Position.starting(), stakes=Stakes.money(Cube(2, "mine")), settings=cut)
    assert money.model_error == 2 * cut.model_error(with_cube=True) == money.to_dict()["model_error"]
    assert rollout(SHORT, trials=36).model_error == 0


def test_finished_game():
    won = Position.from_board([0] * 24 + [-15, 0])
    result = rollout(won, trials=36)
    assert (result.equity, result.std_error) == (2, 0)


def test_cancel_and_stop_rules_keep_what_is_done():
    seen = []

    def cancel(result):
        seen.append(result.trials)
        return result.trials >= 72

    result = rollout(SHORT, trials=1296, progress=cancel, workers=2)
    assert seen == [36, 72]
    assert result.to_dict()["tally"] == rollout(SHORT, trials=72).to_dict()["tally"]
    rule = StopRule(std_error=0.5)
    stopped = rollout(SHORT, settings=RolloutSettings(trials=1296, checkpoint=72, stop=rule), workers=2)
    assert stopped.trials == 72
    money = StopRule(material=1e9, stake=10.0)
    assert rollout(SHORT, settings=RolloutSettings(trials=720, checkpoint=108, stop=money)).trials == 108


@pytest.mark.parametrize(
    ("first", "checkpoint", "stops_after"), [(0, 100, 108), (10, 72, 98), (36, 7, 36), (10, 26, 26)]
)
def test_a_stop_rule_is_asked_wherever_blocks_end(first, checkpoint, stops_after):
    """Blocks end at multiples of 36: beside a checkpoint, if trials begin elsewhere or are looked at every seven."""
    settings = RolloutSettings(trials=360, checkpoint=checkpoint, stop=StopRule(std_error=10.0))
    assert rollout(SHORT, settings=settings, first_trial=first).trials == stops_after


def test_a_rule_for_differences_is_refused():
    settings = RolloutSettings(trials=36, stop=StopRule(joint_std_error=10.0))
    with pytest.raises(RulesError, match="joint_std_error is for comparisons"):
        rollout(SHORT, settings=settings)


def test_save_and_load(tmp_path):
    path = tmp_path / "a.json"
    result = rollout(SHORT, trials=72, save=path)
    assert Rollout.load(path) == result
    assert list(tmp_path.iterdir()) == [path]
    more = Rollout.load(path).extend(36)
    assert numbers(more) == numbers(rollout(SHORT, trials=108))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "Expecting|Unterminated|delimiter"),
        (lambda text: text.replace('"trials":72', '"trials":73', 1), "digest"),
        (lambda text: '{"schema":"other"}', "format"),
        (lambda text: "[]", "format"),
        (lambda text: "", "Expecting"),
    ],
)
def test_torn_and_foreign_files_are_refused_by_name(tmp_path, change, words):
    path = tmp_path / "torn.json"
    rollout(SHORT, trials=72).save(path)
    path.write_text(change(path.read_text()))
    with pytest.raises(DataError, match=r"torn\.json") as caught:
        Rollout.load(path)
    assert re.search(words, str(caught.value))


def test_missing_file():
    with pytest.raises(DataError, match=r"nowhere\.json"):
        Rollout.load("/nowhere.json")


def test_a_forged_tally_is_refused():
    data = json.loads(json.dumps(rollout(SHORT, trials=72).to_dict()))
    with pytest.raises(DataError):
        Rollout.from_dict({**data, "tally": {}})


def test_what_does_not_belong_together_is_not_merged():
    one = rollout(SHORT, trials=36)
    with pytest.raises(RulesError, match="trial 0 is in both"):
        one.merge(one)
    other = RolloutSettings(trials=36, seed=2, luck_plays=1)
    with pytest.raises(RulesError, match="differ in dice, seed, luck plays and cannot be merged"):
        one.merge(rollout(SHORT, settings=other, dice=(3, 1), first_trial=36))
    foreign = replace(rollout(SHORT, trials=36, first_trial=36), weights="other", version="0.0.0")
    with pytest.raises(RulesError, match="differ in weights, version and cannot"):
        one.merge(foreign)
    with pytest.raises(DataError, match=r"made by bgcore 0\.0\.0, and this is"):
        foreign.extend(36)
    with pytest.raises(DataError, match="other weights or tables"):
        replace(one, weights="other").extend(36)
    assert one.merge(rollout(SHORT, settings=RolloutSettings(trials=36, checkpoint=36), first_trial=36)).trials == 72


def test_an_unknown_mean_is_refused():
    one = rollout(SHORT, trials=36)
    for ask in (one.mean, one.error, one.interval):
        with pytest.raises(RulesError, match="not of 'luck'"):
            ask("luck")


def test_faults_are_all_named():
    with pytest.raises(RulesError, match=r"trials.*seed.*truncation.*gammon_rule"):
        RolloutSettings(trials=0, seed=-1, truncation="later", gammon_rule="none")
    with pytest.raises(RulesError, match="exactly one"):
        StopRule()
    with pytest.raises(RulesError, match="unknown names trails"):
        RolloutSettings.from_dict({"trails": 3})
    with pytest.raises(DiceError):
        rollout(SHORT, dice=(0, 7))
    with pytest.raises(RulesError, match="double_take"):
        rollout(SHORT, line="double_take")
    settings = RolloutSettings(stop=StopRule(material=0.01))
    assert RolloutSettings.from_dict(settings.to_dict()) == settings


@pytest.mark.parametrize("written", ["8/5 6/5", "6/5 8/5", "8/5, 6/5", "6/5(1) 8/5"])
def test_a_play_may_be_written_in_any_order(written):
    (made,) = (play for play in bgcore.legal_plays(Position.starting(), (3, 1)) if str(play) == "8/5 6/5")
    found = rollout(Position.starting(), dice=(3, 1), play=written, trials=36)
    assert found.to_dict() == rollout(Position.starting(), dice=(3, 1), play=made, trials=36).to_dict()
    assert found.to_dict() == rollout(Position.starting(), dice=(3, 1), play=made.result, trials=36).to_dict()


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ({"dice": 31}, DiceError, "not 31"),
        ({"dice": (True, True)}, DiceError, "not .True, True."),
        ({"dice": (3, 1), "play": ""}, NotationError, "moves nothing"),
        ({"dice": (3, 1), "play": "8/2"}, NotationError, "8/2 is 6 pips"),
        ({"dice": (3, 1), "play": 5}, ArgumentError, "not int"),
        ({"dice": (3, 1), "play": Position.starting()}, NotationError, "no legal play of 3-1"),
        (
            {"dice": (3, 1), "play": bgcore.legal_plays(Position.starting(), (6, 5))[0]},
            NotationError,
            "no legal play of 3-1",
        ),
        ({"play": "8/5 6/5"}, RulesError, "together with the dice"),
    ],
)
def test_dice_and_plays_that_do_not_fit(what, error, words):
    with pytest.raises(error, match=words):
        rollout(Position.starting(), trials=36, **what)


@pytest.mark.parametrize("what", [{"stop": 5}, {"stop": "x"}, {"plies": 1.0}, {"cube_plies": True}, {"plies": "1"}])
def test_settings_of_other_types_are_refused(what):
    with pytest.raises(RulesError, match=next(iter(what))):
        RolloutSettings(**what)
