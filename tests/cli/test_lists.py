"""``echelon policies`` and ``echelon datasets``."""

from __future__ import annotations

import gzip
import hashlib

import pytest

from echelon.policies import BACKFILLS, ESTIMATORS, ORDERS, policy_names
from echelon.policies.coallocation.registry import CO_ALLOCATIONS
from echelon.policies.global_queue import GLOBAL_QUEUES
from echelon.workloads import DATASETS
from echelon.workloads.files import datasets as known
from echelon.workloads.local_users import PROFILES


def test_policies_lists_every_word(echelon):
    """Every word that --policy takes is there, with summary and source."""
    said = echelon("policies")
    assert (said.code, said.err) == (0, "")
    flat = " ".join(said.out.split())
    assert [word for word in policy_names() if word not in flat] == []
    for rule in (*ORDERS, *BACKFILLS, *ESTIMATORS):
        assert f"Source: {rule.source}" in flat


def test_policies_lists_what_multiclusters_are_told(echelon):
    """Upper queues, co-allocations and profiles of local users are there with their sources."""
    flat = " ".join(echelon("policies").out.split())
    for rule in (*GLOBAL_QUEUES, *CO_ALLOCATIONS, *PROFILES):
        assert f" {rule.name} " in flat
        assert f"Source: {rule.source}" in flat


@pytest.mark.parametrize(("typed", "meant"), [("nbrs", "nb.rs"), ("sdnp", "sdpn"), ("optimall", "optimal")])
def test_what_is_typed_wrong_is_suggested(echelon, typed, meant):
    """A name that is nearly one of any kind is told that one."""
    said = echelon("policies", typed)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"echelon: no policy is named '{typed}'; did you mean '{meant}'?\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sjf", ["shortest-first\n", "also sjf", "Backfilling: none"]),
        (
            "easy",
            [
                "easy\n",
                "Order of the queue: fcfs (also fifo, fiarr, first)",
                "shadow time",
                "reservations  a whole number, default 1",
            ],
        ),
        ("average:alpha=0.2", ["--estimator average:alpha=0.2\n", "alpha  a number, default 0.5"]),
        ("fcfs", ["Order of the queue: fcfs", "--global-queue fcfs\n", "Send the head"]),
        ("requests:copies=2", ["--global-queue requests:copies=2\n", "copies  a whole number"]),
        ("rule-85", ["--co-allocate rule-85\n", "share           a number"]),
        ("stable", ["--queue-limit stable\n", "rho = lambda / mu"]),
        (
            "labs:share=0.5",
            ["--local-users labs:share=0.5\n", "62% of users: 15% of the CPU", "period    a time in seconds"],
        ),
        ("cons:saf", ["conservative:smallest-area-first\n", "Backfilling: conservative (also cons)"]),
    ],
)
def test_all_about_one_policy(echelon, name, expected):
    """A policy is described by its canonical spec, its order and its backfilling."""
    said = echelon("policies", name)
    assert said.code == 0
    assert [text for text in expected if text not in said.out] == []
    assert "``" not in said.out


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """Let no data set but the bundled one be found, and none be downloaded."""
    monkeypatch.delenv("ECHELON_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ECHELON_ARCHIVE", (tmp_path / "archive").as_uri())
    return tmp_path


def test_datasets_lists_all_with_their_place(echelon, nowhere):
    """Each data set has its jobs, processors, place and whom to acknowledge."""
    said = echelon("datasets")
    lines = {arguments[0]: arguments for line in said.out.splitlines()[:15] if (arguments := line.split())}
    assert lines["kth-sp2"] == ["kth-sp2", "28,476", "100", "package"]
    assert lines["ricc"][1:] == ["447,794", "8,192", "not", "here"]
    flat = " ".join(said.out.split())
    assert all(entry.acknowledgement in flat for entry in DATASETS.values())


def test_all_about_one_dataset(echelon, nowhere):
    """A data set is told with its address, hash and acknowledgement."""
    said = echelon("datasets", "SDSC-SP2")
    wanted = DATASETS["sdsc-sp2"]
    for expected in (wanted.title, wanted.url, wanted.sha256, wanted.acknowledgement, "not here"):
        assert expected in said.out


def test_a_log_that_only_grids_take(echelon, nowhere, monkeypatch):
    """A log of DAS-2 is told with its file and whether it is here; it is never downloaded."""
    assert "das2-fs0 to das2-fs4" in echelon("datasets").out
    said = echelon("datasets", "DAS2-fs1")
    assert (said.code, said.err) == (0, "")
    assert "DAS2-fs1-2003-1.swf.gz" in said.out
    assert "not here" in said.out
    refused = echelon("datasets", "das2-fs1", "--fetch")
    assert refused.code == 2
    assert "cannot be downloaded" in refused.sentence
    (nowhere / "DAS2-fs1-2003-1.swf").touch()
    monkeypatch.setenv("ECHELON_DATA", str(nowhere))
    assert str(nowhere / "DAS2-fs1-2003-1.swf") in echelon("datasets", "das2-fs1", "--fetch").out


def test_fetch(echelon, nowhere, monkeypatch):
    """--fetch downloads into the cache, once, and the list then says so."""
    log = gzip.compress(b"1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n")
    wanted = known.Dataset(
        name="tiny",
        title="Tiny",
        acknowledgement="nobody",
        folder="l_tiny",
        file="tiny.swf.gz",
        jobs=1,
        processors=1,
        sha256=hashlib.sha256(log).hexdigest(),
        content_sha256=hashlib.sha256(gzip.decompress(log)).hexdigest(),
    )
    monkeypatch.setattr(known, "DATASETS", {"tiny": wanted})
    (nowhere / "archive" / "l_tiny").mkdir(parents=True)
    (nowhere / "archive" / "l_tiny" / "tiny.swf.gz").write_bytes(log)
    said = echelon("datasets", "tiny", "--fetch")
    assert (said.code, said.err) == (0, "")
    assert str(nowhere / "cache" / "echelon" / "tiny.swf.gz") in said.out


def test_fetch_that_fails(echelon, nowhere):
    """An archive that cannot be reached is told with what to do, and nothing is left."""
    said = echelon("datasets", "ricc", "--fetch")
    assert said.code == 2
    assert "could not be downloaded" in said.sentence
    assert not any((nowhere / "cache" / "echelon").iterdir())
