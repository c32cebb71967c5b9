"""What the bear-off tables say of a position, and the default pair of tables made on first use."""

import errno
import hashlib
import os
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bgcore._core import OneSidedTable, Position, TwoSidedTable
from bgcore.bearoff import files
from bgcore.bearoff.builder import build_two_sided_file
from bgcore.bearoff.files import Kind, Progress
from bgcore.errors import DataError, UnsupportedError, require
from bgcore.rules import Cube, Owner, as_cube

PIPS_PER_ROLL: Final = 49 / 6
"""The mean number of pips of a roll: what turns mean rolls into effective pips."""

TWO_SIDED_ERROR: Final = 1.5e-7
"""The largest error of a two-sided value per unit of cube.

Measured over all 853,776 entries of the 6 x 6 table against a float64 fill: 6.4e-8 for a stored number, and
twice that for double/take.
"""

ONE_SIDED_ERROR: Final = 2e-6
"""The largest relative error of a stored chance: float32 sums over at most 30 rolls."""


@dataclass(frozen=True, slots=True, eq=False)
class Rolls:
    """How many rolls a side needs for something, played to need few.

    Attributes
    ----------
    chances : (n,) float64 array, read-only
        ``chances[k]``: the chance that exactly ``k`` rolls are needed.
    mean : float
        The mean number of rolls.
    fewest, most : int
        The number of rolls with the luckiest dice, and with the unluckiest ones well played: proofs.
    """

    chances: NDArray[np.float64]
    mean: float
    fewest: int
    most: int

    @property
    def variance(self) -> float:
        """The variance of the number of rolls."""
        total = 0.0
        for rolls, chance in enumerate(self.chances):
            total += float(chance) * (rolls - self.mean) ** 2
        return total

    def within(self, rolls: int) -> float:
        """Return the chance that ``rolls`` rolls are enough."""
        total = 0.0
        for chance in self.chances[: max(rolls + 1, 0)]:
            total += float(chance)
        return min(total, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side's bear-off: ``pips``, ``checkers`` on the board, ``all_off``, and ``first_off`` if 15 are left."""

    pips: int
    checkers: int
    all_off: Rolls
    first_off: Rolls | None

    @property
    def epc(self) -> float:
        """Effective pip count: the mean number of rolls times 49/6 (Trice 2004)."""
        return self.all_off.mean * PIPS_PER_ROLL

    @property
    def wastage(self) -> float:
        """Effective pip count less pip count."""
        return self.epc - self.pips


@dataclass(frozen=True, slots=True, eq=False)
class OneSided:
    """Both sides' rolls, and the chances they give when neither side looks at the other.

    ``outcomes`` are exclusive: win single, gammon, backgammon, lose single, gammon, backgammon. They are
    an approximation (basis "one-sided"): up to 0.01 off in the chance to win, where `TwoSided` is exact.
    """

    mine: Side
    theirs: Side
    outcomes: tuple[float, float, float, float, float, float]

    @property
    def win(self) -> float:
        """The chance that the side to move wins, by one-sided play."""
        return self.outcomes[0] + self.outcomes[1]


@dataclass(frozen=True, slots=True)
class TwoSided:
    """Exact values of both sides bearing off, for the side to move before its roll.

    Attributes
    ----------
    win : float
        The chance to win when no cube is used.
    cubeless : float
        The equity in points when the cube is never turned again.
    no_double : float
        The equity in points of rolling now, both sides using the cube rightly from then on.
    double_take, double_pass : float or None
        The equity in points of doubling now if it is taken, or passed; None if the side to move cannot.
    value : float
        The larger of no double and of the lesser of take and pass.
    error : float
        How far each of these may be from the true value.
    """

    win: float
    cubeless: float
    no_double: float
    double_take: float | None
    double_pass: float | None
    value: float
    error: float


class CacheWarning(UserWarning):
    """The cache folder cannot be used: everything works, and every process makes its tables anew."""


class Tables:
    """A one-sided and a two-sided table together; immutable and thread-safe.

    Pickles with all its numbers; the `default` ones by their digests alone, so that a worker takes its own.

    Parameters
    ----------
    one : OneSidedTable
    two : TwoSidedTable
    """

    def __init__(self, one: OneSidedTable, two: TwoSidedTable) -> None:
        require(one, OneSidedTable, "the first table is a OneSidedTable")
        require(two, TwoSidedTable, "the second table is a TwoSidedTable")
        self.one = one
        self.two = two

    def __reduce__(self) -> tuple[Any, ...]:
        if self in _loaded.values():
            return _default_of, (tuple(sha256 for *_, sha256 in _DEFAULT),)
        return Tables, (self.one, self.two)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of every number in both tables, in hexadecimal: what a verdict quotes. About 10 milliseconds once."""
        digest = hashlib.sha256()
        for aim in self.one.arrays:
            for array in aim:
                digest.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        digest.update(np.ascontiguousarray(self.two.values, "<f4").data)
        return digest.hexdigest()

    def one_sided(self, position: Position) -> OneSided:
        """Look up how many rolls each side needs.

        Parameters
        ----------
        position : Position
            Both sides' checkers all in the table's points (6: the home board); the side to move rolls first.

        Raises
        ------
        UnsupportedError
            If a side has checkers behind the table's points, or none left.

        Notes
        -----
        Chances carry a relative error of up to 2e-6; means are float64. A few microseconds.
        """
        outcomes = self.one.outcomes(position)
        mine, theirs = self.side(position), self.side(position.flip())
        assert mine is not None and theirs is not None
        return OneSided(mine, theirs, outcomes)

    def side(self, position: Position) -> Side | None:
        """Look up how many rolls the side to move needs, as if the other side were not there.

        Parameters
        ----------
        position : Position
            Any position; contact is ignored.

        Returns
        -------
        Side or None
            None if the side has checkers behind the table's points, or none left.
        """
        if not self.one.holds_mine(position):
            return None
        all_off, first_off = self.one.rows(position)
        first = None if first_off is None else Rolls(*first_off)
        return Side(position.pip_counts[0], 15 - position.off[0], Rolls(*all_off), first)

    def two_sided(self, position: Position, cube: Cube | Owner | None = None) -> TwoSided:
        """Look up the exact value of a position for money, without cube limit.

        Parameters
        ----------
        position : Position
            At most the table's checkers a side, all within its points (6 x 6 by default).
        cube : Cube or {"centre", "mine", "theirs"}, optional
            By default centred at 1; a bare owner stands for a cube that shows 2. Its value scales all equities.

        Raises
        ------
        UnsupportedError
            If the position is not in the table.

        Notes
        -----
        Gammons are out of the question, so Jacoby, beavers and raccoons change nothing. Cube limits, caps
        and match scores do: see `solve`. About a microsecond.
        """
        cube = as_cube(cube)
        win, centre, mine, theirs = self.two.entry(position)
        cubeless = cube.value * (2 * win - 1)
        error = cube.value * TWO_SIDED_ERROR
        if not cube.enabled:
            return TwoSided(win, cubeless, cubeless, None, None, cubeless, error)
        if cube.owner == "theirs":
            no_double = cube.value * theirs
            return TwoSided(win, cubeless, no_double, None, None, no_double, error)
        no_double = cube.value * (mine if cube.owner == "mine" else centre)
        take, refused = cube.value * 2 * theirs, float(cube.value)
        return TwoSided(win, cubeless, no_double, take, refused, max(no_double, min(take, refused)), error)


# Kind, points, checkers, SHA-256 of the payload: the same on every machine.
_DEFAULT: Final[tuple[tuple[Kind, int, int, str], ...]] = (
    ("one-sided", 6, 15, "68271e56bcd7a58701c50a5cf7ed3cb044944d051de65f2122cb993a61b4a1a4"),
    ("two-sided", 6, 6, "b749b4799501ab89a9e67ad948793019c29f3ebe8d7f8a5f1f6c1990734acb6b"),
)
_lock = threading.Lock()
# By the variables that name the folder: working out its path with every record would cost more than a probe.
_loaded: dict[tuple[str | None, ...], Tables] = {}


def default() -> Tables:
    """Return the default tables: one-sided 6 points x 15 checkers, two-sided 6 points x 6 checkers.

    Made on first use (a third of a CPU-second, 18 MB) and kept in the cache folder, ``BGCORE_CACHE`` or the
    platform's own; memory-mapped from then on. Where nothing can be written they live in memory, and a
    `CacheWarning` says so once. A file in the cache that does not hold exactly the bytes that these tables have
    on every machine is made anew. Thread-safe; the same object on every call.
    """
    place = tuple(map(os.environ.get, files.PLACES))
    with _lock:
        tables = _loaded.get(place)
        if tables is None:
            folder = files.cache_folder()
            (one, _), (two, trouble) = (_cached(folder, *table) for table in _DEFAULT)
            assert isinstance(one, OneSidedTable) and isinstance(two, TwoSidedTable)
            tables = _loaded[place] = Tables(one, two)
            if trouble:
                warnings.warn(
                    f"no bear-off tables can be kept in {folder} ({trouble}), so every process makes its own; "
                    "set BGCORE_CACHE to a folder that can be written",
                    CacheWarning,
                    stacklevel=2,
                )
    return tables


def _default_of(digests: tuple[str, ...]) -> Tables:
    """Return the default tables for a reader of pickles; DataError if those of the writer were others."""
    if digests != tuple(sha256 for *_, sha256 in _DEFAULT):
        raise DataError("the bear-off tables come from a bgcore with other default tables")
    return default()


def _cached(
    folder: Path, kind: Kind, points: int, checkers: int, digest: str
) -> tuple[OneSidedTable | TwoSidedTable, str]:
    """Map a table of the cache folder, making the file if need be; also says why that could not be done, or ""."""
    path = folder / files.file_name(kind, points, checkers)
    with suppress(DataError):
        found, mapped = files.map_file(path, verify=True)
        if found.sha256.hex() == digest:
            return files.table_of(found, mapped, str(path)), ""
    header, payload = _fill(kind, points, checkers, None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write_file(path, header, payload)
        return open_table(path), ""
    except (OSError, DataError) as error:
        # A read-only home or a full disk is no reason to fail.
        trouble = (getattr(error, "strerror", None) or str(error)).lower()
        return files.table_of(header, memoryview(payload), str(path)), trouble


def _fill(kind: Kind, points: int, checkers: int, progress: Progress | None) -> tuple[files.Header, bytes | memoryview]:
    make = files.one_sided_bytes if kind == "one-sided" else files.two_sided_bytes
    return make(points, checkers, progress)


def open_table(path: str | Path, *, verify: bool | None = None) -> OneSidedTable | TwoSidedTable:
    """Open a table file, memory-mapped read-only.

    Parameters
    ----------
    path : str or Path
        A file made by `build`.
    verify : bool, optional
        Whether to compare the content with its SHA-256; by default only up to 64 MB.

    Raises
    ------
    DataError
        If the file is missing, foreign, torn or damaged; the message names it.
    """
    require(path, (str, os.PathLike), "a table file is named by its path")
    path = Path(path)
    header, payload = files.map_file(path, verify=verify)
    return files.table_of(header, payload, str(path))


def build(
    points: int = 6,
    checkers: int = 15,
    *,
    kind: Kind | None = None,
    path: str | Path | None = None,
    progress: Progress | None = None,
) -> Path:
    """Build a table file of any size on demand.

    Parameters
    ----------
    points : int
        Points from the ace point up: 1 to 24 one-sided (10 with 15 checkers), 1 to 10 two-sided.
    checkers : int
        The most checkers a side: 1 to 15 one-sided, 1 to 10 two-sided.
    kind : {"one-sided", "two-sided"}, optional
        By default one-sided for 15 checkers, two-sided for fewer.
    path : str or Path, optional
        Where to write; by default in the cache folder under the table's own name.
    progress : callable, optional
        Called as ``progress(done, total)`` now and then. An exception it raises ends the build.

    Returns
    -------
    Path
        The finished file, for `open_table`.

    Raises
    ------
    UnsupportedError
        If the table cannot be built, or would need more than 2.3 GB.
    OSError
        If the file cannot be written.

    Notes
    -----
    A two-sided build writes as it goes; after an interruption of any kind the same call goes on from the
    last checkpoint. CPU-seconds on one core, and bytes: one-sided 6 x 15 0.06, 3.8 MB; 10 x 15 10, 331 MB;
    two-sided 6 x 6 0.2, 14 MB; 6 x 8 3, 144 MB; 6 x 10 36, 1.03 GB. The file has the same bytes on every
    machine.
    """
    if kind not in (None, "one-sided", "two-sided"):
        raise UnsupportedError(f"a table is one-sided or two-sided, not {kind!r}")
    kind = kind or ("one-sided" if checkers == 15 else "two-sided")
    files.check_size(kind, points, checkers)
    if path is None:
        target = files.cache_folder() / files.file_name(kind, points, checkers)
        target.parent.mkdir(parents=True, exist_ok=True)
    else:
        target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if kind == "two-sided":
        build_two_sided_file(target, points, checkers, progress)
    else:
        files.write_file(target, *_fill(kind, points, checkers, progress))
    return target


def info() -> dict[str, Any]:
    """Describe the cache folder and the table files in it.

    Returns
    -------
    dict
        ``folder``, and ``tables``: for each file its ``path``, ``bytes``, and either ``kind``, ``points``,
        ``checkers``, ``layouts``, ``sha256`` or, if it is not usable, ``fault``. Nothing is built.
    """
    folder = files.cache_folder()
    tables: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.bearoff")):
        entry: dict[str, Any] = {"path": str(path), "bytes": 0}
        try:
            entry["bytes"] = path.stat().st_size
            header, _ = files.map_file(path)
        except (DataError, OSError) as error:
            entry["fault"] = str(error)
        else:
            entry |= {
                "kind": header.kind,
                "points": header.points,
                "checkers": header.checkers,
                "layouts": header.counts[0],
                "sha256": header.sha256.hex(),
            }
        tables.append(entry)
    return {"folder": str(folder), "tables": tables}
