"""Failures, cancellations and checkpoints at leaves of other kinds: shared nodes, time-shared, copies."""

from __future__ import annotations

import pytest
from tests.unit.engine.changing import attempts_of, failures, statuses

from echelon.availability import Changes, CheckpointRule, Requeueing
from echelon.engine.clock import simulation
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.reference import system_of
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError
from echelon.model import Instance, Platform, SharedCluster, Site, TimeSharedMachine, Workload, Workstation
from echelon.policies import broker_named, policy
from echelon.policies.coallocation.registry import co_allocation_named
from echelon.policies.global_queue.registry import global_queue, queue_limit

SAVES = CheckpointRule(30.0, 5.0, 10.0)


def run(platform, broker, rules, jobs, outages, *, spanning=False, columns=None, **changes):
    """Return the schedule of jobs (submit time, run time, processors) on these sites."""
    submit, run_time, size = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run_time, processors=size, **(columns or {}))
    changing = Changes(outages=failures(*outages), **changes)
    model = tree_of_sites(broker_named(broker), rules=rules)
    instance = Instance.of(table, platform, spanning=spanning)
    return simulation.run(system_of(Scenario(instance, policy("none"), system_model=model, changes=changing)))


def on_shared_nodes(jobs, *outages, clusters=1, two_phase=False, **others):
    """Return the schedule of a run on clusters of two workstations under a global queue."""
    platform = Platform(tuple(Site(name, SharedCluster((Workstation(),) * 2)) for name in "ab"[:clusters]))
    spans = {"co_allocation": co_allocation_named("heuristic")} if clusters > 1 else {}
    rules = MulticlusterRules(global_queue("fcfs"), queue_limit(1), two_phase=two_phase, **spans)
    return run(platform, "round-robin", rules, jobs, outages, spanning=clusters > 1, **others)


def on_time_shared(broker, jobs, *outages, machines=1, **others):
    """Return the schedule of a run on time-shared machines of one core."""
    platform = Platform(tuple(Site(name, TimeSharedMachine(1)) for name in "abc"[:machines]))
    return run(platform, broker, ImmediateRules(), jobs, outages, **others)


def test_checkpoints_on_shared_nodes():
    """F2, with work counted as a share of the job."""
    schedule = on_shared_nodes([(0, 100, 2)], (40, 60, [1]), checkpoint=SAVES)
    assert attempts_of(schedule) == [(1, 0, 40, "requeued"), (1, 60, 150, "completed")]
    assert schedule.attempts.work.tolist() == pytest.approx([30, 70])
    assert schedule.instance.run_time.tolist() == pytest.approx([100])


@pytest.mark.parametrize("broker", ["ml", "min-min", "wqr:replicas=2"])
def test_checkpoints_on_time_shared_machines(broker):
    """F2, with work counted by the computing time of the job."""
    schedule = on_time_shared(broker, [(0, 100, 1)], (40, 60, [0]), checkpoint=SAVES)
    assert attempts_of(schedule) == [(1, 0, 40, "requeued"), (1, 60, 150, "completed")]


def test_a_job_of_several_clusters_fails_as_a_whole():
    """Job 3 has a task in each cluster; when one loses its nodes, all of it has failed."""
    jobs = [(0, 50, 1), (0, 50, 1), (1, 10, 2)]
    schedule = on_shared_nodes(
        jobs, (5, 20, [0, 1]), clusters=2, two_phase=True, requeueing=Requeueing("kill")
    )
    assert attempts_of(schedule) == [(1, 0, 5, "failed"), (2, 0, 50, "completed"), (3, 1, 5, "failed")]
    assert statuses(schedule)[0] == {1: "FAILED_NODE", 2: "COMPLETED", 3: "FAILED_NODE"}


def test_a_job_of_several_clusters_is_canceled_as_a_whole():
    """Job 3 runs in both clusters when it is canceled; job 4 takes its nodes then."""
    jobs = [(0, 50, 1), (0, 50, 1), (1, 30, 2), (2, 5, 2)]
    schedule = on_shared_nodes(jobs, clusters=2, two_phase=True, columns={"cancel_time": [-1, -1, 11, -1]})
    assert attempts_of(schedule)[2:] == [(3, 1, 11, "stopped"), (4, 11, 16, "completed")]


@pytest.mark.parametrize("delay", [0, 7])
def test_jobs_of_several_clusters_wait_for_their_delay(delay):
    """They join the global queue again after 7 s, and start when their nodes are back at 20."""
    jobs = [(0, 50, 1), (0, 50, 1), (1, 10, 2)]
    schedule = on_shared_nodes(
        jobs, (5, 20, [0, 1]), clusters=2, two_phase=True, requeueing=Requeueing(delay=delay)
    )
    assert attempts_of(schedule)[3:] == [(3, 1, 5, "requeued"), (3, 20, 30, "completed")]


@pytest.mark.parametrize("broker", ["ml", "min-min", "wqr:replicas=2"])
def test_jobs_on_time_shared_machines_are_not_run_again(broker):
    """The only core fails at 5 s: what runs there has failed, what comes later waits for its return."""
    jobs = [(0, 10, 1), (7, 3, 1)]
    schedule = on_time_shared(broker, jobs, (5, 20, [0]), requeueing=Requeueing("kill"))
    assert attempts_of(schedule) == [(1, 0, 5, "failed"), (2, 20, 23, "completed")]
    assert statuses(schedule)[0] == {1: "FAILED_NODE", 2: "COMPLETED"}


def test_all_copies_of_a_canceled_job_end():
    """Both copies run until 4 s; then the machines are free for job 2."""
    jobs = [(0, 10, 1), (4, 3, 1)]
    schedule = on_time_shared("wqr:replicas=2", jobs, machines=2, columns={"cancel_time": [4, -1]})
    ends = [(job, end) for job, _, end, _ in attempts_of(schedule)]
    assert ends == [(1, 4), (1, 4), (2, 7), (2, 7)]
    assert statuses(schedule)[0] == {1: "CANCELED_RUNNING", 2: "COMPLETED"}


@pytest.mark.parametrize("broker", ["common-pool", "stealing:50", "exchange:easy"])
def test_a_protocol_starts_again_what_was_lost(broker):
    """Job 1 loses a at 5 s and runs at b; job 2 is canceled while it runs, job 3 while it waits."""
    jobs = [(0, 10, 2), (30, 10, 2), (31, 9, 2), (31, 4, 2)]
    table = Workload.from_columns(
        submit_time=[job[0] for job in jobs], run_time=[job[1] for job in jobs],
        processors=[job[2] for job in jobs], cancel_time=[-1, 35, 33, -1], partition=[1, 1, 1, 1],
    )  # fmt: skip
    platform = Platform((Site("a", 2), Site("b", 2)))
    changing = Changes(outages=failures((5, 1000, [0]), (28, 29, [1])))
    scenario = Scenario(
        Instance.of(table, platform), policy("none"), system_model=tree_of_sites(broker_named(broker)),
        changes=changing,
    )  # fmt: skip
    schedule = simulation.run(system_of(scenario))
    found = attempts_of(schedule)
    assert found[:2] == [(1, 0, 5, "requeued"), (1, 5, 15, "completed")]
    assert found[2:] == [(2, 30, 35, "stopped"), (4, 35, 39, "completed")]


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_other_orders_of_an_instant_are_refused(cycles):
    """They have no place for what comes back, goes down or is canceled."""
    table = Workload.from_columns(submit_time=[0], run_time=[10], processors=[1])
    scenario = Scenario(
        Instance.of(table, 2), policy("none"), cycles, changes=Changes(outages=failures((5, 9, [1])))
    )
    with pytest.raises(InputError, match="is 'instant' where machines change"):
        simulation.run(system_of(scenario))


@pytest.mark.slow
def test_a_job_that_is_dispatched_again_waited_for_its_first_start():
    """In two phases a job that lost nodes comes to a cluster once more; forecasts are of its first wait."""
    import echelon as ec

    run = ec.simulate(
        ec.generate("nas", jobs=25, gap=6),
        platform="cisne-555",
        co_allocate="optimal",
        two_phase=True,
        failures="exponential:mean=600",
        repair_times="constant:30",
        max_requeues=20,
    )
    schedule = run.schedule
    assert run.metrics["restarts"] > 0
    assert schedule.delivered is not None
    assert (schedule.delivered <= schedule.start_time).all()
    assert run.metrics["wait_deviation"] >= 0


def test_each_attempt_is_where_it_was():
    """Job 1 loses site a at 5 s and completes at b: its two attempts are at different sites."""
    table = Workload.from_columns(submit_time=[0], run_time=[10], processors=[2], partition=[1])
    changing = Changes(outages=failures((5, 1000, [0])))
    scenario = Scenario(
        Instance.of(table, Platform((Site("a", 2), Site("b", 2)))), policy("none"),
        system_model=tree_of_sites(broker_named("common-pool")), changes=changing,
    )  # fmt: skip
    schedule = simulation.run(system_of(scenario))
    assert attempts_of(schedule) == [(1, 0, 5, "requeued"), (1, 5, 15, "completed")]
    assert schedule.attempts.site.tolist() == [0, 1]


@pytest.mark.parametrize(("back", "starts"), [(False, [0, 10]), (True, [0, 16])])
def test_a_job_that_joins_another_site_is_planned_with_its_restart(back, starts):
    """Job 1 loses a at 10 s; at b its plan has the restart of 10 s beside its limit of 20 s, and is right."""
    table = Workload.from_columns(submit_time=[0, 11], run_time=[20, 5], processors=[2, 2], partition=[1, 2])
    changing = Changes(
        outages=failures((10, 1000, [0])), checkpoint=CheckpointRule(30.0, 1.0, 10.0),
        requeueing=Requeueing(order="back", delay=2.0) if back else Requeueing(),
    )  # fmt: skip
    seen = Planned()
    scenario = Scenario(
        Instance.of(table, Platform((Site("a", 2), Site("b", 2)))), policy("easy"),
        system_model=tree_of_sites(broker_named("exchange:easy")), changes=changing, observers=[seen],
    )  # fmt: skip
    seen.system = system_of(scenario)
    attempts = attempts_of(simulation.run(seen.system))
    assert [start for number, start, *_ in attempts if number == 1] == starts
    assert seen.ends == [20, starts[1] + 30]
    assert attempts[1][2] == seen.ends[1]


class Planned:
    """Keeps when job 1 is planned to end, at each of its starts."""

    def __init__(self):
        self.system, self.ends = None, []

    def started(self, time, job, place):
        if job.position == 0:
            self.ends.append(self.system._actual.leaves[place.site].cluster.planned_end(job))

    def submitted(self, time, job, place):
        pass

    ended = submitted

    def decided(self, time, waiting, free, place):
        pass
