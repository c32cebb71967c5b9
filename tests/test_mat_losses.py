"""Whatever a match file holds, the reader refuses it with a reason or accounts for every line.

Damaged records come from a sound one by small changes to its lines and bytes; reading them must be repeatable through
writing as well.
"""

import random

from hypothesis import given
from hypothesis import strategies as st

from bgcore.codecs.mat import iter_mat, read_mat
from bgcore.errors import BgcoreError
from mat_account import SOUND, rewritten, untold

WORDS = ["Takes", "Drops", "Doubles => 2", "Wins 1 point", "31: 8/5 6/5", "66:", "????", "Beavers", "Game 4", ";", ":"]


def damaged(rng):
    """Change a few lines or letters of the sound record."""
    lines = SOUND.splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        kind = rng.randrange(8)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 2:
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        elif kind == 3:
            place = rng.randint(0, len(lines[at]))
            lines[at] = lines[at][:place] + rng.choice(WORDS) + lines[at][place:]
        elif kind == 4 and lines[at]:
            place = rng.randrange(len(lines[at]))
            letter = rng.choice(" */0169aé")
            lines[at] = lines[at][:place] + letter + lines[at][place + 1 :]
        elif kind == 5:
            lines[at] = lines[at][: rng.randint(0, len(lines[at]))]
        elif kind == 6:
            lines[at] = lines[at][rng.randint(0, len(lines[at])) :]
        else:
            lines[at] = " " * rng.randint(0, 40) + rng.choice(WORDS)
        if not lines:
            lines = [""]
    return "\n".join(lines) + "\n"


def check(text):
    try:
        matches = list(iter_mat(text, strict=False))
    except BgcoreError:
        return
    assert untold(text, matches) == []
    for match in matches:
        rewritten(match)


def test_the_sound_record():
    match = read_mat(SOUND)
    assert untold(SOUND, [match]) == []
    assert [game.is_crawford for game in match.games] == [False, True, False]
    assert match.irregularities == ()


@given(st.integers(0, 2**32 - 1))
def test_damaged_records(seed):
    check(damaged(random.Random(seed)))


@given(st.text('0123456789:/()* \n;[]"abcDdropsTakesWinsGamepointmatch', max_size=300))
def test_any_text(text):
    check(" 5 point match\n Game 1\n a : 0  b : 0\n" + text + "\n")
