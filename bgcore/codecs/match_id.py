"""Match ID and GNUBG ID, the identifiers of GNU Backgammon.

A Match ID is 12 base64 characters, 9 bytes, 72 bits, each field lowest bit first: cube exponent 4, cube owner 2
(a player's number, 3 for the centre), player to move 1, Crawford game 1, game state 3, player to decide 1, double
offered 1, resignation 2, dice 3 + 3, match length 15, score of player 0 15, score of player 1 15, Jacoby rule
switched off 1 (0 in identifiers older than that bit), and 5 unused bits. A GNUBG ID is a Position ID, a colon and
a Match ID.

Lost when writing: which seat is at the bottom, beavers and raccoons being allowed, the cube limit, other rule
options; in a match the Jacoby bit is always written as off, as gnubg does. A pending raccoon has no code.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import replace
from typing import Any, Final, Literal

from bgcore._core import Position
from bgcore.codecs.situation import Context, Pending, Side, Situation
from bgcore.errors import NotationError, require
from bgcore.rules import Cube, MatchScore, Owner, Rules

WIDTHS: Final = {
    "cube": 4,
    "cube owner": 2,
    "player to move": 1,
    "Crawford": 1,
    "game state": 3,
    "player to decide": 1,
    "double": 1,
    "resignation": 2,
    "first die": 3,
    "second die": 3,
    "match length": 15,
    "score of player 0": 15,
    "score of player 1": 15,
    "Jacoby off": 1,
}
LABELLED: Final = re.compile(r"(?:GNU Backgammon\s+)?Position ID\s*:\s*(\S+)\s+Match ID\s*:\s*(\S+)", re.IGNORECASE)
"""Both halves as gnubg prints them under its board."""
STATES: Final = ("none", "playing", "over", "resigned", "dropped")


def refusal(name: str, reason: str) -> NotationError:
    """Make the error for one field, which it names."""
    return NotationError(f"Match ID field {name!r}: {reason}")


def _read_bits(text: str) -> dict[str, int]:
    if len(text) != 12:
        raise NotationError(f"a Match ID has 12 characters, not {len(text)}: {text[:40]!r}")
    try:
        number = int.from_bytes(base64.b64decode(text, validate=True), "little")
    except (binascii.Error, ValueError):
        raise NotationError(f"a Match ID has only letters, digits, + and /: {text!r}") from None
    values = {}
    for name, width in WIDTHS.items():
        values[name] = number & ((1 << width) - 1)
        number >>= width
    if number:
        raise NotationError(f"not a Match ID: {text!r} has bits set behind its last field")
    return values


def _read_score(bits: dict[str, int], player: int) -> MatchScore | None:
    length = bits["match length"]
    points = bits["score of player 0"], bits["score of player 1"]
    if not length:
        if bits["Crawford"]:
            raise refusal("Crawford", "set, but the match length is 0: money play has no Crawford game")
        return None
    for number in (0, 1):
        if points[number] >= length:
            raise refusal(f"score of player {number}", f"{points[number]}, but a match to {length} is over there")
    if bits["Crawford"] and (length - points[0] == 1) == (length - points[1] == 1):
        raise refusal(
            "Crawford",
            f"set, but at {points[0]}-{points[1]} to {length} it is not the case that exactly one side needs one point "
            "(other programs drop the flag and read on)",
        )
    return MatchScore(length, points[player], points[1 - player], bool(bits["Crawford"]))


def _read_offer(bits: dict[str, int], player: int) -> tuple[Pending | None, Side | None]:
    decider = bits["player to decide"]
    if bits["double"] and bits["resignation"]:
        raise refusal("resignation", "a double and a resignation cannot both wait for an answer")
    if bits["resignation"]:
        return "resign", "theirs" if decider == player else "mine"
    if bits["double"]:
        return ("double", "mine") if decider != player else ("beaver", "theirs")
    if decider != player and bits["game state"] == 1:
        raise refusal("player to decide", "not the player to move, though no double or resignation waits for an answer")
    return None, None


def parse_match_id(text: str) -> Context:
    """Read a Match ID strictly.

    Parameters
    ----------
    text : str
        12 characters; blanks around them are dropped.

    Returns
    -------
    Context
        Seen by the player to move; ``player`` keeps gnubg's number for him. While a double is pending the
        player to move is the one who doubled.

    Raises
    ------
    NotationError
        Naming the field that is wrong.
    """
    return Context(**_read_match_id(text))


def _read_match_id(text: str) -> dict[str, Any]:
    require(text, str, "a Match ID is text")
    bits = _read_bits(text.strip())
    player: Literal[0, 1] = 1 if bits["player to move"] else 0
    if bits["game state"] >= len(STATES):
        raise refusal("game state", f"0 to {len(STATES) - 1}, not {bits['game state']}")
    if bits["cube owner"] == 2:
        raise refusal("cube owner", "0, 1 or 3 (centre), not 2")
    value = 1 << bits["cube"]
    owner: Owner = "centre" if bits["cube owner"] == 3 else "mine" if bits["cube owner"] == player else "theirs"
    if owner != "centre" and value == 1:
        raise refusal("cube owner", "the cube is at 1, so nobody owns it yet")
    if owner == "centre" and value > 1 and bits["match length"]:
        raise refusal("cube owner", f"the cube is at {value} in a match, so somebody owns it")
    dice = None
    if bits["first die"] or bits["second die"]:
        for name in ("first die", "second die"):
            if not 1 <= bits[name] <= 6:
                raise refusal(name, f"1 to 6, or 0 for both before the roll, not {bits[name]}")
        high, low = sorted((bits["first die"], bits["second die"]), reverse=True)
        dice = high, low
    score = _read_score(bits, player)
    pending, by = _read_offer(bits, player)
    if pending in ("double", "beaver"):
        if dice:
            raise refusal("double", "set, but there are dice: a double comes before the roll")
        if pending == "beaver" and score:
            raise refusal("player to decide", "the player who doubled, which is a beaver, but this is a match")
        if bits["Crawford"]:
            raise refusal("double", "set, but nobody may double in the Crawford game")
        if pending == "double" and owner == "theirs":
            raise refusal("double", "set, but the player to move does not own the cube")
    points = bits["score of player 0"], bits["score of player 1"]
    return {
        "cube": Cube(value, owner),
        "dice": dice,
        "score": score,
        "rules": Rules(
            jacoby=score is None and not bits["Jacoby off"],
            beavers=pending == "beaver",
            automatic_doubles=owner == "centre" and value > 1,
            cube_limit=None,
        ),
        "pending": pending,
        "pending_by": by,
        "resign_level": bits["resignation"],
        "session": (0, 0) if score else (points[player], points[1 - player]),
        "player": player,
        "state": STATES[bits["game state"]],
    }


def format_match_id(context: Context, **changes: Any) -> str:
    """Write the Match ID of a context or situation.

    Parameters
    ----------
    context : Context
        Its ``player`` says which of gnubg's two players is to move; 1, the lower one, unless it was read from
        a Match ID that says otherwise.
    **changes
        Fields of :class:`Context` to set first.

    Returns
    -------
    str
        12 characters; the losses are listed at the top of this module.

    Raises
    ------
    NotationError
        For what a Match ID cannot hold: a cube above 2^15, points above 32767, a pending raccoon.
    """
    require(context, Context, "a Match ID is written of a Context or Situation")
    if changes:
        context = replace(context, **changes)
    player = context.player
    exponent = context.cube.value.bit_length() - 1
    if exponent > 15:
        raise refusal("cube", f"at most 2^15, not {context.cube.value}")
    if max(context.match_length, *context.points) >= 1 << 15:
        raise refusal("match length", "lengths and scores go up to 32767")
    if context.pending == "raccoon":
        raise NotationError("a Match ID has no code for a pending raccoon: write an XGID")
    if context.pending == "double" and context.pending_by == "theirs":
        raise NotationError("a Match ID names the player who doubled as the one to move: flip() the situation first")
    if context.pending == "resign":
        decider = 1 - player if context.pending_by == "mine" else player
    else:
        decider = 1 - player if context.pending == "double" else player
    points = context.points if player == 0 else context.points[::-1]
    dice = context.dice or (0, 0)
    owner = 3 if context.cube.owner == "centre" else player if context.cube.owner == "mine" else 1 - player
    values = {
        "cube": exponent,
        "cube owner": owner,
        "player to move": player,
        "Crawford": int(context.is_crawford),
        "game state": STATES.index(context.state),
        "player to decide": decider,
        "double": int(context.pending in ("double", "beaver")),
        "resignation": context.resign_level,
        "first die": dice[0],
        "second die": dice[1],
        "match length": context.match_length,
        "score of player 0": points[0],
        "score of player 1": points[1],
        "Jacoby off": int(not context.jacoby),
    }
    number = shift = 0
    for name, width in WIDTHS.items():
        number |= values[name] << shift
        shift += width
    return base64.b64encode(number.to_bytes(9, "little")).decode("ascii")


def parse_gnubg_id(text: str) -> Situation:
    """Read a GNUBG ID, ``PositionID:MatchID``, strictly.

    A prefix ``GNUBGID`` and blanks are dropped; ``Position ID: ... Match ID: ...``, as gnubg prints it, is read too.

    Parameters
    ----------
    text : str
        For example ``"4HPwATDgc/ABMA:cAkAAAAAAAAA"``.

    Raises
    ------
    NotationError, PositionError
        Naming the half and the field that are wrong.
    """
    require(text, str, "a GNUBG ID is text")
    body = text.strip()
    if body[:7].upper() == "GNUBGID":
        body = body[7:].lstrip("=: ")
    labelled = LABELLED.fullmatch(body)
    halves = list(labelled.groups()) if labelled else body.split(":")
    if len(halves) != 2:
        raise NotationError(f"a GNUBG ID is a Position ID, a colon and a Match ID, not {text.strip()[:60]!r}")
    return Situation(position=Position.from_position_id(halves[0]), **_read_match_id(halves[1]))


def format_gnubg_id(situation: Situation | Position, **changes: Any) -> str:
    """Write the GNUBG ID of a situation, or of a position taken before the roll of a money game.

    Parameters
    ----------
    situation : Situation or Position
        What to write.
    **changes
        Fields of `Situation` to set in it first.
    """
    require(situation, (Situation, Position), "a GNUBG ID is written of a Situation or Position")
    if isinstance(situation, Position):
        situation = Situation(position=situation, **changes)
    elif changes:
        situation = replace(situation, **changes)
    return f"{situation.position_id}:{format_match_id(situation)}"
