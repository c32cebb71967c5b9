"""Variance reduction and splitting change no mean, and truncation by no more than it says: z-tests over positions.

``BGCORE_UNBIASED=200`` asks more positions than the default.
"""

import os
from math import hypot, sqrt

import pytest

from bgcore import Position, RolloutSettings, Stakes, met, rank_plays, rollout
from bgcore._core import rolls
from bgcore.job import make_job
from bgcore.rules import Cube, MatchScore, Rules

NUMBER = int(os.environ.get("BGCORE_UNBIASED", "16"))
MONEY = Stakes.money(rules=Rules(cube_limit=None))
MATCH = Stakes.match(Cube(), None, MatchScore(7, 2, 4), met.default())


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
@pytest.mark.parametrize("stakes", [None, MONEY, MATCH], ids=["cubeless", "cubeful", "match"])
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
    record_property("sum of z squared", float(squares))
    record_property("mean z", float(total) / NUMBER)
    assert squares < NUMBER + 4 * sqrt(2 * NUMBER)
    assert abs(total) / NUMBER < 4 / sqrt(NUMBER)


@pytest.mark.slow
@pytest.mark.parametrize("stakes", [None, MONEY], ids=["cubeless", "cubeful"])
def test_truncation_moves_the_mean_by_what_it_says(stakes, record_property):
    """The same trials cut after 7 plies and played out, against the error of their difference and the model error."""
    total = squares = 0.0
    for number, position in enumerate(positions(NUMBER)):
        jobs = [
            make_job(position, stakes=stakes, settings=RolloutSettings(trials=144, seed=number, truncation=cut))
            for cut in (7, "table")
        ]
        apart = jobs[0].run_rows(0, 144)[:, -1] - jobs[1].run_rows(0, 144)[:, -1]
        stated = jobs[0].settings.model_error(with_cube=stakes is not None)
        z = apart.mean() / hypot(apart.std(ddof=1) / 12, stated)
        total += z
        squares += z * z
    record_property("sum of z squared", float(squares))
    record_property("mean z", float(total) / NUMBER)
    assert squares < NUMBER + 4 * sqrt(2 * NUMBER)
    assert abs(total) / NUMBER < 4 / sqrt(NUMBER)
