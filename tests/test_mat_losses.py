"""Whatever a match file holds, the reader refuses it with a reason or accounts for every line.

Damaged records come from a sound one by small changes to its lines and bytes; reading them must be repeatable through
writing as well.
"""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from bgcore.codecs.mat import format_mat, iter_mat, read_mat
from bgcore.codecs.match import Unread
from bgcore.errors import BgcoreError

SOUND = """; [Site "nowhere"]
; [Player 1 "anna"]
; [Player 2 "ben, the second"]
; [Crawford "On"]
; a remark

 3 point match

 Game 1
 anna : 0                        ben, the second : 0
  1) 31: 8/5 6/5                  64: 24/14
  2) 65: 24/13                    51: 13/8 6/5
  3)  Doubles => 2                Takes
  4) 42: 8/4 6/4                  66: 13/7(2) 8/2(2)
  5) 11: 6/4(2)                   43: ????
      Wins 2 points

 Game 2
 anna : 2                        ben, the second : 0
  1)                              21: 13/11 6/5
  2) 66: 24/18(2) 13/7(2)         Resigned Game
                                  Wins 1 point

 Game 3
 anna : 2                        ben, the second : 1
  1) 52: 13/8 24/22               55: 8/3(2) 6/1*(2)
  2) 66:                          Doubles => 2
  3) Drops                        Wins 1 point
  4)
"""
WORDS = ["Takes", "Drops", "Doubles => 2", "Wins 1 point", "31: 8/5 6/5", "66:", "????", "Beavers", "Game 4", ";", ":"]
LENGTH = re.compile(r"\s*(\d{1,5}[\s-]+points?\s+match\b|unlimited|money)", re.IGNORECASE)


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


def untold(text, matches):
    """Numbers of the lines that no match accounts for."""
    told, headers = set(), set()
    starts = {game.line for match in matches for game in match.games}
    for match in matches:
        headers |= {value for _, value in match.headers}
        told |= {line for line, _ in match.comments} | {item.line for item in match.irregularities}
        for game in match.games:
            told |= {action.line for action in game.actions}
            told |= {game.result.line} if game.result else set()
    left, awaits_names = [], False
    for number, line in enumerate(text.splitlines(), 1):
        body = line.strip()
        if number in starts:
            awaits_names = True
        elif not body or number in told or re.fullmatch(r"\d+\)", body) or LENGTH.match(line):
            pass
        elif body.startswith(";"):
            if not any(value in body for value in headers):
                left.append(number)
        elif awaits_names:
            awaits_names = False
        else:
            left.append(number)
    return left


def check(text):
    try:
        matches = list(iter_mat(text, strict=False))
    except BgcoreError:
        return False
    assert untold(text, matches) == []
    for match in matches:
        if any(item.code in ("after-the-end", "second-result") for item in match.irregularities):
            continue  # written in another order, since results come last
        if any(":" in name for game in match.games for name in game.names):
            continue  # may be read back as a score
        if any(isinstance(action, Unread) for game in match.games for action in game.actions):
            continue
        again = read_mat(format_mat(match), strict=False)
        for one, other in zip(match.games, again.games, strict=True):
            turns = [[(turn.dice, turn.kind, turn.before, turn.after) for turn in game.turns] for game in (one, other)]
            assert turns[0] == turns[1]
            assert (one.names, one.score, one.standing.position) == (other.names, other.score, other.standing.position)
            assert (one.result is None) == (other.result is None)
    return True


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
