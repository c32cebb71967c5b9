"""Dice: numpy's Philox as oracle, uniformity, the stratified deal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore._core import philox, rolls
from bgcore.errors import RulesError

WORD = st.integers(0, 2**64 - 1)


@given(st.tuples(WORD, WORD), st.tuples(WORD, WORD, WORD, WORD))
def test_philox_equals_numpy(key, counter):
    number = sum(word << 64 * i for i, word in enumerate(counter))
    generator = np.random.Philox(key=sum(word << 64 * i for i, word in enumerate(key)), counter=(number - 1) % 2**256)
    assert philox(key, counter) == tuple(int(word) for word in generator.random_raw(4))


def codes(array):
    return (array[..., 0].astype(int) - 1) * 6 + array[..., 1] - 1


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_all_pairs_of_the_first_four_rolls_once_in_a_deal(seed):
    deal = codes(rolls(seed, 1296 * 3, 1296, 4))
    for a in range(4):
        for b in range(a):
            assert len(set(zip(deal[:, a].tolist(), deal[:, b].tolist(), strict=True))) == 1296
    for run in deal.reshape(36, 36, 4):
        for ply in range(4):
            assert sorted(run[:, ply]) == list(range(36))


def test_opening_rolls_are_the_thirty_without_doubles():
    deal = codes(rolls(5, 0, 1080, 3, as_initial_position=True))
    assert len(set(zip(deal[:, 0].tolist(), deal[:, 1].tolist(), strict=True))) == 1080
    for run in deal.reshape(36, 30, 3):
        assert sorted(run[:, 0]) == [code for code in range(36) if code % 7]
    drawn = codes(rolls(5, 0, 3000, 1, as_initial_position=True, stratified=False))
    assert set(drawn.ravel().tolist()) == {code for code in range(36) if code % 7}


@pytest.mark.parametrize("stratified", [True, False])
def test_faces_and_doubles_are_uniform(stratified):
    n = 360_000
    sample = rolls(11, 0, n // 40, 40, stratified=stratified)
    sigma = (n / 6 * 5 / 6) ** 0.5
    for die in range(2):
        counts = np.bincount(sample[..., die].ravel(), minlength=7)[1:]
        assert np.all(np.abs(counts - n / 6) < 4 * sigma)
    assert abs(np.sum(sample[..., 0] == sample[..., 1]) - n / 6) < 4 * sigma
    pairs = np.bincount(codes(sample).ravel(), minlength=36)
    chi2 = ((pairs - n / 36) ** 2 / (n / 36)).sum()
    assert chi2 < 80  # 35 degrees of freedom, p = 2e-5


def test_a_roll_depends_on_seed_trial_and_ply_alone():
    whole = rolls(3, 0, 4000, 9)
    assert np.array_equal(whole[1290:1400], rolls(3, 1290, 110, 9))
    assert not np.array_equal(whole, rolls(4, 0, 4000, 9))
    assert len({row.tobytes() for row in whole[:, 4:]}) > 3900


def test_bad_numbers_are_refused():
    with pytest.raises(RulesError, match="seed"):
        rolls(-1, 0, 1, 1)
    with pytest.raises(RulesError, match="seed"):
        rolls(2**64, 0, 1, 1)
    with pytest.raises(RulesError, match="plies"):
        rolls(1, -1, 1, 1)
    with pytest.raises(RulesError, match="Philox"):
        philox((1,), (1, 2, 3, 4))
