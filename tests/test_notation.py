"""Plays in words: every legal play reads back, form may vary, and what is no play is refused with the reason."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import Position, legal_plays
from bgcore.errors import DiceError, NotationError
from bgcore.notation import format_play, format_steps, parse_moves, parse_play
from shared_cases import needs_shared, of_area
from strategies import boards, dice

START = Position.starting()


@given(boards, dice, st.integers(0, 2**32 - 1))
def test_every_legal_play_reads_back(board, roll, seed):
    position = Position.from_board(board)
    plays = legal_plays(position, roll)
    rng = random.Random(seed)
    for play in rng.sample(plays, min(12, len(plays))):
        assert parse_play(format_play(play), position, roll) == play
        assert parse_play(format_steps(play), position, roll) == play
        words = str(play).split()
        rng.shuffle(words)
        assert parse_play(", ".join(words).upper(), position, roll[::-1]) == play
    if not plays:
        assert parse_play(format_play(None), position, roll) is None


@given(boards, dice, st.integers(0, 2**32 - 1))
def test_hit_marks_are_optional_where_the_steps_are_spelt_out(board, roll, seed):
    position = Position.from_board(board)
    plays = legal_plays(position, roll)
    for play in random.Random(seed).sample(plays, min(12, len(plays))):
        assert parse_play(format_steps(play).replace("*", ""), position, roll) == play


@given(boards, dice, st.text("0123456789/*()abrof ,-", max_size=24))
def test_any_text_is_a_legal_play_or_refused(board, roll, text):
    position = Position.from_board(board)
    try:
        play = parse_play(text, position, roll)
    except NotationError:
        return
    assert play is None or play in legal_plays(position, roll)


@needs_shared
@pytest.mark.parametrize("case", [case for case in of_area("api") if "inputs" in case.values[0]["input"]])
def test_tolerance(case):
    given = case["input"]
    position = Position.from_position_id(given["position_id"])
    roll = tuple(int(die) for die in given["dice"])
    plays = {parse_play(text, position, roll) for text in [*given["inputs"], "8/5 Pass 6/5"]}
    assert len(plays) == 1


@pytest.mark.parametrize(
    ("text", "roll", "means"),
    [
        ("24/13", (6, 5), "24/13"),
        ("24/18/13", (6, 5), "24/13"),
        ("24/18 18/13", (5, 6), "24/13"),
        ("13-8 6-5", (5, 1), "13/8 6/5"),
        ("8/4(2) 6/4(2)", (4, 2), None),
        ("6/4(2), 8/6(2)", (2, 2), "8/4(2)"),
        ("8/4(2)", (2, 2), "8/4(2)"),
    ],
)
def test_forms(text, roll, means):
    if means is None:
        with pytest.raises(NotationError):
            parse_play(text, START, roll)
    else:
        assert str(parse_play(text, START, roll)) == means


@pytest.mark.parametrize(
    ("text", "roll", "reason"),
    [
        ("", (3, 1), "moves nothing, but"),
        ("8/3", (3, 1), "8/3 is 5 pips"),
        ("8/5", (3, 1), "more of the roll can be played"),
        ("13/9 6/5", (3, 1), "13/9 is 4 pips|none of the"),
        ("7/4 6/5", (3, 1), "only 0 checkers of the side to move are on 7"),
        ("24/19 13/10", (5, 3), "opponent holds 19"),
        ("24/21(3)", (3, 3), "3 leave it"),
        ("8/5* 6/5", (3, 1), "marks a hit on 5"),
        ("6/off 5/off", (6, 5), "only 0 checkers|before all checkers are home"),
        ("30/24", (6, 5), "no point 30"),
        ("13/x", (6, 5), "is not a move"),
        ("13/15", (6, 5), "downwards"),
        ("6/bar", (6, 5), "to the bar"),
        ("off/6", (6, 5), "moves no further"),
    ],
)
def test_refusals_give_the_reason(text, roll, reason):
    with pytest.raises(NotationError, match=reason):
        parse_play(text, START, roll)


def test_refusal_on_the_bar_and_home():
    board = [0] * 26
    board[25], board[13], board[20] = 1, 2, -2
    position = Position.from_board(board)
    with pytest.raises(NotationError, match="must enter from the bar"):
        parse_play("13/9 13/8", position, (5, 4))
    with pytest.raises(NotationError, match="must enter from the bar"):
        parse_play("13/7", position, (5, 1))


def test_two_routes_need_a_mark():
    board = [0] * 26
    board[24], board[18], board[19], board[1] = 1, -1, -1, 2
    position = Position.from_board(board)
    with pytest.raises(NotationError, match=r"may mean .*: mark the hits"):
        parse_play("24/13", position, (6, 5))
    assert str(parse_play("24/18*/13", position, (6, 5))) == "24/18*/13"
    assert str(parse_play("24/19 19/13", position, (6, 5))) == "24/19*/13"


def test_an_impossible_roll_is_refused():
    with pytest.raises(DiceError):
        parse_play("13/8", START, (5, 7))


def test_moves_without_a_board():
    path = parse_moves("bar/20*(2)")[0]
    assert (path.points, path.hits, path.times) == ((25, 20), (False, True), 2)
    assert parse_moves("Cannot Move") == parse_moves("(no play)") == parse_moves("pass") == ()
