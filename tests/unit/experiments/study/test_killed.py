"""Whatever is killed at whatever moment, nothing is lost, nothing is double, and no byte differs."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.study_run import run_study
from echelon.experiments.study.store.log import read_log
from echelon.experiments.study.store.store_error import StoreError

pytestmark = pytest.mark.slow

SCRIPT = """
import pickle
import sys
from pathlib import Path

import echelon as ec

if __name__ == "__main__":
    ec.run_study(pickle.loads(Path("cases.pickle").read_bytes()), "out", executor="processes", workers=2)
    print("done")
"""


def runs_in(folder):
    """Return how many runs are there."""
    return sum(1 for _ in folder.glob("runs/*/*/manifest.json"))


def test_the_whole_study_killed_at_random_moments(slow, tmp_path, contents):
    """Killed three times with all its processes, its folder is in the end that of an undisturbed study.

    The first kill may come while it starts, the others come at random numbers of runs; after each the log's
    last line is torn at random, too.
    """
    chance, moments = random.Random(), []
    cases = [*slow.cases(32), Case({"workload": "nowhere.swf"}, {"seed": "wrong"})]
    (tmp_path / "cases.pickle").write_bytes(pickle.dumps(cases))
    (tmp_path / "study.py").write_text(SCRIPT)
    out, ended = tmp_path / "out", None
    for kill in range(4):
        study = subprocess.Popen(
            [sys.executable, "study.py"], cwd=tmp_path, start_new_session=True, stdout=subprocess.PIPE
        )
        if kill < 3:
            goal, extra = runs_in(out) + chance.randrange(1, 8), chance.uniform(0, 0.02)
            limit = time.monotonic() + (chance.uniform(0.2, 1.5) if not kill else 60)
            while runs_in(out) < goal and time.monotonic() < limit and study.poll() is None:
                time.sleep(0.002)
            time.sleep(extra)
            # On a slow machine the study may have ended by itself.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(study.pid, signal.SIGKILL)
            moments.append(runs_in(out))
            study.communicate()
            log = out / "log.jsonl"
            if log.exists():
                log.write_bytes(log.read_bytes()[: -chance.randrange(1, 40)])
        else:
            ended = study.communicate(timeout=300)[0]
    assert ended == b"done\n"
    made = slow.counted
    calm = run_study(cases, tmp_path / "calm", executor="threads", workers=2)
    assert calm.count("done") == 32
    assert contents(out) == contents(tmp_path / "calm"), moments
    assert len(list(out.glob("failures/*.json"))) == 1
    assert not list((out / ".parts").iterdir())
    # What was at work when it was killed is made again, nothing else: two workers, three kills.
    assert 32 <= made <= 32 + 2 * 3, moments
    last = {entry.labels["seed"]: entry for entry in read_log(out / "log.jsonl")}
    assert {seed: entry.key for seed, entry in last.items()} == {
        outcome.case.labels["seed"]: outcome.key for outcome in calm.outcomes
    }


def test_a_killed_worker_is_no_loss(slow, tmp_path, contents):
    """A worker killed in the middle of a study: all cases are done all the same, in the same call."""

    def kill(outcome, known):
        if not killed and slow.counted > 5:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    killed: list[int] = []
    run = run_study(slow.cases(20), tmp_path / "out", executor="processes", workers=2, progress=kill)
    assert killed
    assert run.failed == ()
    assert runs_in(tmp_path / "out") == 20
    assert 20 <= slow.counted <= 22
    assert not list((tmp_path / "out" / ".parts").iterdir())
    run_study(slow.cases(20), tmp_path / "calm", executor="threads")
    assert contents(tmp_path / "out") == contents(tmp_path / "calm")


def test_ctrl_c_at_a_terminal(slow, tmp_path, contents):
    """Ctrl-C reaches all processes: workers end after the run they are at, and there is one sentence."""
    (tmp_path / "cases.pickle").write_bytes(pickle.dumps(slow.cases(24)))
    (tmp_path / "study.py").write_text(SCRIPT)
    study = subprocess.Popen(
        [sys.executable, "study.py"], cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE, text=True
    )
    while runs_in(tmp_path / "out") < 5 and study.poll() is None:
        time.sleep(0.005)
    os.killpg(study.pid, signal.SIGINT)
    said = study.communicate(timeout=300)[1]
    assert said.splitlines()[-1].endswith("run the same command again to resume")
    assert said.count("Traceback") == 1
    before = runs_in(tmp_path / "out")
    assert slow.counted == before
    assert not list((tmp_path / "out" / ".parts").iterdir())
    run = run_study(slow.cases(24), tmp_path / "out", executor="threads")
    assert (run.count("kept"), run.count("done")) == (before, 24 - before)
    run_study(slow.cases(24), tmp_path / "calm", executor="threads")
    assert contents(tmp_path / "out") == contents(tmp_path / "calm")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children of a process are read from /proc")
def test_a_worker_hears_no_ctrl_c_from_its_birth(slow, tmp_path):
    """Ctrl-C that reaches workers while Python still loads in them breaks no pool: every case is run once."""
    (tmp_path / "cases.pickle").write_bytes(pickle.dumps(slow.cases(12)))
    (tmp_path / "study.py").write_text(SCRIPT)
    study = subprocess.Popen([sys.executable, "study.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    interrupted = set()
    while study.poll() is None and runs_in(tmp_path / "out") < 12:
        for child in spawned_by(study.pid) - interrupted:
            os.kill(child, signal.SIGINT)
            interrupted.add(child)
        time.sleep(0.001)
    assert study.communicate(timeout=300)[0] == "done\n"
    assert len(interrupted) >= 2
    assert runs_in(tmp_path / "out") == slow.counted == 12


def spawned_by(process):
    """Return the worker processes of a process by their numbers."""
    found = set()
    with contextlib.suppress(OSError):  # a process may end while it is looked at
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.add(int(child))
    return found


def test_a_case_that_kills_its_workers_is_given_up(slow, tmp_path):
    """The one guilty case fails with a sentence, and all others are done."""
    cases = slow.cases(6)
    cases.insert(3, slow.deadly())
    run = run_study(cases, tmp_path / "out", executor="processes", workers=1)
    (failed,) = run.failed
    assert failed.case is cases[3]
    assert "its worker process was killed" in failed.problem
    assert runs_in(tmp_path / "out") == 6


def test_a_disk_quota_is_one_sentence(slow, tmp_path):
    """When the operating system takes no more bytes, the study ends with that; with room it goes on."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    run_study(slow.cases(1), tmp_path / "out", executor="threads", workers=1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(StoreError, match="cannot be written: File too large; finished runs are kept"):
            run_study(slow.cases(5), tmp_path / "out", executor="threads", workers=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert runs_in(tmp_path / "out") == 1
    assert run_study(slow.cases(5), tmp_path / "out", executor="threads").count("done") == 4
