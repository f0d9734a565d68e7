"""Time-shared machines that are drained and maintained: who may run on, who waits, and what brokers plan."""

from __future__ import annotations

import math

import pytest
from tests.unit.engine.changing import attempts_of
from tests.unit.engine.tree.trees import instance, of, platform, run, time_shared

from echelon.availability import Changes
from echelon.engine.immediate.closing import Closing
from echelon.engine.immediate.machine import TimeSharedMachine
from echelon.engine.resources.capacity import Outage
from echelon.model import OutageKind, Outages
from echelon.policies import broker

FAIL, DRAIN, MAINTENANCE = OutageKind.FAIL, OutageKind.DRAIN, OutageKind.MAINTENANCE


def closed(*rows, **more):
    """Return what changes: (kind, start, end, cores[, site]) with the first site by default."""
    rows = [(start, end, held, kind, -math.inf, *(site or [0])) for kind, start, end, held, *site in rows]
    return Changes(outages=Outages.of(rows), **more)


def attempts(changes, *jobs, cores=2, spec="ml", machines=1):
    """Return all attempts of jobs (submit, run, processors) on time-shared machines."""
    on = platform(**{name: time_shared(cores) for name in "ab"[:machines]})
    return attempts_of(run(instance(on, *jobs), of(spec) if isinstance(spec, str) else spec, changes=changes))


@pytest.mark.parametrize("spec", ["ml", "min-min", "wqr:replicas=2"])
@pytest.mark.parametrize(("kind", "conflict"), [(DRAIN, "kill"), (DRAIN, "wait"), (MAINTENANCE, "wait")])
def test_what_runs_may_run_to_its_end(spec, kind, conflict):
    """Job 1 ends at 20; job 2, which comes at 10, waits for the end of the closure at 50."""
    changes = closed((kind, 5, 50, (0, 1)), conflict=conflict)
    assert attempts(changes, (0, 20, 1), (10, 5, 1), spec=spec) == [
        (1, 0, 20, "completed"), (2, 50, 55, "completed"),
    ]  # fmt: skip


@pytest.mark.parametrize("spec", ["ml", "min-min"])
def test_maintenance_that_does_not_wait_takes_the_machine_at_once(spec):
    """Job 1 begins again when it is over: no queue could keep it out, so it is not evicted."""
    changes = closed((MAINTENANCE, 5, 50, (0, 1)))
    assert attempts(changes, (0, 20, 1), (10, 5, 1), spec=spec) == [
        (1, 0, 5, "requeued"), (1, 50, 70, "completed"), (2, 50, 55, "completed"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [FAIL, DRAIN, MAINTENANCE])
def test_jobs_share_what_is_left(kind):
    """Two jobs of 20 s share one of two cores from 5 to 15 s: each has 10 s then, and 10 s to go."""
    changes = closed((kind, 5, 15, (1,)), conflict="wait")
    assert [end for _, _, end, _ in attempts(changes, (0, 20, 1), (0, 20, 1))] == [25, 25]


def test_jobs_may_be_in_the_way_all_the_time():
    """The drain is over before job 1 ends; job 2 starts then, not at its end."""
    changes = closed((DRAIN, 5, 15, (0, 1)))
    assert attempts(changes, (0, 40, 1), (10, 5, 1)) == [(1, 0, 40, "completed"), (2, 15, 20, "completed")]


def test_a_failure_during_a_drain_takes_the_jobs():
    """At 10 the drained machine fails: job 1 begins again when both are over, at 30."""
    changes = closed((DRAIN, 5, 30, (0, 1)), (FAIL, 10, 20, (0, 1)))
    assert attempts(changes, (0, 40, 1)) == [(1, 0, 10, "requeued"), (1, 30, 70, "completed")]


def test_a_core_that_two_outages_take_is_gone_once():
    """Cores 1 and 2 fail, 2 is under maintenance, too: the third is left, on which the job runs on."""
    machine = TimeSharedMachine(3)
    both = Outage(0, 9, (0, 1), 2), Outage(1, 5, (1,), 1, number=1)
    for outage in both:
        machine.change(outage, outage.start, down=True)
    assert (machine.cores, machine.cores_without([Outage(2, 3, (2,), 1)])) == (1, 0)
    machine.change(both[0], 9.0, down=False)
    assert machine.cores == 2


@pytest.mark.parametrize(
    ("repairs", "wanted"),
    [((0.0, 0.0), (20, 1)), ((0.0, math.inf), (30, 1)), ((math.inf,) * 2, (math.inf, 0))],
)
def test_when_a_machine_is_back(repairs, wanted):
    """One core of two is back at 20 s if that is known of the second outage, else at 30 s if of the first."""
    machine = TimeSharedMachine(2)
    closing = Closing(machine)
    for number, (end, repair) in enumerate(zip((30, 20), repairs, strict=True)):
        machine.change(Outage(5, end, (number,), 1, number=number, repair=repair), 5.0, down=True)
    assert not closing.is_open
    assert tuple(closing.back(5.0)) == wanted


@pytest.mark.parametrize(("repair", "back"), [("unknown", math.inf), ("known", 8.0), (5.0, 5.0)])
def test_plans_are_for_when_a_core_is_back(repair, back):
    """Machine a is back at 8 s; b has the work of four jobs of 10 s on two cores, which is done at 21 s."""
    changes = closed((FAIL, 0, 8, (0, 1)), repair=repair)
    given = instance(platform(a=time_shared(2), b=time_shared(2)), *[(1, 10, 1)] * 4, (2, 1, 1))
    seen = []

    @broker("noting", information=4, source="none")
    def noting(job, site, view):
        """Return the machine b; note what the view says of both for the last job."""
        if job.position == 4:
            starts = (one.start for one in view.schedule(site, job) if one.job.position == 4)
            seen.append((*starts, view.ready_time(site), view.forecast(job, site).wait))
        return -site

    run(given, of(noting), changes=changes)
    assert seen == [(back, back, back - 2), (2, 21, 0)]
    # As many as end sooner behind others at b go there, the next to a, unless that may never be back.
    assert (0 in run(given, of("mct"), changes=changes).site.tolist()) == (back < math.inf)


def test_jobs_that_wait_are_planned_behind_the_outage():
    """Two wait for machine a from 5 s on, each for 6 s of work: together on two cores they are done at 26."""
    changes = closed((FAIL, 5, 20, (0, 1)), repair="known")
    given = instance(platform(a=time_shared(2), b=time_shared(2)), (0, 6, 1), (6, 6, 1), (7, 1, 1))
    seen = []

    @broker("noting", information=4, source="none")
    def noting(job, site, view):
        """Return the machine a; note what the view says of it for the last job."""
        if (job.position, site) == (2, 0):
            plan = [(one.job.position, one.start, one.end) for one in view.schedule(site)]
            seen.append((plan, view.ready_time(site), len(view.schedule(site, job)), view.jobs(site)))
        return site

    run(given, of(noting), changes=changes)
    assert seen == [([(0, 20, 26), (1, 20, 26)], 26, 3, 2)]
