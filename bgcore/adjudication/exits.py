"""Who left how often, with what in hand, and between whom money went one way: counts over verdicts, and no judgement.

A player's exit is a game that ended, or waits for a person, while that player was away. A game that goes on, a record
that was refused and an absence laid to the server are nobody's exit; where a playing clock ran out, the other side's
absence is none either. Names are those in ``meta.names`` of the record; a verdict does not hold them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Literal

from bgcore.adjudication.canonical import parse_decimal
from bgcore.adjudication.record import COLOURS, OTHER, Colour, Record
from bgcore.adjudication.settle import STATUSES, amount_text
from bgcore.adjudication.value import Value
from bgcore.adjudication.verdict import Verdict
from bgcore.errors import BgcoreError, require, short, whole

Standing = Literal["ahead", "level", "behind", "unknown"]
Unit = tuple[str, int]
"""A currency and its decimals: amounts are summed only where both are the same."""

REPEATED: Final = 2
"""From how many settlements on a pair of players is listed."""
_LARGEST: Final = 10**9
_ENDED: Final = ("settled", "refunded", "undecided")


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum in one currency, in whole minor units."""

    currency: str
    minor_digits: int
    units: int

    def __str__(self) -> str:
        return f"{amount_text(self.units, self.minor_digits)} {self.currency}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"currency": self.currency, "minor_digits": self.minor_digits, "units": self.units}


@dataclass(frozen=True, slots=True)
class PlayerExits:
    """How one player left games.

    Parameters
    ----------
    player : str
    exits : int
        How often the player left; ``ahead``, ``level``, ``behind`` and ``unknown`` add up to it.
    ahead, level, behind, unknown : int
        By what the game was worth to the player before the policy's rules: above, at or below nothing in money and an
        even chance in a match. An estimate whose 95 % interval holds that mark is level; unknown is a game whose
        policy did not ask what it was worth.
    both_away : int
        How many of the exits were from games that the other side had left too.
    mean_points : float or None
        Mean value of the ``with_points`` money games to the player, in points with the cube.
    mean_mwc : float or None
        Mean of the ``with_mwc`` chances to win the match.
    paid, received : tuple of Amount
        What those settlements moved from and to the player, before rake and fees, by currency.
    """

    player: str
    exits: int
    ahead: int
    level: int
    behind: int
    unknown: int
    both_away: int
    with_points: int
    mean_points: float | None
    with_mwc: int
    mean_mwc: float | None
    paid: tuple[Amount, ...]
    received: tuple[Amount, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return found | {name: [amount.to_dict() for amount in found[name]] for name in ("paid", "received")}


@dataclass(frozen=True, slots=True)
class OneWay:
    """Two players between whom every settlement that moved money moved it the same way.

    Parameters
    ----------
    payer, payee : str
    settlements : int
        How many of them there are, whoever was away and why.
    payer_left, payee_left : int
        In how many of them that player was away.
    moved : tuple of Amount
        From the payer to the payee, before rake and fees, by currency.
    """

    payer: str
    payee: str
    settlements: int
    payer_left: int
    payee_left: int
    moved: tuple[Amount, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return found | {"moved": [amount.to_dict() for amount in self.moved]}


@dataclass(slots=True)
class _Player:
    """The counts of one player; their size does not grow with the number of exits."""

    exits: int = 0
    both_away: int = 0
    standings: Counter[Standing] = field(default_factory=Counter)
    valued: Counter[str] = field(default_factory=Counter)
    # Every summand is a float, so that the exact sum stays a short fraction, and in any order the same.
    sums: dict[str, Fraction] = field(default_factory=dict)
    paid: Counter[Unit] = field(default_factory=Counter)
    received: Counter[Unit] = field(default_factory=Counter)

    def mean(self, unit: str) -> float | None:
        return float(self.sums[unit] / self.valued[unit]) if self.valued[unit] else None


@dataclass(slots=True)
class _Pair:
    """The settlements of one pair, as long as they go one way."""

    payer: str
    payee: str
    settlements: int = 0
    payer_left: int = 0
    payee_left: int = 0
    moved: Counter[Unit] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What one verdict says, checked."""

    left: tuple[Colour, ...]
    values: Mapping[Colour, tuple[Standing, str, float]]
    payer: Colour | None
    unit: Unit
    amount: int
    names: Mapping[Colour, str]


class Exits:
    """Counts over verdicts, built one by one with `add`; memory grows with players and pairs, not with verdicts.

    Attributes
    ----------
    verdicts : int
        How many were added.
    exits : int
        How many exits they hold, all players together.
    unnamed : int
        How many of these no record has a name for: they are in nobody's count.
    server_faults : int
        How many ended verdicts lay the absence to the server; nobody left there.
    reviews : int
        How many verdicts name an earlier one. Where that is among those added too, its exit counts twice.
    """

    def __init__(self) -> None:
        self.verdicts = self.exits = self.unnamed = self.server_faults = self.reviews = 0
        self._players: dict[str, _Player] = {}
        self._pairs: dict[tuple[str, str], _Pair | None] = {}

    def add(self, verdict: Verdict | Mapping[str, Any], record: Record | Mapping[str, Any] | None = None) -> None:
        """Count one verdict, or raise and count nothing.

        Parameters
        ----------
        verdict : Verdict or dict
        record : Record or dict, optional
            The record as its owner keeps it, for the names; by default that of the verdict, which has names only
            if it is a `Verdict` that was just made.

        Raises
        ------
        RecordError
            If the verdict or the record cannot be read.
        BgcoreError
            If the record is not the one that was judged, or the verdict holds what no verdict can.
        """
        require(verdict, (Verdict, Mapping), "what is counted is a Verdict or its dict")
        require(record, (Record, Mapping, type(None)), "the record of a verdict is a Record or its dict")
        judged = verdict if isinstance(verdict, Verdict) else Verdict.from_dict(verdict)
        if judged.status not in STATUSES:
            raise BgcoreError(f"a verdict's status is one of {', '.join(STATUSES)}, not {judged.status!r}")
        if judged.status in _ENDED:
            self._count(_facts(judged, record), judged)
        self.verdicts += 1

    def _count(self, facts: _Facts, judged: Verdict) -> None:
        assert judged.record is not None
        self.server_faults += judged.record.absence.cause == "server"
        self.reviews += bool(judged.record.meta and judged.record.meta.get("previous") is not None)
        self.exits += len(facts.left)
        for colour in facts.left:
            name = facts.names.get(colour)
            if name is None:
                self.unnamed += 1
                continue
            player = self._players.setdefault(name, _Player())
            player.exits += 1
            player.both_away += len(facts.left) == 2
            if colour in facts.values:
                standing, unit, own = facts.values[colour]
                player.standings[standing] += 1
                player.valued[unit] += 1
                player.sums[unit] = player.sums.get(unit, Fraction(0)) + Fraction(own)
            else:
                player.standings["unknown"] += 1
            if facts.payer is not None:
                (player.paid if facts.payer == colour else player.received)[facts.unit] += facts.amount
        if facts.payer is not None and len(facts.names) == 2:
            self._pair(facts, facts.payer)

    def _pair(self, facts: _Facts, payer: Colour) -> None:
        paying, paid = facts.names[payer], facts.names[OTHER[payer]]
        key = (min(paying, paid), max(paying, paid))
        pair = self._pairs.setdefault(key, _Pair(paying, paid))
        if pair is None or pair.payer != paying:
            self._pairs[key] = None  # the money has gone both ways: nothing more has to be kept
            return
        pair.settlements += 1
        pair.payer_left += payer in facts.left
        pair.payee_left += OTHER[payer] in facts.left
        pair.moved[facts.unit] += facts.amount

    def players(self, least: int = 2, player: str | None = None) -> list[PlayerExits]:
        """Return the players with at least so many exits, the most first, then by name.

        Parameters
        ----------
        least : int
        player : str, optional
            Only this one.
        """
        whole(least, "the least number of exits", 1, 1 << 62)
        found = [
            PlayerExits(
                player=name,
                exits=one.exits,
                ahead=one.standings["ahead"],
                level=one.standings["level"],
                behind=one.standings["behind"],
                unknown=one.standings["unknown"],
                both_away=one.both_away,
                with_points=one.valued["points"],
                mean_points=one.mean("points"),
                with_mwc=one.valued["mwc"],
                mean_mwc=one.mean("mwc"),
                paid=_amounts(one.paid),
                received=_amounts(one.received),
            )
            for name, one in self._players.items()
            if one.exits >= least and player in (None, name)
        ]
        return sorted(found, key=lambda one: (-one.exits, one.player))

    def one_way(self, player: str | None = None) -> list[OneWay]:
        """Return the pairs with two settlements or more whose money always went one way, the most first, then by name.

        Parameters
        ----------
        player : str, optional
            Only pairs with this one.
        """
        found = [
            OneWay(pair.payer, pair.payee, pair.settlements, pair.payer_left, pair.payee_left, _amounts(pair.moved))
            for pair in self._pairs.values()
            if pair is not None
            and pair.settlements >= REPEATED
            and (player is None or player in (pair.payer, pair.payee))
        ]
        return sorted(found, key=lambda pair: (-pair.settlements, pair.payer, pair.payee))

    def to_dict(self) -> dict[str, Any]:
        """Return the totals as JSON values."""
        return {name: getattr(self, name) for name in ("verdicts", "exits", "unnamed", "server_faults", "reviews")}


def exits(
    cases: Iterable[tuple[Verdict | Mapping[str, Any], Record | Mapping[str, Any] | None]],
) -> Exits:
    """Count who left how often, and between whom money went one way.

    Parameters
    ----------
    cases : iterable of (Verdict or dict, Record, dict or None)
        Verdicts with their records, which hold the names; read once, in order.

    Returns
    -------
    Exits
        Its ``players()`` and ``one_way()`` are sorted and do not depend on the order of the cases.

    Raises
    ------
    RecordError, BgcoreError
        As `Exits.add`.
    """
    require(cases, Iterable, "cases are pairs of a verdict and its record")
    found = Exits()
    for verdict, record in cases:
        found.add(verdict, record)
    return found


def _facts(judged: Verdict, given: Record | Mapping[str, Any] | None) -> _Facts:
    record = judged.record
    if record is None:
        raise BgcoreError(f"a verdict that is {judged.status} holds the record that was judged, and this one does not")
    left: tuple[Colour, ...] = ()
    if record.absence.cause != "server":
        expired = record.absence.clock_expired
        left = tuple(colour for colour in record.absence.gone if expired is None or expired.side == colour)
    payer, amount = _transfer(judged.transfer, record)
    unit = ("", 0) if record.money is None else (record.money.currency, record.money.minor_digits)
    return _Facts(
        left=left,
        values={} if judged.value is None else {colour: _worth(judged.value, record, colour) for colour in left},
        payer=payer,
        unit=unit,
        amount=amount,
        names=_names(record if given is None else _same(judged, record, given)),
    )


def _same(judged: Verdict, record: Record, given: Record | Mapping[str, Any]) -> Record:
    """Return the record that was given, if it is the one that was judged: nobody gets another's exit."""
    kept = given if isinstance(given, Record) else Record.from_dict(given, value_only=True)
    if kept.case_id not in (None, judged.case_id):
        raise BgcoreError(f"the verdict is on the case {judged.case_id!r}, the record on {kept.case_id!r}")
    if kept.digest != record.digest:
        raise BgcoreError(f"the record is not the one that was judged: {kept.digest} instead of {record.digest}")
    return kept


def _names(record: Record) -> dict[Colour, str]:
    names = (record.meta or {}).get("names") or {}
    return {colour: names[colour] for colour in COLOURS if (names.get(colour) or "").strip()}


def _worth(value: Value, record: Record, colour: Colour) -> tuple[Standing, str, float]:
    """Return where a side stood, and in which unit it is worth how much to it."""
    number = value.number
    unit = "points" if record.match is None else "mwc"
    even, total = (Fraction(0), 0) if record.match is None else (Fraction(1, 2), 1)
    least, most = (-_LARGEST, _LARGEST) if record.match is None else (0, 1)
    if value.unit != unit or not least <= number <= most:
        raise BgcoreError(f"no game of {record.mode} is worth {short(number, 40)} {short(value.unit, 40)}")
    own = number if colour == "white" else total - number
    is_open = value.low is not None and value.high is not None and value.low <= even <= value.high
    standing: Standing = "level" if own == even or is_open else "ahead" if own > even else "behind"
    return standing, unit, float(own)


def _transfer(moved: Mapping[str, str] | None, record: Record) -> tuple[Colour | None, int]:
    """Return who pays and how much in minor units; None and 0 where no money changes hands between the players."""
    if moved is None:
        return None, 0
    try:
        payer, payee, amount = moved["from"], moved["to"], parse_decimal(moved["amount"])
    except (LookupError, TypeError, ValueError) as error:
        raise BgcoreError(f"a transfer is from, to and an amount, not {moved!r:.80}") from error
    if record.money is None or (payer, payee) not in (("white", "black"), ("black", "white")):
        raise BgcoreError(f"no such transfer settles a game of {record.mode}: {dict(moved)!r:.80}")
    units = amount * 10**record.money.minor_digits
    if units.denominator != 1 or units <= 0:
        raise BgcoreError(f"{record.money.currency} moves in whole minor units above 0, not {moved['amount']!r:.80}")
    return ("white" if payer == "white" else "black"), int(units)


def _amounts(sums: Mapping[Unit, int]) -> tuple[Amount, ...]:
    return tuple(Amount(currency, digits, units) for (currency, digits), units in sorted(sums.items()))
