"""Play a recorded game over again: follow the board and the cube, and note whatever the rules do not allow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bgcore._core import Play, Position, legal_plays
from bgcore.codecs.match import (
    Action,
    CubeAction,
    Game,
    Irregularity,
    Resignation,
    Result,
    Standing,
    Turn,
    Unread,
    seen_by,
)
from bgcore.errors import PositionError
from bgcore.notation import Path, false_hits, matching_plays, parse_moves, possible_plays, why_illegal
from bgcore.rules import MAX_CUBE, Cube

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bgcore.codecs.situation import Pending, Side
    from bgcore.rules import Rules

ROLLS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
SAYS_NOTHING: Final = frozenset({"", "????", "???", "??", "?"})


def board_as_written(position: Position, paths: Sequence[Path]) -> Position | None:
    """Move checkers as written, legal or not; None if a path starts from nowhere or ends on a point held."""
    board = position.board.tolist()
    for path in paths:
        for start, end in path.stretches:
            if board[start] < 1 or (end and board[end] < -1):
                return None
            board[start] -= 1
            if end and board[end] == -1:
                board[end] = 0
                board[0] -= 1
            if end:
                board[end] += 1
    try:
        return Position.from_board(board)
    except PositionError:
        return None


class Replay:
    """The state of one recorded game; feed it the actions in order, then ask for the `Game`.

    Parameters
    ----------
    number, line : int
        Of the game in its file.
    names, score : pair
        As written at its head.
    length : int
        Of the match; 0 for money.
    rules : Rules
        As the file states them.
    is_crawford : bool or None
        None if the record does not tell.
    is_jacoby_known : bool
        Whether the file states the Jacoby rule; if not, a money game may be scored either way.
    start : Position, optional
        As the player who rolls first sees it.
    """

    def __init__(
        self,
        number: int,
        line: int,
        names: tuple[str, str],
        score: tuple[int, int],
        length: int,
        rules: Rules,
        is_crawford: bool | None,
        is_jacoby_known: bool,
        start: Position | None = None,
    ) -> None:
        self.number = number
        self.line = line
        self.names = names
        self.score = score
        self.length = length
        self.rules = rules
        self.is_crawford = is_crawford
        self.is_jacoby_known = is_jacoby_known
        self.actions: list[Action] = []
        self.irregularities: list[Irregularity] = []
        self.result: Result | None = None
        self._position: Position | None = start or Position.starting()
        self._viewer: int | None = None  # whose view _position is; None before the first action
        self._next: int | None = None  # the player expected to act
        self._cube = 1
        self._owner: int | None = None
        self._doubler: int | None = None  # whose double waits for an answer
        self._offered = 0
        self._open: Turn | None = None  # the last roll, as long as the record has not said what became of it
        self._winner: int | None = None  # by the rules: borne off or dropped
        self._points = 0
        self._resigned: Resignation | None = None
        self._doubt: tuple[int, list[Play]] | None = None  # where a play stands that may mean several, and which

    def note(self, line: int, code: str, message: str) -> None:
        """Add an irregularity of this game."""
        self.irregularities.append(Irregularity(line, code, message, self.number))

    def _seen_by(self, player: int) -> Position | None:
        if self._position is None:
            return None
        if self._viewer is not None and self._viewer != player:
            self._position = self._position.flip()
        self._viewer = player
        return self._position

    def _act(self, player: int, line: int, what: str) -> None:
        """Check that a player may act at all, and settle what the last roll left open."""
        if self._winner is not None or self._resigned is not None or self.result is not None:
            self.note(line, "after-the-end", f"{what} by {self.names[player]!r} after the game was over")
        if self._open is not None:
            turn, self._open = self._open, None
            if turn.kind == "unplayed":
                roll = f"the roll {turn.dice[0]}{turn.dice[1]} of {self.names[turn.player]!r}"
                self.note(turn.line, "unplayed-roll", f"{roll} has no play, though one is legal, and the game goes on")
            else:
                self.note(turn.line, "unrecorded-play", f"the play of {turn.dice[0]}{turn.dice[1]} is not recorded")
                self._position = None

    def _take_turn(self, player: int, line: int, what: str) -> None:
        """Check that it is a player's turn; he may act twice running if the other cannot enter at all."""
        if self._next is not None and self._next != player:
            other = self._seen_by(self._next)
            if other is not None and any(legal_plays(other, dice) for dice in ROLLS):
                self.note(line, "turn-order", f"{what} by {self.names[player]!r}, whose turn it is not")
        self._next = player

    def roll(self, player: int, dice: tuple[int, int], written: str, line: int) -> None:
        """Record a roll and the play written behind it.

        Raises
        ------
        NotationError
            If what is written is no play in any position.
        """
        paths = () if written in SAYS_NOTHING else parse_moves(written)
        if self._doubler is not None:
            self._imply_take(line)
        self._act(player, line, f"the roll {dice[0]}{dice[1]}")
        if not self.actions and dice[0] == dice[1]:
            self.note(line, "opening-double", f"the game opens with {dice[0]}{dice[1]}, but opening dice differ")
        self._take_turn(player, line, f"the roll {dice[0]}{dice[1]}")
        self._settle_doubt(dice, written, paths)
        before = self._seen_by(player)
        turn = self._used(player, dice, written, line, before, paths)
        self.actions.append(turn)
        self._position = turn.after
        if turn.kind in ("unplayed", "unrecorded"):
            self._open = turn
            return
        self._next = 1 - player
        if turn.after is not None and (outcome := turn.after.outcome):
            self._winner = player
            level = 1 if self.rules.jacoby and not self.length and self._cube == 1 else outcome
            self._points = level * self._cube

    def _used(
        self,
        player: int,
        dice: tuple[int, int],
        written: str,
        line: int,
        before: Position | None,
        paths: Sequence[Path],
    ) -> Turn:
        play: Play | None = None
        if written.startswith("?"):
            return Turn(player, line, dice, written, "unrecorded", before, None, before)
        if before is None:
            return Turn(player, line, dice, written, "unchecked", None, None, None)
        if not paths:
            legal = legal_plays(before, dice) if before.outcome == 0 else []
            if not legal:
                return Turn(player, line, dice, written, "dance", before, None, before)
            if not written:
                return Turn(player, line, dice, written, "unplayed", before, None, before)
            self._illegal(line, dice, written, f"{len(legal)} plays are legal, for example {legal[0]}")
            return Turn(player, line, dice, written, "illegal", before, None, before)
        possible = possible_plays(before, dice, paths)
        plays = matching_plays(possible, paths)
        if len(possible) > 1:
            self._doubt = len(self.actions), possible
        if len(plays) == 1:
            play = plays[0]
            for point in false_hits(play, paths):
                self.note(line, "hit-mark", f"{written!r} marks a hit on {point}, where no blot is hit")
            return Turn(player, line, dice, written, "play", before, play, play.result)
        if plays:
            choices = " or ".join(str(choice) for choice in plays)
            self.note(line, "ambiguous-play", f"{written!r} may mean {choices}; the board is not known from here on")
            return Turn(player, line, dice, written, "illegal", before, None, None)
        self._illegal(line, dice, written, why_illegal(before, dice, paths))
        after = board_as_written(before, paths)
        if after is None:
            self.note(line, "unknown-board", f"{written!r} cannot be carried out; the board is not known from here on")
        return Turn(player, line, dice, written, "illegal", before, None, after)

    def _settle_doubt(self, dice: tuple[int, int], written: str, paths: Sequence[Path]) -> None:
        """Let the play that follows tell what a play with several meanings meant, if its hit marks did not."""
        if self._doubt is None:
            return
        (index, possible), self._doubt = self._doubt, None
        doubtful = self.actions[index]
        assert isinstance(doubtful, Turn)
        if written.startswith("?"):
            return

        def fits(after: Position) -> bool:
            position = after.flip()
            return bool(possible_plays(position, dice, paths)) if paths else not legal_plays(position, dice)

        if doubtful.after is not None and fits(doubtful.after):
            return
        fitting = [play for play in possible if fits(play.result)]
        if len(fitting) != 1:
            return
        (play,) = fitting
        self.irregularities = [
            item for item in self.irregularities if (item.code, item.line) != ("ambiguous-play", doubtful.line)
        ]
        self.note(doubtful.line, "ambiguous-play", f"{doubtful.written!r} means {play}, as the next play shows")
        self.actions[index] = replace(doubtful, kind="play", play=play, after=play.result)
        for later in range(index + 1, len(self.actions)):
            action = self.actions[later]
            if isinstance(action, CubeAction):
                self.actions[later] = replace(action, before=play.result.flip())
        self._position, self._viewer = play.result, doubtful.player

    def _illegal(self, line: int, dice: tuple[int, int], written: str, reason: str) -> None:
        self.note(line, "illegal-play", f"{written!r} is not a legal play of {dice[0]}{dice[1]}: {reason}")

    def double(self, player: int, value: int | None, line: int) -> None:
        """Record a double to ``value``; None if the file does not say to what."""
        if self._doubler is not None:
            self._imply_take(line)
        self._act(player, line, "a double")
        self._take_turn(player, line, "a double")
        expected = 2 * self._cube
        if value is None:
            value = expected
        if value != expected:
            self.note(line, "cube-value", f"a double to {value}, but the cube is at {self._cube}")
        if self._owner == 1 - player:
            self.note(line, "cube-owner", f"{self.names[player]!r} doubles, but the other side owns the cube")
        if self.is_crawford and self.length:
            self.note(line, "crawford-double", "a double in the Crawford game")
        limit = self.rules.cube_limit
        if limit is not None and value > limit:
            self.note(line, "cube-limit", f"a double to {value}, above the limit of {limit}")
        is_cube = value > 0 and value & (value - 1) == 0 and value <= MAX_CUBE
        self._doubler, self._offered = player, value if is_cube else expected
        self._next = 1 - player
        self.actions.append(CubeAction(player, line, "double", value, self._seen_by(player)))

    def is_doubled_by(self, player: int) -> bool:
        """Whether a double of this player waits for its answer."""
        return self._doubler == player

    def _imply_take(self, line: int) -> None:
        assert self._doubler is not None
        self.note(line, "missing-take", f"play goes on after the double to {self._offered}, with no take written")
        self._answer(1 - self._doubler, "take", line, is_implied=True)

    def _answer(self, player: int, action: str, line: int, is_implied: bool = False) -> None:
        doubler = self._doubler
        assert doubler is not None
        before = self._seen_by(doubler)
        if action == "take":
            self.actions.append(CubeAction(player, line, "take", self._offered, before, is_implied))
            self._cube, self._owner = self._offered, player
            self._next = doubler
        else:
            self.actions.append(CubeAction(player, line, "drop", self._offered, before))
            self._winner, self._points = doubler, self._cube
        self._doubler = None

    def answer(self, player: int, action: str, line: int) -> None:
        """Record a ``"take"`` or ``"drop"``."""
        if self._doubler is None:
            self.note(line, f"stray-{action}", f"a {action} by {self.names[player]!r}, but no double was offered")
            self.actions.append(Unread(line, action, "no double waits for an answer"))
            return
        if player == self._doubler:
            self.note(line, "turn-order", f"a {action} by {self.names[player]!r}, who doubled himself")
        self._answer(1 - self._doubler, action, line)

    def resign(self, player: int, line: int, is_match: bool = False) -> None:
        """Record that a player gave the game, or the whole match, up; for how much, the result says."""
        self._resigned = Resignation(player, line, is_match)
        self.actions.append(self._resigned)

    def unread(self, line: int, text: str, reason: str) -> None:
        """Keep a line that could not be understood; what follows it is not checked any more."""
        self.note(line, "unreadable", f"{reason}: {text.strip()!r}")
        self.actions.append(Unread(line, text, reason))
        self._position = None
        self._next = None
        self._open = None

    def win(self, winner: int, points: int, line: int, says_match: bool | None = None) -> None:
        """Record a written result and compare it with what the game came to."""
        if self.result is not None:
            self.note(line, "second-result", "a second result for the same game")
            return
        if self._doubler is not None and winner == self._doubler:
            self.note(line, "missing-drop", f"the double to {self._offered} has no answer, and the doubler wins")
            self._answer(1 - self._doubler, "drop", line)
        elif self._doubler is not None:
            self.note(line, "unanswered-double", f"the double to {self._offered} has no answer, and the doubler loses")
        needed = self.length - self.score[winner] if self.length else 0
        if self._winner is not None:
            last = self.actions[-1] if self.actions else None
            how = "dropped" if isinstance(last, CubeAction) and last.action == "drop" else "borne off"
            full = self._points
            if winner != self._winner:
                self.note(
                    line,
                    "wrong-winner",
                    f"the record says that {self.names[winner]!r} wins, but {self.names[self._winner]!r} has won",
                )
            if not self._is_paid(points, full, needed, how):
                self.note(line, "wrong-points", f"the record gives {points} points, but the game pays {full}")
        else:
            how = "resigned"
            full = self._resigned_points(points, needed, line)
            if self._resigned is not None and self._resigned.player == winner:
                self.note(line, "wrong-winner", f"{self.names[winner]!r} is said to win and to have resigned")
        self._check_match_end(winner, points, line, says_match)
        self.result = Result(winner, line, points, how, self._cube, full)  # type: ignore[arg-type]
        self._open = None

    def _is_paid(self, points: int, full: int, needed: int, how: str) -> bool:
        if points == full or (needed and points == min(full, needed)):
            return True
        # Without a word about the Jacoby rule a session may have been scored without it, or with it.
        single = how == "borne off" and not self.length and self._cube == 1 and not self.is_jacoby_known
        return single and points == 1

    def _resigned_points(self, points: int, needed: int, line: int) -> int:
        """Return what a resignation gives up: the written points if a level pays them, else the most possible."""
        if self._resigned is not None and self._resigned.is_match and points >= needed > 0:
            return points  # with the match, all the points that were missing are given up
        payable = [level * self._cube for level in (1, 2, 3)]
        if self.rules.jacoby and not self.length and self._cube == 1:
            payable = [1]
        for full in payable:
            if points in (full, min(full, needed) if needed else full):
                return full
        self.note(
            line,
            "wrong-points",
            f"the record gives {points} points, but with the cube at {self._cube} a game pays at most {payable[-1]}"
            if points > payable[-1]
            else f"the record gives {points} points, but with the cube at {self._cube} a game pays "
            + " or ".join(str(full) for full in payable),
        )
        return max([full for full in payable if full <= points], default=payable[0])

    def _check_match_end(self, winner: int, points: int, line: int, says_match: bool | None) -> None:
        if says_match is None or not self.length:
            return
        is_over = self.score[winner] + points >= self.length
        if says_match and not is_over:
            self.note(line, "match-not-over", f"the match is said to be won, at {self.score[winner] + points} points")

    def standing(self) -> Standing:
        """Where the game stands now."""
        player = self._next
        pending: Pending | None = None
        by: Side | None = None
        dice = None
        if self._open is not None:
            player, dice = self._open.player, self._open.dice
        if self._doubler is not None:
            player, pending, by = self._doubler, "double", "mine"
        if self._resigned is not None and self.result is None:
            player = self._resigned.player if player is None else player
            pending, by = "resign", "mine" if self._resigned.player == player else "theirs"
        position = self._position if player is None else self._seen_by(player)
        owner = seen_by(player, self._owner)
        cube = Cube(self._cube, owner) if self._cube > 1 and owner != "centre" else Cube()
        return Standing(player, position, cube, dice, pending, by)

    def game(self, line: int) -> Game:
        """Return the game as read so far; ``line`` is the last one of it."""
        if self.result is None and self._winner is not None:
            self.note(line, "missing-result", f"the game is over, but no result is written; it pays {self._points}")
            last = self.actions[-1]
            how = "dropped" if isinstance(last, CubeAction) and last.action == "drop" else "borne off"
            self.result = Result(
                self._winner,
                line,
                self._points,
                how,  # type: ignore[arg-type]
                self._cube,
                self._points,
                is_written=False,
            )
        return Game(
            self.number,
            self.line,
            self.names,
            self.score,
            self.is_crawford,
            tuple(self.actions),
            self.result,
            self.standing(),
            tuple(self.irregularities),
        )
