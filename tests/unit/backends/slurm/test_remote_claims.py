"""Claims by commands are those of the directory itself, and what is not known is not said."""

from __future__ import annotations

import pytest

from echelon.backends.claims import Claims
from echelon.backends.contract import Outcome
from echelon.backends.slurm.commands import Commands, Reply
from echelon.backends.slurm.remote_claims import RemoteClaims
from echelon.backends.slurm.settings import SlurmSettings

TAGS = ["ech-a-1", "ech-b-1", "-ech", "ech-d-1"]


@pytest.fixture
def directory(tmp_path):
    """Return a directory of claims with a blank in its name."""
    return tmp_path / "a 'directory'"


@pytest.fixture
def claims(directory, tmp_path):
    """Return the claims of a directory, by commands."""
    made = RemoteClaims(Commands(SlurmSettings()), str(directory))
    made.prepare()
    return made


def test_nothing_is_there_at_first(claims):
    """No claim and no record is complete evidence; no tags are no question."""
    found = claims.evidence(TAGS)
    assert (found.is_complete, found.claimed, found.records) == (True, frozenset(), {})
    assert claims.evidence([]).is_complete
    assert claims.revoke([]) == {}


def test_claims_of_jobs_and_of_the_service_are_told_apart(claims, directory):
    """What a job has claimed is never the service's; what the service took stays so."""
    (directory / "claims" / "ech-a-1").mkdir(mode=0o700)
    assert claims.revoke(TAGS) == {"ech-a-1": False, "ech-b-1": True, "-ech": True, "ech-d-1": True}
    assert claims.revoke(TAGS) == {"ech-a-1": False, "ech-b-1": True, "-ech": True, "ech-d-1": True}
    assert claims.evidence(TAGS).claimed == {"ech-a-1"}


def test_the_directory_itself_sees_the_same(claims, directory):
    """By commands or by the file system, claims and records are the same."""
    claims.revoke(["ech-b-1"])
    for tag in ("ech-a-1", "ech-d-1"):
        (directory / "claims" / tag).mkdir(mode=0o700)
    (directory / "exits" / "ech-a-1").write_text("3 0 100.5 200.25 end\n")
    (directory / "exits" / "-ech").write_text("- 15 100 200 limit\n")
    (directory / "exits" / "ech-d-1").write_text("dama")
    there, here = claims.evidence(TAGS), Claims(directory).evidence(TAGS)
    assert there.records == here.records
    assert there.claimed == here.claimed
    assert {tag: record.outcome for tag, record in there.records.items()} == {
        "ech-a-1": Outcome.FAILED,
        "-ech": Outcome.TIMED_OUT,
    }
    assert Claims(directory).revoke(["ech-b-1", "ech-a-1"]) == {"ech-b-1": True, "ech-a-1": False}


def test_a_directory_that_is_gone_says_nothing(claims, directory):
    """What cannot be read is incomplete evidence, and no claim is known."""
    directory.rename(directory.with_name("elsewhere"))
    found = claims.evidence(TAGS)
    assert (found.is_complete, found.records, found.claimed) == (False, {}, frozenset())
    assert found.problem
    assert claims.revoke(TAGS) == {}


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path):
    """Where a file is in the way the error says so."""
    (tmp_path / "file").touch()
    claims = RemoteClaims(Commands(SlurmSettings()), str(tmp_path / "file" / "x"))
    with pytest.raises(OSError, match="Not a directory"):
        claims.prepare()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(None, "", "connection lost"),
        Reply(123, "", "stat: cannot statx 'ech-a-1': Stale file handle\n"),
        Reply(123, "", "ssh: warning\nstat: cannot statx 'ech-a-1': No such file or directory\n"),
        Reply(1, "", "sh: cd: No such file or directory\n"),
    ],
)
def test_only_what_is_missing_for_certain_is_missing(monkeypatch, claims, reply):
    """Any other message than that of a missing file makes the evidence incomplete."""
    monkeypatch.setattr(Commands, "run", lambda *_, **__: reply)
    assert not claims.evidence(TAGS).is_complete
    assert claims.revoke(TAGS) == {}
