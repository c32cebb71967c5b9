"""The record of an abandoned game: what was on the table, what was at stake, and who was gone.

A `Record` exists only after every check of `bgcore.adjudication.reader` has passed, so that nothing
further in asks again. Colours are ``white`` and ``black``; each side counts its own points 24 to 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from bgcore._core import Position
from bgcore.adjudication.canonical import digest
from bgcore.adjudication.faults import Fault
from bgcore.rules import Cube, MatchScore, Rules

if TYPE_CHECKING:
    from bgcore.codecs.situation import Situation

Colour = Literal["white", "black"]
SCHEMA: Final = "bgcore.adjudication/1"
COLOURS: Final[tuple[Colour, Colour]] = ("white", "black")
OTHER: Final[dict[Colour, Colour]] = {"white": "black", "black": "white"}
GONE: Final[dict[tuple[bool, bool], tuple[Colour, ...]]] = {
    (False, False): (), (True, False): ("white",), (False, True): ("black",), (True, True): COLOURS
}  # fmt: skip
"""Who is away, by whether white is and whether black is."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side's checkers: ``points[n - 1]`` on its own n point, on the bar, and borne off."""

    points: tuple[int, ...]
    bar: int
    off: int

    def to_dict(self) -> dict[str, Any]:
        """JSON values; empty points are left out."""
        points = {str(point): count for point, count in enumerate(self.points, 1) if count}
        return {"points": points, "bar": self.bar, "off": self.off}


@dataclass(frozen=True, slots=True)
class Board:
    """Both sides' checkers."""

    white: Side
    black: Side

    def side(self, colour: Colour) -> Side:
        """Return the checkers of one side."""
        return self.white if colour == "white" else self.black

    def slots(self, mover: Colour) -> list[int]:
        """Return the 26 numbers of `Position.from_board`, seen by ``mover``."""
        mine, theirs = self.side(mover), self.side(OTHER[mover])
        slots = [-theirs.bar, *mine.points, mine.bar]
        for point, count in enumerate(theirs.points, 1):
            if count:
                slots[25 - point] = -count
        return slots

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"white": self.white.to_dict(), "black": self.black.to_dict()}


@dataclass(frozen=True, slots=True)
class CubeState:
    """The cube: its value, whose it is (``centre``, ``white``, ``black``) and how high it may go."""

    value: int = 1
    owner: Literal["centre", "white", "black"] = "centre"
    enabled: bool = True
    limit: int | None = 64

    def seen_by(self, mover: Colour) -> Cube:
        """Return the cube as the side to move sees it."""
        if self.owner == "centre":
            return Cube(self.value, "centre", self.enabled)
        return Cube(self.value, "mine" if self.owner == mover else "theirs", self.enabled)

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"enabled": self.enabled, "value": self.value, "owner": self.owner, "limit": self.limit}


@dataclass(frozen=True, slots=True)
class Pending:
    """An offer that nobody has answered: a double, beaver, raccoon, or a resignation at a level 1 to 3."""

    type: Literal["double", "beaver", "raccoon", "resign"]
    by: Colour
    level: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        fields: dict[str, Any] = {"type": self.type, "by": self.by}
        return fields if self.level is None else fields | {"level": self.level}


@dataclass(frozen=True, slots=True)
class RecordRules:
    """Rule options of the game; see `bgcore.rules.Rules` for those that the two share.

    ``auto_move`` lets the server play forced checkers; ``auto_roll_waives_double`` says that a side
    that rolls automatically gives up the double of that turn.
    """

    gammon_rule: Literal["standard", "portal_home_only", "manual_garlando"] = "standard"
    bearoff_rule: Literal["standard", "highest_first"] = "standard"
    decline_value: Literal["previous", "shown_after_double"] = "previous"
    limit_mode: Literal["clip", "block_double"] = "clip"
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    automatic_doubles: bool = False
    auto_move: bool = False
    auto_roll_waives_double: bool = True

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {name: getattr(self, name) for name in RecordRules.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class Rake:
    """What the site takes from the net winner: a rate, and the least and most in money."""

    rate: Decimal = Decimal(0)
    base: Literal["net_winner"] = "net_winner"
    min: Decimal | None = None
    max: Decimal | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON values, money as strings."""
        return {"rate": _plain(self.rate), "base": self.base, "min": _plain(self.min), "max": _plain(self.max)}


@dataclass(frozen=True, slots=True)
class Money:
    """The stake of one point, the most a side can lose, and the rake; amounts in ``currency``."""

    currency: str
    minor_digits: int
    stake: Decimal
    limit: Decimal | None = None
    bankroll: tuple[Decimal, Decimal] | None = None
    rake: Rake = Rake()

    @property
    def cap(self) -> Decimal | None:
        """The most that can change hands: the limit and both bankrolls (white's, black's), the least of them."""
        bounds = [*(self.bankroll or ()), *([] if self.limit is None else [self.limit])]
        return min(bounds, default=None)

    def to_dict(self) -> dict[str, Any]:
        """JSON values, money as strings."""
        bankroll = self.bankroll and {"white": _plain(self.bankroll[0]), "black": _plain(self.bankroll[1])}
        return {
            "currency": self.currency,
            "minor_digits": self.minor_digits,
            "stake": _plain(self.stake),
            "limit": _plain(self.limit),
            "bankroll": bankroll,
            "rake": self.rake.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Prize:
    """What the winner and the loser of a match are paid, in units with ``minor_digits`` decimals."""

    winner: Decimal
    loser: Decimal
    minor_digits: int = 2
    currency: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON values, money as strings."""
        return {
            "winner": _plain(self.winner),
            "loser": _plain(self.loser),
            "minor_digits": self.minor_digits,
            "currency": self.currency,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """Length, score and Crawford state of a match, its equity table and its prize.

    ``is_crawford`` is resolved: the record's ``auto`` has been decided by then. ``bracket`` marks a match
    whose winner takes a seat in the next round; ``next_round_value`` says what that seat is worth.
    """

    length: int
    score: tuple[int, int]
    is_crawford: bool = False
    met: str = "Kazaross-XG2"
    prize: Prize | None = None
    bracket: bool = False
    next_round_value: Decimal | None = None

    def points(self, colour: Colour) -> int:
        """Points a side has won."""
        return self.score[colour == "black"]

    def away(self, colour: Colour) -> int:
        """Points a side still needs."""
        return self.length - self.points(colour)

    def seen_by(self, mover: Colour) -> MatchScore:
        """Return the score as the side to move sees it."""
        return MatchScore(self.length, self.points(mover), self.points(OTHER[mover]), self.is_crawford)

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        has_leader = 1 in (self.away("white"), self.away("black"))
        return {
            "length": self.length,
            "score": {"white": self.score[0], "black": self.score[1]},
            "crawford": "yes" if self.is_crawford else "post" if has_leader else "no",
            "met": self.met,
            "prize": None if self.prize is None else self.prize.to_dict(),
            "bracket": self.bracket,
            "next_round_value": _plain(self.next_round_value),
        }


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a side is gone and for how long; all times in whole milliseconds.

    ``used_before_ms`` is what earlier absences used up, ``clock_left_ms`` the extra time left on the
    player's own clock, ``deliberate`` whether the window was closed on purpose (None: not known).
    """

    away: bool = False
    seconds_ms: int = 0
    used_before_ms: int = 0
    clock_left_ms: int | None = None
    deliberate: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON values, times in seconds as strings with three decimals."""
        return {
            "away": self.away,
            "seconds": seconds_text(self.seconds_ms),
            "used_before": seconds_text(self.used_before_ms),
            "clock_left": None if self.clock_left_ms is None else seconds_text(self.clock_left_ms),
            "deliberate": self.deliberate,
        }


@dataclass(frozen=True, slots=True)
class ClockExpired:
    """A playing clock that ran out: whose, and whether it was the game's or the round's."""

    side: Colour
    scope: Literal["game", "round"] = "game"

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"side": self.side, "scope": self.scope}


@dataclass(frozen=True, slots=True)
class Absence:
    """Who was gone, why, and how far the game had got.

    ``claim`` is what the present side asked for under a policy that lets it choose.
    """

    white: Presence = Presence()
    black: Presence = Presence()
    cause: Literal["player", "server", "unknown"] = "player"
    clock_expired: ClockExpired | None = None
    plies_played: int | None = None
    claim: Literal["win", "refund"] | None = None

    def side(self, colour: Colour) -> Presence:
        """Return the presence of one side."""
        return self.white if colour == "white" else self.black

    @property
    def gone(self) -> tuple[Colour, ...]:
        """The sides that are away, white first."""
        return GONE[self.white.away, self.black.away]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "white": self.white.to_dict(),
            "black": self.black.to_dict(),
            "cause": self.cause,
            "clock_expired": None if self.clock_expired is None else self.clock_expired.to_dict(),
            "plies_played": self.plies_played,
            "claim": self.claim,
        }


@dataclass(frozen=True)
class Record:
    """A validated record; build one with `from_dict`, `from_xgid`, `from_gnubg` or `from_mat`.

    Attributes
    ----------
    case_id : str or None
        The caller's name for the case; not part of the digest.
    board : Board
        The checkers at the start of the turn.
    on_roll : {"white", "black"} or None
        Whose turn it is; None before the opening roll.
    dice : tuple of 2 int or None
        The roll, if it was made; ``moved`` are the single moves ``(from, to)`` already played of it, in
        the mover's own numbering, 25 the bar and 0 off.
    money, match : Money or None, Match or None
        Exactly one of them.
    policy : str, dict or None
        The policy the record asks for, used when the caller names none.
    meta : dict
        Names, notes and the like; not part of the digest.
    warnings : tuple of Fault
        What is odd but legal.
    """

    board: Board
    on_roll: Colour | None
    cube: CubeState
    mode: Literal["money", "match"]
    dice: tuple[int, int] | None = None
    moved: tuple[tuple[int, int], ...] = ()
    pending: Pending | None = None
    rules: RecordRules = RecordRules()
    money: Money | None = None
    match: Match | None = None
    absence: Absence = Absence()
    auto_roll: bool = False
    is_finished: bool = False
    policy: str | Mapping[str, Any] | None = None
    case_id: str | None = None
    meta: Mapping[str, Any] | None = None
    warnings: tuple[Fault, ...] = ()
    schema: str = SCHEMA

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], *, value_only: bool = False) -> "Record":
        """Read a record from JSON values, naming every fault at once.

        Parameters
        ----------
        document : dict
            A record of schema ``bgcore.adjudication/1``; see `bgcore.adjudication.schema`.
        value_only : bool
            Accept a record without an absence, or where nobody is away, because only the value of the
            position is wanted.

        Raises
        ------
        RecordError
            ``errors`` holds every fault found, sorted by JSON path. Nothing is guessed.
        """
        from bgcore.adjudication.reader import read_record

        return read_record(document, value_only=value_only)

    @classmethod
    def from_situation(cls, situation: "Situation", **fields: Any) -> "Record":
        """Build a record around a decoded identifier; the side that is on roll there is on roll here.

        Parameters
        ----------
        situation : Situation
            What `bgcore.parse_xgid` and its relatives return.
        **fields
            Record sections in JSON form that the identifier does not hold: ``absence``, ``money``,
            ``match``, ``policy``, ``case_id``, ``meta``, ``rules``, and ``value_only``.

        Raises
        ------
        RecordError
            As for `from_dict`.
        """
        from bgcore.adjudication.identifiers import situation_document

        value_only = bool(fields.pop("value_only", False))
        return cls.from_dict(situation_document(situation, fields), value_only=value_only)

    @classmethod
    def from_xgid(cls, text: str, **fields: Any) -> "Record":
        """Build a record from an XGID and the sections it does not hold; see `from_situation`.

        Parameters
        ----------
        text : str
            The XGID.
        **fields
            The sections that `from_situation` takes, such as ``absence`` and ``money``.

        Raises
        ------
        NotationError
            If the XGID cannot be read.
        RecordError
            As for `from_dict`.
        """
        from bgcore.codecs.xgid import parse_xgid

        return cls.from_situation(parse_xgid(text), **fields)

    @classmethod
    def from_gnubg(cls, text: str, **fields: Any) -> "Record":
        """Build a record from ``POSITIONID:MATCHID``, or of a money game from the Position ID; see `from_situation`.

        Parameters
        ----------
        text : str
            A Position ID, with a colon and a Match ID or alone.
        **fields
            The sections that `from_situation` takes, such as ``absence`` and ``money``.

        Raises
        ------
        NotationError
            If either identifier cannot be read.
        RecordError
            As for `from_dict`.
        """
        from bgcore.codecs.identifier import parse_identifier
        from bgcore.codecs.match_id import parse_gnubg_id

        is_alone = isinstance(text, str) and ":" not in text
        return cls.from_situation(parse_identifier(text) if is_alone else parse_gnubg_id(text), **fields)

    @classmethod
    def from_mat(cls, source: str, **fields: Any) -> "Record":
        """Build a record from the unfinished last game of a match file.

        Parameters
        ----------
        source : str or path
            A file, or its text; see `bgcore.codecs.mat.read_mat`. White is the left column.
        **fields
            Sections in JSON form that the file does not hold, above all ``absence``; ``money``, ``match``
            and ``rules`` are laid over what the file says.

        Raises
        ------
        NotationError
            If the file cannot be read, or all its games have a result.
        RecordError
            As for `from_dict`; E22 where the file does not show whether the Crawford game was played.
        """
        from bgcore.adjudication.identifiers import mat_document

        value_only = bool(fields.pop("value_only", False))
        return cls.from_dict(mat_document(source, fields), value_only=value_only)

    @cached_property
    def position(self) -> Position:
        """The board seen by the side on roll (by white before the opening roll)."""
        return Position.from_board(self.board.slots(self.on_roll or "white"))

    @cached_property
    def game_rules(self) -> Rules:
        """The rule options that change what positions are worth."""
        return Rules(
            gammon_rule=self.rules.gammon_rule,
            bearoff_rule=self.rules.bearoff_rule,
            decline_value=self.rules.decline_value,
            jacoby=self.rules.jacoby,
            beavers=self.rules.beavers,
            raccoons=self.rules.raccoons,
            automatic_doubles=self.rules.automatic_doubles,
            cube_limit=self.cube.limit,
            limit_mode=self.rules.limit_mode,
        )

    def mirrored(self) -> "Record":
        """Return the same record with the colours exchanged; its verdict is exactly the mirrored one."""

        def swap(colour: Any) -> Any:
            return OTHER.get(colour, colour)

        expired = self.absence.clock_expired
        return replace(
            self,
            board=Board(self.board.black, self.board.white),
            on_roll=swap(self.on_roll),
            cube=replace(self.cube, owner=swap(self.cube.owner)),
            pending=self.pending and replace(self.pending, by=swap(self.pending.by)),
            money=self.money and replace(self.money, bankroll=self.money.bankroll and self.money.bankroll[::-1]),
            match=self.match and replace(self.match, score=self.match.score[::-1]),
            absence=replace(
                self.absence,
                white=self.absence.black,
                black=self.absence.white,
                clock_expired=expired and replace(expired, side=swap(expired.side)),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON values in one normal form; `from_dict` reads it back."""
        fields: dict[str, Any] = {
            "schema": self.schema,
            "mode": self.mode,
            "board": self.board.to_dict(),
            "on_roll": self.on_roll,
            "dice": None if self.dice is None else list(self.dice),
            "moved": [list(move) for move in self.moved],
            "cube": self.cube.to_dict(),
            "pending": None if self.pending is None else self.pending.to_dict(),
            "rules": self.rules.to_dict(),
            "absence": self.absence.to_dict(),
            "auto_roll": self.auto_roll,
            "finished": self.is_finished,
        }
        if self.money is not None:
            fields["money"] = self.money.to_dict()
        if self.match is not None:
            fields["match"] = self.match.to_dict()
        if self.case_id is not None:
            fields["case_id"] = self.case_id
        if self.policy is not None:
            fields["policy"] = self.policy if isinstance(self.policy, str) else dict(self.policy)
        if self.meta:
            fields["meta"] = dict(self.meta)
        return fields

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical record without ``case_id``, ``policy`` and ``meta``.

        Renaming the case or the players, or writing a stake as 1.0 for 1.00, does not change it.
        """
        return digest(self.facts)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The record as JSON values without what is not part of the digest."""
        fields = self.to_dict()
        for name in ("case_id", "policy", "meta"):
            fields.pop(name, None)
        return fields


def seconds_text(milliseconds: int) -> str:
    """Milliseconds as seconds with three decimals."""
    sign, milliseconds = ("-", -milliseconds) if milliseconds < 0 else ("", milliseconds)
    return f"{sign}{milliseconds // 1000}.{milliseconds % 1000:03d}"


def _plain(amount: Decimal | None) -> Any:
    """Return a decimal as text with no exponent and no trailing zeros; None stays None."""
    if amount is None:
        return None
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
