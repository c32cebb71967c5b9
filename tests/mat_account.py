"""What a reader of match files has to account for: every line, and the same games after writing and reading again."""

import re

from bgcore.codecs.lines import Lines
from bgcore.codecs.mat import format_mat, read_mat
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
LENGTH = re.compile(r"\s*(\d{1,5}[\s-]+points?\s+match\b|unlimited|money)", re.IGNORECASE)


def untold(source, matches):
    """Numbers of the lines of a text, or of the bytes of a file, that no match accounts for."""
    told, headers = set(), set()
    starts = {game.line for match in matches for game in match.games}
    for match in matches:
        headers |= {value for _, value in match.headers}
        told |= {line for line, _ in match.comments} | {item.line for item in match.irregularities}
        for game in match.games:
            told |= {action.line for action in game.actions}
            told |= {game.result.line} if game.result else set()
    left, awaits_names = [], False
    for number, line in enumerate(Lines(source), 1):
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


def rewritten(match):
    """Write a match and read it again: turns, names, scores and standing are the same; returns whether that can be."""
    if any(item.code in ("after-the-end", "second-result") for item in match.irregularities):
        return False  # written in another order, since results come last
    if any(":" in name for game in match.games for name in game.names):
        return False  # may be read back as a score
    if any(isinstance(action, Unread) for game in match.games for action in game.actions):
        return False
    try:
        again = read_mat(format_mat(match), strict=False)
    except BgcoreError as error:
        raise AssertionError(f"what was written is refused: {error}") from error
    for one, other in zip(match.games, again.games, strict=True):
        turns = [[(turn.dice, turn.kind, turn.before, turn.after) for turn in game.turns] for game in (one, other)]
        assert turns[0] == turns[1]
        assert (one.names, one.score, one.standing.position) == (other.names, other.score, other.standing.position)
        assert (one.result is None) == (other.result is None)
    return True
