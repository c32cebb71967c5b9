"""The board string of FIBS, the First Internet Backgammon Server: ``board:`` and 52 fields behind it.

Names, length and scores, 26 numbers for the board (positive are O's checkers), whose turn it is, dice, cube, who may
double, whether a double waits for an answer, colour, direction, home and bar of the player, checkers off and on the
bar, and four numbers more. The player is the one who asked for the board.

Decided here: a length of 9999 is an unlimited match, which is read as money play. ``was doubled`` says that the
opponent has doubled and the player must answer. FIBS says only whether the Crawford game is behind (``did
crawford``); a score at which exactly one side needs one point before that is taken to be the Crawford game. A cube
above 1 that neither side may turn is refused, since nothing says who owns it.

Lost when reading: the number of movable checkers, the last two fields. Lost when writing: the cube limit, Jacoby,
beavers, seats; the points of a money session are kept.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal

from bgcore._core import Position, legal_plays
from bgcore.codecs.situation import Situation
from bgcore.errors import BgcoreError, NotationError, require
from bgcore.rules import Cube, MatchScore, Owner, Rules

UNLIMITED: Final = 9999
COUNT: Final = 52
NAMES: Final = (
    "player",
    "opponent",
    "length",
    "player's score",
    "opponent's score",
    *(f"board slot {slot}" for slot in range(26)),
    "turn",
    "player's first die",
    "player's second die",
    "opponent's first die",
    "opponent's second die",
    "cube",
    "player may double",
    "opponent may double",
    "was doubled",
    "colour",
    "direction",
    "home",
    "bar",
    "player's checkers off",
    "opponent's checkers off",
    "player's checkers on the bar",
    "opponent's checkers on the bar",
    "can move",
    "forced move",
    "did crawford",
    "redoubles",
)


def refusal(name: str, reason: str) -> NotationError:
    """Make the error for one field, which it names by number and meaning."""
    return NotationError(f"FIBS board field {NAMES.index(name) + 1} ({name}): {reason}")


class _Fields:
    """The numbers of a board string by their names."""

    def __init__(self, fields: list[str]) -> None:
        self.values: dict[str, int] = {}
        for name, text in zip(NAMES[2:], fields[2:], strict=True):
            if not re.fullmatch(r"-?[0-9]{1,6}", text):
                raise refusal(name, f"a whole number, not {text[:20]!r}")
            self.values[name] = int(text)

    def one_of(self, name: str, *allowed: int) -> int:
        value = self.values[name]
        if value not in allowed:
            raise refusal(name, f"{' or '.join(str(item) for item in allowed)}, not {value}")
        return value


def parse_fibs(text: str) -> Situation:
    """Read a FIBS board string strictly.

    Parameters
    ----------
    text : str
        With or without ``board:`` in front.

    Returns
    -------
    Situation
        Seen by the side to move; while a double is pending, by the one who doubled. ``turn`` is 1 if that is the
        player who asked for the board.

    Raises
    ------
    NotationError
        Naming the field that is wrong.
    """
    require(text, str, "a FIBS board is text")
    body = text.strip()
    if body[:6].lower() == "board:":
        body = body[6:]
    fields = body.split(":")
    if len(fields) != COUNT:
        raise NotationError(f"a FIBS board has {COUNT} fields behind 'board:', not {len(fields)}")
    given = _Fields(fields)
    values = given.values
    colour = given.one_of("colour", 1, -1)
    turn = given.one_of("turn", 1, -1, 0)
    if turn == 0:
        raise refusal("turn", "0 says that the game is over")
    is_players = turn == colour
    was_doubled = bool(given.one_of("was doubled", 0, 1))
    if was_doubled:
        is_players = False
    board = _read_board(given, colour)
    if not is_players:
        board = [-count for count in reversed(board)]
    try:
        position = Position.from_board(board)
    except BgcoreError as error:
        raise refusal("board slot 0", str(error)) from None
    dice = _read_dice(values, "player" if is_players else "opponent")
    if was_doubled and dice:
        raise refusal("was doubled", "1, but there are dice: a double comes before the roll")
    cube = _read_cube(given, is_players)
    score = _read_score(values, is_players, bool(given.one_of("did crawford", 0, 1)), cube, was_doubled)
    points = values["player's score"], values["opponent's score"]
    if was_doubled and cube.owner == "theirs":
        raise refusal("was doubled", "1, but the opponent, who doubled, may not double")
    return Situation(
        position=position,
        cube=cube,
        dice=dice,
        score=score,
        rules=Rules(automatic_doubles=cube.is_centred and cube.value > 1, cube_limit=None),
        pending="double" if was_doubled else None,
        pending_by="mine" if was_doubled else None,
        session=(0, 0) if score else points if is_players else points[::-1],
        turn=1 if is_players else -1,
    )


def _read_board(given: _Fields, colour: int) -> list[int]:
    """Return the board as the player sees it, whichever way he moves."""
    values = given.values
    direction = given.one_of("direction", 1, -1)
    home, bar = (25, 0) if direction == 1 else (0, 25)
    if given.one_of("home", 0, 25) != home or given.one_of("bar", 0, 25) != bar:
        raise refusal("home", f"home {home} and bar {bar} go with direction {direction}")
    slots = [values[f"board slot {slot}"] * colour for slot in range(26)]
    board = slots if direction == -1 else slots[::-1]
    mine = sum(count for count in board if count > 0)
    theirs = -sum(count for count in board if count < 0)
    for name, on_board in (("player", mine), ("opponent", theirs)):
        off = values[f"{name}'s checkers off"]
        if off != 15 - on_board:
            raise refusal(f"{name}'s checkers off", f"{off}, but {on_board} of 15 checkers are on the board")
    for name, count in (("player", board[25]), ("opponent", -board[0])):
        if values[f"{name}'s checkers on the bar"] != count:
            raise refusal(f"{name}'s checkers on the bar", f"not the {count} that the board has there")
    return board


def _read_dice(values: dict[str, int], name: str) -> tuple[int, int] | None:
    first, second = values[f"{name}'s first die"], values[f"{name}'s second die"]
    if first == second == 0:
        return None
    for which, die in (("first", first), ("second", second)):
        if not 1 <= die <= 6:
            raise refusal(f"{name}'s {which} die", f"1 to 6, or 0 for both before the roll, not {die}")
    return max(first, second), min(first, second)


def _read_cube(given: _Fields, is_players: bool) -> Cube:
    value = given.values["cube"]
    if value < 1 or value & (value - 1):
        raise refusal("cube", f"a power of two, not {value}")
    mine, theirs = given.one_of("player may double", 0, 1), given.one_of("opponent may double", 0, 1)
    if value == 1:
        if mine != theirs:
            raise refusal("player may double", "the cube is at 1, so both may double, or nobody in the Crawford game")
        return Cube()
    if mine == theirs == 0:
        raise refusal("cube", f"{value}, but neither side may double, so nothing says who owns it")
    owner: Owner = "centre" if mine == theirs else "mine" if bool(mine) == is_players else "theirs"
    return Cube(value, owner)


def _read_score(
    values: dict[str, int], is_players: bool, did_crawford: bool, cube: Cube, was_doubled: bool
) -> MatchScore | None:
    length = values["length"]
    player, opponent = values["player's score"], values["opponent's score"]
    for name, points in (("player's score", player), ("opponent's score", opponent)):
        if points < 0 or (0 < length < UNLIMITED and points >= length):
            raise refusal(name, f"{points} points cannot be in a match to {length}")
    if length == UNLIMITED:
        return None
    if not 1 <= length < UNLIMITED:
        raise refusal("length", f"1 to 9998, or 9999 for an unlimited match, not {length}")
    if cube.is_centred and cube.value > 1:
        raise refusal("cube", f"{cube.value} and both may double, but in a match somebody owns a turned cube")
    mine, theirs = (player, opponent) if is_players else (opponent, player)
    is_crawford = not did_crawford and (length - mine == 1) != (length - theirs == 1)
    if is_crawford and (cube.value > 1 or was_doubled):
        raise refusal("did crawford", "0, so this is the Crawford game, but the cube was turned")
    return MatchScore(length, mine, theirs, is_crawford)


def format_fibs(situation: Situation, player: str = "You", opponent: str = "Opponent") -> str:
    """Write a FIBS board string; the player asking for it plays O, moves downwards, and has the seat ``turn`` 1.

    Parameters
    ----------
    situation : Situation
        Its ``turn`` says whether the player asking is the side to move.
    player, opponent : str
        Names; without colons.

    Raises
    ------
    NotationError
        For a double that the player himself has offered, and for pending beavers, raccoons and resignations, which
        the string cannot say; for names with colons.
    """
    require(situation, Situation, "a FIBS board is written of a Situation")
    if any(":" in name or not name.strip() for name in (player, opponent)):
        raise NotationError("names in a FIBS board are not empty and have no colons")
    is_players = situation.turn == 1
    was_doubled = situation.pending == "double" and situation.pending_by == "mine" and not is_players
    if situation.pending and not was_doubled:
        raise NotationError(f"a FIBS board cannot say that a {situation.pending} of the player asking is pending")
    seen = situation if is_players else situation.flip()
    board = seen.board.tolist()
    dice = situation.dice or (0, 0)
    is_crawford = seen.is_crawford
    owner: Owner = seen.cube.owner
    may = [0, 0] if is_crawford else [int(owner in ("centre", "mine")), int(owner in ("centre", "theirs"))]
    off = seen.position.off
    turn: Literal[1, -1] = 1 if is_players else -1
    movable = 0
    if situation.dice:
        movable = max((len(play.moves) for play in legal_plays(situation.position, situation.dice)), default=0)
    did_crawford = int(seen.score is not None and seen.score.is_post_crawford)
    values: list[Any] = [player, opponent, seen.match_length or UNLIMITED, *seen.points, *board, turn]
    values += [*dice, 0, 0] if is_players else [0, 0, *dice]
    values += [seen.cube.value, *may, int(was_doubled), 1, -1, 0, 25, *off, board[25], -board[0], movable, 0]
    values += [did_crawford, 0]
    return "board:" + ":".join(str(value) for value in values)
