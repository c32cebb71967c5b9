"""Match equity tables: the chance to win a match from every score, and equities turned into it and back.

Numbers are exact fractions of the decimal text they were published as, so that a settlement can name the
table it used and anybody can recompute it to the last digit.
"""

import csv
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Self
from xml.parsers import expat

from bgcore.errors import DataError, RulesError, UnsupportedError, shown, whole
from bgcore.rules import MAX_CUBE, MatchScore

MAX_LENGTH: Final = 64
"""The longest match that `MatchEquityTable.extended` reaches."""

_DEFAULT: Final = "Kazaross-XG2"
_HALF: Final = Fraction(1, 2)
_ENTRY: Final = re.compile(r"\d{0,3}(\.\d{0,60})?", re.ASCII)
# Tables are printed to 5 or 6 decimals; two entries that should add up to 1 may miss it by their rounding.
_ROUNDING: Final = Fraction(1, 10_000)


class GammonPrices(NamedTuple):
    """What gammons are worth on top of the lesser win, a single win above the midpoint being 1.

    These are gnubg's gammon prices: all 1 for money with gammons, 0 where they do not count. The gammon
    *values* of books (1/2 for money) compare with the whole swing from a loss to a win, and are half.
    """

    win_gammon: Fraction
    lose_gammon: Fraction
    win_backgammon: Fraction
    lose_backgammon: Fraction

    @property
    def values(self) -> "GammonPrices":
        """The same as the gammon values of books."""
        return GammonPrices(*(price / 2 for price in self))


@dataclass(frozen=True)
class MatchEquityTable:
    """The chance to win a match from every score; immutable and safe to share between threads.

    Parameters
    ----------
    name : str
        What it is called.
    pre : tuple of tuples of Fraction
        ``pre[i][j]``: my chance when I need ``i + 1`` points, the opponent ``j + 1``, and the Crawford
        game is not behind us. With one point needed this is the chance before the Crawford game.
    post : tuple of Fraction
        ``post[i]``: the trailer's chance after the Crawford game when he needs ``i + 1`` points.

    Raises
    ------
    DataError
        If the table is not square, holds numbers outside 0..1, is not antisymmetric (my chance and the
        opponent's add up to 1, within the rounding of print), or does not rise with the points that the
        opponent needs. Entries that miss antisymmetry by rounding are averaged.
    """

    name: str
    pre: tuple[tuple[Fraction, ...], ...]
    post: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        size = len(self.pre)
        faults = []
        if not size or any(len(row) != size for row in self.pre) or len(self.post) != size:
            faults.append("it must have as many columns as rows, and as many post-Crawford entries")
        elif not all(0 <= value <= 1 for row in (*self.pre, self.post) for value in row):
            faults.append("a chance lies between 0 and 1")
        else:
            for i in range(size):
                for j in range(i, size):
                    if abs(self.pre[i][j] + self.pre[j][i] - 1) > _ROUNDING:
                        faults.append(f"{i + 1}-away {j + 1}-away and its mirror do not add up to 1")
            if any(a > b for row in self.pre for a, b in pairwise(row)):
                faults.append("a chance must not fall when the opponent needs more points")
            if any(a < b for a, b in pairwise(self.post)):
                faults.append("the post-Crawford chance must not rise when the trailer needs more points")
        if faults:
            raise DataError(f"match equity table {self.name!r}: " + "; ".join(faults))
        balanced = tuple(tuple((self.pre[i][j] + 1 - self.pre[j][i]) / 2 for j in range(size)) for i in range(size))
        object.__setattr__(self, "pre", balanced)

    def __repr__(self) -> str:
        return f"MatchEquityTable({self.name!r}, up to {len(self.pre)}-away)"

    @classmethod
    def load(cls, source: str | Path) -> Self:
        """Read a table that comes with bgcore, by name, or a file: ``.csv`` as shipped, or gnubg's ``.xml``.

        Parameters
        ----------
        source : str or Path
            A name of `available`, or a path that ends in ``.csv`` or ``.xml``.

        Raises
        ------
        DataError
            For an unknown name, a missing or unreadable file, or a table that makes no sense.
        UnsupportedError
            For an XML table that gives a formula (``type="zadeh"``) instead of its entries.
        """
        text = str(source)
        if text.lower().endswith((".csv", ".xml")):
            path: Path | Traversable = Path(text)
            try:
                data = path.read_bytes()
            except (OSError, ValueError) as error:  # a ValueError is Python's word on a path with a null character
                reason = getattr(error, "strerror", None) or error
                raise DataError(f"match equity table {shown(text)} cannot be read: {reason}") from error
            return cls._from_xml(data, text) if text.lower().endswith(".xml") else cls._from_csv(data, Path(text).stem)
        names = {name.lower(): name for name in available()}
        if text.lower() not in names:
            raise DataError(f"no match equity table {shown(text)}: there are {', '.join(sorted(names.values()))}")
        name = names[text.lower()]
        return cls._from_csv(_folder().joinpath(f"{name}.csv").read_bytes(), name)

    @classmethod
    def _from_csv(cls, data: bytes, name: str) -> Self:
        pre: list[tuple[Fraction, ...]] = []
        post: tuple[Fraction, ...] | None = None
        try:
            lines = data.decode("utf-8").splitlines()
            for number, row in enumerate(csv.reader(lines), start=1):
                if not row or row[0].startswith("#"):
                    continue
                kind, away, *entries = (cell.strip() for cell in row)
                if kind == "pre" and away == str(len(pre) + 1):
                    pre.append(_fractions(entries))
                elif kind == "post" and away == "1" and post is None:
                    post = _fractions(entries)
                else:
                    raise DataError(f"match equity table {name!r}, line {number}: {kind},{away} is not expected there")
        except (UnicodeDecodeError, ValueError, csv.Error) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"match equity table {name!r} is not in the CSV form: {error}") from error
        return cls(name, tuple(pre), post or ())

    @classmethod
    def _from_xml(cls, data: bytes, name: str) -> Self:
        reader = _XmlReader(name)
        reader.read(data)
        tables = {tuple(rows[0]) for rows in reader.post if rows}
        if len(tables) > 1:
            raise UnsupportedError(f"match equity table {name!r} differs between the two players")
        post = tables.pop() if tables else ()
        size = len(reader.pre)
        if len(post) == size - 1 > 4:
            # In a match of this length nobody needs so many after the Crawford game, and some tables leave it out.
            post = (*post, _next_post(post))
        return cls(reader.title or Path(name).stem, tuple(reader.pre), post[:size])

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def length(self) -> int:
        """The largest number of points away that the table reaches."""
        return len(self.pre)

    def mwc(self, mine_away: int, theirs_away: int, *, is_post_crawford: bool = False) -> Fraction:
        """Return my chance to win the match, before a game at this score.

        Parameters
        ----------
        mine_away, theirs_away : int
            Points each side still needs; 0 or less is a match already won.
        is_post_crawford : bool
            Whether the Crawford game is behind us. Only then, and only where a side needs one point,
            it makes a difference; with one point needed and False, the game to come is the Crawford game.

        Raises
        ------
        RulesError
            If both sides have won, or the Crawford game is said to be over where nobody needs one point.
        UnsupportedError
            If the score lies beyond the table; see `extended`.
        """
        if mine_away <= 0 or theirs_away <= 0:
            if mine_away <= 0 and theirs_away <= 0:
                raise RulesError("both sides cannot have won the match")
            return Fraction(mine_away <= 0)
        if max(mine_away, theirs_away) > self.length:
            raise UnsupportedError(
                f"{shown(mine_away)}-away {shown(theirs_away)}-away lies beyond the table {self.name}, which reaches "
                f"{self.length}-away; extended({shown(max(mine_away, theirs_away))}) reaches further by a stated rule"
            )
        if is_post_crawford:
            if theirs_away == 1:
                return self.post[mine_away - 1]
            if mine_away == 1:
                return 1 - self.post[theirs_away - 1]
            raise RulesError(
                f"at {mine_away}-away {theirs_away}-away the Crawford game is still to come: nobody needs one point"
            )
        return self.pre[mine_away - 1][theirs_away - 1]

    def mwc_at(self, score: MatchScore) -> Fraction:
        """Return my chance to win the match, before a game at this score.

        Parameters
        ----------
        score : MatchScore
            Before the game, as I see it.
        """
        return self.mwc(score.mine_away, score.theirs_away, is_post_crawford=score.is_post_crawford)

    def mwc_after(self, score: MatchScore, points: int) -> Fraction:
        """Return my chance once the game at ``score`` is over.

        Parameters
        ----------
        score : MatchScore
            The score before the game.
        points : int
            What I won in it, negative for what the opponent won (the cube's number included).

        Raises
        ------
        UnsupportedError
            If the score lies beyond the table.
        """
        return self.mwc(
            score.mine_away - max(points, 0),
            score.theirs_away - max(-points, 0),
            is_post_crawford=score.is_crawford or score.is_post_crawford,
        )

    def equity_to_mwc(self, equity: Fraction | int, score: MatchScore, cube: int = 1) -> Fraction:
        """Turn a normalised equity into my chance to win the match.

        The scale is the usual one (EMG): +1 and -1 are a single win and a single loss at this cube.

        Parameters
        ----------
        equity : Fraction or int
            Normalised.
        score : MatchScore
            Before the game, as I see it.
        cube : int, default 1
            The number on the cube.

        Raises
        ------
        UnsupportedError
            If the score lies beyond the table.
        """
        won, lost = self._single(score, cube)
        return (won + lost + _exact(equity, "an equity") * (won - lost)) / 2

    def mwc_to_equity(self, mwc: Fraction | int, score: MatchScore, cube: int = 1) -> Fraction:
        """Turn my chance to win the match into a normalised equity; the inverse of `equity_to_mwc`.

        Parameters
        ----------
        mwc : Fraction or int
            From 0 to 1.
        score : MatchScore
            Before the game, as I see it.
        cube : int, default 1
            The number on the cube.
        """
        won, lost = self._single(score, cube)
        return (2 * _exact(mwc, "a chance") - won - lost) / (won - lost)

    def _single(self, score: MatchScore, cube: int) -> tuple[Fraction, Fraction]:
        """My chance after a single win, and after a single loss, at a cube that is checked here."""
        number = whole(cube, "the number on a cube", 1, MAX_CUBE)
        return self.mwc_after(score, number), self.mwc_after(score, -number)

    def gammon_prices(self, score: MatchScore, cube: int = 1) -> GammonPrices:
        """Return gnubg's gammon prices for a cube that will not be turned again; halves are the books' values.

        Parameters
        ----------
        score : MatchScore
            Before the game, as I see it.
        cube : int, default 1
            The number on the cube.

        Raises
        ------
        UnsupportedError
            If the score lies beyond the table.
        """
        won, lost = self._single(score, cube)
        mine = [won, *(self.mwc_after(score, kind * cube) for kind in (2, 3))]
        theirs = [lost, *(self.mwc_after(score, -kind * cube) for kind in (2, 3))]
        half = (won - lost) / 2
        return GammonPrices(
            (mine[1] - mine[0]) / half,
            (theirs[0] - theirs[1]) / half,
            (mine[2] - mine[1]) / half,
            (theirs[1] - theirs[2]) / half,
        )

    def extended(self, length: int) -> "MatchEquityTable":
        """Return a table that reaches ``length`` points away, this one unchanged inside it.

        Parameters
        ----------
        length : int
            Points away to reach, at most 64.

        Raises
        ------
        RulesError
            If ``length`` is above 64 or no whole number.

        Notes
        -----
        Beyond the table every game is fair and pays 1, 2, 4 or 8 points with the chances 0.30, 0.58, 0.07
        and 0.05, and the match goes on from there. These chances reproduce Kazaross-XG2 from 9-away to
        25-away within 0.001 for one game ahead; a copy cut at 18-away and extended again differs from
        the original by at most 0.004. After the Crawford game the trailer doubles at once and three wins
        in ten are gammons. Entries are rounded to 9 decimals.
        """
        if isinstance(length, bool) or not isinstance(length, int) or not 1 <= length <= MAX_LENGTH:
            raise RulesError(f"a match equity table extends to 1 to {MAX_LENGTH} points away, not {shown(length)}")
        if length <= self.length:
            return self
        known = self.length
        post = list(self.post)
        while len(post) < length:
            post.append(_next_post(post))
        pre = [[*row, *[_HALF] * (length - known)] for row in self.pre]
        pre += [[_HALF] * length for _ in range(length - known)]

        def chance(mine: int, theirs: int) -> Fraction:
            if mine <= 0 or theirs <= 0:
                return Fraction(mine <= 0)
            return pre[mine - 1][theirs - 1]

        for theirs in range(known + 1, length + 1):
            for mine in range(1, theirs):
                if mine == 1:
                    lost = (7 * post[theirs - 2] + 3 * post[theirs - 3]) / 10
                    value = 1 - lost / 2
                else:
                    value = Fraction(0)
                    for points, share in _GAME.items():
                        value += share * (chance(mine - points, theirs) + chance(mine, theirs - points)) / 2
                pre[mine - 1][theirs - 1] = round(value, 9)
                pre[theirs - 1][mine - 1] = 1 - pre[mine - 1][theirs - 1]
        return MatchEquityTable(f"{self.name} extended to {length}", tuple(tuple(row) for row in pre), tuple(post))

    @cached_property
    def digest(self) -> str:
        """``sha256:`` and the hash of all entries as exact fractions; the name does not enter it."""
        lines = [" ".join(str(value) for value in row) for row in (*self.pre, self.post)]
        return "sha256:" + hashlib.sha256("\n".join(lines).encode()).hexdigest()


# Chances of the points that one game pays, far from the end of a match; see MatchEquityTable.extended.
_GAME: Final = {1: Fraction(30, 100), 2: Fraction(58, 100), 4: Fraction(7, 100), 8: Fraction(5, 100)}


def _next_post(post: Sequence[Fraction]) -> Fraction:
    """Return the trailer's chance after the Crawford game with one point more to go; see MatchEquityTable.extended."""
    away = len(post) + 1
    after = [Fraction(1) if away <= won else post[away - won - 1] for won in (2, 4)]
    return round((7 * after[0] + 3 * after[1]) / 20, 9)


def _exact(value: Fraction | int, what: str) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise RulesError(f"{what} is a finite number, not {shown(value)}") from None


def _folder() -> Traversable:
    return resources.files("bgcore").joinpath("data", "met")


def available() -> tuple[str, ...]:
    """Return the names of the tables that come with bgcore."""
    names = (entry.name for entry in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".csv") for name in names if name.endswith(".csv")))


@cache
def default() -> MatchEquityTable:
    """Return Kazaross-XG2, the table used where none is named; read once."""
    return MatchEquityTable.load(_DEFAULT)


def _fractions(texts: Iterable[str]) -> tuple[Fraction, ...]:
    entries = tuple(texts)
    for text in entries:
        if not _ENTRY.fullmatch(text):  # an exponent could ask for more digits than there is memory
            raise ValueError(f"{text[:20]!r} is not a plain decimal")
    return tuple(Fraction(text) for text in entries)


class _XmlReader:
    """Collects the explicit tables of a gnubg match equity file.

    The file's document type is read over and never fetched, and a file that declares entities is refused,
    so that a small file cannot grow in memory or read others.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = ""
        self.pre: list[tuple[Fraction, ...]] = []
        self.post: list[list[tuple[Fraction, ...]]] = []
        self._path: list[str] = []
        self._row: list[str] = []
        self._text: list[str] = []

    def read(self, data: bytes) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise DataError(f"match equity table {self.name!r} is not readable XML: {error}") from error
        if not self.pre or not self.post:
            raise DataError(f"match equity table {self.name!r} lacks its pre-Crawford or post-Crawford table")

    def _entity(self, entity: str, *_: object) -> None:
        raise DataError(f"match equity table {self.name!r} declares the entity {entity!r}, which no table needs")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        self._text.clear()
        if tag in ("pre-crawford-table", "post-crawford-table"):
            kind = attributes.get("type", "explicit")
            if kind != "explicit":
                raise UnsupportedError(
                    f"match equity table {self.name!r} is computed ({kind}), not listed; only listed ones are read"
                )
            if tag == "post-crawford-table":
                self.post.append([])
        elif tag == "row":
            self._row = []

    def _end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        self._path.pop()
        if tag == "me":
            self._row.append(text)
        elif tag == "name":
            self.title = text
        elif tag == "row" and self._path:
            try:
                row = _fractions(self._row)
            except (ValueError, ZeroDivisionError) as error:
                raise DataError(f"match equity table {self.name!r} has an entry that is no number: {error}") from error
            if self._path[-1] == "pre-crawford-table":
                self.pre.append(row)
            elif self.post:
                self.post[-1].append(row)


def load(source: str | Path) -> MatchEquityTable:
    """Read a table by name or from a file; see `MatchEquityTable.load`.

    Parameters
    ----------
    source : str or Path
        A name of `available`, or a path that ends in ``.csv`` or ``.xml``.
    """
    return MatchEquityTable.load(source)


__all__: Sequence[str] = ("MAX_LENGTH", "GammonPrices", "MatchEquityTable", "available", "default", "load")
