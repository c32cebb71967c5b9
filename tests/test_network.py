"""The network and its file: refusals, exact answers, ties, look-ahead."""

import hashlib
import pickle
import struct
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore._core import Network, Position, chosen_play, legal_plays, looked_ahead, outcomes
from bgcore.errors import DataError, RulesError
from bgcore.evaluate import Evaluator

MONEY = (1, 2, 3, -1, -2, -3)
WEIGHTS = (files("bgcore") / "data" / "weights.bin").read_bytes()
HEADER = 68


@pytest.fixture(scope="module")
def network():
    return Network.default()


def test_digest_is_that_of_the_weights(network):
    assert network.digest == hashlib.sha256(WEIGHTS[HEADER:]).hexdigest()
    assert len(WEIGHTS) <= 8 << 20


def test_networks_pickle(network, monkeypatch):
    written = pickle.dumps(network)
    assert len(written) < 200  # by digest: a worker has its own
    assert pickle.loads(written) is network
    with pytest.raises(DataError, match="are wanted"):
        pickle.loads(written.replace(network.digest.encode(), b"0" * 64))
    own = Network.from_bytes(WEIGHTS)
    again = pickle.loads(pickle.dumps(own))
    assert (again, hash(again), again.digest) == (own, hash(own), own.digest)
    assert outcomes(again, Position.starting()) == outcomes(network, Position.starting())
    assert pickle.loads(pickle.dumps(Evaluator(own))) == Evaluator.default()
    assert network != network.digest


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory in use from /proc")
def test_a_refused_utility_leaks_nothing(network):
    def pages():
        return int(Path("/proc/self/statm").read_text().split()[1])

    def refused():
        for utility in (("1", 2, 3, -1, -2, None), (1, 2)):
            with pytest.raises((TypeError, RulesError)):
                chosen_play(network, Position.starting(), 3, 1, utility)

    refused()
    before = pages()
    for _ in range(300):
        refused()
    assert pages() - before < 1000  # 4 MB; the workspaces of these calls take over 50


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a bgcore weights file"),
        (b"PK\x03\x04" + WEIGHTS[4:], "not a bgcore weights file"),
        (WEIGHTS[:16] + struct.pack("<I", 99) + WEIGHTS[20:], "version 99"),
        (WEIGHTS[:20] + struct.pack("<I", 7) + WEIGHTS[24:], "another shape"),
        (WEIGHTS[:-1], "cut short"),
        (WEIGHTS[:1000], "cut short"),
        (WEIGHTS + b"\0", "too long"),
        (WEIGHTS[:-1] + bytes([WEIGHTS[-1] ^ 1]), "damaged"),
        (WEIGHTS[:40] + bytes([WEIGHTS[40] ^ 1]) + WEIGHTS[41:], "damaged"),
    ],
)
def test_bad_files_are_refused_by_name(data, message):
    with pytest.raises(DataError, match=message) as caught:
        Network.from_bytes(data, "my.bin")
    assert "my.bin" in str(caught.value)


@given(st.integers(0, len(WEIGHTS) - 1), st.integers(1, 255))
def test_any_changed_byte_is_noticed(at, change):
    with pytest.raises(DataError):
        Network.from_bytes(WEIGHTS[:at] + bytes([WEIGHTS[at] ^ change]) + WEIGHTS[at + 1 :])


def worth_of_plays(network, position, dice):
    """The worth of every play of a roll to the mover, by its result."""
    values = {}
    for play in legal_plays(position, dice):
        if play.result.outcome:
            values[play.result] = float(play.result.outcome)
        else:
            theirs = outcomes(network, play.result.flip())
            values[play.result] = -sum(worth * p for worth, p in zip(MONEY, theirs, strict=True))
    return values


def test_best_play_loses_next_to_nothing_to_the_filter(network):
    """The filter may hide the best play from the network, rarely and at little cost."""
    random = np.random.default_rng(1)
    position, lost, rolls = Position.starting(), 0.0, 0
    while rolls < 400:
        dice = tuple(random.integers(1, 7, 2).tolist())
        result, six, count = chosen_play(network, position, *dice, MONEY)
        values = worth_of_plays(network, position, dice)
        assert count == len(values)
        if values:
            worth = sum(worth * p for worth, p in zip(MONEY, six, strict=True))
            assert worth == pytest.approx(values[result], abs=1e-12)
            lost += max(values.values()) - values[result]
            rolls += 1
        else:
            assert result == position
        position = Position.starting() if result.outcome else result.flip()
    assert lost / rolls < 0.001


def test_few_plays_are_all_evaluated(network):
    position = Position.from_board([0, 0, 0, 0, 0, 1, 1, *[0] * 12, -2, -2, -2, -2, -2, -2, 0])
    values = worth_of_plays(network, position, (2, 1))
    assert 1 < len(values) <= 5
    assert values[chosen_play(network, position, 2, 1, MONEY)[0]] == max(values.values())


def test_shared_sums_change_nothing(network):
    """A play found through the parent's row sum has the value of the same board worked out from nothing."""
    position = Position.starting()
    for dice in [(a, b) for a in range(1, 7) for b in range(1, a + 1)] * 3:
        result, six, _ = chosen_play(network, position, *dice, MONEY)
        position = result.flip()
        if position.outcome:
            break
        theirs = outcomes(network, position)
        assert six == (*theirs[3:], *theirs[:3])


def test_look_ahead_averages_the_rolls(network):
    position = Position.from_board([0, 0, 3, 2, 0, 3, 2, 0, 0, 0, 0, 0, -3, 2, 0, 0, 0, -1, -4, -3, -3, 2, 1, 0, -1, 0])
    total = [0.0] * 6
    for a in range(1, 7):
        for b in range(1, a + 1):
            _, six, _ = chosen_play(network, position, a, b, MONEY)
            total = [t + (1 if a == b else 2) * p for t, p in zip(total, six, strict=True)]
    assert looked_ahead(network, [position], 1)[0] == pytest.approx([t / 36 for t in total])
