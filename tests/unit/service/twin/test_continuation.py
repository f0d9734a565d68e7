"""A twin goes on from the present: running jobs end, waiting ones start, others are decided on."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from echelon.backends.contract import OtherJob, OwnJob, Snapshot
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    ClusterRecord,
    JobRecord,
    JobSpec,
    JobState,
    OpenRecords,
)
from echelon.service.twin.continuation import Present, go_on
from echelon.service.twin.what_if import change_rules

sys.path.insert(0, str(Path(__file__).parent))
from days import RULES, SIZES, START

NOW = START + 100.0


def job(number, state, cluster="", *, processors=4, limit=100.0, started=None):
    """Return a job of the service, and its attempt if it is at a cluster."""
    record = JobRecord(
        f"{number:032x}", number, "ada", JobSpec(processors=processors, time_limit=limit), START,
        state=state, cluster=cluster, attempt=int(bool(cluster)), started_at=started,
    )  # fmt: skip
    if not cluster:
        return record, None
    kind = AttemptState.RUNNING if state is JobState.RUNNING else AttemptState.SETTLED
    return record, AttemptRecord(record.id, 1, 1, cluster, kind, str(number), intended_at=START)


def present_with(*jobs, others=()):
    """Return the present of two clusters with these jobs, listed in this order; `others` are at alpha."""
    records = tuple(record for record, _ in jobs)
    attempts = tuple(attempt for _, attempt in jobs if attempt is not None)
    snapshots = {
        name: Snapshot(
            NOW,
            is_complete=True,
            processors=size,
            own=tuple(
                OwnJob(one.tag, str(one.number), "running" if one.started_at else "waiting")
                for one in records
                if one.cluster == name
            ),
            others=tuple(others) if name == "alpha" else (),
        )
        for name, size in SIZES.items()
    }
    clusters = tuple(ClusterRecord(name, processors=size) for name, size in SIZES.items())
    return Present(NOW, OpenRecords(records, attempts, clusters=clusters), snapshots, SIZES)


def times(day):
    """Return where each job runs, and when, in seconds from now."""
    return {one.number: (one.cluster, one.started_at - NOW, one.ended_at - NOW) for one in day.jobs.values()}


def test_jobs_go_on_by_their_limits():
    """A running job has the rest of its limit, waiting ones follow in order, queued ones are decided on."""
    present = present_with(
        job(1, JobState.RUNNING, "alpha", processors=8, started=NOW - 40),
        job(2, JobState.WAITING, "alpha", processors=8),
        job(3, JobState.QUEUED, processors=4),
        job(4, JobState.QUEUED, processors=8),
    )
    assert times(go_on(present, RULES)) == {
        1: ("alpha", -40, 60),
        2: ("alpha", 60, 160),
        3: ("beta", 0, 100),
        4: ("alpha", 160, 260),
    }


def test_jobs_may_use_a_part_of_their_limits():
    """With half of their limits used, a job beyond its half runs for a second more."""
    present = present_with(
        job(1, JobState.RUNNING, "beta", started=NOW - 80), job(2, JobState.WAITING, "beta")
    )
    assert times(go_on(present, RULES, used=0.5)) == {1: ("beta", -80, 1), 2: ("beta", 1, 51)}


def test_jobs_of_others_are_in_the_way():
    """They run and wait as the last look listed them; they are no jobs of the result."""
    others = [
        OtherJob("77", "running", 8, time_limit=300.0, started_at=NOW - 100),
        OtherJob("78", "waiting", 8, time_limit=50.0),
    ]
    present = present_with(job(1, JobState.QUEUED, processors=8), others=others)
    assert times(go_on(present, RULES)) == {1: ("alpha", 250, 350)}


def test_jobs_that_wait_at_clusters_may_be_decided_on_again():
    """They stay where they are unless they are taken back; then other rules send them elsewhere."""
    present = present_with(
        job(1, JobState.RUNNING, "alpha", processors=8, started=NOW), job(2, JobState.WAITING, "alpha")
    )
    other = change_rules(RULES, {"broker": "mct"})
    assert times(go_on(present, other))[2] == ("alpha", 100, 200)
    assert times(go_on(present, other, again=True))[2] == ("beta", 0, 100)


def test_drained_clusters_get_nothing():
    """What an operator has said of a cluster holds in the twin."""
    present = present_with(job(1, JobState.QUEUED))
    drained = tuple(
        ClusterRecord("beta", "drained") if one.name == "beta" else one
        for one in present.open_records.clusters
    )
    open_records = replace(present.open_records, clusters=drained)
    other = change_rules(RULES, {"broker": "first-fit"})
    assert times(go_on(replace(present, open_records=open_records), other))[1][0] == "alpha"


@pytest.mark.parametrize("state", [JobState.SUBMITTING, JobState.ASSIGNED])
def test_jobs_on_their_way_arrive(state):
    """A job whose submission is not known to have arrived runs in the twin."""
    found = times(go_on(present_with(job(1, state, "beta")), RULES))
    assert found == {1: ("beta", 0, 100)}
