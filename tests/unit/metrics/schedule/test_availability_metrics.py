"""Metrics of machines that change, by arithmetic."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.metrics.changed_machines import changed, drained, f1, f2, maintained, reserved

import echelon as ec
from echelon.metrics import Measured, measure
from echelon.model import EndReason, Instance, JobStatus, OutageKind, Outages, Reservation


def test_a_job_that_begins_again_by_hand():
    """Two nodes for 160 s: 280 node-seconds held, 80 of them for nothing, 20 down, 20 idle."""
    found = measure(f1())
    expected = {
        "availability": 1 - 20 / 320,
        "node_failures": 1,
        "mtbf_machine": 160.0,
        "mttr": 20.0,
        "jobs_killed": 1,
        "restarts": 1,
        "lost_node_seconds": 80.0,
        "goodput": 200 / 320,
        "waste_share": 80 / 280,
        "utilization": 280 / 320,
        "utilization_available": 280 / 300,
        "mean_wait": 20.0,
        "mean_response": 0.0,
        "mean_turnaround": 160.0,
        "mean_slowdown": 1.6,
        "mean_bounded_slowdown": 1.6,
        "preemptions": 0,
        "switch_share": 0.0,
        "c_max": 160.0,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_checkpoints_cost_time_but_save_work():
    """Of the first attempt 30 s last and 5 s are lost; checkpoints and the restart take 25 s on two nodes."""
    found = measure(f2())
    assert found["lost_node_seconds"] == pytest.approx(10)
    assert found["goodput"] == pytest.approx(200 / 300)
    assert found["waste_share"] == pytest.approx((10 + 2 * 25) / 260)
    assert found["utilization"] == pytest.approx(260 / 300)
    assert (found["mean_wait"], found["mean_slowdown"], found["switch_share"]) == (20, 1.5, 0)


def test_a_drained_node_is_down_as_its_job_ends():
    """The node drained from 10 s still runs its job until 100 s: it is down for 100 s of the 220."""
    found = measure(drained())
    assert found["availability"] == pytest.approx(1 - 100 / 440)
    assert found["node_failures"] == 0
    assert "mtbf_machine" not in found
    assert "mttr" not in found
    assert found["utilization"] == pytest.approx(260 / 440)
    assert found["utilization_available"] == pytest.approx(260 / 340)
    assert found["goodput"] == found["utilization"]
    assert found["waste_share"] == 0


def test_what_emptying_a_machine_costs():
    """Before maintenance at 100 s two nodes are idle from 60 s and two from 12 s, while a job waits."""
    found = measure(maintained())
    assert found["reservation_idle"] == 2 * 40 + 2 * 88
    assert found["availability"] == pytest.approx(1 - 400 / 1000)


def test_a_reservation_that_follows_a_job_costs_nothing_before():
    """Its nodes were held until it began, and no machine was ever down."""
    found = measure(reserved())
    assert found["reservation_idle"] == 0
    assert "availability" not in found
    assert found["jobs_killed"] == 0


def test_a_job_that_fails_for_good_ran_as_long_as_it_held():
    """Killed at 40 s by its node, a job of 100 s ran for 40 s: no slowdown, all of it lost."""
    schedule = changed(
        [(0, 100, 1)], [(0, 0, 40, EndReason.FAILED, (0,))], processors=1,
        outages=[(40, np.inf, (0,), OutageKind.FAIL)],
    )  # fmt: skip
    found = measure(schedule)
    assert (found["mean_slowdown"], found["goodput"], found["waste_share"]) == (1, 0, 1)
    assert (found["restarts"], found["jobs_killed"], found["killed_jobs"]) == (0, 1, 0)
    assert found["utilization"] == 1
    assert "mttr" not in found


def test_a_canceled_job_wastes_nothing():
    """Its user ended it after 30 of 100 s: this is what it ran, and the machine took nothing."""
    found = measure(changed([(0, 100, 1)], [(0, 0, 30, EndReason.STOPPED, (0,))], processors=1))
    assert (found["mean_slowdown"], found["lost_node_seconds"], found["goodput"]) == (1, 0, 1)


def test_due_times_and_deadlines():
    """Of jobs that end at 10, 30 and 60 s, due by 20, 20 and 20 s, two are late, by 10 and 40 s."""
    pieces = [
        (0, 0, 10, EndReason.COMPLETED, (0,)),
        (1, 10, 30, EndReason.COMPLETED, (0,)),
        (2, 30, 60, EndReason.COMPLETED, (0,)),
        (3, 60, 70, EndReason.KILLED, (0,)),
    ]
    jobs = [(0, 10, 1), (0, 20, 1), (0, 30, 1), (0, 20, 1)]
    schedule = changed(jobs, pieces, processors=1, due_time=[20, 20, 20, -1], deadline=[-1, 40, -1, 70])
    found = measure(schedule)
    assert found["deadline_misses"] == 3
    assert found["mean_tardiness"] == pytest.approx(50 / 3)
    assert found["max_tardiness"] == 40


def test_overlapping_failures_of_a_node_are_one():
    """A node that is down from 10 to 30 and from 20 to 50 s failed once, for 40 s; another one once."""
    schedule = changed(
        [(0, 100, 1)],
        [(0, 0, 100, EndReason.COMPLETED, (0,))],
        processors=3,
        outages=[
            (10, 30, (1,), OutageKind.FAIL),
            (20, 50, (1,), OutageKind.FAIL),
            (40, 60, (1, 2), OutageKind.DRAIN),
            (70, 90, (2,), OutageKind.FAIL),
            (200, 300, (2,), OutageKind.FAIL),
        ],
    )
    found = measure(schedule)
    assert (found["node_failures"], found["mttr"], found["mtbf_machine"]) == (2, 30, 50)
    assert found["availability"] == pytest.approx(1 - (50 + 20 + 20) / 300)


def test_what_is_known_only_where_something_changes():
    """A run on a machine that never changes has none of these metrics, and features to match."""
    from echelon.metrics.schedule.availability_metrics import AVAILABILITY_METRICS

    schedule = f1()
    from echelon.model import NO_OUTAGES

    plain = replace(
        schedule, recorded=None, status=None, numbered=None, outages=NO_OUTAGES, start_time=np.array([5.0])
    )
    assert not {metric.name for metric in AVAILABILITY_METRICS} & set(measure(plain))
    assert Measured(plain).run is plain.instance.run_time


def test_a_deadline_that_no_job_of_the_schedule_has():
    """The only job with a deadline left the queue: it is counted, though the schedule has no deadline."""
    import echelon as ec

    jobs = ec.Workload.from_columns(
        submit_time=[0, 1], run_time=[100, 50], processors=[1, 1], deadline=[-1, 120]
    )
    found = ec.simulate(jobs, processors=1).metrics
    assert (found["deadline_misses"], found["jobs"]) == (1, 1)


def test_a_machine_that_dies_at_the_last_end_was_not_there():
    """Both nodes fail for good under a job of 100 s: of the 100 s that it needs, 60 are down."""
    schedule = changed(
        [(0, 100, 2)], [(0, 0, 40, EndReason.REQUEUED, (0, 1))], processors=2,
        outages=[(40, np.inf, (0, 1), OutageKind.FAIL)],
    )  # fmt: skip
    left = replace(schedule, status=np.array([JobStatus.UNFINISHED], dtype=np.int8))
    assert measure(left)["availability"] == pytest.approx(0.4)
    assert (measure(left)["makespan"], measure(left)["utilization_available"]) == (40, 1)
    assert measure(left)["incomplete_jobs"] == 1


def test_jobs_that_never_ran_wanted_the_machine_too():
    """A job of 30 s that came at 170 s found nothing since 100 s: 100 of 200 s are down."""
    import echelon as ec

    jobs = ec.Workload.from_columns(submit_time=[0, 170], run_time=[100, 30], processors=[1, 1])
    down = Outages.of([(100, np.inf, (0,), OutageKind.FAIL, -np.inf, 0)])
    found = ec.simulate(jobs, processors=1, policy="fcfs", outages=down).metrics
    assert found["availability"] == pytest.approx(0.5)
    assert (found["makespan"], found["incomplete_jobs"]) == (100, 1)


def test_nodes_that_idle_for_those_with_a_reservation_cost_nothing():
    """From 20 to 100 s nobody waits but the job that names the reservation, and one of a user of it."""
    pieces = [
        (0, 0, 20, EndReason.COMPLETED, (0, 1)),
        (1, 100, 130, EndReason.COMPLETED, (0, 1)),
        (2, 130, 140, EndReason.COMPLETED, (0, 1)),
        (3, 140, 150, EndReason.COMPLETED, (0, 1)),
    ]
    jobs = [(0, 20, 2), (0, 30, 2), (10, 10, 2), (60, 10, 2)]
    schedule = changed(
        jobs, pieces, processors=2, reservations=[Reservation("r", 100, 200, (0, 1), users=("7",))],
        reservation=[-1, 1, -1, -1],
    )  # fmt: skip
    workload = schedule.instance.workload

    def idle(*users):
        columns = {**workload.columns, "user": np.array(users)}
        names = {**workload.names, "reservation": ("r",)}
        jobs = replace(workload, columns=columns, names=names)
        return measure(replace(schedule, instance=Instance.of(jobs, 2)))["reservation_idle"]

    assert idle(1, 1, 7, 7) == 0
    assert idle(1, 1, 7, 8) == 2 * 40
    assert idle(1, 1, 8, 8) == 2 * 80


@pytest.mark.parametrize(("node", "kept"), [(0, 0.5), (2, 1.0)])
def test_reservations_that_a_failure_breaks(node, kept):
    """Jobs 2 and 3 are promised 100 and 110 s; job 1 begins again at 60 s, job 3 finds a gap before it."""
    import echelon as ec

    jobs = ec.Workload.from_columns(
        submit_time=[0, 1, 2], run_time=[100, 10, 15], processors=[2, 2, 1], requested_time=[100, 10, 15]
    )
    down = Outages.of([(40, 60, (node,), OutageKind.FAIL, -np.inf, 0)])
    more = {"processors": 2 if node == 0 else 3, "outages": down}
    found = ec.simulate(jobs, policy="conservative", **more).metrics
    assert found["promises_kept"] == kept
    assert "promises_kept" not in ec.simulate(jobs, policy="easy", **more).metrics
    assert "promises_kept" not in ec.simulate(jobs, policy="conservative", processors=2).metrics


def test_a_failure_of_several_nodes_counts_once_a_node():
    """Two incidents, of three nodes and of one, are four failures of nodes, of which the MTBF is."""
    down = [(10, 20, (0, 1, 2), OutageKind.FAIL), (60, 70, (3,), OutageKind.FAIL)]
    schedule = changed([(0, 100, 1)], [(0, 0, 100, EndReason.COMPLETED, (4,))], processors=5, outages=down)
    found = measure(schedule)
    assert (found["node_failures"], found["mtbf_machine"]) == (4, 25.0)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_was_saved_of_a_job_that_fails_for_good_does_not_last(engine):
    """Only work of jobs that end otherwise is goodput; the checkpoints stay overhead, the rest is lost."""
    found = ec.simulate(
        ec.Workload.from_columns(submit_time=[0], run_time=[100], processors=[1]),
        processors=1,
        engine=engine,
        outages=[{"node": 1, "down": 40, "up": 50}, {"node": 1, "down": 70, "up": 80}],
        max_requeues=1,
        checkpoint=10,
        checkpoint_cost=1,
    ).metrics
    assert (found["goodput"], found["waste_share"], found["lost_node_seconds"]) == (0, 1, 37 + 20)
