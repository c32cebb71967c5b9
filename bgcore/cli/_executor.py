"""Where a command runs its blocks: on threads of its own, or on a cluster named by a URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from bgcore.errors import RulesError, UnsupportedError

if TYPE_CHECKING:
    from concurrent.futures import Executor

SCHEME = "dask://"


@contextmanager
def open_executor(url: str | None) -> Iterator[Executor | None]:
    """Connect to the cluster at ``dask://host:port`` and leave it again; None without a URL.

    Raises
    ------
    RulesError
        If the URL is of another kind, or nobody answers there.
    UnsupportedError
        If dask.distributed is not installed.
    """
    if url is None:
        yield None
        return
    if not url.startswith(SCHEME):
        raise RulesError(f"an executor is written dask://host:port, not {url!r}")
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UnsupportedError('a cluster needs dask.distributed: pip install ".[cluster]" in a checkout') from None
    try:
        client = distributed.Client(f"tcp://{url.removeprefix(SCHEME)}", timeout=10)
    except (OSError, ValueError) as error:
        raise RulesError(f"no scheduler answers at {url}: {error}") from error
    with client:
        yield client.get_executor(retries=3)
