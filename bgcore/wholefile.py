"""Files that are whole or as they were before: what every writer of a finished file goes through."""

import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import combinations
from pathlib import Path

from bgcore.errors import BgcoreError, short


def require_distinct(paths: Mapping[str, str | os.PathLike[str] | None]) -> None:
    """Refuse that what is written is also what is read, or written twice, under whatever name or link.

    What is no regular file, such as ``/dev/null``, may be named more than once.

    Parameters
    ----------
    paths : mapping of str to path or None
        What each file is to the caller, such as ``--output``; None for one that was not given.

    Raises
    ------
    BgcoreError
        Naming two that are one file.
    """
    named = [(role, Path(path)) for role, path in paths.items() if path is not None]
    given = [(role, path) for role, path in named if path.is_file() or not path.exists()]
    for (first, one), (second, other) in combinations(given, 2):
        # A file that does not exist yet has a name and no more; one that does may have several, by hard links.
        if os.path.realpath(one) == os.path.realpath(other) or (
            one.exists() and other.exists() and one.samefile(other)
        ):
            raise BgcoreError(f"{second} is the same file as {first}, {short(one)}: give another name")


def write_whole(path: str | os.PathLike[str], parts: Iterable[bytes | memoryview]) -> None:
    """Write a file so that a reader sees the old one or the whole new one, whatever happens meanwhile.

    A temporary file beside it is written, flushed to the disk and renamed; a link keeps pointing where it did. What
    is no regular file, such as ``/dev/stdout`` or a pipe, is written to as it is.

    Raises
    ------
    OSError
        Naming ``path``.
    """
    target = Path(path)
    temporary: Path | None = None
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as file:
                file.writelines(parts)
            return
        target = target.resolve()
        temporary = target.with_name(f"{target.name}.{os.getpid()}-{threading.get_ident()}.tmp")
        with temporary.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise
