"""XGID, the position string of eXtreme Gammon: ``XGID=board:cube:owner:turn:dice:score:score:rules:length:max``.

Field by field, and what is decided where programs disagree:

1. *board*: 26 characters, the top player's bar, points 1 to 24 as the bottom player counts them, the bottom
   player's bar; ``A``..``O`` are 1 to 15 checkers of the bottom player, ``a``..``o`` of the top player.
2. *cube*: its exponent (0 for 1, 1 for 2, 10 for 1024). A centred cube above 1 means automatic doubles, so it
   is refused in a match.
3. *owner*: 1 bottom, -1 top, 0 centre. Owner 1 or -1 with the cube at 1 is refused (gnubg reads it as centred).
4. *turn*: 1 bottom, -1 top. 0 is refused (gnubg takes it as "not 1").
5. *dice*: ``00`` before the roll, two digits in any order, or an offer that waits for an answer: ``D`` the player
   of field 4 doubled, ``B`` his opponent beavered, ``R`` he raccooned. Field 2 is the cube before the offers.
   Some programs take the player of field 4 with ``D`` as the one who must answer.
6. , 7. *scores* of bottom and top; in money play the points of the session.
8. *rules*: in a match 1 for the Crawford game; in money play 1 for Jacoby plus 2 for beavers. A Crawford flag at
   a score that cannot be the Crawford game is refused (gnubg drops it where nobody needs one point, and keeps it
   where both do).
9. *length* of the match, 0 for money.
10. *max*: the exponent of the cube limit; 0 means the cube is not in use.

Lost when writing: gnubg's player number and game state, a pending resignation (refused, there is no field for it),
an open-ended cube (written as a limit of 1024), rule options beyond Jacoby, beavers and the limit.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal

from bgcore._core import Position
from bgcore.codecs.situation import Pending, Side, Situation
from bgcore.errors import BgcoreError, NotationError, require
from bgcore.rules import OTHER_OWNER, Cube, MatchScore, Owner, Rules

FIELDS: Final = ("board", "cube", "owner", "turn", "dice", "score", "score of the top player", "rules", "length", "max")
OFFERS: Final[dict[str, tuple[Pending, Side]]] = {
    "D": ("double", "mine"),
    "B": ("beaver", "theirs"),
    "R": ("raccoon", "mine"),
}
LETTERS: Final = {pending: letter for letter, (pending, _) in OFFERS.items()}
LONGEST_MATCH: Final = 2**15 - 1
DEFAULT_MAX: Final = 10


def refusal(number: int, reason: str) -> NotationError:
    """Make the error for one field, which it names by number and meaning."""
    return NotationError(f"XGID field {number} ({FIELDS[number - 1]}): {reason}")


def _whole(fields: list[str], number: int, low: int, high: int) -> int:
    text = fields[number - 1]
    if not re.fullmatch(r"-?[0-9]{1,5}", text) or not low <= int(text) <= high or text.startswith("-0"):
        raise refusal(number, f"a whole number from {low} to {high}, not {text[:20]!r}")
    return int(text)


def _read_board(text: str, is_bottom: bool) -> Position:
    if len(text) != 26:
        raise refusal(1, f"26 characters (bar, points 1 to 24, bar), not {len(text)}")
    board = []
    for index, letter in enumerate(text):
        if letter == "-":
            count = 0
        elif "A" <= letter <= "O":
            count = ord(letter) - ord("A") + 1
        elif "a" <= letter <= "o":
            count = ord("a") - ord(letter) - 1
        elif letter in "Pp":
            raise refusal(1, f"{letter!r} at character {index + 1} means 16 checkers, but a side has only 15")
        else:
            raise refusal(1, f"{letter!r} at character {index + 1} is neither '-' nor a letter from A to O or a to o")
        board.append(count)
    if board[0] > 0:
        raise refusal(1, f"character 1 is the bar of the top player, so {text[0]!r} must be '-' or a small letter")
    if board[25] < 0:
        raise refusal(1, f"character 26 is the bar of the bottom player, so {text[25]!r} must be '-' or a capital")
    if not is_bottom:
        board = [-count for count in reversed(board)]
    try:
        return Position.from_board(board)
    except BgcoreError as error:
        raise refusal(1, str(error)) from None


def _read_dice(text: str) -> tuple[tuple[int, int] | None, Pending | None, Side | None]:
    if text == "00":
        return None, None, None
    if text in OFFERS:
        pending, by = OFFERS[text]
        return None, pending, by
    if not re.fullmatch(r"[1-6][1-6]", text):
        raise refusal(5, f"00, two digits from 1 to 6, D, B or R, not {text[:20]!r}")
    high, low = sorted((int(text[0]), int(text[1])), reverse=True)
    return (high, low), None, None


def parse_xgid(text: str) -> Situation:
    """Read an XGID strictly.

    Parameters
    ----------
    text : str
        Ten fields; the prefix ``XGID=`` (in any case) and blanks around it may be missing or there.

    Returns
    -------
    Situation
        Seen by the side to move: with turn -1 the board, the cube and the scores are swapped. While a double,
        beaver or raccoon is pending the side to move is the player who doubled.

    Raises
    ------
    NotationError
        Naming the field that is wrong, and what it may hold.

    Notes
    -----
    Decisions where programs disagree are listed at the top of this module. About 10 microseconds;
    thread-safe.
    """
    require(text, str, "an XGID is text")
    body = text.strip()
    if body[:5].upper() == "XGID=":
        body = body[5:]
    fields = body.split(":")
    if len(fields) != 10:
        raise NotationError(f"an XGID has 10 fields separated by colons, not {len(fields)}: {text.strip()[:80]!r}")
    turn: Literal[1, -1] = 1 if _turn(fields) == 1 else -1
    position = _read_board(fields[0], turn == 1)
    length = _whole(fields, 9, 0, LONGEST_MATCH)
    limit = _whole(fields, 10, 0, 30)
    exponent = _whole(fields, 2, 0, 30)
    owner_number = _whole(fields, 3, -1, 1)
    dice, pending, by = _read_dice(fields[4])
    bottom = _whole(fields, 6, 0, LONGEST_MATCH)
    top = _whole(fields, 7, 0, LONGEST_MATCH)
    mine, theirs = (bottom, top) if turn == 1 else (top, bottom)
    flags = _whole(fields, 8, 0, 3)

    if exponent > limit:
        raise refusal(2, f"the cube is at 2^{exponent}, above the limit of 2^{limit} in field 10")
    if owner_number and not exponent:
        raise refusal(3, "the cube is at 1, so nobody owns it yet (some programs read this as a centred cube)")
    if exponent and not owner_number and length:
        raise refusal(3, f"the cube is at {1 << exponent} in a match, so somebody owns it: 1 or -1, not 0")
    owner: Owner = "centre" if not owner_number else "mine" if owner_number == turn else "theirs"
    score = None
    if length:
        for number, points in ((6, bottom), (7, top)):
            if points >= length:
                raise refusal(number, f"{points} points, but a match to {length} is over there")
        if flags > 1:
            raise refusal(8, f"0, or 1 for the Crawford game, in a match, not {flags}")
        if flags and (length - mine == 1) == (length - theirs == 1):
            raise refusal(
                8,
                f"1 for the Crawford game, but at {mine}-{theirs} to {length} it is not the case that exactly one side "
                "needs one point (gnubg drops the flag where nobody does, and keeps it where both do: write 0 if no "
                "Crawford game is meant)",
            )
        score = MatchScore(length, mine, theirs, bool(flags))
    if pending == "double" and owner == "theirs":
        raise refusal(5, "D says that the player of field 4 doubled, but his opponent owns the cube")
    if pending and flags and length:
        raise refusal(5, f"{fields[4]} says that the cube was turned, but field 8 says that it is the Crawford game")
    if pending in ("beaver", "raccoon") and (length or not flags & 2):
        raise refusal(5, f"{fields[4]} needs beavers, which field 8 does not allow in this game")
    if pending and not limit:
        raise refusal(5, f"{fields[4]} says that the cube was turned, but field 10 says that it is not in use")
    return Situation(
        position=position,
        cube=Cube(1 << exponent, owner, enabled=limit > 0),
        dice=dice,
        score=score,
        rules=Rules(
            jacoby=not length and bool(flags & 1),
            beavers=not length and bool(flags & 2),
            raccoons=pending == "raccoon",
            automatic_doubles=owner == "centre" and exponent > 0,
            cube_limit=1 << limit,
        ),
        pending=pending,
        pending_by=by,
        session=(0, 0) if length else (mine, theirs),
        turn=turn,
    )


def _turn(fields: list[str]) -> int:
    if fields[3] == "0":
        raise refusal(4, "1 for the bottom player or -1 for the top player, not 0 (gnubg reads 0 as the top player)")
    if fields[3] not in ("1", "-1"):
        raise refusal(4, f"1 for the bottom player or -1 for the top player, not {fields[3][:20]!r}")
    return int(fields[3])


def format_xgid(situation: Situation | Position, **changes: Any) -> str:
    """Write an XGID.

    Parameters
    ----------
    situation : Situation or Position
        A position alone is taken before the roll of a money game with a centred cube.
    **changes
        Fields of :class:`Situation` to set first, such as ``dice=(3, 1)`` or ``cube=Cube(2, "mine")``.

    Returns
    -------
    str
        With its prefix; ``parse_xgid`` of it gives an equal situation, save for the losses listed at the top
        of this module.

    Raises
    ------
    NotationError
        For a pending resignation, which an XGID has no field for, and for changes that contradict each other.
    """
    require(situation, (Situation, Position), "an XGID is written of a Situation or Position")
    if isinstance(situation, Position):
        situation = Situation(position=situation, **changes)
    elif changes:
        situation = replace(situation, **changes)
    if situation.pending == "resign":
        raise NotationError("an XGID has no field for a pending resignation: write a Match ID, or a record")
    if situation.pending and situation.pending_by != dict(OFFERS.values())[situation.pending]:
        raise NotationError(
            f"an XGID names the player who doubled as the one to move, so a {situation.pending} by "
            f"{situation.pending_by!r} is written from the other side: flip() the situation first"
        )
    board = situation.board.tolist()
    mine, theirs = situation.points
    owner = situation.cube.owner
    if situation.turn == -1:
        board = [-count for count in reversed(board)]
        mine, theirs = theirs, mine
        owner = OTHER_OWNER[owner]
    letters = "".join(
        "-" if count == 0 else chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1) for count in board
    )
    if situation.pending:
        dice = LETTERS[situation.pending]
    else:
        dice = "".join(str(die) for die in situation.dice) if situation.dice else "00"
    flags = int(situation.is_crawford) if situation.score else situation.jacoby + 2 * situation.beavers
    exponent = situation.cube.value.bit_length() - 1
    limit = situation.rules.cube_limit
    if limit is None:
        limit = max(1 << DEFAULT_MAX, situation.cube.value)
    top = limit.bit_length() - 1 if situation.cube.enabled else 0
    owner_number = {"centre": 0, "mine": 1, "theirs": -1}[owner]
    values = (exponent, owner_number, situation.turn, dice, mine, theirs, flags, situation.match_length, top)
    return f"XGID={letters}:" + ":".join(str(value) for value in values)
