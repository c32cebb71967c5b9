"""Bear-off tables on disk: the file format, and the cache folder.

A file is a 128-byte header and a payload, all little-endian. The header holds the magic ``bgcoreBO``, the
format version, the kind (1 one-sided, 2 two-sided), points, checkers, three counts, the payload's size
and SHA-256, and its own CRC-32. A one-sided payload is, each padded to 8 bytes, for "all off" and then
for "first off": mean float64, start uint32, shift uint8, bounds uint8, chances float32. A two-sided
payload is float32 [layouts][layouts][4]. The same table has the same bytes on every machine.
"""

import hashlib
import mmap
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from bgcore._core import (
    OneSidedTable,
    TwoSidedTable,
    band_count,
    count_layouts,
    fill_bands,
    fill_one_sided,
    whole_graph,
)
from bgcore.errors import DataError, RulesError, UnsupportedError, short, whole
from bgcore.wholefile import write_whole

Kind = Literal["one-sided", "two-sided"]
Aim = tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float32]]
Progress = Callable[[int, int], object]

VERSION: Final = 1
MAGIC: Final = b"bgcoreBO"
HEADER: Final = struct.Struct("<8s4I4Q32s")
HEADER_SIZE: Final = 128
KINDS: Final[dict[Kind, int]] = {"one-sided": 1, "two-sided": 2}
CHECK_UP_TO: Final = 1 << 26
"""Payloads up to this many bytes are checked against their digest whenever they are opened."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first 128 bytes of a table file say."""

    kind: Kind
    points: int
    checkers: int
    counts: tuple[int, int, int]
    payload_size: int
    sha256: bytes

    def pack(self) -> bytes:
        """Return the 128 bytes."""
        fields = (MAGIC, VERSION, KINDS[self.kind], self.points, self.checkers, *self.counts, self.payload_size)
        packed = HEADER.pack(*fields, self.sha256).ljust(HEADER_SIZE - 4, b"\0")
        return packed + struct.pack("<I", zlib.crc32(packed))

    @classmethod
    def unpack(cls, data: bytes, name: str) -> "Header":
        """Read the 128 bytes of the file called ``name``; `DataError` if they are not a header of ours."""
        if len(data) < HEADER_SIZE or data[:8] != MAGIC:
            raise DataError(f"{name} is not a bear-off table of bgcore")
        if struct.unpack("<I", data[HEADER_SIZE - 4 : HEADER_SIZE])[0] != zlib.crc32(data[: HEADER_SIZE - 4]):
            raise DataError(f"{name} has a damaged header")
        _, version, number, points, checkers, first, second, third, size, sha256 = HEADER.unpack(data[: HEADER.size])
        if version != VERSION:
            raise DataError(f"{name} has format version {version}; this bgcore reads version {VERSION}")
        kinds: dict[int, Kind] = {number: kind for kind, number in KINDS.items()}
        if number not in kinds or not (1 <= points <= 24 and 1 <= checkers <= 15):
            raise DataError(f"{name} has a header that makes no sense")
        return cls(kinds[number], points, checkers, (first, second, third), size, sha256)


def check_size(kind: Kind, points: int, checkers: int) -> None:
    """Refuse a table that cannot be built, with the reason."""
    most_points, most_checkers = (24, 15) if kind == "one-sided" else (10, 10)
    faults = []
    for name, number, most in (("points", points, most_points), ("checkers", checkers, most_checkers)):
        try:
            whole(number, name, 1, most)
        except RulesError as error:
            faults.append(str(error))
    if faults:
        raise UnsupportedError(f"no {kind} table: " + "; ".join(faults))
    layouts = count_layouts(points, checkers)
    if kind == "one-sided" and layouts > 1 << 22:
        raise UnsupportedError(
            f"a one-sided table {points} x {checkers} would have {layouts:,} layouts, more than 4 million"
        )
    if kind == "two-sided" and layouts > 12_000:
        gigabytes = 16 * layouts**2 / 1e9
        raise UnsupportedError(f"a two-sided table {points} x {checkers} would need {gigabytes:.0f} GB")


PLACES: Final = ("BGCORE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME", "USERPROFILE")
"""The variables that say where `cache_folder` is."""


def cache_folder() -> Path:
    """Return the folder for tables: ``BGCORE_CACHE``, or bgcore's in the platform's cache; it may not exist."""
    chosen = os.environ.get("BGCORE_CACHE")
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        # A user without a home, as in some containers: a folder where nothing can be kept.
        home = Path(os.devnull)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or home / ".cache"
    return Path(base) / "bgcore"


def file_name(kind: Kind, points: int, checkers: int) -> str:
    """Return the name a table has in the cache folder."""
    return f"{kind}-{points}x{checkers}-v{VERSION}.bearoff"


def _padded(size: int) -> int:
    return -(-size // 8) * 8


def _one_sided_shapes(header: Header) -> Iterator[tuple[str, tuple[int, ...]]]:
    layouts, stored, stored_first = header.counts
    with_all = layouts - count_layouts(header.points, 14) if header.checkers == 15 else 0
    for rows, chances in ((layouts, stored), (with_all, stored_first)):
        yield "<f8", (rows,)
        yield "<u4", (rows + 1,)
        yield "u1", (rows,)
        yield "u1", (rows, 2)
        yield "<f4", (chances,)


def _native(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def table_of(header: Header, payload: memoryview, name: str) -> OneSidedTable | TwoSidedTable:
    """Put a table over the bytes of a payload, without a copy on little-endian machines."""
    try:
        layouts = count_layouts(header.points, header.checkers)
    except UnsupportedError as error:
        raise DataError(f"{name}: {error}") from error
    if header.counts[0] != layouts:
        raise DataError(f"{name} has {header.counts[0]} layouts where {layouts} belong")
    if header.kind == "two-sided":
        if len(payload) != 16 * layouts**2:
            raise DataError(f"{name} has the wrong size for its layouts")
        values = _native(np.frombuffer(payload, "<f4").reshape(layouts, layouts, 4))
        return TwoSidedTable(header.points, header.checkers, values)
    arrays = []
    offset = 0
    for kind, shape in _one_sided_shapes(header):
        number = int(np.prod(shape))
        size = number * np.dtype(kind).itemsize
        if offset + size > len(payload):
            raise DataError(f"{name} is too short for its layouts")
        arrays.append(_native(np.frombuffer(payload[offset : offset + size], kind).reshape(shape)))
        offset += _padded(size)
    all_off, first_off = arrays[:5], arrays[5:]
    return OneSidedTable(header.points, header.checkers, (_aim(all_off), _aim(first_off)))


def _aim(arrays: list[NDArray[Any]]) -> Aim:
    mean, start, shift, bounds, chances = arrays
    return mean, start, shift, bounds, chances


def one_sided_bytes(points: int, checkers: int, progress: Progress | None) -> tuple[Header, bytes]:
    """Fill a one-sided table as header and payload."""
    aims = fill_one_sided(points, checkers, progress)
    parts = []
    for aim in aims:
        for array, kind in zip(aim, ("<f8", "<u4", "u1", "u1", "<f4"), strict=True):
            data = np.asarray(array, kind).tobytes()
            parts.append(data.ljust(_padded(len(data)), b"\0"))
    payload = b"".join(parts)
    counts = (len(aims[0][0]), len(aims[0][4]), len(aims[1][4]))
    return Header("one-sided", points, checkers, counts, len(payload), hashlib.sha256(payload).digest()), payload


def two_sided_bytes(points: int, checkers: int, progress: Progress | None) -> tuple[Header, memoryview]:
    """Fill a two-sided table in memory as header and payload."""
    graph = whole_graph(points, checkers)
    values = np.zeros(4 * graph.size**2, np.float32)
    bands = band_count(graph)
    for band in range(bands):
        fill_bands(graph, values, band, band + 1)
        if progress is not None:
            progress(band + 1, bands)
    payload = values.astype("<f4", copy=False).data.cast("B")
    counts = (graph.size, 0, 0)
    return Header("two-sided", points, checkers, counts, len(payload), hashlib.sha256(payload).digest()), payload


def write_file(path: Path, header: Header, payload: bytes | memoryview) -> None:
    """Write a table file that is either whole or not there."""
    write_whole(path, (header.pack(), payload))


def map_file(path: Path, *, verify: bool | None = None) -> tuple[Header, memoryview]:
    """Map a table file read-only into memory, header checked.

    Parameters
    ----------
    path : Path
        The file.
    verify : bool, optional
        Whether to compare the payload with its digest; by default up to 64 MB.

    Raises
    ------
    DataError
        If the file is missing, foreign, torn or damaged; the message names it.
    """
    try:
        with path.open("rb") as file:
            header = Header.unpack(file.read(HEADER_SIZE), str(path))
            size = os.fstat(file.fileno()).st_size
            if size != HEADER_SIZE + header.payload_size:
                raise DataError(f"{path} is torn: {size} bytes where {HEADER_SIZE + header.payload_size} belong")
            payload = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[HEADER_SIZE:]
    except DataError:
        raise
    except (OSError, ValueError) as error:  # a ValueError is Python's word on a path with a null character
        raise DataError(
            f"cannot read the bear-off table {short(path)}: {getattr(error, 'strerror', None) or error}"
        ) from error
    is_checked = header.payload_size <= CHECK_UP_TO if verify is None else verify
    if is_checked and hashlib.sha256(payload).digest() != header.sha256:
        raise DataError(f"{path} is damaged: its content does not have the digest of its header")
    return header, payload
