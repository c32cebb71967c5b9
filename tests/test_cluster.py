"""A real cluster of worker processes: the same bits, also when a worker is killed on the way."""

import os
import signal
import time
from dataclasses import replace

import pytest

from bgcore import Position, RolloutSettings, rollout
from bgcore.cli import _executor
from bgcore.errors import RulesError

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SETTINGS = RolloutSettings(trials=288, seed=11)


@pytest.fixture
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_killed_worker_loses_nothing(client):
    pids = sorted(client.run(os.getpid).values())
    killed = []

    def kill_one(done):
        if done.trials >= 72 and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    executor = client.get_executor(retries=3)
    found = rollout(Position.starting(), settings=SETTINGS, executor=executor, workers=8, progress=kill_one)
    assert killed
    assert found.trials == 288
    assert found == rollout(Position.starting(), settings=SETTINGS, workers=1)


def test_shards_from_a_cluster_merge(client):
    executor = client.get_executor()
    half = replace(SETTINGS, trials=144)
    parts = [
        rollout(Position.starting(), settings=half, first_trial=first, executor=executor, workers=4)
        for first in (144, 0)
    ]
    assert parts[0].merge(parts[1]).to_dict() == rollout(Position.starting(), settings=SETTINGS).to_dict()


def test_a_cluster_without_workers_and_a_lost_one_are_named(monkeypatch):
    monkeypatch.setattr(_executor, "WAIT", 1)
    with distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        url = cluster.scheduler_address.replace("tcp://", _executor.SCHEME)
        with pytest.raises(RulesError, match=f"no worker joined {url} within 1 s"), _executor.open_executor(url):
            pass
        cluster.scale(1)
        monkeypatch.setattr(_executor, "WAIT", 60)
        with pytest.raises(RulesError, match=f"{url} was lost"), _executor.open_executor(url) as pool:
            waiting = pool.submit(time.sleep, 600)
            cluster.close()
            waiting.result()
