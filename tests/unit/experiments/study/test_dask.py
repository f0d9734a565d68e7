"""Studies on a Dask cluster: a real scheduler and workers, of which one is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest

from echelon.errors import InputError, MissingExtraError
from echelon.experiments.study.executors import dask as executor
from echelon.experiments.study.run.study_run import run_study
from echelon.experiments.study.store.log import read_log
from echelon.experiments.study.store.store import Store

# Not imported here: all workers of the tests would, and these tests run in one of them.
pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")


class Cluster:
    """A scheduler and its workers, each a process of its own that listens on this machine alone."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", "at.json")
        file, deadline = folder / "at.json", time.monotonic() + 60
        while not (file.exists() and file.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.address = json.loads(file.read_text())["address"]

    def add_worker(self):
        """Start a worker with one thread and nobody who would start it again; return its process."""
        options = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", self.folder)
        return self._start("dask_worker", self.address, *options)

    def _start(self, module, *options):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, options), "--no-dashboard"]
        with (self.folder / f"{module}-{len(self.processes)}.txt").open("wb") as said:
            process = subprocess.Popen(command, cwd=self.folder, stdout=said, stderr=said)
        self.processes.append(process)
        return process

    def end(self):
        """End all processes that are left."""
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    """Return a cluster without workers."""
    (tmp_path / "cluster").mkdir()
    started = Cluster(tmp_path / "cluster")
    yield started
    started.end()


@pytest.mark.slow
def test_a_worker_killed_in_the_middle(slow, cluster, tmp_path, contents):
    """Nothing is lost and nothing double: as many runs as cases, each measured once but those at work."""
    workers = [cluster.add_worker() for _ in range(2)]

    def kill(outcome, known):
        if slow.counted > 6 and workers[0].poll() is None:
            os.kill(workers[0].pid, signal.SIGKILL)
            workers[0].wait()

    run = run_study(slow.cases(20), tmp_path / "out", dask=cluster.address, progress=kill)
    assert workers[0].returncode == -signal.SIGKILL
    assert [outcome.ending for outcome in run.outcomes if outcome.ending == "failed"] == []
    assert len(list(run.store.runs())) == 20
    assert sum(len(stored.jobs) for stored in run.store.runs()) == 20 * 80
    assert 20 <= slow.counted <= 21
    logged = [entry.labels["seed"] for entry in read_log(tmp_path / "out" / "log.jsonl")]
    assert sorted(logged, key=int) == [str(k) for k in range(20)]
    run_study(slow.cases(20), tmp_path / "calm", executor="threads")
    assert contents(tmp_path / "out") == contents(tmp_path / "calm")


@pytest.mark.slow
def test_a_scheduler_that_is_gone(slow, cluster, tmp_path, monkeypatch):
    """A scheduler killed in the middle ends the study with a sentence; what is done is kept."""
    monkeypatch.setattr(executor, "PATIENCE", 3.0)
    cluster.add_worker()

    def kill(outcome, known):
        cluster.processes[0].kill()
        cluster.processes[0].wait()

    with pytest.raises(InputError, match="dask: the scheduler is gone"):
        run_study(slow.cases(20), tmp_path / "out", dask=cluster.address, progress=kill)
    run = run_study(slow.cases(20), tmp_path / "out", executor="threads")
    assert run.count("kept") >= 1
    assert run.count("kept") + run.count("done") == 20


@pytest.mark.slow
def test_a_cluster_of_this_machine(slow, tmp_path):
    """Without an address, workers of this machine are started and ended with the study."""
    run = run_study(slow.cases(6), tmp_path / "out", executor="dask", workers=1)
    assert run.count("done") == 6
    assert run.workers == 1


def test_no_scheduler_there(tmp_path, slow, monkeypatch):
    """An address where nobody answers is one sentence."""
    monkeypatch.setattr(executor, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"dask 'tcp://127\.0\.0\.1:9': no Dask scheduler answers there"):
        run_study(slow.cases(1), tmp_path / "out", dask="tcp://127.0.0.1:9")


def test_without_dask(tmp_path, slow, monkeypatch):
    """Who has not installed it is told what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'echelon-scheduling\[distributed\]'"):
        run_study(slow.cases(1), tmp_path / "out", executor="dask")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"folder": "/nowhere"}, "does not see it .* workers need the same files under the same paths"),
        ({"start": "/nowhere"}, "does not see it"),
        ({"mark": b"{}"}, "is a different folder on"),
        ({"results": 0}, "has another release of Echelon"),
    ],
    ids=str,
)
def test_workers_without_the_same_files(slow, tmp_path, changes, sentence):
    """A worker that does not see the study, sees another one, or is of another release says so."""
    store = Store.open(tmp_path / "out")
    place = executor.DaskWorkers(store)._place._replace(**changes)
    with pytest.raises(InputError, match=sentence):
        executor.run_there(tuple(slow.cases(1)), place)
