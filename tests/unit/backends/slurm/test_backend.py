"""The back end puts Slurm's answers together, and an answer that is missing is never an empty cluster."""

from __future__ import annotations

import os
import re

import pytest

from echelon.backends.contract import Accepted, Backend, Outcome, Refused, Submission
from echelon.backends.registry import backend_of
from echelon.backends.slurm import SlurmBackend
from echelon.backends.slurm.queue import OWN_FIELDS
from echelon.errors import InputError, UnknownNameError

CONFIGURATION = """\
ClusterName             = alpha
MessageTimeout          = 7 sec
SchedulerType           = sched/backfill
SLURM_VERSION           = 23.11.4
"""
NODES = "NODELIST|CPUS(A/I/O/T)\nn1|2/6/0/8\nn2|0/0/8/8\n"
OTHERS = f"""\
JOBID|UID|STATE|CPUS|START_TIME|END_TIME|TIME_LIMIT|SUBMIT_TIME|PRIORITY
7|{os.getuid() + 1}|PENDING|24|N/A|N/A|10:00|100|50
1|{os.getuid()}|RUNNING|2|100|200|10:00|100|50
"""
OWN = [
    ["1", "RUNNING", "0", "2", "100", "200", "10:00", "90", "60", "None", "ech-a-1"],
    ["2", "PENDING", "0", "2", "4000000000", "N/A", "10:00", "90", "40", "Resources", "ech-b-1"],
    ["3", "RUNNING", "0", "3", "100", "200", "10:00", "90", "60", "None", "interactive"],
    ["4", "COMPLETED", "0", "3", "100", "200", "10:00", "90", "60", "None", "done by hand"],
]


class FakeSlurm:
    """A folder of programs that print what files say; their arguments and input are kept."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("squeue", "sinfo", "scontrol", "sbatch", "scancel", "sacct"):
            program = folder / name
            program.write_text(f'#!/bin/sh\ncd {folder}\necho "$@" >> {name}.arguments\n{self.text(name)}\n')
            program.chmod(0o700)
        self.say("scontrol", CONFIGURATION)
        self.say("sinfo", NODES)
        self.say("others", OTHERS)
        self.say_own(OWN)

    @staticmethod
    def text(name):
        """Return what a program does."""
        if name == "squeue":
            # What is asked for between separators is own jobs: the separator is among the arguments.
            return (
                'for word in "$@"; do\n'
                'case $word in *Name:*) mark=${word##*Name:} ;; *"%j %i"*) pairs=1 ;; esac; done\n'
                '[ -z "$pairs" ] || { cat pairs; exit; }\n'
                "[ -e squeue.fails ] && { cat squeue.fails >&2; exit 1; }\n"
                'if [ "$mark" ]; then sed "s/@/$mark/g" own; else cat others; fi'
            )
        if name == "sbatch":
            return "cat > sbatch.text; echo 17"
        return (
            f"[ -e {name}.fails ] && {{ cat {name}.fails >&2; exit 1; }}\n[ ! -e {name} ] || cat {name}.out"
        )

    def say(self, name, text):
        """Let a program print a text."""
        (self.folder / (name if name == "others" else f"{name}.out")).write_text(text)

    def say_own(self, rows):
        """Let squeue list own jobs."""
        titles = ["JOBID", *OWN_FIELDS[1:]]
        lines = ("".join(f"{field}@" for field in row) + "\n" for row in (titles, *rows))
        (self.folder / "own").write_text("".join(lines))

    def fail(self, name, message="Unable to contact slurm controller (connect failure)"):
        """Let a program fail."""
        (self.folder / f"{name}.fails").write_text(f"{name}: error: {message}\n")

    def arguments(self, name):
        """Return the arguments of each call of a program."""
        file = self.folder / f"{name}.arguments"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def slurm(tmp_path):
    """Return programs named as Slurm's."""
    (tmp_path / "bin").mkdir()
    return FakeSlurm(tmp_path / "bin")


@pytest.fixture
def backend(slurm, tmp_path):
    """Return the back end of these programs."""
    settings = {"bin": str(slurm.folder), "directory": str(tmp_path / "shared")}
    made = backend_of("slurm", "alpha", settings, tmp_path)
    yield made
    made.close()


def test_a_cluster_is_described(backend, tmp_path):
    """Processors, patience, policy and version come from Slurm; the directory is made."""
    found = backend.describe()
    assert isinstance(backend, Backend)
    assert (found.processors, found.patience, found.policy) == (16, 14.0, "easy")
    assert (found.version, found.has_claims) == ("Slurm 23.11.4", True)
    assert (tmp_path / "shared" / "claims").is_dir()


@pytest.mark.parametrize("name", ["scontrol", "sinfo"])
def test_a_cluster_that_does_not_answer_is_not_described(backend, slurm, name):
    """The service does not start with a cluster that it knows nothing of, and says why."""
    slurm.fail(name)
    with pytest.raises(InputError, match=r"alpha.*Unable to contact"):
        backend.describe()


def test_a_look_has_own_jobs_others_and_processors(backend):
    """Jobs with tags are the service's; the rest, of this account or not, is load without a name."""
    seen = backend.look()
    assert seen.is_complete, seen.problem
    assert seen.processors == 8
    assert [(own.tag, own.native_id, own.state) for own in seen.own] == [
        ("ech-a-1", "1", "running"),
        ("ech-b-1", "2", "waiting"),
    ]
    assert [(other.native_id, other.processors) for other in seen.others] == [("3", 3), ("7", 24)]
    assert seen.reserved == ()


@pytest.mark.parametrize("broken", ["squeue", "sinfo", "own", "others"])
def test_a_look_that_misses_anything_shows_nothing(backend, slurm, broken):
    """One failed or empty answer makes the look incomplete, and says why."""
    if broken in ("own", "others"):
        (slurm.folder / broken).write_text("")
    else:
        slurm.fail(broken)
    seen = backend.look()
    assert (seen.is_complete, seen.own, seen.others) == (False, (), ())
    assert seen.problem


def test_separators_are_never_the_same(backend, slurm):
    """Each look draws its own, so that no name can be made for it."""
    backend.look()
    backend.look()
    marks = {
        found[0]
        for arguments in slurm.arguments("squeue")
        if (found := re.findall(r"\|[0-9a-f]{32}\|", arguments))
    }
    assert len(marks) == 2


def test_jobs_are_answered_in_their_order(backend):
    """A job that cannot be asked for is refused in its place, and the others are submitted."""
    good = Submission("ech-a-1", ("true",), directory="/tmp")
    bad = Submission("ech-b-1", ("true",), directory="/tmp", options=(("mail-user", "x"),))
    answers = backend.submit([bad, good, bad, good])
    assert [type(answer) for answer in answers] == [Refused, Accepted, Refused, Accepted]
    assert answers[0].is_permanent
    assert "mail-user" in answers[0].reason


def test_requeues_are_off(backend, slurm):
    """Slurm is never to start a job again by itself, whatever its own default is."""
    backend.submit([Submission("ech-a-1", ("true",), directory="/tmp")])
    assert slurm.arguments("sbatch") == ["--parsable --no-requeue"]


def test_a_directory_that_cannot_be_made_takes_no_jobs(slurm, tmp_path):
    """Without the directory no job could claim itself, so none is submitted; the description says why."""
    (tmp_path / "file").touch()
    settings = {"bin": str(slurm.folder), "directory": str(tmp_path / "file" / "x")}
    backend = SlurmBackend("alpha", settings, tmp_path)
    (answer,) = backend.submit([Submission("ech-a-1", ("true",), directory="/tmp")])
    assert isinstance(answer, Refused)
    assert not answer.is_permanent
    assert slurm.arguments("sbatch") == []
    assert not backend.evidence(["ech-a-1"]).is_complete
    assert backend.revoke(["ech-a-1"]) == {}
    with pytest.raises(InputError, match="cannot be used"):
        backend.describe()
    backend.close()


def test_a_number_is_canceled_only_with_its_tag(backend, slurm):
    """What the queue has under another name is left alone; a tag alone cancels all that are called so."""
    (slurm.folder / "pairs").write_text("ech-a-1 1\nother 2\nech-c-1 33\nx\nech-d-1 4\n")
    backend.cancel([("ech-a-1", "1"), ("ech-b-1", "2"), ("ech-c-1", "3"), ("$(id)", "1"), ("ech-e-1", "")])
    assert sorted(slurm.arguments("scancel")) == ["--me --name ech-e-1", "1"]


def test_evidence_is_the_jobs_own_first(backend, tmp_path):
    """A record of the job's own is what counts; without claims and logs there is nothing else."""
    backend.describe()
    (tmp_path / "shared" / "claims" / "ech-a-1").mkdir(mode=0o700)
    (tmp_path / "shared" / "exits" / "ech-a-1").write_text("0 0 1 2 end\n")
    found = backend.evidence(["ech-a-1", "ech-b-1", "../x"])
    assert found.is_complete
    assert found.records["ech-a-1"].outcome is Outcome.COMPLETED
    assert (set(found.records), found.claimed) == ({"ech-a-1"}, {"ech-a-1"})


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ("PREEMPTED", Outcome.INTERRUPTED),
        ("NODE_FAIL", Outcome.INTERRUPTED),
        ("TIMEOUT", Outcome.TIMED_OUT),
        ("CANCELLED", Outcome.CANCELED),
        ("COMPLETED", Outcome.CANCELED),
    ],
)
def test_a_job_that_was_stopped_is_explained_by_slurm(backend, slurm, tmp_path, state, outcome):
    """A job knows that it got a TERM, Slurm knows why; other ends are the job's to say."""
    backend.describe()
    for tag, text in (("ech-a-1", "- 15 1 2 stopped\n"), ("ech-b-1", "0 0 1 2 end\n")):
        (tmp_path / "shared" / "claims" / tag).mkdir(mode=0o700)
        (tmp_path / "shared" / "exits" / tag).write_text(text)
    slurm.say_own([[*OWN[0][:1], state, *OWN[0][2:]], [*OWN[1][:1], state, *OWN[1][2:]]])
    assert backend.look().is_complete
    records = backend.evidence(["ech-a-1", "ech-b-1"]).records
    assert (records["ech-a-1"].outcome, records["ech-a-1"].signal) == (outcome, 15)
    assert records["ech-b-1"].outcome is Outcome.COMPLETED


def test_a_log_that_is_missing_makes_evidence_incomplete(slurm, tmp_path):
    """Claims are known, ends are not: nothing may be concluded from what is not there."""
    settings = {"bin": str(slurm.folder), "completion_log": str(tmp_path / "no" / "log")}
    backend = SlurmBackend("alpha", settings, tmp_path)
    found = backend.evidence(["ech-a-1"])
    backend.close()
    assert not found.is_complete
    assert "log" in found.problem


def test_without_claims_nothing_is_revoked(slurm, tmp_path):
    """Whoever has no directory says nothing of claims, and describes itself so."""
    backend = SlurmBackend("alpha", {"bin": str(slurm.folder)}, tmp_path)
    assert not backend.describe().has_claims
    assert backend.revoke(["ech-a-1"]) == {}
    assert backend.evidence(["ech-a-1"]).is_complete
    backend.close()


def test_a_setting_that_is_none_is_an_error(tmp_path):
    """The registry hands on what the configuration has, and the nearest name is suggested."""
    with pytest.raises(UnknownNameError, match="directory"):
        backend_of("slurm", "alpha", {"directroy": "/x"}, tmp_path)
