"""A cluster of processes: the conformance suite of back ends, and what is its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from echelon.backends.contract import Outcome, Refused, Submission
from echelon.backends.process import ProcessBackend, wrappers
from echelon.errors import InputError, UnknownNameError
from echelon.testing.backends import BACKEND_CHECKS, BackendCase, check_backend


class Processes(BackendCase):
    """Two processors of this machine."""

    def open(self):
        return ProcessBackend(self.directory / "cluster", 2, grace=1.0)


@pytest.mark.parametrize("name", BACKEND_CHECKS)
def test_conforms(tmp_path, name):
    """The back end does what every back end must."""
    check_backend(Processes(tmp_path), [name]).require()


def _job(tmp_path, tag, *command, **given):
    fixed = {"directory": str(tmp_path), "time_limit": 60.0}
    return Submission(tag, command or ("true",), **{**fixed, **given})


def _wait(is_so):
    end = time.monotonic() + 15
    while not (found := is_so()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


def _states(backend):
    return {job.tag: (job.state, job.outcome) for job in backend.look().own}


@pytest.fixture
def open_cluster(tmp_path):
    """Open a cluster again and again; at the end its jobs are canceled."""
    opened = []

    def opens(slots=2, **given):
        for backend in opened:
            backend.close()
        opened.append(ProcessBackend(tmp_path / "cluster", slots, **{"grace": 1.0, **given}))
        return opened[-1]

    yield opens
    for backend in opened:
        if (seen := backend.look()).is_complete:
            backend.cancel([(job.tag, "") for job in seen.own])
            _wait(lambda backend=backend: all(job.state == "ended" for job in backend.look().own))
        backend.close()


@pytest.mark.parametrize(
    ("policy", "started"), [("fcfs", {"a"}), ("easy", {"a", "c"}), ("none:shortest-first", {"b", "c"})]
)
def test_a_policy_decides_what_starts(tmp_path, open_cluster, policy, started):
    """Of a job, one that does not fit beside it and a short one behind it, each policy starts its own."""
    backend = open_cluster(3, policy=policy)
    backend.submit(
        [
            _job(tmp_path, "a", "sleep", "50", processors=2, time_limit=50.0),
            _job(tmp_path, "b", "sleep", "50", processors=2, time_limit=20.0),
            _job(tmp_path, "c", "sleep", "50", time_limit=40.0),
        ]
    )
    states = _states(backend)
    assert {tag for tag, (state, _) in states.items() if state == "running"} == started


@pytest.mark.slow
def test_slots_are_filled_again_without_a_look(tmp_path, open_cluster):
    """Jobs follow each other on one processor, in order, while nobody asks."""
    backend = open_cluster(1)
    backend.submit([_job(tmp_path, f"j{n}", "sh", "-c", f"echo {n} >> order") for n in range(6)])
    _wait(lambda: (tmp_path / "order").exists() and (tmp_path / "order").read_text().count("\n") == 6)
    assert (tmp_path / "order").read_text().split() == ["0", "1", "2", "3", "4", "5"]


@pytest.mark.slow
def test_no_more_runs_than_there_are_processors(tmp_path, open_cluster):
    """The processors of all jobs that run at one time are at most those of the cluster."""
    backend = open_cluster(3)
    script = "echo + $ECHELON_PROCESSORS >> log; sleep 0.05; echo - $ECHELON_PROCESSORS >> log"
    backend.submit([_job(tmp_path, f"j{n}", "sh", "-c", script, processors=1 + n % 3) for n in range(12)])
    _wait(lambda: all(state == "ended" for state, _ in _states(backend).values()))
    running, most = 0, 0
    for line in (tmp_path / "log").read_text().splitlines():
        sign, processors = line.split()
        running += int(processors) if sign == "+" else -int(processors)
        most = max(most, running)
    assert running == 0
    assert most == 3


def test_another_process_has_the_directory(open_cluster, tmp_path, monkeypatch):
    """Two services cannot use one directory: the second is refused, with a sentence."""
    monkeypatch.setattr("echelon.file_lock.PATIENCE", 0.1)
    open_cluster()
    with pytest.raises(InputError, match="is used by another process"):
        ProcessBackend(tmp_path / "cluster", 2)


@pytest.mark.parametrize("policy", ["round-robin", "shortest-remaining-time", "fcfs:expansion-factor"])
def test_policies_that_need_more_are_refused(tmp_path, policy):
    """A policy that preempts, or whose order changes with time, is no policy for a queue of processes."""
    with pytest.raises((InputError, UnknownNameError)):
        ProcessBackend(tmp_path / "cluster", 2, policy=policy)


_SERVICE = """
import sys, time
from pathlib import Path
from echelon.backends.contract import Submission
from echelon.backends.process import ProcessBackend, local_queue, wrappers
import os, signal

point, directory = sys.argv[1], Path(sys.argv[2])

def die(*given, **others):
    os.kill(os.getpid(), signal.SIGKILL)

def after(function):
    def called(*given, **others):
        function(*given, **others)
        die()
    return called

command = ("sh", "-c", "echo ran >> ran; sleep 0.3; echo end >> ran")
job = Submission("only", command, directory=str(directory))
backend = ProcessBackend(directory / "cluster", 1, grace=1.0)
if point == "before the mark":
    local_queue.LocalQueue._start = die
elif point == "after the mark":
    local_queue.script_of = die
elif point == "before the wrapper":
    wrappers.start = die
elif point == "after the wrapper":
    wrappers.start = after(wrappers.start)
elif point == "before the end":
    local_queue.ending = die
elif point == "after the end":
    local_queue.LocalQueue._note_ends = after(local_queue.LocalQueue._note_ends)
print(backend.submit([job]), flush=True)
time.sleep(20)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "point",
    [
        "before the mark",
        "after the mark",
        "before the wrapper",
        "after the wrapper",
        "before the end",
        "after the end",
    ],
)
def test_a_service_killed_at_any_step_loses_and_doubles_nothing(tmp_path, open_cluster, point):
    """Killed with -9 between any two steps of a job, the service leaves a job that runs once, to its end."""
    service = subprocess.run(
        [sys.executable, "-c", _SERVICE, point, str(tmp_path)], capture_output=True, check=False, timeout=20
    )
    assert service.returncode == -signal.SIGKILL, service.stderr
    backend = open_cluster(1)
    _wait(lambda: _states(backend)["only"][0] == "ended")
    assert backend.evidence(["only"]).records["only"].outcome == Outcome.COMPLETED
    assert (tmp_path / "ran").read_text() == "ran\nend\n"


@pytest.mark.slow
def test_kills_at_any_time_lose_and_double_nothing(tmp_path, open_cluster):
    """Under kills at any moment each job runs exactly once."""
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom echelon.backends.process import ProcessBackend\n"
        "backend = ProcessBackend(Path(sys.argv[1]) / 'cluster', 4, grace=1.0)\ntime.sleep(20)\n"
    )
    backend = open_cluster(4)
    tags = [f"j{n}" for n in range(60)]
    backend.submit([_job(tmp_path, tag, "sh", "-c", f"echo {tag} >> ran; sleep 0.02") for tag in tags])
    backend.close()
    for pause in (0.45, 0.5, 0.55, 0.6):
        service = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
        time.sleep(pause)
        service.kill()
        service.wait()
    backend = open_cluster(4)
    _wait(lambda: all(state == "ended" for state, _ in _states(backend).values()))
    assert sorted((tmp_path / "ran").read_text().split()) == sorted(tags)
    assert {record.outcome for record in backend.evidence(tags).records.values()} == {Outcome.COMPLETED}


def test_a_job_inherits_nothing_of_the_service(tmp_path, open_cluster):
    """A job has no files open but its own, and blocks no signal."""
    backend = open_cluster()
    script = "ls /proc/$$/fd; grep SigBlk /proc/self/status; echo $ECHELON_PROCESSORS $ECHELON_TAG"
    command = ("env", "--", "sh", "-c", script)
    backend.submit([_job(tmp_path, "clean", *command, processors=2)])
    _wait(lambda: "clean" in backend.evidence(["clean"]).records)
    none = "0" * 16
    expected = f"0\n1\n2\nSigBlk:\t{none}\n2 clean\n"
    assert (tmp_path / "clean.out").read_text() == expected


def test_time_limits_hold_while_no_service_runs(tmp_path, open_cluster):
    """A job reaches its time limit while the back end is closed, and the next one finds that."""
    backend = open_cluster()
    backend.submit([_job(tmp_path, "late", "sleep", "50", time_limit=1.0)])
    _wait(lambda: _states(backend)["late"][0] == "running")
    backend.close()
    _wait((tmp_path / "cluster/exits/late").exists)
    backend = open_cluster()
    _wait(lambda: _states(backend)["late"] == ("ended", Outcome.TIMED_OUT))
    record = backend.evidence(["late"]).records["late"]
    assert 0.9 < record.ended_at - record.started_at < 10


def test_a_killed_wrapper_takes_its_payload_along(tmp_path, open_cluster):
    """If the wrapper is killed the job is INTERRUPTED, and what is left of it is killed, too."""
    backend = open_cluster()
    backend.submit([_job(tmp_path, "victim", "sh", "-c", "echo $$ > pid; sleep 50", time_limit=59.0)])
    payload = int(_wait(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text()))
    folder = tmp_path / "cluster/jobs/victim"
    (wrapper,) = wrappers.find(folder)[0].values()
    os.kill(wrapper.pid, signal.SIGKILL)
    _wait(lambda: _states(backend)["victim"] == ("ended", Outcome.INTERRUPTED))
    _wait(
        lambda: (
            not Path(f"/proc/{payload}/cmdline").exists() or not Path(f"/proc/{payload}/cmdline").read_bytes()
        )
    )
    evidence = backend.evidence(["victim"])
    assert (evidence.claimed, evidence.records) == (frozenset(["victim"]), {})


def test_a_claim_that_a_crash_of_the_machine_took_is_not_run_again(tmp_path, open_cluster):
    """A job that was to start before the machine stopped is INTERRUPTED if its claim is not on disk."""
    backend = open_cluster(1)
    backend.submit([_job(tmp_path, "started", "sleep", "50"), _job(tmp_path, "waiting", "true")])
    _wait(lambda: _states(backend)["started"][0] == "running")
    (wrapper,) = _wait(lambda: [*wrappers.find(tmp_path / "cluster/jobs/started")[0].values()])
    _wait(lambda: (tmp_path / "cluster/jobs/started/payload").exists())
    backend.close()
    # What a loss of power leaves: no process, no claim, an older run of the machine.
    os.killpg(wrapper.pid, signal.SIGKILL)
    wrappers.kill_payload(tmp_path / "cluster/jobs/started/payload")
    # A signal returns before its process is gone, which a busy machine lets live for some time.
    _wait(lambda: wrappers.find(tmp_path / "cluster/jobs") == ({}, []))
    shutil.rmtree(tmp_path / "cluster/claims/started")
    journal = tmp_path / "cluster/journal"
    journal.write_text(journal.read_text().replace(wrappers.boot(), "an-earlier-one"))
    backend = open_cluster(1)
    assert _states(backend)["started"] == ("ended", Outcome.INTERRUPTED)
    assert backend.evidence(["started"]).claimed == {"started"}
    _wait(lambda: _states(backend)["waiting"] == ("ended", Outcome.COMPLETED))


@pytest.mark.slow
def test_a_cancel_at_any_moment_ends_the_job(tmp_path, open_cluster):
    """A TERM at any step of a wrapper's start ends the job at once, and nothing of it is left."""
    backend = open_cluster(1)
    for number in range(16):
        tag = f"j{number}"
        backend.submit([_job(tmp_path, tag, "sleep", "61", time_limit=62.0)])
        _wait(lambda tag=tag: _states(backend)[tag][0] == "running")
        time.sleep(0.001 * number)
        backend.cancel([(tag, "")])
        _wait(lambda tag=tag: _states(backend)[tag] == ("ended", Outcome.CANCELED))
        evidence = backend.evidence([tag])
        assert {record.outcome for record in evidence.records.values()} <= {Outcome.CANCELED}
        assert evidence.claimed == evidence.records.keys()
    _wait(lambda: not _running(b"sleep\x0061\0", b"sleep\x0062\0"))


def _running(*commands):
    return [one for one in Path("/proc").glob("[0-9]*/cmdline") if _content(one) in commands]


def _content(file):
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_no_zombies_stay(tmp_path, open_cluster):
    """Ended wrappers are reaped without a look."""
    backend, before = open_cluster(2), _children()
    backend.submit([_job(tmp_path, f"j{n}") for n in range(4)])
    _wait(lambda: backend.evidence(["j0", "j1", "j2", "j3"]).records.keys() == {"j0", "j1", "j2", "j3"})
    _wait(lambda: _children() <= before)


def _children():
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {pid for task in tasks for pid in task.read_text().split()}


def test_what_cannot_start_is_said_and_tried_again(tmp_path, open_cluster):
    """While a wrapper cannot be started its job waits, looks say why, and then it starts."""
    backend = open_cluster()
    jobs = tmp_path / "cluster/jobs"
    jobs.rmdir()
    jobs.write_text("in the way")
    backend.submit([_job(tmp_path, "late")])
    seen = backend.look()
    assert seen.is_complete
    assert seen.own[0].state == "waiting"
    assert "cluster/jobs" in seen.problem
    jobs.unlink()
    jobs.mkdir()
    _wait(lambda: _states(backend)["late"] == ("ended", Outcome.COMPLETED))


def test_a_directory_that_goes_and_comes_back_loses_nothing(tmp_path, open_cluster):
    """Meanwhile nothing is taken, looks say why, and an end is not missed; then all goes on."""
    backend = open_cluster(slots=1)
    runs = _job(tmp_path, "runs", "sh", "-c", "touch started; sleep 0.2")
    backend.submit([runs, _job(tmp_path, "waits")])
    _wait((tmp_path / "started").exists)
    (tmp_path / "cluster").rename(tmp_path / "away")
    (answer,) = backend.submit([_job(tmp_path, "new")])
    assert isinstance(answer, Refused)
    assert not answer.is_permanent
    time.sleep(0.3)
    assert "has gone" in backend.look().problem
    assert _states(backend) == {"runs": ("running", None), "waits": ("waiting", None)}
    (tmp_path / "away").rename(tmp_path / "cluster")
    done = ("ended", Outcome.COMPLETED)
    _wait(lambda: _states(backend) == {"runs": done, "waits": done})
    assert not backend.look().problem


def test_ended_jobs_are_forgotten(tmp_path, open_cluster):
    """Ended jobs are listed for as long as is said, but their records stay."""
    backend = open_cluster(remembers=0.2)
    backend.submit([_job(tmp_path, "short")])
    _wait(lambda: "short" not in _states(backend))
    assert backend.evidence(["short"]).records["short"].outcome == Outcome.COMPLETED
    assert _states(open_cluster(remembers=0.2)) == {}


@pytest.mark.slow
def test_submissions_are_fast(tmp_path, open_cluster):
    """Submissions in batches of 50 take less than 1 ms of CPU time each, on disk."""
    backend = open_cluster(1)
    backend.submit([_job(tmp_path, "first", "sleep", "50")])
    began = time.process_time()
    for batch in range(20):
        backend.submit([_job(tmp_path, f"j{batch}-{n}", "true") for n in range(50)])
    assert time.process_time() - began < 1.0
    backend.cancel([(job.tag, "") for job in backend.look().own])
