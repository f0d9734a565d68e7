"""The mark of a directory of claims: another directory in its place is not taken for it."""

from __future__ import annotations

import shutil

import pytest

from echelon.backends.claims import Claims
from echelon.backends.process.backend import make
from echelon.backends.slurm.commands import Commands
from echelon.backends.slurm.remote_claims import RemoteClaims
from echelon.backends.slurm.settings import SlurmSettings
from echelon.errors import InputError


@pytest.fixture(params=["here", "by commands"])
def prepare(request, tmp_path):
    """Return what prepares a directory, for a service with a folder of its own, or for one without."""

    def prepare(directory, folder=tmp_path / "service"):
        if request.param == "here":
            Claims(directory, folder).prepare()
        else:
            RemoteClaims(Commands(SlurmSettings()), str(directory), folder).prepare()
        return (directory / "mark").read_text()

    return prepare


def test_a_directory_keeps_its_mark(tmp_path, prepare):
    """Whoever uses it, and how often; a service that is new to it takes the mark that is there."""
    first = prepare(tmp_path / "shared")
    assert len(first) == 33
    assert [prepare(tmp_path / "shared") for _ in range(2)] == [first, first]
    assert prepare(tmp_path / "shared", tmp_path / "other service") == first
    assert prepare(tmp_path / "shared", None) == first
    assert sorted(path.name for path in (tmp_path / "shared").iterdir()) == [
        "claims",
        "exits",
        "jobs",
        "mark",
    ]


@pytest.mark.parametrize("what", ["gone", "emptied", "another"])
def test_another_directory_is_refused_and_left_as_it_is(tmp_path, prepare, what):
    """A file system that is not mounted has no claims: nothing follows from that, or is made there."""
    shared = tmp_path / "shared"
    first = prepare(shared)
    shutil.rmtree(shared)
    if what != "gone":
        shared.mkdir()
    if what == "another":
        (shared / "mark").write_text("another\n")
    with pytest.raises(OSError, match="mount the right one"):
        prepare(shared)
    assert not (shared / "claims").exists() or what == "another"
    shutil.rmtree(shared, ignore_errors=True)
    shared.mkdir()
    (shared / "mark").write_text(first)
    assert prepare(shared) == first


def test_when_it_is_lost_for_good_the_operator_says_so(tmp_path, prepare):
    """By removing the file that the sentence names."""
    first = prepare(tmp_path / "shared")
    shutil.rmtree(tmp_path / "shared")
    (tmp_path / "service" / "directory").unlink()
    assert prepare(tmp_path / "shared") != first


def test_a_cluster_of_processes_does_not_begin_without_its_directory(tmp_path):
    """Its journal is there, too: a service that began without it would run all open jobs again."""
    settings = {"slots": 1, "directory": str(tmp_path / "shared")}
    make("here", settings, tmp_path / "service").close()
    shutil.rmtree(tmp_path / "shared")
    with pytest.raises(InputError, match="mount the right one"):
        make("here", settings, tmp_path / "service")
