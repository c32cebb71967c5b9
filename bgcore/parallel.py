"""Pure functions over many tasks, on threads, processes or a cluster; results come back in the order of the tasks.

There is no scheduler here. Anything with the ``submit`` of `concurrent.futures.Executor` (PEP 3148) will do: a
``ProcessPoolExecutor``, or ``dask.distributed.Client(...).get_executor()`` for more than one machine. Since tasks
are pure and the caller sees them in order, the answer cannot depend on which executor ran them, how many workers
it has, or whether a lost worker made it run some of them twice.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TypeVar

from bgcore.errors import ArgumentError, RulesError, shown

Task = TypeVar("Task")
Result = TypeVar("Result")


def worker_count(workers: int | None) -> int:
    """Return the threads to use: ``workers``, or by default the processors this process may run on.

    Raises
    ------
    RulesError
        If ``workers`` is not a whole number above 0.
    """
    if workers is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise RulesError(f"workers must be a whole number above 0, not {shown(workers)}")
    return workers


def map_ordered(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
) -> Generator[tuple[Task, Result], None, None]:
    """Call a pure function on every task and yield ``(task, result)`` in the order of the tasks.

    Parameters
    ----------
    function : callable
        Must release the GIL for threads to pay, and pickle (a function of a module) for processes.
    tasks : iterable
        Read lazily, a few ahead of what has been yielded; may be endless.
    workers : int, optional
        Threads, by default one for each processor; 1 calls in place. With an executor, how many tasks it
        works on at once (by default 64), which bounds what is thrown away when the caller stops early.
    executor : concurrent.futures.Executor, optional
        Runs the tasks instead of threads of our own. It is left open.

    Notes
    -----
    Closing the iterator, or an exception in a task, cancels what has not begun. A task that fails raises
    its own exception here.
    """
    if executor is None and worker_count(workers) == 1:
        for task in tasks:
            yield task, function(task)
        return
    if executor is not None:
        if not callable(getattr(executor, "submit", None)):
            raise ArgumentError(f"an executor has a method submit, as concurrent.futures has it, not {shown(executor)}")
        yield from _map_on(executor, function, tasks, 64 if workers is None else worker_count(workers))
        return
    count = worker_count(workers)
    with ThreadPoolExecutor(count, thread_name_prefix="bgcore") as threads:
        # Twice as many tasks as threads: none waits for the caller, and few are lost when it stops.
        yield from _map_on(threads, function, tasks, 2 * count)


def _map_on(
    executor: Executor, function: Callable[[Task], Result], tasks: Iterable[Task], window: int
) -> Generator[tuple[Task, Result], None, None]:
    """`map_ordered` on an executor with at most ``window`` tasks in hand."""
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    source = iter(tasks)
    try:
        while True:
            while len(waiting) < window:
                try:
                    task = next(source)
                except StopIteration:
                    break
                waiting.append((task, executor.submit(function, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            yield task, future.result()
    finally:
        for _, future in waiting:
            future.cancel()
