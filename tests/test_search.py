"""Ranking the plays of a roll ahead: filters, depths, agreement with evaluate."""

import pytest

import bgcore
from bgcore import Position, evaluate
from bgcore.errors import RulesError
from bgcore.rules import Cube, MatchScore
from bgcore.search import MoveFilter, rank_plays
from bgcore.stakes import Stakes

START = Position.starting()
WIDE = (MoveFilter(99, 9.0),) * 3


@pytest.mark.parametrize("plies", [0, 1])
def test_worths_are_those_of_evaluate(plies):
    ranked = rank_plays(START, (6, 4), plies, filters=WIDE)
    assert len(ranked) == len(bgcore.legal_plays(START, (6, 4)))
    assert [one.worth for one in ranked] == sorted((one.worth for one in ranked), reverse=True)
    for one in ranked[:4]:
        assert one.plies == plies
        expected = evaluate(one.play.result.flip(), plies).flip()
        assert one.worth == pytest.approx(expected.equity, abs=1e-5)
        assert one.probabilities.win == pytest.approx(expected.win, abs=1e-6)


def test_filters_decide_what_is_looked_at():
    filters = (MoveFilter(5, 0.2), MoveFilter(2, 9.0))
    ranked = rank_plays(START, (3, 1), 2, filters=filters)
    depths = [one.plies for one in ranked]
    assert depths == sorted(depths, reverse=True)
    assert depths.count(2) == 2
    assert 0 < depths.count(1) <= 3
    assert str(ranked[0].play) == "8/5 6/5"
    assert ranked == rank_plays(START, (1, 3), 2, filters=filters)


def test_two_plies_against_the_plain_sum():
    position = Position.from_board([0, 2, 2, 2, *[0] * 15, -1, 0, -2, 0, -2, -2, 0])
    six = bgcore._core.looked_ahead(bgcore._core.Network.default(), [position], 2, (1, 2, 3, -1, -2, -3))[0]
    total = 0.0
    for die1 in range(1, 7):
        for die2 in range(1, 7):
            best = bgcore._core.chosen_play(bgcore._core.Network.default(), position, die1, die2, (1, 2, 3, -1, -2, -3))
            after = best[0].flip()
            total += sum(bgcore._core.looked_ahead(bgcore._core.Network.default(), [after], 1)[0][3:]) / 36
    assert sum(six[:3]) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("plies", [2, 3])
def test_what_a_question_shares_changes_nothing(plies):
    """Plays that lead to the same positions are looked ahead from together as if each were alone."""
    network = bgcore._core.Network.default()
    results = [play.result.flip() for play in bgcore.legal_plays(START, (2, 1))[: 5 - plies]]
    together = bgcore._core.looked_ahead(network, results, plies)
    assert together == [bgcore._core.looked_ahead(network, [one], plies)[0] for one in results]


def test_a_gammon_counts_by_the_stakes():
    stakes = Stakes.match(Cube(), None, MatchScore.from_away(2, 1, is_crawford=True), bgcore.met.default())
    points = rank_plays(START, (6, 2))
    chances = rank_plays(START, (6, 2), stakes=stakes)
    assert all(0 < one.worth < 1 for one in chances)
    assert {str(one.play) for one in points} == {str(one.play) for one in chances}


def test_no_play_and_bad_numbers():
    closed = Position.from_board([0, *[0] * 18, -2, -2, -2, -2, -2, -2, 2])
    assert rank_plays(closed, (6, 5), 1) == ()
    with pytest.raises(RulesError, match="plies"):
        rank_plays(START, (3, 1), 4)
    with pytest.raises(RulesError, match="2 plies need 2"):
        rank_plays(START, (3, 1), 2, filters=(MoveFilter(3, 0.1),))
    with pytest.raises(RulesError, match="keeps a whole number"):
        MoveFilter(0, 0.1)
    with pytest.raises(RulesError, match="margin"):
        MoveFilter(1, -1.0)
