"""Building two-sided tables straight into a file, so that an interruption costs a few bands and no more."""

import errno
import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from bgcore._core import band_count, band_span, fill_bands, whole_graph
from bgcore.bearoff.files import HEADER_SIZE, MAGIC, VERSION, Header, Progress

try:
    import fcntl
except ImportError:  # a system without such locks: two builders of one file must not run at once there
    fcntl = None  # type: ignore[assignment]

_BANDS_PER_CHECKPOINT: Final = 8


def build_two_sided_file(path: Path, points: int, checkers: int, progress: Progress | None) -> None:
    """Build a two-sided table straight into a file, going on where an interrupted build stopped.

    Works on ``path`` + ".partial" with ".progress" beside it, which says how many bands are done, and their CRC-32: a
    band counts only after its bytes have been flushed, and is computed again if they have changed. Of several builders
    of one file the first works; the others wait, and find it made.
    """
    graph = whole_graph(points, checkers)
    bands, payload_size = band_count(graph), 16 * graph.size**2
    partial = path.with_name(path.name + ".partial")
    record = path.with_name(path.name + ".progress")
    identity = {"magic": MAGIC.decode(), "version": VERSION, "points": points, "checkers": checkers, "bands": bands}
    with _alone(partial, path) as file:
        if file is None:
            return
        found = _read(record, identity) if os.fstat(file.fileno()).st_size == HEADER_SIZE + payload_size else {}
        if not found:
            _reserve(file, HEADER_SIZE + payload_size, partial)
        mapped = mmap.mmap(file.fileno(), 0)
        values = np.frombuffer(mapped, "<f4", offset=HEADER_SIZE)
        table = values.reshape(graph.size, graph.size, 4)
        crc = 0
        for band in range(min(found.get("done", 0), bands)):
            crc = _crc(table, band_span(graph, band), crc)
        done = found["done"] if found and found["done"] <= bands and crc == found["crc"] else 0
        crc = crc if done else 0
        while done < bands:
            fill_bands(graph, values, done, done + 1)
            crc = _crc(table, band_span(graph, done), crc)
            done += 1
            if done % _BANDS_PER_CHECKPOINT == 0 or done == bands:
                mapped.flush()
                unfinished = record.with_name(record.name + ".tmp")
                unfinished.write_text(json.dumps({**identity, "done": done, "crc": crc}), "utf-8")
                unfinished.replace(record)
            if progress is not None:
                progress(done, bands)
        digest = hashlib.sha256(memoryview(mapped)[HEADER_SIZE:]).digest()
        del values, table
        mapped.flush()
        mapped.close()
        file.write(Header("two-sided", points, checkers, (graph.size, 0, 0), payload_size, digest).pack())
        file.flush()
        os.fsync(file.fileno())
        if fcntl is not None:  # while nobody else can take the file up
            partial.replace(path)
    if fcntl is None:
        partial.replace(path)
    with suppress(OSError):
        record.unlink()


@contextmanager
def _alone(partial: Path, finished: Path) -> Iterator[BinaryIO | None]:
    """Open an unfinished file for one builder at a time; None if another one finished it meanwhile."""
    while True:
        with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            if fcntl is None or _is_at(file, partial):
                yield file
                return
            if _is_at(file, finished):
                yield None
                return


def _is_at(file: BinaryIO, path: Path) -> bool:
    """Whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _read(record: Path, identity: dict[str, Any]) -> dict[str, int]:
    """Read how far a build came; nothing if that cannot be read or is of another one."""
    with suppress(OSError, ValueError, AttributeError):
        found = json.loads(record.read_text("utf-8"))
        if found.items() >= identity.items() and all(type(found.get(name)) is int for name in ("done", "crc")):
            return {"done": max(0, found["done"]), "crc": found["crc"]}
    return {}


def _reserve(file: BinaryIO, size: int, path: Path) -> None:
    """Give a file its size, with its room on the disk: a full one would end a program that writes through a map."""
    try:
        file.truncate(0)
        file.truncate(size)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, size)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EOPNOTSUPP):  # this file system cannot reserve
            return
        path.unlink(missing_ok=True)
        error.filename = str(path)
        raise


def _crc(table: NDArray[np.float32], span: tuple[int, int], crc: int) -> int:
    """Go on with the CRC-32 of what the bands have filled."""
    first, last = span
    for part in (table[first:last, :last], table[:first, first:last]):
        crc = zlib.crc32(np.ascontiguousarray(part).data, crc)
    return crc
