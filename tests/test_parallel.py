"""The same answer from any number of workers and any executor."""

import itertools
import random
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import replace
from unittest import mock

import pytest

from bgcore import Position
from bgcore.comparison import compare_plays
from bgcore.errors import DataError, RulesError
from bgcore.parallel import map_ordered
from bgcore.rollout import RolloutSettings, empty, rollout

SHORT = Position.from_board([0, 2, 2, 3, 2, 2, 2, 2, *[0] * 9, -1, -2, -2, -2, -2, -2, -2, -2, 0])


class Backwards(Executor):
    """Runs what it is given in a shuffled order, each task twice, when the first result is asked for."""

    def __init__(self):
        self.tasks = []

    def submit(self, function, /, *args, **kwargs):
        future = Lazy(self)
        self.tasks.append((future, function, args))
        return future

    def run(self):
        order = list(self.tasks)
        self.tasks.clear()
        random.Random(1).shuffle(order)
        for future, function, args in order:
            function(*args)
            future.set_result(function(*args))


class Lazy(Future):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def result(self, timeout=None):
        if not self.done():
            self.owner.run()
        return super().result(timeout)


def test_the_same_bits_for_any_workers_and_executors():
    expected = rollout(SHORT, trials=180, workers=1).to_dict()
    for workers in (2, 7):
        assert rollout(SHORT, trials=180, workers=workers).to_dict() == expected
    assert rollout(SHORT, trials=180, executor=Backwards()).to_dict() == expected


class Foreign(Executor):
    """Runs each task where another version of bgcore is installed."""

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        with mock.patch("bgcore.rollout.empty", lambda job: replace(empty(job), version="0.0.0", weights="other")):
            try:
                future.set_result(function(*args))
            except Exception as error:
                future.set_exception(error)
        return future


def test_a_worker_with_another_bgcore_is_refused():
    words = r"a worker has bgcore 0\.0\.0.*: version, weights differ"
    with pytest.raises(DataError, match=words):
        rollout(SHORT, trials=36, executor=Foreign())
    with pytest.raises(DataError, match=words):
        compare_plays(Position.starting(), (3, 1), settings=RolloutSettings(trials=36), executor=Foreign())


@pytest.mark.slow
def test_the_same_bits_from_processes():
    expected = rollout(SHORT, trials=180, workers=1).to_dict()
    with ProcessPoolExecutor(2) as pool:
        assert rollout(SHORT, trials=180, executor=pool).to_dict() == expected


def test_stop_rules_do_not_depend_on_workers():
    settings = RolloutSettings(trials=720, checkpoint=72, truncation=4, variance_reduction=False)
    reached = []
    rollout(SHORT, settings=settings, progress=lambda result: reached.append(result.std_error))
    assert len(reached) == 20


def test_tasks_are_read_lazily_and_results_keep_their_order():
    for workers in (1, 3):
        results = map_ordered(lambda n: n * n, itertools.count(), workers=workers)
        assert [next(results) for _ in range(50)] == [(n, n * n) for n in range(50)]
        results.close()


def test_an_exception_in_a_task_comes_out():
    def fail(n):
        if n == 5:
            raise KeyError(n)
        return n

    for workers in (1, 2):
        results = map_ordered(fail, range(10), workers=workers)
        with pytest.raises(KeyError):
            list(results)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True])
def test_bad_workers_are_refused(workers):
    with pytest.raises(RulesError, match="workers"):
        list(map_ordered(abs, [1], workers=workers))
