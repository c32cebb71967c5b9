"""Legal plays against the slow oracle, and what a play says about itself."""

import pickle
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given

import oracle
import strategies
from bgcore import Position, legal_plays, legal_plays_batch, perft
from bgcore._core import format_moves
from bgcore.errors import DiceError, NotationError, PositionError

ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def results_of(board, roll):
    return [tuple(play.result.board.tolist()) for play in legal_plays(Position.from_board(board), roll)]


def checkers(board):
    return sum(n for n in board if n > 0)


@pytest.mark.parametrize("kind", strategies.KINDS)
def test_every_result_exactly_once(kind):
    rng_boards = [
        board
        for i, board in enumerate(strategies.seeded_boards(600, 20261130))
        if i % 6 == strategies.KINDS.index(kind)
    ]
    for board in rng_boards:
        for roll in ROLLS:
            results = results_of(board, roll)
            assert len(results) == len(set(results)), (board, roll)
            assert set(results) == oracle.legal_results(tuple(board), roll), (board, roll)


@given(strategies.boards, strategies.dice)
def test_matches_the_oracle(board, roll):
    assert set(results_of(board, roll)) == oracle.legal_results(tuple(board), roll)


@given(strategies.boards, strategies.dice)
def test_moves_lead_to_the_result(board, roll):
    for play in legal_plays(Position.from_board(board), roll):
        after = tuple(board)
        for start, end, hit in play.moves:
            assert (end > 0 and after[end] == -1) == hit
            candidates = [
                moved
                for die in ({start - end} if end else set(roll))
                for moved in oracle.single_moves(after, die)
                if moved[start] == after[start] - 1 and (end or checkers(moved) == checkers(after) - 1)
            ]
            assert candidates
            after = candidates[0]
        assert after == tuple(play.result.board.tolist())
        assert play.position == Position.from_board(board)
        assert str(play) == format_moves(play.moves) != ""


@given(strategies.boards, strategies.dice)
def test_dice_order_does_not_matter(board, roll):
    position = Position.from_board(board)
    assert legal_plays(position, roll) == legal_plays(position, roll[::-1])


def test_perft_of_the_opening():
    assert [perft(Position.starting(), depth) for depth in (1, 2)] == [447, 202_782]


@pytest.mark.slow
def test_perft_3_of_the_opening():
    assert perft(Position.starting(), 3) == 116_154_993


def test_a_position_with_2225_results():
    board = [-1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0]
    assert len(set(results_of(board, (1, 1)))) == 2225


def test_no_legal_play_is_an_empty_list():
    closed_out = Position.from_board(
        [0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, -2, 1]
    )
    assert all(legal_plays(closed_out, roll) == [] for roll in ROLLS)


def test_a_finished_game_has_no_plays():
    over = Position.from_board([0, 0, 0, 0, 0, 0, 0, 0, -5, *[0] * 17])
    assert over.outcome == 1 and legal_plays(over, (6, 5)) == legal_plays(over.flip(), (6, 5)) == []


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([(24, 18, True), (18, 13, False)], "24/18*/13"),
        ([(24, 18, False), (18, 13, True)], "24/13*"),
        ([(25, 20, False), (25, 20, False)], "bar/20(2)"),
        ([(13, 7, True), (13, 7, False)], "13/7*(2)"),
        ([(6, 0, False), (5, 0, False)], "6/off 5/off"),
        ([(8, 5, False), (6, 5, False)], "8/5 6/5"),
        ([], ""),
    ],
)
def test_notation(moves, text):
    assert format_moves(moves) == text


@pytest.mark.parametrize("roll", [(0, 1), (7, 1), (1,), (1, 2, 3), None, "65x", (1.5, 2), (6, -1)])
def test_bad_dice_are_refused(roll):
    with pytest.raises(DiceError):
        legal_plays(Position.starting(), roll)


def test_batch_equals_one_by_one():
    boards = np.array(strategies.seeded_boards(300, 7), dtype=np.int8)
    rolls = np.array([ROLLS[i % 21] for i in range(300)], dtype=np.int8)
    before = boards.copy()
    batch = legal_plays_batch(boards, rolls)
    assert len(batch) == 300 and batch.offsets[-1] == len(batch.results)
    assert (boards == before).all()
    for i in range(300):
        single = [play.result.board for play in legal_plays(Position.from_board(boards[i]), rolls[i].tolist())]
        assert np.array_equal(batch[i], np.array(single, dtype=np.int8).reshape(-1, 26))


def test_batch_grows_past_its_first_guess():
    crowded = [-1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0]
    batch = legal_plays_batch(np.array([crowded] * 50, dtype=np.int8), (1, 1))
    assert batch.offsets.tolist() == [2225 * i for i in range(51)]


def test_batch_of_nothing():
    batch = legal_plays_batch(np.zeros((0, 26), dtype=np.int8), np.zeros((0, 2), dtype=np.int8))
    assert len(batch) == 0 and batch.results.shape == (0, 26)


def test_batch_names_the_row_that_is_wrong():
    boards = np.array([Position.starting().board] * 3)
    boards[2, 6] = 15
    with pytest.raises(PositionError, match="board 2 is illegal: the side to move has 25 checkers"):
        legal_plays_batch(boards, (6, 5))
    with pytest.raises(DiceError, match="roll 1"):
        legal_plays_batch(boards[:2], [(6, 5), (0, 1)])
    with pytest.raises(PositionError, match="shape"):
        legal_plays_batch(boards[:, :25], (6, 5))
    with pytest.raises(PositionError, match="whole numbers"):
        legal_plays_batch(boards.astype(float), (6, 5))


def test_plays_pickle_and_hash():
    plays = legal_plays(Position.starting(), (6, 1))
    copies = pickle.loads(pickle.dumps(plays))
    assert copies == plays and len({*copies, *plays}) == len(plays)


def test_a_play_that_does_not_exist_cannot_be_restored():
    from bgcore._core.plays import restored_play

    with pytest.raises(NotationError, match="no legal play"):
        restored_play(Position.starting(), (6, 5), Position.starting())
