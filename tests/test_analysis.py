"""The analysis of match records: what counts as a decision, errors that are never negative, sums that add up."""

import json

import pytest

from bgcore.analysis import CLOSE, analyze
from bgcore.codecs.mat import read_mat
from bgcore.errors import RulesError

TEXT = """ 3 point match

 Game 1
 anna : 0                        ben : 0
  1) 31: 8/5 6/5                  64: 24/14
  2) 65: 24/13                    51: 13/8 14/13
  3)  Doubles => 2                Takes
  4) 42: 8/4 6/4                  66: 24/18 13/7(2) 8/2
  5)  Wins 2 points

 Game 2
 anna : 2                        ben : 0
  1)                              21: 13/11 6/5
  2) 66: 30/1
"""


@pytest.fixture(scope="module")
def match():
    return read_mat(TEXT.replace("30/1", "24/18(2) 13/7(2)"))


@pytest.fixture(scope="module")
def analysis(match):
    return analyze(match)


def test_errors_are_never_negative_and_the_best_is_the_best(analysis):
    for decision in analysis.decisions:
        assert decision.error >= 0
        assert decision.mwc_error >= 0
        assert decision.best == decision.choices[0]
        assert decision.best.equity == max(choice.equity for choice in decision.choices)
        assert (decision.error == 0) == (decision.chosen.equity == decision.best.equity)


def test_what_is_a_decision(match, analysis):
    plays = [item for item in analysis.decisions if item.kind == "play"]
    assert len(plays) == match.plays  # none of these rolls is forced
    doubled = [item for item in analysis.decisions if item.kind == "double" and item.chosen.text == "double"]
    assert [(item.line, item.player) for item in doubled] == [(7, 0)]
    answers = [item for item in analysis.decisions if item.kind == "answer"]
    assert [(item.line, item.player, item.chosen.text) for item in answers] == [(7, 1, "take")]
    # Rolling after one's own double is no decision; nor is anything in the Crawford game.
    rolled = [item for item in analysis.decisions if item.kind == "double" and item.chosen.text == "no double"]
    assert all(item.line != 8 or item.player == 1 for item in rolled)
    assert all(item.game == 1 for item in rolled)
    for item in rolled:
        worths = {choice.text: choice.equity for choice in item.choices}
        assert item.is_counted == (worths["no double"] - worths["double"] < CLOSE)


def test_sums_add_up(match, analysis):
    for player in (0, 1):
        whole = analysis.totals(player)
        parts = [analysis.totals(player, game.number) for game in match.games]
        assert whole.decisions == sum(part.decisions for part in parts) == whole.plays + whole.doubles + whole.answers
        assert whole.error == pytest.approx(sum(part.error for part in parts))
        assert whole.luck == pytest.approx(sum(part.luck for part in parts))
        assert whole.performance_rating == pytest.approx(500 * whole.error / whole.decisions)
    worst = analysis.worst(3)
    assert [item.error for item in worst] == sorted((item.error for item in analysis.decisions), reverse=True)[:3]


def test_luck_adds_up_to_nothing_over_all_rolls():
    """Over the 36 rolls of one position luck is 0 on average, up to plays chosen by another rule in the average."""
    total = 0.0
    for high in range(1, 7):
        for low in range(1, high + 1):
            text = f" 0 point match\n\n Game 1\n a : 0      b : 0\n  1) 31: 8/5 6/5                  {high}{low}:\n"
            total += (1 if high == low else 2) / 36 * analyze(read_mat(text)).lucks[1].equity
    assert abs(total) < 0.02


def test_looking_ahead_keeps_the_decisions(match, analysis):
    ahead = analyze(match, plies=1)
    assert [item.line for item in ahead.decisions] == [item.line for item in analysis.decisions]
    assert ahead.plies == 1
    with pytest.raises(RulesError, match="plies"):
        analyze(match, plies=3)


def test_the_same_twice_and_as_json(match, analysis):
    again = analyze(match)
    assert again.to_dict() == analysis.to_dict()
    assert json.loads(json.dumps(analysis.to_dict()))["players"][0]["decisions"] == analysis.totals(0).decisions


def test_progress_reaches_the_end(match):
    seen = []
    analyze(match, progress=lambda done, total: seen.append((done, total)))
    total = sum(len(game.actions) for game in match.games)
    assert seen == [(number, total) for number in range(1, total + 1)]


def test_what_cannot_be_weighed_is_named():
    match = read_mat(" 3 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 20/17 6/5          64: 24/14\n  2) 65:\n")
    analysis = analyze(match)
    assert [line for line, _ in analysis.skipped] == [5, 5, 6]
    assert "illegal" in analysis.skipped[0][1]


def test_money_has_no_match_winning_chances():
    analysis = analyze(read_mat(TEXT.replace("3 point", "0 point").replace("66: 30/1", "")))
    assert {item.mwc_error for item in analysis.decisions} == {None}
    assert analysis.totals(0).mwc_error == 0
