"""Where a command runs its blocks: on threads of its own, or on a cluster named by a URL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from bgcore.errors import RulesError, UnsupportedError

if TYPE_CHECKING:
    from concurrent.futures import Executor

SCHEME = "dask://"
WAIT = 10
"""Seconds that a scheduler or its first worker may take to answer."""


@contextmanager
def open_executor(url: str | None) -> Iterator[Executor | None]:
    """Connect to the cluster at ``dask://host:port`` and leave it again; None without a URL.

    Raises
    ------
    RulesError
        If the URL is of another kind, nobody answers or works there, or the cluster is lost meanwhile.
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
        client = distributed.Client(f"tcp://{url.removeprefix(SCHEME)}", timeout=WAIT)
    except (OSError, ValueError) as error:
        raise RulesError(f"no scheduler answers at {url}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError as error:
            raise RulesError(f"no worker joined {url} within {WAIT} s: dask worker starts one there") from error
        # What dask logs when its scheduler goes away is said below.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            yield client.get_executor(retries=3)
        except (CancelledError, distributed.KilledWorker) as error:
            raise RulesError(f"the cluster at {url} was lost; --extend goes on with what --save kept") from error
