"""What is over for long enough goes, what is needed stays, and snapshots come back as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.backends.contract import OtherJob, Outcome, OwnJob, Snapshot
from echelon.errors import UnknownNameError
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobSpec,
    JobState,
)
from echelon.service.store import Retention

DAY = 86400.0
TIMES = st.none() | st.floats(0, 4e9)
OWN = st.builds(
    OwnJob,
    tag=st.text(),
    native_id=st.text(),
    state=st.sampled_from(["waiting", "running", "ended"]),
    processors=st.integers(0, 10**9),
    started_at=TIMES,
    ended_at=TIMES,
    outcome=st.none() | st.sampled_from(Outcome),
    reason=st.text(),
)
OTHERS = st.builds(
    OtherJob,
    native_id=st.text(),
    state=st.sampled_from(["waiting", "running"]),
    processors=st.integers(0, 10**9),
    time_limit=TIMES,
    submitted_at=TIMES,
    started_at=TIMES,
)
SNAPSHOTS = st.builds(
    Snapshot,
    began_at=st.floats(0, 4e9),
    is_complete=st.booleans(),
    processors=st.integers(0, 10**9),
    own=st.lists(OWN, max_size=4).map(tuple),
    others=st.lists(OTHERS, max_size=4).map(tuple),
    reserved=st.lists(st.tuples(st.text(), st.floats(0, 4e9)), max_size=2).map(tuple),
    problem=st.text(),
)


@pytest.mark.slow
@given(snapshot=SNAPSHOTS)
@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_snapshots_come_back_exactly(store, snapshot):
    """Whatever a look saw, with any characters, to the last bit."""
    store.keep_snapshot("alpha", snapshot)
    assert store.snapshot_before("alpha", snapshot.began_at) == snapshot


def test_the_last_look_before_a_time_is_found(store):
    """Of the cluster that is asked for; before the first look there is none."""
    for began in (10.0, 20.0, 30.0):
        store.keep_snapshot("alpha", Snapshot(began, True, processors=int(began)))
    store.keep_snapshot("beta", Snapshot(25.0, False, problem="down"))
    found = {time: store.snapshot_before("alpha", time) for time in (9.9, 10.0, 29.0, 99.0)}
    assert {time: one and one.processors for time, one in found.items()} == {
        9.9: None,
        10.0: 10,
        29.0: 20,
        99.0: 30,
    }
    store.keep_snapshot("alpha", Snapshot(30.0, True, processors=7))
    assert store.snapshot_before("alpha", 31.0).processors == 7


def test_old_snapshots_are_thinned_and_go(store):
    """All of the last hour, the first of each five minutes before, none older than a week."""
    now = 100 * DAY
    ages = {8 * DAY: 0, 7 * DAY + 1: 0, 7 * DAY - 300: 1, 2 * DAY: 1, 2 * DAY - 5: 0, 2 * DAY - 299: 0}
    ages |= {2 * DAY - 300: 1, 3600.0 - 5: 1, 3600.0 - 10: 1, 5.0: 1}
    for cluster in ("alpha", "beta"):
        for age in ages:
            store.keep_snapshot(cluster, Snapshot(now - age, True))
    stay = {now - age for age, stays in ages.items() if stays}
    assert store.prune(now) == 2 * (len(ages) - len(stay))
    for cluster in ("alpha", "beta"):
        found = {store.snapshot_before(cluster, now - age) for age in ages}
        assert {one.began_at for one in found if one} == stay
    assert store.prune(now) == 0


def test_ended_jobs_go_with_all_that_is_about_them(store, submit):
    """After their time, but for those that an open job follows; numbers and open jobs stay."""
    spec = JobSpec(command=("true",))
    old, young, followed, still = submit(store, "ann", spec, spec, spec, spec, keys=["a", "b", "c", "d"])
    submit(store, "ann", replace(spec, after=(followed.id,)))
    store.commit(
        [
            *(
                replace(job, state=JobState.FAILED, ended_at=end, version=2)
                for job, end in ((old, 10.0), (young, 50.0), (followed, 10.0))
            ),
            *(AttemptRecord(job.id, 1, 1, "alpha", AttemptState.ENDED) for job in (old, young)),
            *(DecisionRecord(job.id, 1, 1.0, "mct", (), "alpha", "") for job in (old, young)),
            *(ForecastRecord(job.id, 1, 1.0, "user") for job in (old, young)),
            *(Event(45.0, "job", job.id, "FAILED") for job in (old, young)),
        ]
    )
    keeping = Retention(jobs=60.0, events=1e9)
    assert store.prune(100.0, keeping) == 1
    assert [job.number for job in store.jobs()] == [2, 3, 4, 5]
    with pytest.raises(UnknownNameError):
        store.job(old.id)
    assert (store.attempts(old.id), store.decisions(old.id), store.forecasts(old.id)) == ([], [], [])
    assert store.events(subject=old.id) == []
    assert [len(of(young.id)) for of in (store.attempts, store.decisions, store.forecasts)] == [1, 1, 1]
    assert len(store.events(subject=young.id)) == 2
    assert store.read_open_records().ended == {followed.id}
    assert store.job(still.id) == still
    assert submit(store, "ann", spec, keys=["a"])[0].number == 6


def test_old_events_go_and_numbers_go_on(store):
    """Events before their time are gone; the number of the last one stays, whatever is left."""
    store.commit([Event(float(k), "service", "", "x") for k in range(1200)])
    assert store.prune(2000.0, Retention(events=1000.0)) == 1000
    assert [event.number for event in store.events()] == list(range(1001, 1201))
    assert store.prune(9000.0, Retention(events=1000.0)) == 200
    assert (store.events(), store.last_event()) == ([], 1200)
    assert store.commit([Event(9000.0, "service", "", "x")])[0].number == 1201
