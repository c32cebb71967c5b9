"""A match record as its file tells it: games, turns, cube actions, results, and everything irregular about them.

Players are numbered 0 (the left column of a match file) and 1. Nothing in the model is repaired: what the file
says is kept, what the rules say is kept beside it, and where the two differ an `Irregularity` names the line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from bgcore.errors import short
from bgcore.rules import Cube, MatchScore, Owner, Rules

if TYPE_CHECKING:
    from bgcore._core import Play, Position
    from bgcore.codecs.situation import Pending, Side

LEVELS: Final = ("", "single", "gammon", "backgammon")


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something in a record that the rules, or the rest of the record, do not allow.

    Parameters
    ----------
    line : int
        Where in the file, counting from 1.
    code : str
        A short name for its kind, such as ``"illegal-play"``.
    message : str
        A sentence for people.
    game : int
        The number of the game in the file; 0 outside all games.
    """

    line: int
    code: str
    message: str
    game: int = 0

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Turn:
    """One roll and what was done with it.

    Parameters
    ----------
    player, line : int
        Who rolled, and where the file says so.
    dice : (int, int)
        As the file writes them.
    written : str
        The play as the file writes it; "" for an empty cell.
    kind : {"play", "dance", "illegal", "unplayed", "unrecorded", "unchecked"}
        ``dance``: nothing could be moved. ``illegal``: no legal play of this roll. ``unplayed``: an empty cell
        although a play exists. ``unrecorded``: the file says that it does not know. ``unchecked``: the position
        is not known, because of an earlier irregularity.
    before : Position or None
        Seen by the player who rolled; None if it is not known.
    play : Play or None
        The legal play; None unless ``kind`` is ``"play"``.
    after : Position or None
        Still seen by the player who rolled. After an illegal play, the board as written, where that can be.
    """

    player: int
    line: int
    dice: tuple[int, int]
    written: str
    kind: Literal["play", "dance", "illegal", "unplayed", "unrecorded", "unchecked"]
    before: Position | None
    play: Play | None
    after: Position | None


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A double or its answer.

    Parameters
    ----------
    player, line : int
        Who acted, and where the file says so.
    action : {"double", "take", "drop"}
        What he did.
    value : int
        What the cube shows if the double is taken.
    before : Position or None
        Seen by the player who doubled, whoever acts.
    is_implied : bool
        True for a take that the file leaves out although play went on.
    """

    player: int
    line: int
    action: Literal["double", "take", "drop"]
    value: int
    before: Position | None
    is_implied: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that could not be understood, kept as it is; only in records read with ``strict=False``."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resignation:
    """The word of a file that a player gives the game, or the whole match, up; for how much, the result says."""

    player: int
    line: int
    is_match: bool = False


Action = Turn | CubeAction | Resignation | Unread


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, by the file and by the rules.

    Parameters
    ----------
    winner, line : int
        Who won, and where the file says so (or where the deciding action stands).
    points : int
        As the file says; by the rules if it says nothing.
    how : {"borne off", "dropped", "resigned"}
        A game whose board is not finished and in which no double was dropped was resigned.
    cube : int
        The value the game was played for.
    full_points : int
        What the rules give: cube times level; for a resignation what was written if that is possible, else the
        most the loser could give up.
    is_written : bool
        Whether the file states the result.
    """

    winner: int
    line: int
    points: int
    how: Literal["borne off", "dropped", "resigned"]
    cube: int
    full_points: int
    is_written: bool = True

    @property
    def loser(self) -> int:
        """The other player."""
        return 1 - self.winner

    @property
    def level(self) -> str:
        """The result as "single", "gammon" or "backgammon"; "single" for a dropped double."""
        return LEVELS[max(1, min(3, -(-self.full_points // self.cube)))]

    @property
    def max_points(self) -> int:
        """The most this game could pay: three times the cube."""
        return 3 * self.cube


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands after its last action, seen by the player to move.

    Parameters
    ----------
    player : int or None
        The player to move; None before the opening roll. While an offer is pending, he who made the double.
    position : Position or None
        None if an irregularity made it unknown.
    cube : Cube
        Before a pending double.
    dice : (int, int) or None
        A roll that has not been played.
    pending : {"double", "resign"} or None
        An offer that waits for its answer.
    pending_by : {"mine", "theirs"} or None
        Who made it.
    """

    player: int | None
    position: Position | None
    cube: Cube
    dice: tuple[int, int] | None = None
    pending: Pending | None = None
    pending_by: Side | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a match.

    Parameters
    ----------
    number, line : int
        As the file numbers it, and where it starts.
    names : (str, str)
        As written at the head of the game, ratings included.
    score : (int, int)
        Before the game.
    is_crawford : bool or None
        None if the record does not tell: it starts at a score that may be in or after the Crawford game.
    actions : tuple of Turn, CubeAction, Resignation or Unread
        In the order of the file.
    result : Result or None
        None for a game that is not finished.
    standing : Standing
        Where it stands after its last action.
    irregularities : tuple of Irregularity
        Those of this game.
    """

    number: int
    line: int
    names: tuple[str, str]
    score: tuple[int, int]
    is_crawford: bool | None
    actions: tuple[Action, ...]
    result: Result | None
    standing: Standing
    irregularities: tuple[Irregularity, ...] = ()

    def __repr__(self) -> str:
        ended = "finished" if self.is_finished else "unfinished"
        return f"Game({self.number} at {self.score[0]}-{self.score[1]}, rolls: {self.plays}, {ended})"

    @property
    def turns(self) -> list[Turn]:
        """The rolls of the game, in order."""
        return [action for action in self.actions if isinstance(action, Turn)]

    @property
    def plays(self) -> int:
        """Number of rolls, but for those of which the record says that it does not know their use."""
        return sum(turn.kind != "unrecorded" for turn in self.turns)

    @property
    def dances(self) -> int:
        """Number of rolls with which nothing was moved: nothing could be, or the player resigned instead."""
        return sum(turn.kind in ("dance", "unplayed") for turn in self.turns)

    @property
    def is_finished(self) -> bool:
        """Whether the game has a result, by the file or by the rules."""
        return self.result is not None


@dataclass(frozen=True, slots=True)
class Match:
    """A match or money session as a file tells it.

    Parameters
    ----------
    length : int
        Points that win it; 0 for a money session.
    games : tuple of Game
        In the order of the file.
    headers : tuple of (str, str)
        Key and value of every header line, in order.
    comments : tuple of (int, str)
        Other text around the games, with its line.
    rules : Rules
        As far as the headers state them; the rest is the default.
    stated : frozenset of str
        Fields of ``rules``, and ``"crawford"``, that a header states.
    use_crawford : bool
        False if a header switches the Crawford rule off.
    irregularities : tuple of Irregularity
        All of them, those of the games included, in the order of the file.
    encoding : str
        How the bytes were read; ``"text"`` if they came as text.
    source : str
        The name of the file, or "".
    """

    length: int
    games: tuple[Game, ...]
    headers: tuple[tuple[str, str], ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    rules: Rules = field(default_factory=Rules)
    stated: frozenset[str] = frozenset()
    use_crawford: bool = True
    irregularities: tuple[Irregularity, ...] = ()
    encoding: str = "text"
    source: str = ""

    def __repr__(self) -> str:
        names, score = (short(name, 40) for name in self.names), map(str, self.final_score)
        return f"Match({' - '.join(names)}: {'-'.join(score)} to {self.length}, games: {len(self.games)})"

    @property
    def names(self) -> tuple[str, str]:
        """The players by column, as the last game writes them."""
        return self.games[-1].names if self.games else ("", "")

    @property
    def plays(self) -> int:
        """Rolls in all games, but for those of which the record does not know the use."""
        return sum(game.plays for game in self.games)

    @property
    def dances(self) -> int:
        """Rolls with which nothing was moved, in all games."""
        return sum(game.dances for game in self.games)

    @property
    def final_score(self) -> tuple[int, int]:
        """The score by column after the last game, as the file counts it."""
        if not self.games:
            return 0, 0
        score = list(self.games[-1].score)
        result = self.games[-1].result
        if result is not None:
            score[result.winner] += result.points
        return score[0], score[1]

    @property
    def is_over(self) -> bool:
        """Whether a player has reached the length; a money session is never over."""
        return self.length > 0 and max(self.final_score) >= self.length

    @property
    def unfinished(self) -> Game | None:
        """The last game if it has no result, else None."""
        return self.games[-1] if self.games and not self.games[-1].is_finished else None

    def header(self, key: str, default: str = "") -> str:
        """Return the value of the first header with this key, whatever its case.

        Parameters
        ----------
        key : str
            For example ``"Site"``.
        default : str, optional
            What to return where no header has it.
        """
        return next((value for name, value in self.headers if name.lower() == key.lower()), default)

    def score_for(self, game: Game, player: int) -> MatchScore | None:
        """Return the score before a game as a player sees it; None in money play.

        A game of which the record does not tell whether it is the Crawford game is taken not to be.

        Parameters
        ----------
        game : Game
            One of this match.
        player : int
            0 or 1, by column of the record.

        Raises
        ------
        RulesError
            If the file's score cannot be: for example a score at which the match is over.
        """
        if not self.length:
            return None
        mine, theirs = game.score[player], game.score[1 - player]
        return MatchScore(self.length, mine, theirs, bool(game.is_crawford))

    def to_dict(self) -> dict[str, Any]:
        """Return a summary of plain values for JSON."""
        return {
            "source": self.source,
            "match_length": self.length,
            "games": len(self.games),
            "plays": self.plays,
            "dances": self.dances,
            "final_score": list(self.final_score),
            "results": [
                {
                    "game": game.number,
                    "winner": game.result.winner,
                    "points": game.result.points,
                    "how": game.result.how,
                    "level": game.result.level,
                }
                if game.result
                else None
                for game in self.games
            ],
            "irregularities": [
                {"line": item.line, "game": item.game, "code": item.code, "message": item.message}
                for item in self.irregularities
            ],
            "encoding": self.encoding,
        }


def seen_by(player: int | None, owner: int | None) -> Owner:
    """Return who owns the cube as one player sees it."""
    if owner is None or player is None:
        return "centre"
    return "mine" if owner == player else "theirs"
