"""One number for what bgcore answers: a commit leaves it, or changes it on purpose.

``tests/signature/signature.json`` holds a number for each part, over the fixed corpus beside it. After a change that is
meant to change answers, renew it and name the change in CHANGELOG.md::

    python tests/test_signature.py > signature.json && mv signature.json tests/signature/

Everything that needs a network is asked with stand-in weights made from a counter, so that new weights change the
part ``weights`` alone. All numbers are compared to the last bit, and are the same on every machine.
"""

import hashlib
import json
import struct
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest

import bgcore
from bgcore import bearoff, job, met
from bgcore._core import Network, chosen_play
from bgcore.adjudication import adjudicate
from bgcore.cube import cube_action
from bgcore.errors import UnsupportedError
from bgcore.evaluate import Evaluator
from bgcore.rollout import rollout
from bgcore.rules import Cube, MatchScore, Rules
from bgcore.stakes import Stakes

FOLDER = Path(__file__).parent / "signature"
WEIGHTS = Path(bgcore.__file__).parent / "data" / "weights.bin"
ROLLS = list(combinations_with_replacement(range(1, 7), 2))
WORTH = (1.0, 2.0, 3.0, -1.0, -2.0, -3.0)
KEEP = struct.pack("<16i", 4, 12, 1 << 20, *[0] * 13)  # how many plays the filter leaves, the last field of the weights
HEADER = 16 + 5 * 4 + 32


@cache
def corpus():
    lines = (FOLDER / "positions.txt").read_text("utf-8").splitlines()
    return [bgcore.Position.from_position_id(line) for line in lines if not line.startswith("#")]


@cache
def stand_in():
    """An evaluator of the shipped shape whose weights are small numbers from numpy's Philox."""
    shipped = WEIGHTS.read_bytes()
    size = len(shipped) - HEADER
    stream = np.random.Philox(key=1).random_raw(size // 2)
    body = (stream % np.uint64(129) - np.uint64(64)).astype("<i2").tobytes()
    body = body[:-64] + KEEP
    return Evaluator(Network.from_bytes(shipped[: HEADER - 32] + hashlib.sha256(body).digest() + body, "stand-in"))


def number(*parts):
    """16 hexadecimal digits of the SHA-256 over texts, arrays and floats, each to its last bit."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            part = np.ascontiguousarray(part).astype(part.dtype.newbyteorder("<")).tobytes()
        elif isinstance(part, float):
            part = struct.pack("<d", part)
        elif not isinstance(part, bytes):
            part = str(part).encode()
        digest.update(struct.pack("<q", len(part)) + part)
    return digest.hexdigest()[:16]


def boards():
    return np.array([position.board for position in corpus()], dtype=np.int8)


def plays():
    """Every result of every roll, in order, and how the plays are written."""
    dice = np.tile(np.array(ROLLS, dtype=np.int8), (len(corpus()), 1))
    batch = bgcore.legal_plays_batch(np.repeat(boards(), len(ROLLS), axis=0), dice)
    written = [str(play) for position in corpus()[:40] for roll in ROLLS for play in bgcore.legal_plays(position, roll)]
    return number(batch.results, batch.offsets, *written)


def identifiers():
    positions = corpus()
    return number(*(text for p in positions for text in (p.position_id, p.key, bgcore.format_xgid(p))))


def arithmetic():
    """The network's kernels and its choices of plays, whatever the weights."""
    network = stand_in().network
    chosen = [chosen_play(network, p, *roll, WORTH) for p in corpus()[:60] for roll in ROLLS[::4]]
    return number(stand_in().evaluate_batch(boards()), *(repr(answer) for answer in chosen))


def weights():
    """The shipped weights: their digest and what they say of the corpus."""
    return number(Evaluator.default().digest, bgcore.evaluate_batch(boards()))


def match_equities():
    table = met.default()
    return number(table.digest, *(table.mwc(mine, theirs) for mine in range(1, 26) for theirs in range(1, 26)))


def stakes():
    return {
        "money": Stakes.money(rules=Rules(jacoby=True, beavers=True, cube_limit=None)),
        "capped": Stakes.money(Cube(2, "mine"), cap=Fraction(6)),
        "match": Stakes.match(Cube(), None, MatchScore(7, 3, 2), met.default()),
    }


def cube():
    answers = []
    for game in stakes().values():
        for position in corpus():
            found = cube_action(position, None, game, evaluator=stand_in())
            answers += [found.action, float(found.no_double), float(found.double_take), float(found.double_pass)]
    return number(*answers)


def endings():
    """Both bear-off tables, and the exact solver."""
    tables = bearoff.default()
    answers = []
    for position in corpus():
        try:
            found = tables.one_sided(position)
            answers += [found.mine.all_off.mean, *found.outcomes]
            answers += tables.two.entry(position)
            answers += [bearoff.solve(position, game).value for game in stakes().values()]
        except UnsupportedError:  # contact, or more checkers than the table has
            continue
    assert len(answers) > 100
    return number(*map(repr, answers))


def trials():
    """The dice, the loop of a trial and the sums, played by the stand-in."""
    answers = []
    settings = job.RolloutSettings(trials=36, seed=20, truncation=12)
    job._trials.cache_clear()
    with mock.patch.object(job, "Network", SimpleNamespace(default=lambda: stand_in().network)):
        for position in corpus()[::50]:
            for game in (None, *stakes().values()):
                found = rollout(position, settings=settings, stakes=game, workers=1)
                answers += [found.mean(name) for name in job.COLUMNS] + [found.error(name) for name in job.COLUMNS]
    for position in [p for p in corpus() if p.is_race and min(p.off) > 4][:8]:  # trials that end in exact tables
        for game in stakes().values():
            found = rollout(position, settings=job.RolloutSettings(trials=36, seed=20), stakes=game, workers=1)
            answers += [found.value, found.value_std_error]
    job._trials.cache_clear()
    return number(*answers)


def verdicts():
    """Cases that are proved or worked out exactly, so that no network speaks."""
    answers = []
    for white, black, value, owner in (
        ({"6": 1}, {"1": 1}, 2, "black"),
        ({"6": 1}, {"1": 1}, 2, "white"),
        ({"5": 1, "2": 1}, {"1": 2}, 1, "centre"),
        ({"1": 2}, {"1": 2, "2": 13}, 4, "white"),
        ({"6": 2, "4": 2}, {"6": 1, "3": 3}, 1, "centre"),
    ):
        away = {"white": {"away": False}, "black": {"away": True, "seconds": 200}, "cause": "player"}
        money = {"currency": "EUR", "minor_digits": 2, "stake": "5.00", "limit": None, "rake": "0.05"}
        board = {
            name: {"points": points, "bar": 0, "off": 15 - sum(points.values())}
            for name, points in (("white", white), ("black", black))
        }
        record = {
            "schema": "bgcore.adjudication/1",
            "mode": "money",
            "board": board,
            "on_roll": "white",
            "dice": None,
            "cube": {"value": value, "owner": owner, "limit": 64},
            "pending": None,
            "rules": {"jacoby": False, "beavers": False, "gammon_rule": "standard"},
            "absence": away,
            "money": money,
        }
        document = adjudicate(record).to_dict()
        kept = {name: document[name] for name in ("status", "equity_points_white", "transfer", "payouts")}
        answers.append(json.dumps(kept, sort_keys=True))
    return number(*answers)


PARTS = {
    part.__name__: part
    for part in (plays, identifiers, arithmetic, weights, match_equities, cube, endings, trials, verdicts)
}


@pytest.mark.parametrize("name", PARTS)
def test_answers_are_the_ones_signed(name):
    signed = json.loads((FOLDER / "signature.json").read_text("utf-8"))
    assert set(signed) == set(PARTS)
    assert PARTS[name]() == signed[name], f"the answers of {name!r} changed; see the head of {Path(__file__).name}"


if __name__ == "__main__":
    print(json.dumps({name: part() for name, part in PARTS.items()}, indent=2))
