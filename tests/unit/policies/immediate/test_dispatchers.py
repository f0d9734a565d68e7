"""Dispatchers, by hand: which of the waiting jobs goes where, in which turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.policies import Dispatcher, broker_named
from echelon.policies.contract import Wake
from echelon.policies.immediate.batch import last_event, next_event

from .machines_by_hand import Machines, job


def waiting(*planned):
    return [job(k, planned=time) for k, time in enumerate(planned)]


def test_min_min_by_hand():
    """Short jobs first, each where it is done first: on speeds 2 and 1 the jobs of 2, 4 and 10 s."""
    # 2: done at 1 or 2 -> first. 4: 1 + 2 = 3 or 4 -> first. 10: 3 + 5 = 8 or 10 -> first.
    view = Machines((2.0, 1.0), waiting=waiting(10, 2, 4))
    assert view.run(broker_named("min-min")) == [(2, 0), (3, 0), (1, 0)]


def test_max_min_by_hand():
    """Long jobs first: 10 goes to the fast machine (5), 4 to the slow one (4 < 7), 2 to the first (6 = 6)."""
    view = Machines((2.0, 1.0), waiting=waiting(10, 2, 4))
    assert view.run(broker_named("max-min")) == [(1, 0), (3, 1), (2, 0)]


TABLE = {
    0: {0: 40, 1: 48, 2: 134, 3: 50},
    1: {0: 50, 1: 82, 2: 88, 3: 89},
    2: {0: 55, 1: 68, 2: 94, 3: 93},
    3: {0: 52, 1: 60, 2: 78, 3: 108},
}
"""Execution times of four jobs at four machines; the first is best for all."""


def test_sufferage_gives_the_machine_to_the_job_that_loses_most():
    """All four want the first machine; the second job would lose 32 s, the others 8, 13 and 8."""
    view = Machines((1.0,) * 4, waiting=waiting(1, 1, 1, 1), table=TABLE)
    # Then it is ready at 50. Job 1 wants the second (48, next 50), job 3, too (68, next 93: 25 s), and job 4
    # (60, next 78: 18 s): job 3 has it. Last, job 1 takes the fourth and job 4 the third, both in one round.
    assert view.run(broker_named("sufferage")) == [(2, 0), (3, 1), (1, 3), (4, 2)]


def test_sufferage_of_one_machine():
    """With one machine, or where a job fits one only, there is no second choice; all are mapped in turn."""
    view = Machines((1.0,), waiting=waiting(5, 9, 1))
    assert view.run(broker_named("sufferage")) == [(1, 0), (2, 0), (3, 0)]
    large = [job(0, planned=1), job(1, planned=1, size=4)]
    view = Machines((1.0, 2.0), sizes=(2, 4), waiting=large)
    assert view.run(broker_named("sufferage")) == [(2, 1), (1, 0)]


@pytest.mark.parametrize("name", ["min-min", "max-min", "sufferage"])
def test_a_job_goes_to_a_closed_machine_only_if_it_fits_no_other(name):
    """A machine closed for an unknown time is never ready: it gets the wide jobs, the open one the rest."""
    jobs = [job(0, planned=5), job(1, planned=7, size=4), job(2, planned=3), job(3, planned=9, size=4)]
    view = Machines((1.0, 2.0), sizes=(2, 4), work=[0.0, float("inf")], waiting=jobs)
    assert sorted(view.run(broker_named(name))) == [(1, 0), (2, 1), (3, 0), (4, 1)]


@pytest.mark.parametrize("name", ["min-min", "max-min", "sufferage"])
def test_ties_of_batches(name):
    """Equal jobs are taken in their order, equal machines as well."""
    view = Machines((1.0, 1.0), waiting=waiting(5, 5, 5))
    found = view.run(broker_named(name))
    assert found[0] == (1, 0)
    assert sorted(job for job, _ in found) == [1, 2, 3]
    assert found == literally(name, [5, 5, 5], [1.0, 1.0])


@pytest.mark.parametrize("name", ["min-min", "max-min", "sufferage"])
@given(
    times=st.lists(st.sampled_from([1.0, 2.0, 3.5, 10.0]), max_size=8),
    speeds=st.lists(st.sampled_from([0.5, 1.0, 4.0]), min_size=1, max_size=4),
)
def test_batches_against_plain_definitions(name, times, speeds):
    """What array operations map is what the definitions say, read literally."""
    view = Machines(tuple(speeds), waiting=waiting(*times))
    assert view.run(broker_named(name)) == literally(name, times, speeds)


def literally(name, times, speeds):
    """Return the mapping by loops over the definitions of Maheswaran et al."""
    ready, left, mapped = [0.0] * len(speeds), list(range(len(times))), []

    def completions(k):
        return [ready[m] + times[k] / speeds[m] for m in range(len(speeds))]

    def assign(k, m):
        ready[m] += times[k] / speeds[m]
        left.remove(k)
        mapped.append((k + 1, m))

    while left:
        best = {k: min(range(len(speeds)), key=lambda m, k=k: completions(k)[m]) for k in left}
        if name == "sufferage":
            holds = {}
            for k in left:
                two = [*sorted(completions(k)), np.inf]
                loss = two[1] - two[0]
                if best[k] not in holds or holds[best[k]][1] < loss:
                    holds[best[k]] = (k, loss)
            for k, m in sorted((k, m) for m, (k, _) in holds.items()):
                assign(k, m)
        else:
            pick = min if name == "min-min" else max
            k = pick(left, key=lambda k: min(completions(k)))
            assign(k, best[k])
    return mapped


def test_mapping_events():
    """Jobs wait for the next multiple of the interval; those that came after it for the one after."""
    rule = broker_named("min-min:interval=10")
    view = Machines(now=3.0, waiting=[job(0, submit=3.0)])
    assert view.run(rule) == [Wake(10.0)]
    view.now, view.waiting = 10.0, [job(0, submit=3.0), job(1, submit=10.0)]
    assert view.run(rule) == [(1, 0), (2, 1)]
    # A decision took its time: what is left of that batch goes on, what came since waits.
    view = Machines(now=10.5, waiting=[job(1, submit=9.0), job(2, submit=10.2)])
    assert view.run(rule) == [(2, 0), Wake(20.0)]
    assert Machines(now=4.0).run(rule) == []


@pytest.mark.parametrize("interval", [5e-324, 1e-300, 1e-20])
def test_intervals_too_short_for_times_to_tell(interval):
    """They are as none: each event is a mapping event."""
    rule = broker_named(f"min-min:interval={interval!r}")
    assert Machines(now=57.0, waiting=[job(0, submit=57.0)]).run(rule) == [(1, 0)]


@given(st.integers(0, 10**6), st.floats(1e-3, 1e6), st.floats(0, 1))
def test_events_are_the_multiples(count, interval, part):
    """The last event is never after now, the next always is, and an event is its own last one."""
    event = count * interval
    assert last_event(event, interval) == event
    now = event + part * interval
    last = last_event(now, interval)
    assert last <= now < next_event(last, interval)


def test_fpltf_by_hand():
    """The largest job takes the fastest machine; one whose best machine is taken waits, smaller ones pass."""
    # Speeds 4 and 1. 100 s: done at 25 or 100 -> first. 40 s: 25 + 10 = 35 or 40 -> first, so it waits. 30 s:
    # 35 + 7.5 = 42.5 or 30 -> second.
    view = Machines((4.0, 1.0), waiting=waiting(30, 100, 40))
    assert view.run(broker_named("fpltf")) == [(2, 0), (1, 1)]
    assert [one.job_id for one in view.waiting] == [3]
    assert view.run(broker_named("fpltf")) == []


def test_fpltf_on_several_cores():
    """A machine of two cores takes two jobs, and a job of two processes only when both are free."""
    view = Machines((1.0,), sizes=(2,), waiting=waiting(5, 5, 5))
    assert view.run(broker_named("fpltf")) == [(1, 0), (2, 0)]
    view = Machines((1.0,), sizes=(2,), waiting=[job(0, planned=5), job(1, planned=4, size=2)])
    assert view.run(broker_named("fpltf")) == [(2, 0)]


def test_wqr_by_hand():
    """Waiting jobs first; then copies of the job with fewest, elsewhere, up to the number allowed."""
    rule = broker_named("wqr")
    view = Machines((1.0,) * 5, waiting=waiting(1, 1))
    assert view.run(rule) == [(1, 0), (2, 1), (1, 2), (2, 3)]
    assert view.run(rule) == []
    assert view.run(broker_named("wqr:replicas=3")) == [(1, 4)]
    assert Machines((1.0,) * 5, waiting=waiting(1, 1)).run(broker_named("wqr:replicas=1")) == [(1, 0), (2, 1)]


def test_wqr_replicates_nothing_while_one_waits():
    """A job too large for what is free lets others pass, and nobody is copied before it runs."""
    view = Machines((1.0, 1.0), sizes=(1, 4))
    view.put(job(9, size=2), 1)
    view.waiting = [job(1, size=4), job(2, size=1)]
    assert view.run(broker_named("wqr:replicas=9")) == [(3, 0)]
    assert [one.job_id for one in view.waiting] == [2]


def test_wqr_in_random_order():
    """Waiting jobs are taken by their random numbers."""
    view = Machines((1.0,), waiting=waiting(1, 1, 1), numbers=(0.9, 0.2, 0.4))
    assert view.run(broker_named("wqr:order=random")) == [(2, 0)]


@pytest.mark.parametrize("name", ["min-min", "max-min", "sufferage", "fpltf", "wqr"])
def test_they_are_dispatchers(name):
    """Each is one by the contract, and decides nothing when nobody waits."""
    rule = broker_named(name)
    assert isinstance(rule, Dispatcher)
    assert Machines().run(rule) == []
