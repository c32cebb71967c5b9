"""Rules, cube and score refuse what cannot be, all at once; final boards pay what each rule says."""

import pytest

from bgcore._core import Position
from bgcore.errors import RulesError
from bgcore.rules import Cube, MatchScore, Rules, outcome_points


def board(mine=None, theirs=None, bar=0, their_bar=0):
    """A board from two mappings own point -> checkers, each side counting from its own home."""
    row = [0] * 26
    for point, count in (mine or {}).items():
        row[point] = count
    for point, count in (theirs or {}).items():
        row[25 - point] = -count
    row[25], row[0] = bar, -their_bar
    return Position.from_board(row)


@pytest.mark.parametrize(
    ("position", "standard", "portal", "garlando"),
    [
        (board(theirs={13: 5, 18: 5, 8: 5}), 2, 2, 3),
        (board(theirs={13: 7, 6: 7, 19: 1}), 3, 3, 3),
        (board(theirs={18: 1, 12: 7, 6: 7}), 2, 2, 3),
        (board(theirs={19: 1, 12: 7, 6: 5}, their_bar=1), 1, 3, 3),
        (board(theirs={6: 5, 5: 4, 4: 3, 3: 2}, their_bar=1), 3, 2, 3),
        (board(theirs={6: 5, 5: 4, 4: 3, 3: 3}), 2, 2, 2),
        (board(theirs={6: 5, 5: 4, 4: 3, 3: 2}), 1, 1, 1),
        (board(theirs={10: 1, 6: 5, 5: 4, 4: 2, 3: 2}), 1, 1, 3),
        (board(theirs={6: 13}, their_bar=1), 1, 1, 3),
        (board(mine={1: 1}, theirs={1: 1}), 0, 0, 0),
    ],
)
def test_outcome_points(position, standard, portal, garlando):
    for rule, points in (("standard", standard), ("portal_home_only", portal), ("manual_garlando", garlando)):
        assert outcome_points(position, rule) == points
        assert outcome_points(position.flip(), rule) == -points
    assert outcome_points(position) == position.outcome


def test_outcome_points_refuses_an_unknown_rule():
    with pytest.raises(RulesError, match="gammon_rule must be one of standard, portal_home_only"):
        outcome_points(board(theirs={1: 1}), "triple")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"value": 3}, ["power of two"]),
        ({"value": 0}, ["power of two"]),
        ({"value": True}, ["power of two"]),
        ({"value": 2.0}, ["power of two"]),
        ({"value": 1 << 31}, ["power of two"]),
        ({"owner": "mine"}, ["was turned"]),
        ({"value": 2, "owner": "white"}, ["'centre', 'mine' or 'theirs'"]),
        ({"value": 2, "owner": "mine", "enabled": False}, ["without a cube"]),
        ({"value": 6, "owner": "me", "enabled": 1}, ["power of two", "owner", "enabled"]),
    ],
)
def test_cube_faults(arguments, words):
    with pytest.raises(RulesError) as caught:
        Cube(**arguments)
    assert all(word in str(caught.value) for word in words)
    assert len(str(caught.value)) < 400


def test_cube_moves():
    cube = Cube(2, "mine")
    assert cube.flip() == Cube(2, "theirs") and cube.flip().flip() == cube
    assert cube.turned_by("mine") == Cube(4, "theirs")
    assert Cube().is_centred and Cube().turned_by("theirs") == Cube(2, "mine")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 0, 0), ["length"]),
        ((5, 5, 0), ["my score is 5", "over there"]),
        ((5, -1, 7), ["my score", "their score is 7"]),
        ((5, 4, 4, True), ["Crawford"]),
        ((5, 3, 3, True), ["Crawford"]),
        ((1, 0, 0, True), ["Crawford"]),
        ((5.0, "1", 0), ["length", "my score"]),
        ((10**40, 0, 0), ["the length must be a whole number from 1 to 32767", "not 10000"]),
        ((10**5000, 10**5000, 0), ["the length", "my score", "too long to write"]),
    ],
)
def test_score_faults(arguments, words):
    with pytest.raises(RulesError) as caught:
        MatchScore(*arguments)
    assert all(word in str(caught.value) for word in words)


def test_score_facts():
    score = MatchScore(7, 5, 6, is_crawford=True)
    assert (score.mine_away, score.theirs_away, score.is_post_crawford) == (2, 1, False)
    assert score.flip() == MatchScore(7, 6, 5, is_crawford=True)
    assert MatchScore(7, 5, 6).is_post_crawford
    assert not MatchScore(7, 5, 5).is_post_crawford
    assert MatchScore.from_away(3, 5) == MatchScore(5, 2, 0)
    with pytest.raises(RulesError, match="points away"):
        MatchScore.from_away(0, 3)


def test_rules_name_every_fault():
    with pytest.raises(RulesError) as caught:
        Rules(gammon_rule="triple", limit_mode="cap", jacoby="yes", raccoons=True, cube_limit=50)
    for word in ("gammon_rule must be", "limit_mode must be", "jacoby must be", "need beavers", "cube_limit must be"):
        assert word in str(caught.value)


def test_values_are_immutable_and_hashable():
    assert len({Cube(), Cube(1), Rules(), Rules(cube_limit=64), MatchScore(5, 0, 0)}) == 3
    with pytest.raises(AttributeError):
        Cube().value = 2
