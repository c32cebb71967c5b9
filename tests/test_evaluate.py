"""Evaluation by the public names: shapes, properties of the answers, refusals."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

import bgcore
from bgcore._core import Network, chosen_play, outcomes
from bgcore.errors import ArgumentError, PositionError, RulesError
from bgcore.evaluate import Evaluator, evaluate, evaluate_batch
from tests.strategies import boards, seeded_boards

WIN = np.array([2, 1, 1, -1, -1])


@given(boards)
@settings(max_examples=300)
def test_chances_are_chances(board):
    position = bgcore.Position.from_board(board)
    p = evaluate(position)
    assert 0 <= p.win_backgammon <= p.win_gammon <= p.win <= 1 + 1e-9
    assert 0 <= p.lose_backgammon <= p.lose_gammon <= 1 - p.win + 1e-9
    assert -3 <= p.equity <= 3
    mine, theirs = position.off
    if mine:
        assert p.lose_gammon == 0
    if theirs:
        assert p.win_gammon == 0
    if position.outcome:
        assert p.equity == pytest.approx(position.outcome)
        assert p.basis == "finished"


@given(boards)
def test_six_outcomes_sum_to_one(board):
    six = outcomes(Network.default(), bgcore.Position.from_board(board))
    assert min(six) >= 0
    assert sum(six) == pytest.approx(1, abs=1e-12)


@given(boards)
def test_both_sides_alike(board):
    """A board that is its own mirror has one value whoever looks."""
    half = [count if count > 0 and board[25 - slot] <= 0 else 0 for slot, count in enumerate(board)]
    assume(any(half))
    position = bgcore.Position.from_board([mine - theirs for mine, theirs in zip(half, half[::-1], strict=True)])
    assert position.flip() == position
    assert evaluate(position.flip()) == evaluate(position)


def test_the_roll_is_worth_something_in_a_race():
    """Of two equal sides the one to roll is ahead; the network may err where checkers are stacked far from home."""
    random, rows = np.random.default_rng(8), []
    while len(rows) < 2000:
        half = np.bincount(
            random.choice(random.choice(12, random.integers(3, 10), replace=False) + 1, 15), minlength=26
        )
        if half.max() <= 5:
            rows.append(half - half[::-1])
    win = evaluate_batch(np.array(rows, dtype=np.int8))[:, 0]
    assert np.mean(win <= 0.5) < 0.02
    assert win.min() > 0.35


@given(boards)
def test_one_and_many_agree(board):
    position = bgcore.Position.from_board(board)
    batch = evaluate_batch([board])
    assert batch.shape == (1, 5)
    assert batch.dtype == np.float32
    assert batch[0].tolist() == [np.float32(x) for x in evaluate(position).as_tuple()]


@given(boards)
def test_flip_is_the_other_side(board):
    p = evaluate(bgcore.Position.from_board(board))
    assert p.flip().equity == pytest.approx(-p.equity)
    assert p.flip().flip().as_tuple() == pytest.approx(p.as_tuple())


def test_the_opening():
    p = evaluate(bgcore.Position.starting())
    assert 0.5 < p.win < 0.56
    assert 0 < p.equity < 0.12
    deeper = evaluate(bgcore.Position.starting(), plies=1)
    assert deeper.equity == pytest.approx(p.equity, abs=0.05)


def test_numbers_of_threads_change_nothing():
    random = np.random.default_rng(1)
    position, rows = bgcore.Position.starting(), []
    while len(rows) < 500:
        plays = bgcore.legal_plays(position, random.integers(1, 7, 2).tolist())
        if plays:
            position = plays[random.integers(len(plays))].result
        position = position.flip()
        rows.append(position.board)
        if position.outcome:
            position = bgcore.Position.starting()
    one = evaluate_batch(np.array(rows))
    for workers in (2, 7):
        assert (evaluate_batch(np.array(rows), workers=workers) == one).all()


def test_empty_and_wide_inputs():
    assert evaluate_batch(np.zeros((0, 26), dtype=np.int8)).shape == (0, 5)
    wide = np.array([bgcore.Position.starting().board], dtype=np.int64)
    assert (evaluate_batch(wide) == evaluate_batch(wide.astype(np.int8))).all()


def test_refusals():
    board = bgcore.Position.starting().board.tolist()
    bad = [0, 9, *board[2:]]
    with pytest.raises(PositionError, match="board 1 is illegal"):
        evaluate_batch([board, bad])
    with pytest.raises(PositionError, match=r"\(n, 26\)"):
        evaluate_batch(board)
    with pytest.raises(RulesError, match="plies"):
        evaluate(bgcore.Position.starting(), plies=9)
    with pytest.raises(RulesError, match="workers"):
        evaluate_batch([board], workers=0)


def test_evaluator_names_its_weights():
    assert len(Evaluator.default().digest) == 64


@pytest.mark.parametrize(
    ("mine", "theirs", "basis"),
    [((1, 1), (1, 1), "two-sided table"), ((2, 9), (6, 6), "one-sided table"), ((7, 2), (6, 2), "network")],
)
def test_the_basis_is_stated(mine, theirs, basis):
    """Tables first, the network where they end; one answer for single positions and batches."""
    board = [0] * 26
    board[mine[0]] = mine[1]
    board[25 - theirs[0]] = -theirs[1]
    p = evaluate(bgcore.Position.from_board(board))
    assert p.basis == basis
    assert evaluate_batch([board])[0].tolist() == [np.float32(x) for x in p.as_tuple()]


def test_two_checkers_each_on_the_ace_point():
    board = [0, 2, *[0] * 22, -2, 0]
    assert evaluate(bgcore.Position.from_board(board)).win == 1


def test_values_do_not_jump_from_roll_to_roll():
    """The value of a position is near the mean over its 21 rolls, all through games of the network against itself."""
    random, position, jumps = np.random.default_rng(5), bgcore.Position.starting(), []
    while len(jumps) < 400:
        roll = random.integers(1, 7, 2).tolist()
        position = chosen_play(Network.default(), position, *roll, (1, 2, 3, -1, -2, -3))[0].flip()
        if position.outcome:
            position = bgcore.Position.starting()
        jumps.append(abs(evaluate(position, plies=1).equity - evaluate(position).equity))
    assert np.mean(jumps) < 0.03
    assert np.quantile(jumps, 0.99) < 0.15


def test_values_do_not_jump_where_tables_begin():
    """One checker outside home, in a race: the network answers, and tables answer after nearly every roll."""
    random, jumps = np.random.default_rng(6), []
    for _ in range(300):
        board = np.bincount([7, *random.integers(1, 7, random.integers(1, 15))], minlength=26)
        board -= np.bincount(random.integers(19, 25, random.integers(1, 16)), minlength=26)
        position = bgcore.Position.from_board(board.tolist())
        assert evaluate(position).basis == "network"
        jumps.append(evaluate(position, plies=1).equity - evaluate(position).equity)
    assert abs(np.mean(jumps)) < 0.03
    assert np.mean(np.abs(jumps)) < 0.05


def fewer(boards, seed):
    """The same boards with one of my checkers borne off, and which boards have one to bear off in a race."""
    random = np.random.default_rng(seed)
    after, fit = boards.copy(), np.zeros(len(boards), dtype=bool)
    for index, row in enumerate(after):
        home = np.nonzero(row[1:7] > 0)[0] + 1
        is_race = (row < 0).any() and (row > 0).any() and (row > 0).nonzero()[0][-1] < (row < 0).nonzero()[0][0]
        if is_race and (row[7:] <= 0).all() and row[row > 0].sum() > 1:
            row[random.choice(home)] -= 1
            fit[index] = True
    return after, fit


def test_a_checker_off_never_hurts_in_a_race():
    """Exactly so where tables answer; the network may err by a little where the opponent is not home yet."""
    before = np.array(seeded_boards(20_000, seed=3), dtype=np.int8)
    after, fit = fewer(before, seed=4)
    at_home = (before[:, :19] >= 0).all(1)
    gain = (evaluate_batch(after[fit]) @ WIN) - (evaluate_batch(before[fit]) @ WIN)
    assert fit.sum() > 1000
    assert gain[at_home[fit]].min() > -1e-5
    assert np.quantile(gain[~at_home[fit]], 0.01) > -0.08


def test_a_network_without_weights_is_refused():
    with pytest.raises(ArgumentError, match="holds no weights"):
        bgcore.Evaluator(Network.__new__(Network))
