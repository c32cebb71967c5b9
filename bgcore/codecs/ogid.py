"""OGID, the position string of OpenGammon: ``white:black:cube:dice:actor:state:white:black:length:move[:checkers]``.

1., 2. one character for every checker, in any order: ``0``..``9`` and ``a``..``p`` are slots 0 to 25 as white counts
   them from his bar (0) to black's bar (25); white moves upwards. ``q`` is a checker borne off. Fields may be short
   by checkers borne off.
3. *cube*: owner ``W``, ``B``, ``N`` nobody, ``D`` dead (read as a game without a cube), then the exponent, then the
   last action: ``N`` none, ``O`` offered, ``T`` taken, ``P`` passed.
4. *dice*: empty before the roll, or two digits.
5. *actor*: ``W`` or ``B``, who made the last action. The player to move is the other one; of a double that is
   offered, he himself; and in the state ``IW``, before the first roll, white. Other programs take this field as
   the player to move.
6. *state*: ``IW``, ``IB`` before the first move, ``D`` a double is offered; the rest is not used.
7., 8. *scores*. 9. *length*, 0 for money, then ``C`` in the Crawford game, ``L`` after it, or ``G`` and a number of
   games. 10. number of the move. 11. checkers a side, if not 15: refused, only standard backgammon is supported.

Fields 4 to 11 may be missing from the end. Lost when reading: the move number, whether the last cube action was a
take, the number of games. Lost when writing: Jacoby, beavers, the cube limit, the points of a money session of
which OGID makes match points, gnubg's player number.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal

from bgcore._core import Position
from bgcore.codecs.situation import Situation
from bgcore.errors import BgcoreError, NotationError, UnsupportedError, require
from bgcore.rules import OTHER_OWNER, Cube, MatchScore, Owner, Rules

SLOTS: Final = "0123456789abcdefghijklmnop"
FIELDS: Final = (
    "white's checkers",
    "black's checkers",
    "cube",
    "dice",
    "actor",
    "state",
    "white's score",
    "black's score",
    "length",
    "move number",
    "checkers a side",
)
DEFAULTS: Final = ("", "B", "IW", "0", "0", "0", "0", "15")


def refusal(number: int, reason: str) -> NotationError:
    """Make the error for one field, which it names by number and meaning."""
    return NotationError(f"OGID field {number} ({FIELDS[number - 1]}): {reason}")


def _read_side(text: str, number: int, bar: int) -> list[int]:
    counts = [0] * 26
    if len(text) > 15:
        raise refusal(number, f"at most 15 characters, one a checker, not {len(text)}")
    for letter in text.replace("q", ""):
        slot = SLOTS.find(letter)
        if slot < 0:
            raise refusal(number, f"{letter!r} is no slot: 0 to 9, a to p, or q for a checker borne off")
        if slot in (0, 25) and slot != bar:
            raise refusal(number, f"{letter!r} is the bar of the other player")
        counts[slot] += 1
    return counts


def _read_position(fields: list[str], is_white: bool) -> Position:
    white, black = _read_side(fields[0], 1, 0), _read_side(fields[1], 2, 25)
    for slot in range(1, 25):
        if white[slot] and black[slot]:
            raise refusal(2, f"both players have checkers on slot {SLOTS[slot]!r}")
    # White's board from his own side runs the other way; black counts as the slots do.
    board = [white[25 - slot] - black[25 - slot] for slot in range(26)]
    if not is_white:
        board = [-count for count in reversed(board)]
    try:
        return Position.from_board(board)
    except BgcoreError as error:
        raise refusal(1, str(error)) from None


def _whole(fields: list[str], number: int, high: int) -> int:
    text = fields[number - 1]
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) > high:
        raise refusal(number, f"a whole number from 0 to {high}, not {text[:20]!r}")
    return int(text)


def parse_ogid(text: str) -> Situation:
    """Read an OGID strictly.

    Parameters
    ----------
    text : str
        At least the first three fields; the prefix ``OGID=`` and blanks around it may be missing or there.

    Returns
    -------
    Situation
        Seen by the player to move. ``turn`` is 1 for white, who sits at the bottom of an XGID made from it.

    Raises
    ------
    NotationError, UnsupportedError
        Naming the field that is wrong; the readings that other programs have are listed at the top of this module.
    """
    require(text, str, "an OGID is text")
    body = text.strip()
    if body[:5].upper() in ("OGID=", "OGID:"):
        body = body[5:]
    fields = body.split(":")
    if not 3 <= len(fields) <= 11:
        raise NotationError(f"an OGID has 3 to 11 fields separated by colons, not {len(fields)}: {body[:60]!r}")
    fields += DEFAULTS[len(fields) - 3 :]
    if fields[9] == "":
        fields[9] = "0"
    if fields[10] != "15":
        raise UnsupportedError(f"OGID field 11 ({FIELDS[10]}): 15 checkers a side are supported, not {fields[10]!r}")
    if fields[4] not in ("W", "B"):
        raise refusal(5, f"W or B, the player who acted last, not {fields[4][:20]!r}")
    if not re.fullmatch(r"[A-Z]{0,2}", fields[5]):
        raise refusal(6, f"up to two capital letters, not {fields[5][:20]!r}")
    cube = re.fullmatch(r"([WBND])([0-9]{1,2})([NOTP])", fields[2])
    if cube is None or int(cube[2]) > 30:
        raise refusal(3, f"an owner W, B, N or D, an exponent and an action N, O, T or P, not {fields[2][:20]!r}")
    if cube[3] == "P":
        raise refusal(3, "P says that the double was passed, so the game is over")
    is_offered = cube[3] == "O"
    if fields[3] and not re.fullmatch(r"[1-6][1-6]", fields[3]):
        raise refusal(4, f"nothing, or two digits from 1 to 6, not {fields[3][:20]!r}")
    if is_offered and fields[3]:
        raise refusal(4, "a double is offered before the roll, so there can be no dice")
    is_white = fields[4] == "B"
    if is_offered:
        is_white = not is_white
    elif fields[5] in ("IW", "IB") and not fields[3]:
        is_white = fields[5] == "IW"
    position = _read_position(fields, is_white)
    _whole(fields, 10, 999_999)
    return Situation(
        position=position,
        cube=_read_cube(cube[1], int(cube[2]), is_white),
        dice=(max(int(die) for die in fields[3]), min(int(die) for die in fields[3])) if fields[3] else None,
        rules=Rules(automatic_doubles=cube[1] == "N" and int(cube[2]) > 0, cube_limit=None),
        pending="double" if is_offered else None,
        pending_by="mine" if is_offered else None,
        turn=1 if is_white else -1,
        **_read_score(fields, is_white, int(cube[2]), cube[1]),
    )


def _read_cube(letter: str, exponent: int, is_white: bool) -> Cube:
    if letter == "D":
        if exponent:
            raise refusal(3, "a dead cube stands for a game without a cube, so its exponent is 0")
        return Cube(enabled=False)
    if letter == "N":
        return Cube(1 << exponent)
    if not exponent:
        raise refusal(3, "the cube is at 1, so nobody owns it yet")
    owner: Owner = "mine" if (letter == "W") == is_white else "theirs"
    return Cube(1 << exponent, owner)


def _read_score(fields: list[str], is_white: bool, exponent: int, letter: str) -> dict[str, Any]:
    length = re.fullmatch(r"([0-9]{1,5})(C|L|G[0-9]{1,5})?", fields[8])
    if length is None:
        raise refusal(9, f"a number of points, then perhaps C, L, or G and a number of games, not {fields[8][:20]!r}")
    points = int(length[1])
    white, black = _whole(fields, 7, 99_999), _whole(fields, 8, 99_999)
    mine, theirs = (white, black) if is_white else (black, white)
    if not points:
        if length[2] in ("C", "L"):
            raise refusal(9, f"{length[2]} speaks of the Crawford game, but the length is 0: money play has none")
        return {"session": (mine, theirs)}
    for number, won in ((7, white), (8, black)):
        if won >= points:
            raise refusal(number, f"{won} points, but a match to {points} is over there")
    if letter == "N" and exponent:
        raise refusal(3, f"the cube is at {1 << exponent} in a match, so somebody owns it")
    one_away = (points - mine == 1) != (points - theirs == 1)
    if length[2] == "C" and not one_away:
        raise refusal(
            9, f"C for the Crawford game, but at {mine}-{theirs} to {points} it is not the case that one side needs 1"
        )
    if length[2] == "C" and (exponent or fields[2].endswith("O")):
        raise refusal(3, "the cube was turned, but field 9 says that it is the Crawford game")
    return {"score": MatchScore(points, mine, theirs, length[2] == "C")}


def format_ogid(situation: Situation | Position, **changes: Any) -> str:
    """Write an OGID with ten fields; white sits at the bottom of the XGID of the same situation.

    Parameters
    ----------
    situation : Situation or Position
        A position alone is taken before the roll of a money game with a centred cube.
    **changes
        Fields of :class:`Situation` to set first.

    Raises
    ------
    NotationError
        For a pending beaver, raccoon or resignation, which have no field.
    """
    require(situation, (Situation, Position), "an OGID is written of a Situation or Position")
    if isinstance(situation, Position):
        situation = Situation(position=situation, **changes)
    elif changes:
        situation = replace(situation, **changes)
    is_offered = situation.pending == "double" and situation.pending_by == "mine"
    if situation.pending and not is_offered:
        raise NotationError(f"an OGID has no field for a pending {situation.pending} by {situation.pending_by!r}")
    is_white = situation.turn == 1
    board = situation.board.tolist()
    mine, theirs = situation.points
    owner = situation.cube.owner
    if not is_white:
        board = [-count for count in reversed(board)]
        mine, theirs = theirs, mine
        owner = OTHER_OWNER[owner]
    white = "".join(SLOTS[slot] * board[25 - slot] for slot in range(26) if board[25 - slot] > 0)
    black = "".join(SLOTS[slot] * -board[25 - slot] for slot in range(26) if board[25 - slot] < 0)
    letter = "D" if not situation.cube.enabled else {"centre": "N", "mine": "W", "theirs": "B"}[owner]
    cube = f"{letter}{situation.cube.value.bit_length() - 1}{'O' if is_offered else 'N'}"
    dice = "".join(str(die) for die in reversed(situation.dice)) if situation.dice else ""
    actor: Literal["W", "B"] = "W" if is_white == is_offered else "B"
    length = f"{situation.match_length}"
    if situation.score is not None:
        length += "C" if situation.is_crawford else "L" if situation.score.is_post_crawford else ""
    state = "D" if is_offered else "R" if dice else "C"
    return ":".join((white, black, cube, dice, actor, state, str(mine), str(theirs), length, "0"))
