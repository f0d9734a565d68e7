"""Rules of IRMASim's public program that a run may choose: release, straddling, requests, late refresh."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.errors import InfeasibleJobError, InputError, UnknownNameError
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    MemoryCurveV1,
    Node,
    Processor,
    TaskGroup,
)
from echelon.policies import placement_named


def processor(cores, clock=1.0):
    return Processor((Core(clock),) * cores)


def simulate(hardware, demands, submit, requested=None, **options):
    seconds = [demand.operations for demand in demands]
    table = ec.Workload.from_columns(
        submit_time=submit,
        run_time=seconds,
        requested_time=requested or seconds,
        processors=[demand.tasks for demand in demands],
    )
    return ec.simulate(replace(table, demands=Demands.of(demands)), platform=hardware, **options)


def sequential(tasks, seconds, **of_task):
    return Demand((TaskGroup(tasks, seconds, **of_task),), sequential=True)


TWO_SPEEDS = Hardware((Cluster((Node((processor(1, 1.0), processor(1, 2.0))),)),))


def test_release_of_a_gang():
    """Tasks of 10 operations end at 10 and 5 s; the core of the second is free at 5 s, under gang at 10 s."""
    jobs = [sequential(2, 10.0), sequential(1, 3.0)]
    found = simulate(TWO_SPEEDS, jobs, [0, 1])
    assert found.jobs["start_time"].to_list() == [0, 5]
    assert found.jobs["end_time"].to_list() == [10, 6.5]
    gang = simulate(TWO_SPEEDS, jobs, [0, 1], release="gang")
    assert gang.jobs["start_time"].to_list() == [0, 10]
    assert gang.jobs["end_time"].to_list() == [10, 13]


def test_a_gang_holds_what_has_ended():
    """The holding of the fast task ends at 5 s and is given back at 10 s, and draws power until then."""
    holdings = simulate(TWO_SPEEDS, [sequential(2, 10.0)], [0], release="gang").schedule.holdings
    assert sorted(holdings.end.tolist()) == [5, 10]
    assert holdings.release.tolist() == [10, 10]


def test_sequential_jobs_that_straddle():
    """Three jobs of two tasks on two nodes of three cores all start at once, the second in both nodes."""
    hardware = Hardware((Cluster((Node((processor(3),)), Node((processor(3),)))),))
    jobs = [sequential(2, 10.0)] * 3
    apart = simulate(hardware, jobs, [0, 0, 0])
    assert apart.jobs["start_time"].to_list() == [0, 0, 10]
    found = simulate(hardware, jobs, [0, 0, 0], sequential="straddle")
    assert found.jobs["start_time"].to_list() == [0, 0, 0]
    assert found.jobs["cores"].to_list() == ["0-1", "2-3", "4-5"]


def test_a_straddling_job_may_be_larger_than_a_node():
    """Four tasks fit in no node of three cores, but in two; each gives its core back as it ends."""
    hardware = Hardware((Cluster((Node((processor(3, 1.0),)), Node((processor(3, 2.0),)))),))
    jobs = [sequential(4, 12.0), sequential(3, 2.0)]
    with pytest.raises(InfeasibleJobError):
        simulate(hardware, jobs, [0, 0])
    # The task in node 1 ends at 6 s; by gang its core is held until 12 s.
    found = simulate(hardware, jobs, [0, 0], sequential="straddle")
    assert found.jobs["start_time"].to_list() == [0, 6]
    gang = simulate(hardware, jobs, [0, 0], sequential="straddle", release="gang")
    assert gang.jobs["start_time"].to_list() == [0, 12]


def test_planning_with_the_request_while_a_job_runs_on():
    """A asks for 5 s and runs 20: planned with 20 X overtakes at 2 s, planned with 5 not before 5 s."""
    hardware = Hardware((Cluster((Node((processor(2),)),)),))
    jobs = [sequential(1, 20.0), sequential(2, 3.0), sequential(1, 10.0)]
    requested = [5, 3, 10]
    raised = simulate(hardware, jobs, [0, 1, 2], requested, policy="easy")
    assert raised.jobs["start_time"].to_list() == [0, 20, 2]
    asked = simulate(hardware, jobs, [0, 1, 2], requested, policy="easy", estimates="request")
    assert asked.jobs["start_time"].to_list() == [0, 20, 5]
    assert asked.jobs["end_time"].to_list()[0] == 20


def test_requests_with_given_run_times():
    """Under --execution fixed jobs run on beyond their request, too, and exactly as long as they do."""
    hardware = Hardware((Cluster((Node((processor(2),)),)),))
    table = ec.Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[20.25, 3, 10], requested_time=[5, 3, 10], processors=[1, 2, 1]
    )
    found = ec.simulate(table, platform=hardware, policy="easy", estimates="request", execution="fixed")
    assert found.jobs["start_time"].to_list() == [0, 20.25, 5]


def test_requests_do_not_need_nodes():
    """On equal processors jobs run on beyond their request as they do on nodes."""
    table = ec.Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[20.25, 3, 10], requested_time=[5, 3, 10], processors=[1, 2, 1]
    )
    found = ec.simulate(table, processors=2, policy="easy", estimates="request")
    assert found.jobs["start_time"].to_list() == [0, 20.25, 5]


def test_estimators_that_learn_plan_up_to_requests():
    """Predicted 9 s, then corrected to the 200 s asked for, then planned until it ends, a job delays others.

    At 209 s it is planned until 509 s, so that the last job, of 250 s, ends before the second could start.
    """
    hardware = Hardware((Cluster((Node((processor(2),)),)),))
    table = ec.Workload.from_columns(
        submit_time=[0, 9, 10, 11],
        run_time=[9, 500, 5, 250],
        requested_time=[9, 200, 5, 250],
        processors=[1, 1, 2, 1],
        user=[1, 1, 2, 3],
    )
    how = {"policy": "easy", "estimates": "request", "estimator": "average"}
    for machine in ({"processors": 2}, {"platform": hardware, "execution": "fixed"}):
        found = ec.simulate(table, **machine, **how)
        assert found.schedule.planned_time.tolist() == [9, 9, 5, 250]
        assert found.schedule.counts["corrections"] == 3
        assert found.jobs["start_time"].to_list() == [0, 9, 509, 209]


CURVE = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)


def test_factors_that_are_refreshed_at_release():
    """Two demanding tasks of one job at 0.625 each: when the first ends at 16 s, the second goes on at 0.625.

    Recomputed at the end it does its last 10 operations alone, by 26 s; at the release, by 32 s.
    """
    hardware = Hardware((Cluster((Node((Processor((Core(1.0),) * 2, memory_curve=CURVE),)),)),))
    job = Demand((TaskGroup(1, 10.0, 0.0, 1e13), TaskGroup(1, 20.0, 0.0, 2e13)))
    found = simulate(hardware, [job], [0], execution="memory-v1")
    assert found.jobs["end_time"].to_list() == pytest.approx([26])
    late = simulate(hardware, [job], [0], execution="memory-v1:refresh=release")
    assert late.jobs["end_time"].to_list() == pytest.approx([32])


def test_another_start_refreshes_too():
    """A start on the processor at 20 s finds one task running, and one that has ended and asks nothing."""
    hardware = Hardware((Cluster((Node((Processor((Core(1.0),) * 3, memory_curve=CURVE),)),)),))
    job = Demand((TaskGroup(1, 10.0, 0.0, 1e13), TaskGroup(1, 20.0, 0.0, 2e13)))
    idle = Demand((TaskGroup(1, 1.0),))
    found = simulate(hardware, [job, idle], [0, 20], execution="memory-v1:refresh=release")
    # 12.5 operations by 20 s; 1 s at 0.625 beside the second job; 6.875 operations from 21 s on alone.
    assert found.jobs["end_time"].to_list() == pytest.approx([27.875, 21])


class _InTurn:
    """The first two jobs go to nodes 0 and 1, whatever they are; then a rule decides."""

    name = "in-turn"

    def __init__(self, rule):
        self.rule = placement_named(rule)

    def place(self, job, cores, room):
        if job.position < 2:
            return list(room.idle(job.position))[:cores]
        return self.rule.place(job, cores, room)


@pytest.mark.parametrize(("order", "node"), [("high-memory", "1"), ("high-memory-bandwidth", "2")])
def test_nodes_by_what_is_used_of_them(order, node):
    """Nodes 0 and 1 hold 50 and 2 x 40 bytes and are asked for 30 and 2 x 10 a second; node 2 idles."""
    core = (Core(1.0),) * 4
    hardware = Hardware((Cluster(tuple(Node((Processor(core),)) for _ in range(3))),))
    jobs = [
        sequential(1, 100.0, memory=50.0, memory_volume=3e3),
        sequential(2, 100.0, memory=40.0, memory_volume=1e3),
        sequential(1, 10.0),
    ]
    found = simulate(hardware, jobs, [0, 0, 1], place=_InTurn(f"node-order:by={order}"))
    assert found.jobs["nodes"].to_list() == ["0", "1", node]


@pytest.mark.parametrize(("order", "node"), [("high-memory", "1"), ("high-memory-bandwidth", "0")])
def test_what_has_ended_is_no_longer_used(order, node):
    """At 60 s the first job has ended: node 1 holds and is asked for more than node 0."""
    core = (Core(1.0),) * 4
    hardware = Hardware((Cluster(tuple(Node((Processor(core),)) for _ in range(2))),))
    jobs = [
        sequential(1, 50.0, memory=90.0, memory_volume=5e3),
        sequential(2, 100.0, memory=40.0, memory_volume=1e3),
        sequential(1, 10.0),
    ]
    found = simulate(hardware, jobs, [0, 0, 60], place=_InTurn(f"node-order:by={order}"))
    assert found.jobs["nodes"].to_list()[2] == node


def test_wrong_words_are_refused():
    """Release and sequential take their values and no other; without nodes they are incompatibility."""
    hardware = Hardware((Cluster((Node((processor(2),)),)),))
    with pytest.raises(UnknownNameError, match="release"):
        simulate(hardware, [sequential(1, 1.0)], [0], release="late")
    with pytest.raises(UnknownNameError, match="sequential"):
        simulate(hardware, [sequential(1, 1.0)], [0], sequential="anywhere")
    table = ec.Workload.from_columns(submit_time=[0], run_time=[9], processors=[1])
    for option in ({"release": "gang"}, {"sequential": "straddle"}):
        with pytest.raises(InputError, match="applies to nodes"):
            ec.simulate(table, processors=2, **option)


def test_late_refresh_counts_ended_tasks_in_the_bandwidth_asked():
    """A's short task ends at 2 s: at 5 s its node asks 100 B/s, 200 if looked at late; the other 150."""
    curve = MemoryCurveV1(b=-1.85e-05, c=32000, da=1.75, db=2000, dc=50000, dd=6000)
    node = Node((Processor((Core(1.0),) * 3, memory_curve=curve),))
    table = ec.Workload.from_columns(
        submit_time=[0, 0, 5], run_time=[10, 20, 1], requested_time=[10, 20, 1], processors=[2, 2, 1]
    )
    demands = [
        Demand((TaskGroup(1, 10.0, 0.0, 1000.0), TaskGroup(1, 2.0, 0.0, 200.0)), sequential=True),
        Demand((TaskGroup(1, 20.0, 0.0, 3000.0), TaskGroup(1, 1.0, 0.0, 0.0)), sequential=True),
        Demand((TaskGroup(1, 1.0),), sequential=True),
    ]
    jobs = replace(table, demands=Demands.of(demands))

    def place_of_the_last(execution):
        run = ec.simulate(
            jobs,
            platform=Hardware((Cluster((node, node)),)),
            place="node-order:by=high-memory-bandwidth",
            execution=execution,
            release="gang",
        )
        assert run.jobs["nodes"].to_list()[:2] == ["0", "1"]
        return run.jobs["nodes"][2]

    assert place_of_the_last("memory-v1") == "0"
    assert place_of_the_last("memory-v1:refresh=release") == "1"
