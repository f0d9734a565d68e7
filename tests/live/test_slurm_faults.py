"""What Slurm really does when something breaks, and what its back end makes of it: each fault, one test."""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from echelon.backends.contract import Accepted, Outcome, Refused, Submission, Unclear
from echelon.backends.slurm import SlurmBackend
from echelon.backends.wrapper import CANNOT_CLAIM
from live.slurm_clusters import wait_for

LOG_LINE = (
    f"x\nJobId=%s UserId={getpass.getuser()}({os.getuid()}) GroupId=root(0) Name=%s JobState=COMPLETED "
    "Partition=main TimeLimit=1 StartTime=2026-01-01T00:00:00 EndTime=2026-01-01T00:00:00 NodeList=alpha1 "
    "NodeCnt=1 ProcCnt=1 WorkDir=/ ReservationName= Tres=cpu=1 Account= QOS= WcKey= Cluster=unknown "
    "SubmitTime=2026-01-01T00:00:00 EligibleTime=2026-01-01T00:00:00 DerivedExitCode=0:0 ExitCode=0:0 "
)
"""A name that makes a line of the log of ended jobs, for the number and the tag of a job."""


def new_tag():
    """Return a tag as the service makes them."""
    return f"ech-{secrets.token_hex(16)}-1"


def job(tmp_path, text="sleep 60", **others):
    """Return a job that runs a line of the shell."""
    return Submission(new_tag(), ("sh", "-c", text), directory=str(tmp_path), **others)


@pytest.fixture
def backend(slurm, tmp_path):
    """Return the back end of a cluster."""
    made = SlurmBackend("alpha", slurm.settings(), tmp_path)
    made.describe()
    yield made
    made.close()


def accept(backend, submission):
    """Submit a job that is accepted; return its number."""
    (answer,) = backend.submit([submission])
    assert isinstance(answer, Accepted), answer
    return answer.native_id


def whole_look(backend):
    """Return a complete look."""
    return wait_for(lambda: (seen := backend.look()).is_complete and seen)


def states(backend, tag):
    """Return the states of all jobs of a tag in a complete look."""
    return [own.state for own in whole_look(backend).own if own.tag == tag]


def runs(backend, tag):
    """Return whether a job of a tag runs."""
    return states(backend, tag) == ["running"]


def saved(slurm, tag):
    """Wait until the controller has written a job down: it does so every five seconds at most."""
    file = slurm.folder / "state" / "job_state"
    wait_for(lambda: file.exists() and tag.encode() in file.read_bytes())


def test_a_controller_that_crashes_forgets_a_job_and_gives_its_number_away(slurm, backend, tmp_path):
    """The forgotten job is absent from complete looks; its old number with its tag cancels nobody else."""
    early = job(tmp_path)
    accept(backend, early)
    saved(slurm, early.tag)
    lost, other = job(tmp_path), job(tmp_path)
    number = accept(backend, lost)
    slurm.kill("slurmctld")
    slurm.start("slurmctld")
    slurm.await_ready()
    assert states(backend, lost.tag) == []
    assert states(backend, early.tag) != [], "a job that was written down is still there"
    assert accept(backend, other) == number, "the number of the forgotten job is given to another"
    wait_for(lambda: runs(backend, other.tag))
    backend.cancel([(lost.tag, number)])
    assert runs(backend, other.tag)
    backend.cancel([(other.tag, number)])
    wait_for(lambda: states(backend, other.tag) == ["ended"])


def test_a_submission_that_timed_out_may_arrive_later(slurm, backend, tmp_path):
    """A stopped controller makes the answer unclear and the look incomplete; then the job is there."""
    late, next_one = job(tmp_path), job(tmp_path)
    slurm.kill("slurmctld", signal.SIGSTOP)
    first, second = backend.submit([late, next_one])
    assert isinstance(first, Unclear)
    assert isinstance(second, Unclear | Refused)
    seen = backend.look()
    assert (seen.is_complete, seen.own) == (False, ())
    assert seen.problem
    slurm.kill("slurmctld", signal.SIGCONT)
    wait_for(lambda: runs(backend, late.tag))


def test_an_sbatch_that_is_killed_leaves_an_unclear_answer(slurm, tmp_path):
    """Killed at any time after its start sbatch has printed no number, yet its job may be there."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("squeue", "sinfo", "scontrol"):
        (commands / name).symlink_to(shutil.which(name))
    script = commands / "sbatch"
    script.write_text(
        f'#!/bin/sh\nexec 3<&0\n{shutil.which("sbatch")} "$@" <&3 > /dev/null &\n'
        f"sleep $(cat {tmp_path}/pause)\nkill -9 $!\nkill -9 $$\n"
    )
    script.chmod(0o700)
    backend = SlurmBackend("alpha", slurm.settings(bin=str(commands)), tmp_path)
    backend.describe()
    found = {}
    for pause in (0.0005, 0.3):
        (tmp_path / "pause").write_text(str(pause))
        one = job(tmp_path)
        (answer,) = backend.submit([one])
        assert isinstance(answer, Unclear)
        found[pause] = states(backend, one.tag)
    backend.close()
    assert len(found[0.3]) == 1, "the job is there though no number was printed"


def test_a_submission_dies_with_the_service(slurm, tmp_path):
    """After a kill -9 of the service in the midst of submitting no sbatch is left, and no job comes later."""
    program = (
        "import sys; from pathlib import Path; from echelon.backends.contract import Submission\n"
        "from echelon.backends.slurm import SlurmBackend\n"
        f"backend = SlurmBackend('alpha', {slurm.settings()!r}, Path({str(tmp_path)!r}))\n"
        f"jobs = [Submission(f'ech-dies-{{i}}', ('true',), directory={str(tmp_path)!r}, "
        "options=(('begin', 'now+1hour'),)) for i in range(400)]\n"
        "print('ready', flush=True); backend.submit(jobs)\n"
    )
    backend = SlurmBackend("alpha", slurm.settings(), tmp_path)

    def arrived():
        return {own.tag for own in whole_look(backend).own if own.tag.startswith("ech-dies")}

    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as service:
        service.stdout.readline()
        wait_for(lambda: len(arrived()) > 5)
        service.kill()
    wait_for(lambda: not submitters(slurm), 1)
    time.sleep(0.2)
    first = arrived()
    time.sleep(0.5)
    later = arrived()
    backend.close()
    assert later == first
    assert len(first) < 400


def submitters(slurm):
    """Return the numbers of processes of sbatch for a cluster."""
    found = subprocess.run(["pgrep", "-x", "sbatch"], capture_output=True, text=True, check=False)
    mine = []
    for number in found.stdout.split():
        try:
            if str(slurm.conf).encode() in Path(f"/proc/{number}/environ").read_bytes():
                mine.append(number)
        except OSError:
            continue
    return mine


def test_a_dead_controller_refuses_for_now_and_jobs_run_on(slurm, backend, tmp_path):
    """Without a controller nothing is accepted or seen; a job that ends meanwhile is known by its record."""
    short = job(tmp_path, "while ! [ -e go ]; do sleep 0.1; done")
    accept(backend, short)
    wait_for(lambda: runs(backend, short.tag))
    saved(slurm, short.tag)
    slurm.kill("slurmctld")
    (tmp_path / "go").touch()
    answers = backend.submit([job(tmp_path) for _ in range(8)])
    assert {type(answer) for answer in answers} == {Refused}
    assert not any(answer.is_permanent for answer in answers)
    assert any("Unable to contact" in answer.reason for answer in answers)
    seen = backend.look()
    assert (seen.is_complete, seen.own, seen.others) == (False, (), ())
    assert "Unable to contact" in seen.problem
    assert backend.evidence([short.tag]).records[short.tag].outcome is Outcome.COMPLETED
    slurm.start("slurmctld")
    slurm.await_controller()
    assert states(backend, short.tag) != []
    # It takes Slurm ten seconds more to see that the job has ended.
    slurm.forget()


def test_a_node_daemon_that_comes_back_in_time_harms_no_job(slurm, backend, tmp_path):
    """A slurmd that is killed and started again leaves its job running to its end."""
    one = job(tmp_path, "sleep 1.5", options=(("nodes", "1"),), processors=4)
    accept(backend, one)
    wait_for(lambda: runs(backend, one.tag))
    (node,) = slurm.run("squeue", "-h", "-n", one.tag, "-o", "%N").split()
    slurm.kill(node)
    slurm.start(node)
    wait_for(lambda: states(backend, one.tag) == ["ended"])
    record = backend.evidence([one.tag]).records[one.tag]
    assert (record.outcome, record.source) == (Outcome.COMPLETED, "exit record")


def test_a_node_that_is_lost_interrupts_its_job_once(slurm, backend, tmp_path):
    """The job of a lost node ends as interrupted and is not queued again by Slurm, as its tag is spent."""
    one = job(tmp_path, processors=4)
    accept(backend, one)
    wait_for(lambda: runs(backend, one.tag) and one.tag in backend.evidence([one.tag]).claimed)
    (node,) = slurm.run("squeue", "-h", "-n", one.tag, "-o", "%N").split()
    slurm.kill(node)
    # What SlurmdTimeout would say after seconds more.
    slurm.run("scontrol", "update", f"nodename={node}", "state=down", "reason=lost")
    (own,) = wait_for(
        lambda: [own for own in whole_look(backend).own if own.tag == one.tag and own.state == "ended"]
    )
    assert own.outcome is Outcome.INTERRUPTED
    assert whole_look(backend).processors == slurm.total - 4
    found = backend.evidence([one.tag])
    assert found.is_complete
    assert one.tag in found.claimed
    assert found.records[one.tag].outcome is Outcome.INTERRUPTED


def test_only_a_batch_script_that_is_killed_itself_is_interrupted(slurm, backend, tmp_path):
    """A payload that is killed by signal 9 has failed by it; its batch script outlives it."""
    payload = job(tmp_path, "kill -9 $$")
    script = job(tmp_path, "kill -9 $PPID $$")
    for one in (payload, script):
        accept(backend, one)
    for one in (payload, script):
        wait_for(lambda one=one: states(backend, one.tag) == ["ended"])
    found = wait_for(lambda: len((seen := backend.evidence([payload.tag, script.tag])).records) == 2 and seen)
    ends = [(found.records[one.tag].outcome, found.records[one.tag].signal) for one in (payload, script)]
    assert ends == [(Outcome.FAILED, 9), (Outcome.INTERRUPTED, 9)]


def test_a_job_that_cannot_claim_itself_fails_without_a_claim(slurm, tmp_path, monkeypatch):
    """Its node cannot make the folder: Slurm calls it failed, and nothing says that it has run."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "mkdir").write_text("#!/bin/sh\nexit 1\n")
    (commands / "mkdir").chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    backend, ran = SlurmBackend("alpha", slurm.settings(), tmp_path), job(tmp_path, "echo > ran")
    backend.describe()
    accept(backend, ran)
    wait_for(lambda: states(backend, ran.tag) == ["ended"])
    found = wait_for(lambda: (seen := backend.evidence([ran.tag])).records and seen)
    assert (found.is_complete, found.claimed) == (True, frozenset())
    record = found.records[ran.tag]
    assert (record.outcome, record.exit_code) == (Outcome.FAILED, CANNOT_CLAIM)
    assert not (tmp_path / "ran").exists()
    backend.close()


def test_cancel_says_nothing_of_success(slurm, backend, tmp_path):
    """Scancel succeeds for ended and unknown jobs alike, so only looks show what became of a job."""
    ended, running = job(tmp_path, "true"), job(tmp_path)
    number, other = accept(backend, ended), accept(backend, running)
    wait_for(lambda: states(backend, ended.tag) == ["ended"])
    wait_for(lambda: runs(backend, running.tag))
    backend.cancel([(ended.tag, number), (new_tag(), "999999"), (new_tag(), ""), (ended.tag, other)])
    assert runs(backend, running.tag)
    assert backend.evidence([ended.tag]).records[ended.tag].outcome is Outcome.COMPLETED
    backend.cancel([(running.tag, "")])
    wait_for(lambda: states(backend, running.tag) == ["ended"])


def test_a_job_that_slurm_no_longer_knows_has_its_record(slurm, backend, tmp_path):
    """What the queue has dropped is not what never was: records of ends and claims are still there."""
    done, never, stopped = job(tmp_path, "exit 3"), new_tag(), job(tmp_path)
    accept(backend, done)
    number = accept(backend, stopped)
    wait_for(lambda: states(backend, done.tag) == ["ended"] and runs(backend, stopped.tag))
    backend.cancel([(stopped.tag, number)])
    wait_for(lambda: states(backend, stopped.tag) == ["ended"])
    slurm.forget()
    assert states(backend, done.tag) == []
    found = backend.evidence([done.tag, never, stopped.tag])
    assert found.is_complete
    assert found.claimed == {done.tag, stopped.tag}
    assert found.records[done.tag].exit_code == 3
    assert found.records[stopped.tag].outcome is Outcome.CANCELED
    assert never not in found.records
    log_alone = SlurmBackend("alpha", slurm.settings(claims=False), tmp_path)
    record = log_alone.evidence([done.tag]).records[done.tag]
    log_alone.close()
    assert (record.exit_code, record.source) == (3, "job completion log")
    assert abs(record.ended_at - time.time()) < 30


def test_a_job_name_with_line_breaks_forges_nothing(slurm, backend, tmp_path):
    """Neither the queue nor the log of ended jobs takes a job's name for a line of its own."""
    victim, forged = job(tmp_path), new_tag()
    number = accept(backend, victim)
    wait_for(lambda: runs(backend, victim.tag))
    line = slurm.run("squeue", "-h", "-o", "%i|%T|%j").strip()
    names = (
        f"x\n{line}\ny",
        f"x\n{number}|ab|COMPLETED|ab|0:0|ab|1|ab|1|ab|1|ab|1|ab|1|ab|1|ab|(null)|ab|None|ab|{forged}|ab|",
        f"x\n999|0|RUNNING|64|1|1|1:00|1|1\n{forged}",
        LOG_LINE % (number, victim.tag),
        f"{LOG_LINE % (number, victim.tag)}\ny",
        "x\necholon answer 0\n",
    )
    for name in names:
        slurm.run("sbatch", "--parsable", "-o", "/dev/null", "-J", name, "--wrap", "sleep 0.5")
    seen = whole_look(backend)
    assert [own.tag for own in seen.own if own.state != "ended"] == [victim.tag]
    assert len(seen.others) == len(names)
    assert {other.processors for other in seen.others} == {1}
    wait_for(lambda: not whole_look(backend).others)
    found = backend.evidence([victim.tag, forged])
    assert found.is_complete
    assert found.records == {}


def test_a_tag_that_the_cluster_has_twice_runs_once(slurm, backend, tmp_path):
    """Of two jobs of one tag one runs; the other says that its claim was taken, and nothing of the first."""
    one = job(tmp_path, "echo ran >> runs; sleep 0.3")
    first, second = accept(backend, one), accept(backend, one)
    wait_for(lambda: states(backend, one.tag) == ["ended", "ended"])
    ends = {own.native_id: own.outcome for own in whole_look(backend).own if own.tag == one.tag}
    assert sorted(ends.values()) == [Outcome.COMPLETED, Outcome.UNCLAIMED]
    assert set(ends) == {first, second}
    assert (tmp_path / "runs").read_text() == "ran\n"
    assert backend.evidence([one.tag]).records[one.tag].outcome is Outcome.COMPLETED


def test_an_accounting_that_is_away_makes_evidence_incomplete(accounted, tmp_path):
    """Without slurmdbd jobs are submitted and seen, but nothing is said of ends, until it is back."""
    settings = accounted.settings(completion_log="", claims=False, accounting=True)
    backend = SlurmBackend("beta", settings, tmp_path)
    backend.describe()
    done = job(tmp_path, "exit 4")
    accept(backend, done)

    def record_of(tag):
        return backend.evidence([tag]).records.get(tag)

    record = wait_for(lambda: record_of(done.tag))
    assert (record.outcome, record.exit_code, record.source) == (Outcome.FAILED, 4, "accounting")
    assert abs(record.ended_at - time.time()) < 30
    daemon = accounted.accounting.daemon
    daemon.send(signal.SIGKILL)
    one = job(tmp_path, "true")
    accept(backend, one)
    assert states(backend, one.tag) != []
    found = backend.evidence([done.tag, one.tag])
    assert (found.is_complete, found.records) == (False, {})
    assert found.problem
    daemon.start()
    wait_for(lambda: record_of(done.tag))
    wait_for(lambda: record_of(one.tag))
    backend.close()


def test_a_lost_connection_is_unclear(slurm, ssh, tmp_path):
    """Where ssh gets no answer no look is complete, no submission decided, no claim known; nothing raises."""
    backend = SlurmBackend("alpha", slurm.settings(**ssh.settings()), tmp_path)
    backend.describe()
    one = job(tmp_path)
    accept(backend, one)
    wait_for(lambda: runs(backend, one.tag))
    ssh.daemon.stop()
    backend._commands.close()
    try:
        assert not backend.look().is_complete
        assert isinstance(backend.submit([job(tmp_path)])[0], Unclear)
        found = backend.evidence([one.tag])
        assert (found.is_complete, found.records, found.claimed) == (False, {}, frozenset())
        assert backend.revoke([one.tag]) == {}
        backend.cancel([(one.tag, "")])
    finally:
        ssh.daemon.start()
    wait_for(lambda: backend.look().is_complete)
    assert runs(backend, one.tag)
    backend.close()
