"""Inner sites under a dispatcher: copies of jobs on time-shared machines, beside sites of any kind."""

from __future__ import annotations

import pytest
from tests.unit.engine.tree.trees import (
    Hearer,
    instance,
    nodes,
    of,
    platform,
    run,
    scenario,
    time_shared,
)

from echelon.engine.clock.simulation import run as simulate
from echelon.engine.reference import system_of
from echelon.errors import InputError
from echelon.metrics.columns.job_values import preemptions, switch_time
from echelon.policies import broker_of
from echelon.policies.immediate.contract import Dispatch

WQR = {"": of("ml"), "g": of(broker_of("wqr"))}


class Twice:
    """Every job at both machines."""

    name = "twice"
    dispatches = immediate = True

    def decide(self, view):
        for job in view.waiting:
            yield Dispatch(job, 0)
            yield Dispatch(job, 1)


def test_copies_run_below_an_inner_site():
    """Job 0 has copies on a slow and on a fast machine; the fast one ends it, and the root's c runs job 1."""
    on = platform(g__slow=time_shared(1, 0.5), g__fast=time_shared(1, 1.0), c=nodes(1))
    found = run(instance(on, (0, 60, 1), (1, 10, 1)), {"": of("ml"), "g": of(Twice())})
    assert (found.site.tolist(), found.end_time.tolist()) == ([1, 2], [60, 11])
    copies = found.attempts
    assert [copies.job.tolist(), copies.site.tolist(), copies.end.tolist()] == [
        [0, 0, 1],
        [0, 1, 2],
        [60, 60, 11],
    ]
    assert copies.reason_names.tolist() == ["canceled", "completed", "completed"]


def test_jobs_wait_at_the_inner_site():
    """One machine with one core: job 1 waits in g until 9, and observers hear of no site until it starts."""
    hearer = Hearer()
    on = platform(g__a=time_shared(1), c=2)
    found = run(instance(on, (0, 9, 1), (0, 9, 2), (0, 5, 1)), WQR, observers=[hearer])
    assert (found.site.tolist(), found.start_time.tolist()) == ([0, 1, 0], [0, 0, 9])
    assert (0, "join", 2, None) in hearer.events
    assert (9, "start", 2, 0) in hearer.events


def test_at_the_only_group_nothing_changes():
    """A dispatcher below a root without a choice gives the copies that it gives at the root."""
    jobs = [(k % 11, 3 + 2 * (k % 5), 1 + k % 2) for k in range(30)]
    kinds = {"a": time_shared(2, 0.5), "b": time_shared(3)}
    flat = run(instance(platform(**kinds), *jobs), {"": of(broker_of("wqr:replicas=3"))})
    deep = run(
        instance(platform(**{f"g__{name}": kind for name, kind in kinds.items()}), *jobs),
        {"": of("ml"), "g": of(broker_of("wqr:replicas=3"))},
    )
    for column in ("job", "site", "start", "end", "reason"):
        assert getattr(flat.attempts, column).tolist() == getattr(deep.attempts, column).tolist()
    assert len(flat.attempts) > len(jobs)


def test_sums_above_return_to_nothing():
    """Each copy counts above its inner site; when all jobs have ended, no level counts any."""
    on = platform(g__h__a=time_shared(1), g__h__b=time_shared(1, 0.5), g__c=2)
    given = instance(on, *[(k, 7, 1) for k in range(12)])
    system = system_of(scenario(given, {"": of("ml"), "g": of("mpl"), "g/h": of(Twice())}))
    simulate(system)
    sums = [statistics for leaf in system._actual.leaves for statistics, _ in leaf.above]
    assert {count for one in sums for site in one.sites for count in (site.jobs, site.size_sum)} == {0}


def test_two_dispatchers_side_by_side():
    """Each has its own jobs and copies."""
    pair = {"a": time_shared(1), "b": time_shared(1)}
    on = platform(**{f"{group}__{name}": kind for group in "gh" for name, kind in pair.items()})
    found = run(instance(on, (0, 9, 1), (0, 9, 1)), {"": of("ml"), "g": of(Twice()), "h": of(Twice())})
    assert found.attempts.site.tolist() == [0, 1, 2, 3]
    assert found.site.tolist() == [0, 2]


def test_jobs_are_suspended_beside_copies_of_others():
    """At c job 1 makes way for job 2, while g runs job 0 twice: both are told apart in what is measured."""
    on = platform(g__slow=time_shared(1, 0.5), g__fast=time_shared(1, 1.0), c=2)
    jobs = instance(on, (0, 6, 1), (0, 10, 2), (2, 3, 2))
    found = run(jobs, {"": of("ml"), "g": of(Twice())}, local="srtf:switch=1")
    told = found.attempts
    columns = (told.job, told.start, told.end, told.reason_names)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == [
        (0, 0, 6, "canceled"),
        (0, 0, 6, "completed"),
        (1, 0, 2, "preempted"),
        (1, 6, 16, "completed"),
        (2, 2, 6, "completed"),
    ]
    assert found.interrupted
    assert (found.replicas.job.tolist(), found.segments.job.tolist()) == ([0, 0, 2], [0, 1, 1, 2])
    assert found.suspended_time.tolist() == [0, 4, 0]
    assert switch_time(found).tolist() == [0, 2, 1]
    assert preemptions(found).tolist() == [0, 1, 0]
    assert found.instance.run_time.tolist() == [6, 10, 3]


@pytest.mark.parametrize(
    ("sites", "more", "says"),
    [
        ({"g__a": 2}, {}, "starts a copy of a job as soon as it dispatches it, but at site 'g/a' jobs wait"),
        ({"g__a": time_shared(2), "b": 2}, {"cycles": "event"}, "after all events of an instant"),
        ({"g__h__a": time_shared(2)}, {}, "'g/h' is a site of sites"),
    ],
)
def test_what_a_dispatcher_cannot_decide_is_refused(sites, more, says):
    """Copies start when they are dispatched, which no queue allows, and one decides for them all."""
    given = instance(platform(**sites), (0, 1, 1))
    controllers = dict.fromkeys(given.sites.inner_paths, of("ml")) | WQR
    with pytest.raises(InputError, match=says):
        run(given, controllers, **more)
