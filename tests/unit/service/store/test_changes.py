"""Changes are kept together or not at all, and come back as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf, nan

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import StoreError
from echelon.service.records import (
    AttemptRecord,
    AttemptState,
    Candidate,
    ClusterRecord,
    DecisionRecord,
    Event,
    ForecastRecord,
    JobSpec,
    JobState,
)
from echelon.service.store import Store

TIMES = st.none() | st.floats(0, 4e9)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)
MANY = st.lists(TEXTS, max_size=3).map(tuple)
SPECS = st.builds(
    JobSpec,
    command=MANY,
    script=TEXTS,
    application=TEXTS,
    parameters=PAIRS,
    name=TEXTS,
    processors=st.integers(1, 10**6),
    time_limit=TIMES | st.just(inf),
    memory=st.none() | st.integers(0, 10**18),
    environment=PAIRS,
    clusters=MANY,
    after=MANY,
    retries=st.integers(0, 9),
    is_held=st.booleans(),
    options=PAIRS,
)
SMALL = st.integers(0, 2**31 - 1)


@pytest.mark.slow
@given(data=st.data())
@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_records_come_back_exactly(store, submit, data):
    """Whatever the times and texts, to the last bit."""
    spec = data.draw(SPECS)
    job = submit(store, "ann", spec)[0]
    assert store.job(job.id) == job
    changed = replace(
        job,
        state=data.draw(st.sampled_from(JobState)),
        wanted=data.draw(st.sampled_from(["run", "hold", "cancel"])),
        reason=data.draw(TEXTS),
        cluster=data.draw(TEXTS),
        run=data.draw(SMALL),
        attempt=data.draw(SMALL),
        assigned_at=data.draw(TIMES),
        started_at=data.draw(TIMES),
        ended_at=data.draw(TIMES),
        exit_code=data.draw(st.none() | SMALL),
        signal=data.draw(st.none() | SMALL),
        version=2,
    )
    attempt = data.draw(
        st.builds(
            AttemptRecord,
            job=st.just(job.id),
            number=st.integers(1, 9),
            run=SMALL,
            cluster=TEXTS,
            state=st.sampled_from(AttemptState),
            native_id=TEXTS,
            reason=TEXTS,
            intended_at=st.floats(0, 4e9),
            answered_at=TIMES,
            seen_at=TIMES,
            settled_at=TIMES,
            started_at=TIMES,
            ended_at=TIMES,
            absences=SMALL,
        )
    )
    candidates = st.builds(
        Candidate,
        cluster=TEXTS,
        why_not=TEXTS,
        wait_time=TIMES | st.just(inf),
        run_time=TIMES,
        free=st.integers(),
        waiting=SMALL,
        age=st.floats(0, 1e9),
    )
    decision = DecisionRecord(
        job.id,
        1,
        data.draw(st.floats(0, 4e9)),
        data.draw(TEXTS),
        tuple(data.draw(st.lists(candidates, max_size=3))),
        data.draw(TEXTS),
        data.draw(TEXTS),
        data.draw(st.floats(0, 9)),
    )
    forecast = ForecastRecord(job.id, 1, 5.5, data.draw(TEXTS), *(data.draw(TIMES) for _ in range(4)))
    cluster = data.draw(
        st.builds(
            ClusterRecord,
            name=TEXTS,
            mode=st.sampled_from(["open", "drained"]),
            reachable=st.booleans(),
            looked_at=TIMES,
            processors=SMALL,
            problem=TEXTS,
            failures=SMALL,
        )
    )
    store.commit([forecast, changed, decision, cluster, attempt])
    assert store.job(job.id) == changed
    assert store.attempts(job.id) == [attempt]
    assert store.decisions(job.id) == [decision]
    assert store.forecasts(job.id) == [forecast]
    assert cluster in store.clusters()


def test_what_is_there_is_changed(store, submit):
    """A record of the same key replaces the one before, of several in one commit the last one stays."""
    job = submit(store)[0]
    first = AttemptRecord(job.id, 1, 1, "alpha", AttemptState.INTENDED, intended_at=1.0)
    store.commit([first, ClusterRecord("alpha", processors=8)])
    accepted = replace(first, state=AttemptState.ACCEPTED, native_id="17")
    other = AttemptRecord(job.id, 2, 1, "beta", AttemptState.INTENDED, intended_at=2.0)
    store.commit(
        [
            replace(first, state=AttemptState.UNCLEAR),
            replace(job, state=JobState.ASSIGNED, version=2),
            accepted,
            replace(job, state=JobState.SUBMITTING, version=3),
            other,
            ClusterRecord("alpha", processors=4),
        ]
    )
    assert store.attempts(job.id) == [accepted, other]
    assert store.job(1).state == JobState.SUBMITTING
    assert store.clusters() == [ClusterRecord("alpha", processors=4)]


def test_what_was_asked_for_never_changes(store, submit):
    """A change of a job leaves its spec, owner, number and time of submission as they were."""
    job = submit(store)[0]
    odd = replace(
        job, owner="eve", number=9, spec=JobSpec(command=("rm",)), submitted_at=0.0, version=2, run=2
    )
    store.commit([odd])
    assert store.job(job.id) == replace(job, run=2, version=2)


def test_events_are_numbered_in_the_order_of_commits(store, submit):
    """Each event gets the number after that of the last one, and is returned as it is kept."""
    job = submit(store)[0]
    said = store.commit(
        [Event(2.0, "job", job.id, "ASSIGNED", "a"), Event(1.0, "cluster", "alpha", "closed", "b\0\ud800")]
    )
    assert [event.number for event in said] == [2, 3]
    assert said[1].reason == "b\N{REPLACEMENT CHARACTER}?"
    assert store.events(after=1) == said
    assert store.events(subject=job.id, after=1) == said[:1]
    assert store.events(limit=1)[0].state == "QUEUED"
    assert store.last_event() == 3
    assert store.commit([]) == []


def test_a_change_is_kept_whole_or_not_at_all(store, submit):
    """An attempt of a job that is not there leaves nothing of all that was to be changed with it."""
    job = submit(store)[0]
    stray = AttemptRecord("f" * 32, 1, 1, "alpha", AttemptState.INTENDED)
    changed = replace(job, state=JobState.ASSIGNED, version=2)
    with pytest.raises(StoreError, match="nothing of this was kept"):
        store.commit([changed, ClusterRecord("alpha"), Event(1.0, "job", job.id, "ASSIGNED"), stray])
    assert store.job(1) == job
    assert (store.clusters(), store.last_event()) == ([], 1)
    assert store.commit([changed, Event(1.0, "job", job.id, "ASSIGNED")])[0].number == 2


def test_old_news_of_a_job_is_refused(store, submit):
    """A change that does not know the last one is an error; the same one again is none."""
    job = submit(store)[0]
    second = replace(job, version=2, state=JobState.ASSIGNED)
    store.commit([second])
    store.commit([second])
    with pytest.raises(StoreError, match=r"has version 2 of job 1, and is to get version 1"):
        store.commit([replace(job, state=JobState.CANCELED)])
    with pytest.raises(StoreError, match="has no job f"):
        store.commit([replace(job, id="f" * 32)])
    assert store.job(1) == second


def test_no_word_or_number_of_a_cluster_stops_a_change(store, submit):
    """Halves of characters, no numbers and numbers beyond all bounds are kept as near as can be."""
    job = submit(store)[0]
    store.commit(
        [
            replace(job, reason="\ud800\0", exit_code=10**30, signal=-(10**30), started_at=nan, version=2),
            ClusterRecord("alpha", problem="a\0b", looked_at=nan, failures=2**40),
        ]
    )
    kept = store.job(1)
    assert kept.reason == "?\N{REPLACEMENT CHARACTER}"
    assert (kept.exit_code, kept.signal, kept.started_at) == (2**31 - 1, -(2**31) + 1, None)
    assert store.clusters()[0].problem == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.slow
def test_no_reader_sees_an_event_before_a_smaller_one(address):
    """While two programs write, a reader that goes on from the last number it saw misses none."""
    each = 60
    seen: list[int] = []
    with Store.open(address) as one, Store.open(address) as two, ThreadPoolExecutor(4) as pool:

        def write(store):
            for k in range(each):
                store.commit([Event(1.0, "service", "", "x")] * (1 + k % 3))

        writing = [pool.submit(write, store) for store in (one, two, one, two)]
        while len(seen) < 4 * each * 2:
            seen += [event.number for event in two.events(after=seen[-1] if seen else 0)]
            assert seen == list(range(1, len(seen) + 1))
            if all(writer.done() for writer in writing):
                assert len(two.events(limit=10_000)) == 4 * each * 2
        for writer in writing:
            writer.result()
