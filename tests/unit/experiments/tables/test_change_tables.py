"""Tables of runs on machines that change."""

from dataclasses import replace

import polars as pl
import pytest
from tests.unit.metrics.changed_machines import changed, drained, f1, f2, maintained, reserved, result_of

from echelon import simulate
from echelon.experiments.folders.run_folder import run_files, write_run
from echelon.metrics import Measured
from echelon.model import EndReason, OutageKind, Platform, Reservation, Site, TimeSharedMachine, Workload
from echelon.model.schedules.kept_jobs import schedule_without


def test_attempts_by_hand():
    """Each time that the job ran is a row, with the nodes that it held and why it ended."""
    rows = result_of(f2()).attempts.to_dicts()
    first = {"job_id": 1, "row": 0, "start_time": 0, "end_time": 40, "nodes": "1-2", "reason": "requeued"}
    assert rows == [
        {**first, "work": 30, "overhead": 5},
        {**first, "start_time": 60, "end_time": 150, "reason": "completed", "work": 70, "overhead": 20},
    ]


def test_what_a_job_lost():
    """Jobs have their restarts, what they lost, what checkpoints took, and waits of all pending time."""
    jobs = result_of(f2()).jobs.to_dicts()[0]
    expected = {
        "status": "completed",
        "run_time": 100,
        "wait_time": 20,
        "turnaround_time": 150,
        "response_time": 0,
        "suspended_time": 20,
        "switch_time": 0,
        "preemptions": 0,
        "restarts": 1,
        "lost_node_seconds": 10,
        "checkpoint_seconds": 25,
        "first_start_time": 0,
    }
    assert {name: jobs[name] for name in expected} == expected


def test_a_job_that_fails_says_so():
    """Its status is not that of a job killed at its request, and it ran for what it held."""
    schedule = changed(
        [(0, 100, 1)],
        [(0, 0, 40, EndReason.FAILED, (0,))],
        processors=1,
        outages=[(40, 60, (0,), OutageKind.FAIL)],
    )
    jobs = result_of(schedule).jobs
    assert jobs["status"].to_list() == ["failed_node"]
    assert jobs["run_time"].to_list() == [40]


def test_outages_by_hand():
    """Each node of an outage is a row; who lost it is counted, and a node that never returns has no end."""
    assert result_of(f1()).outages.to_dicts() == [
        {"node": 2, "down": 40, "up": 60, "kind": "fail", "jobs_killed": 1}
    ]
    forever = replace(drained(), outages=changed_outage())
    assert result_of(forever).outages.to_dicts() == [
        {"node": 1, "down": 130.0, "up": None, "kind": "fail", "jobs_killed": 0},
        {"node": 2, "down": 130.0, "up": None, "kind": "fail", "jobs_killed": 0},
    ]


def changed_outage():
    """Return two nodes that go down at 130 s for ever."""
    from echelon.model import Outages

    return Outages.of([(130, float("inf"), (0, 1), OutageKind.FAIL, -float("inf"), 0)])


def test_reservations_by_hand():
    """Three nodes are held for 30 of the 50 s of their reservation, and were never idle before it."""
    assert result_of(reserved()).reservations.to_dicts() == [
        {
            "name": "A",
            "nodes": "1-3",
            "start": 50,
            "end": 100,
            "used_node_seconds": 90,
            "unused_node_seconds": 60,
            "idle_before": 0,
        }
    ]


def test_where_nodes_are_unknown_nothing_is_said_of_them():
    """Without numbers of processors attempts have no nodes, outages no jobs, and reservations no use."""
    unknown = result_of(replace(reserved(), numbered=None))
    assert "nodes" not in unknown.attempts.columns
    assert unknown.reservations["used_node_seconds"].to_list() == [None]
    assert "reservation_idle" not in unknown.metrics
    assert "jobs_killed" not in result_of(replace(f1(), numbered=None)).outages.columns


def test_jobs_that_never_ran_are_listed():
    """A job that left the queue is counted with its reason, and has a row of its own."""
    from echelon.model import JobStatus
    from echelon.model.schedules.status import REASONS

    reason = REASONS[JobStatus.DEADLINE]
    left = schedule_without(maintained(), {reason: [1]}, interrupted=True)
    found = result_of(left)
    assert found.rejected["job_id"].to_list() == ["2"]
    assert [(drop.reason, drop.count) for drop in found.instance.dropped] == [(reason, 1)]
    assert left.attempts.job.tolist() == [0, 1]


@pytest.mark.parametrize("schedule", [f1(), reserved(), drained()])
def test_files_of_a_run(schedule, tmp_path):
    """Written are the files that a run has, and those of another run before are gone."""
    result = result_of(schedule)
    names = set(run_files(result))
    assert {"attempts.csv", "attempts.parquet"} < names
    assert ("outages.csv" in names) == bool(len(schedule.outages))
    assert ("reservations.csv" in names) == bool(schedule.reservations)
    for stale in ("outages.csv", "reservations.csv", "attempts.parquet"):
        (tmp_path / stale).write_text("old")
    write_run(result, tmp_path, {})
    assert {path.name for path in tmp_path.iterdir()} == names


def test_off_means_off(tmp_path):
    """A run on a machine that never changes has none of these columns and files."""
    from echelon.model import NO_OUTAGES

    plain = replace(f1(), recorded=None, status=None, numbered=None, outages=NO_OUTAGES)
    result = result_of(plain)
    assert (result.attempts, result.outages, result.reservations, result.segments) == (None,) * 4
    assert "restarts" not in result.jobs.columns
    assert set(run_files(result)) == {
        *("jobs.csv", "jobs.parquet", "users.csv", "classes.csv", "metrics.json", "run.json")
    }


def test_reservations_that_slid_to_the_end_are_listed_without_times():
    """One of two equal ones was used and has its times; the other never began, and its row says so."""
    from echelon.experiments.tables.change_tables import never_began, reservation_table

    kept = reserved()
    ready = Reservation("A", 0, 50, (0, 1, 2), slide=600)
    other = Reservation("B", 0, 50, (3,), slide=600)
    schedule = replace(kept, reservations=(replace(ready, start=50, end=100),))
    never = never_began((ready, ready, other), schedule.reservations)
    assert [one.name for one in never] == ["A", "B"]
    table = reservation_table(Measured(schedule), never)
    assert table["nodes"].to_list() == ["1-3", "1-3", "4"]
    assert table["start"].to_list() == [50, None, None]
    assert table["used_node_seconds"].to_list() == [90, None, None]
    assert table["unused_node_seconds"].to_list() == [60, None, None]
    assert reservation_table(Measured(replace(kept, reservations=())), never)["end"].to_list() == [None, None]
    assert never_began((Reservation("C", 0, 9, (0,)),), ()) == []


def test_a_page_of_reservations_that_never_began_has_no_bands():
    """What slid to the end of the run closed nothing that could be drawn, and its row says so."""
    from echelon.metrics.columns.run_tables.table_closures import TableClosures
    from echelon.model.schedules.features import Feature

    table = pl.DataFrame(
        {"name": ["A"], "nodes": ["1"], "start": [None], "end": [None]},
        schema_overrides={"start": pl.Float64, "end": pl.Float64},
    )
    closures = TableClosures(Feature.RESERVATIONS, 4, None, None, None, None, None, table)
    assert len(closures.bands.start) == 0


@pytest.mark.parametrize("broker", ["wqr:replicas=2", "ml"])
def test_what_jobs_lost_adds_up_on_machines_of_several_speeds(broker):
    """Each copy counts with its own part of its machine, and so the column's sum is the metric."""
    speeds = {"fast": (4, 2.0), "slow": (2, 0.5), "mid": (3, 1.0)}
    sites = tuple(Site(name, TimeSharedMachine(*machine)) for name, machine in speeds.items())
    jobs = Workload.from_columns(
        submit_time=[0, 5, 9, 20], run_time=[60, 80, 50, 90], processors=[1, 2, 1, 3]
    )
    down = [{"site": "slow", "down": 15, "up": 40}, {"site": "fast", "down": 35, "up": 55}]
    found = simulate(jobs, platform=Platform(sites), broker=broker, outages=down)
    assert found.metrics["lost_node_seconds"] > 0
    assert found.jobs["lost_node_seconds"].sum() == pytest.approx(found.metrics["lost_node_seconds"])


def test_jobs_killed_on_time_shared_machines_are_not_counted_by_node():
    """It is not known on which node a job computed there, so its column is empty, not 0."""
    import echelon as ec

    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[100], processors=[1])
    outages = [{"site": "r1-1", "node": 1, "down": 40, "up": 50}]
    run = ec.simulate(jobs, platform="sinapad-rh", broker="first-fit", outages=outages)
    assert run.metrics["jobs_killed"] == 1
    assert run.outages["jobs_killed"].to_list() == [None]
