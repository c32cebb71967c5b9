"""Files that are whole or as they were before: what every writer of a finished file goes through."""

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


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
