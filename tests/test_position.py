"""Positions: what is accepted, what is refused and why, and that nothing is lost on the way round."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import strategies
from bgcore import Position
from bgcore.errors import BgcoreError, NotationError, PositionError

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


@given(strategies.boards)
def test_round_trips(board):
    position = Position.from_board(board)
    assert position.board.tolist() == board
    assert Position.from_position_id(position.position_id) == position
    assert Position.from_key(position.key) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(Position.from_board(board)) == hash(position)


@given(strategies.boards)
def test_flip(board):
    position = Position.from_board(board)
    flipped = position.flip()
    assert flipped.board.tolist() == [-n for n in reversed(board)]
    assert flipped.flip() == position
    assert flipped.pip_counts == position.pip_counts[::-1]
    assert flipped.off == position.off[::-1]
    assert flipped.is_race == position.is_race


@given(strategies.boards)
def test_pip_counts_and_contact(board):
    position = Position.from_board(board)
    mine = sum(slot * n for slot, n in enumerate(board) if n > 0)
    theirs = sum((25 - slot) * -n for slot, n in enumerate(board) if n < 0)
    assert position.pip_counts == (mine, theirs)
    behind = max(slot for slot in range(26) if board[slot] > 0)
    assert position.is_race == all(slot > behind for slot in range(26) if board[slot] < 0)


@given(strategies.boards, st.booleans())
def test_outcome_of_a_finished_game(board, mine_left):
    kept = [n if (n > 0) == mine_left else 0 for n in board]
    assert Position.from_board(kept).outcome == oracle.outcome(tuple(kept)) != 0


def test_the_opening():
    position = Position.starting()
    assert position.board.tolist() == START
    assert position.position_id == "4HPwATDgc/ABMA"
    assert position.pip_counts == (167, 167)
    assert position.flip() == position
    assert repr(position) == "Position.from_position_id('4HPwATDgc/ABMA')"


def test_positions_do_not_change():
    position = Position.starting()
    with pytest.raises(ValueError):
        position.board[0] = 1
    with pytest.raises(AttributeError):
        position.board = position.board
    with pytest.raises(TypeError):
        Position()


def test_every_fault_is_named_at_once():
    board = [3, *[0] * 5, 16, *[0] * 18, -1]
    with pytest.raises(PositionError) as caught:
        Position.from_board(board)
    assert len(caught.value.faults) == 4
    for words in (
        "slot 6 holds 16",
        "19 checkers",
        "slot 25 is the bar of the side to move",
        "slot 0 is the opponent's bar",
    ):
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ([0] * 26, "neither side has a checker"),
        ([0, 80, *[0] * 24], "slot 1 holds 80"),
        (START[:25], "not 25"),
        ([0.5] * 26, "whole numbers"),
        (None, "whole numbers"),
        (7, "whole numbers"),
        ("x" * 26, "whole numbers"),
        ([-1, *[2] * 6, *[0] * 12, *[-2] * 6, 1], "both sides are on the bar against a closed home board"),
        ([0, 300, *[0] * 24], "slot 1 holds 300"),
    ],
)
def test_illegal_boards(board, words):
    with pytest.raises(PositionError, match=words):
        Position.from_board(board)


def test_numpy_boards_are_read():
    assert (
        Position.from_board(np.array(START))
        == Position.from_board(np.array(START, dtype=np.int8))
        == Position.starting()
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4HPwATDgc/ABM", "14 characters, not 13"),
        ("4HPwATDgc/ABMA==", "14 characters, not 16"),
        ("4HPwATDgc!ABMA", "only letters"),
        ("4HPwATDgc/ABMB", "bits beyond"),
        ("//////////////", "bits"),
        ("", "14 characters, not 0"),
        ("éHPwATDgc/ABMA", "only letters"),
    ],
)
def test_bad_position_ids(text, words):
    with pytest.raises(NotationError, match=words):
        Position.from_position_id(text)


def test_shared_points_are_refused():
    with pytest.raises(PositionError, match="both sides have checkers on point 6"):
        Position.from_key(key_of(mine={6: 1}, theirs={19: 1}))


def key_of(mine, theirs):
    """A position key from checkers by point, each side counting from its own ace point."""
    bits, at = 0, 0
    for side in (theirs, mine):
        for point in range(1, 26):
            for _ in range(side.get(point, 0)):
                bits |= 1 << at
                at += 1
            at += 1
    return bits.to_bytes(11, "little")[:10]


@given(st.binary(min_size=10, max_size=10))
def test_any_ten_bytes_are_a_position_or_refused(key):
    try:
        position = Position.from_key(key)
    except BgcoreError:
        return
    assert position.key == key


@given(st.text(max_size=20))
def test_any_text_is_a_position_or_refused(text):
    try:
        position = Position.from_position_id(text)
    except BgcoreError:
        return
    assert position.position_id == text.strip()


@given(st.lists(st.integers(-200, 200), min_size=20, max_size=30))
def test_any_list_is_a_position_or_refused(board):
    try:
        position = Position.from_board(board)
    except PositionError:
        return
    assert position.board.tolist() == board
