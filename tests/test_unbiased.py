"""Variance reduction and splitting change no mean: a z-test over positions of all kinds, not a look at a few.

``BGCORE_UNBIASED=200`` asks more positions than the default.
"""

import os
from math import hypot, sqrt

import pytest

from bgcore import Position, RolloutSettings, Stakes, rank_plays, rollout
from bgcore._core import rolls
from bgcore.rules import Rules

NUMBER = int(os.environ.get("BGCORE_UNBIASED", "16"))
MONEY = Stakes.money(rules=Rules(cube_limit=None))


def positions(number):
    """Positions from the 3rd to the 62nd roll of games between good players."""
    found, game = [], 0
    while len(found) < number:
        position = Position.starting()
        for die1, die2 in rolls(2026, game, 1, 3 + game * 7 % 60)[0].tolist():
            if position.outcome:
                break
            ranked = rank_plays(position, (die1, die2))
            position = (ranked[0].play.result if ranked else position).flip()
        if not position.outcome:
            found.append(position)
        game += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("stakes", [None, MONEY], ids=["cubeless", "cubeful"])
def test_reduced_and_plain_means_agree(stakes, record_property):
    total = squares = 0.0
    for number, position in enumerate(positions(NUMBER)):
        reduced = rollout(position, stakes=stakes, settings=RolloutSettings(trials=144, seed=1000 + number))
        plain = rollout(
            position,
            stakes=stakes,
            settings=RolloutSettings(trials=648, seed=5000 + number, variance_reduction=False, splits=0),
        )
        error = hypot(reduced.value_std_error, plain.value_std_error)
        z = (reduced.value - plain.value) / error if error > 1e-9 else 0.0
        total += z
        squares += z * z
    record_property("sum of z squared", squares)
    record_property("mean z", total / NUMBER)
    assert squares < NUMBER + 4 * sqrt(2 * NUMBER)
    assert abs(total) / NUMBER < 4 / sqrt(NUMBER)
