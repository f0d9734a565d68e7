"""All metrics of small schedules worked by hand, and of schedules others have measured."""

import csv
import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import (
    AVAILABILITY_METRICS,
    DEPENDENCY_METRICS,
    IMMEDIATE_METRICS,
    INSIDE_METRICS,
    METRICS,
    MULTICLUSTER_METRICS,
    measure,
    metric_named,
)
from echelon.model import Instance, Schedule, Workload

PROMISED_KEYS = [
    "jobs",
    "makespan",
    "mean_wait",
    "median_wait",
    "max_wait",
    "mean_turnaround",
    "max_turnaround",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "utilization",
    "busy_share",
    "throughput_per_day",
    "c_max",
]


def schedule_of(rows, processors, **options):
    """Return a schedule from rows of submit, run, size, start."""
    submit, run, size, start = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    workload = Workload.from_columns(submit_time=submit, run_time=run, processors=size, **options)
    return Schedule(Instance.of(workload, processors), start)


def three_jobs():
    """Return a schedule on 4 processors.

    ::

        3 . . . . 2 2 . .        one character is 5 s; job 1 is submitted at 10 s,
        2 . . 1 1 2 2 . .        job 2 at 15 s and job 3 at 20 s
        1 . . 1 1 2 2 . 3
        0 . . 1 1 2 2 . 3
    """
    return schedule_of([(10, 10, 3, 10), (15, 10, 4, 20), (20, 5, 2, 35)], 4)


def test_three_jobs_by_hand():
    """Every metric of a small schedule has the value found on paper."""
    assert measure(three_jobs()) == pytest.approx(
        {
            "jobs": 3,
            "makespan": 30,  # 10 to 40
            "mean_wait": 20 / 3,  # 0, 5, 15
            "median_wait": 5,
            "max_wait": 15,
            "mean_turnaround": 15,  # 10, 15, 20
            "max_turnaround": 20,
            "mean_slowdown": 6.5 / 3,  # 1, 1.5, 4
            "mean_bounded_slowdown": 1.5,  # 1, 1.5, 2
            "utilization": 80 / 120,
            "busy_share": 25 / 30,  # idle from 30 to 35
            "throughput_per_day": 8640,
            "c_max": 40,
            "p90_wait": 13,
            "p95_wait": 14,
            "p99_wait": 14.8,
            "median_turnaround": 15,
            "median_bounded_slowdown": 1.5,
            "p95_bounded_slowdown": 1.95,
            "max_bounded_slowdown": 2,
            "mean_grid_bounded_slowdown": 1.5,
            "lower_bound": 25,
            "competitive_ratio": 1.6,
            "killed_jobs": 0,
            "mean_prediction_error": 0,  # the schedule was planned with run times
            "mean_prediction_accuracy": 1,
            "underpredicted_jobs": 0,
            "preemptions": 0,
            "mean_response": 20 / 3,
            "max_response": 15,
            "mean_suspended_time": 0,
            "switch_share": 0,
            "total_wait": 20,
            "size_weighted_mean_wait": 50 / 3,  # 3 * 0, 4 * 5, 2 * 15
            "size_weighted_mean_turnaround": 130 / 3,  # 3 * 10, 4 * 15, 2 * 20
            "work_weighted_mean_turnaround": 1100 / 3,  # 30 * 10, 40 * 15, 10 * 20
            "grid_throughput": 3 / 40,
            "grid_utilization": 80 / 160,
        },
        rel=1e-12,
    )


def test_predictions_by_hand():
    """Planned for 20, 5 and 5 s, jobs of 10, 10 and 5 s miss by 10, 5 and 0 s; one is too short."""
    schedule = replace(three_jobs(), predicted_time=np.array([20.0, 5.0, 5.0]))
    found = measure(schedule)
    assert found["mean_prediction_error"] == 5
    assert found["mean_prediction_accuracy"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found["underpredicted_jobs"] == 1


def test_promised_keys_come_first():
    """The keys other tools rely on come first, in their fixed order, and no name comes twice."""
    names = [metric.name for metric in METRICS]
    of_some_runs = (*DEPENDENCY_METRICS, *INSIDE_METRICS, *MULTICLUSTER_METRICS, *IMMEDIATE_METRICS)
    of_some_runs += AVAILABILITY_METRICS
    of_any_run = [name for name in names if name not in {metric.name for metric in of_some_runs}]
    assert list(measure(schedule_of([(0, 1, 1, 0)], 1, user=[1]))) == of_any_run
    assert names[: len(PROMISED_KEYS)] == PROMISED_KEYS
    assert len(set(names)) == len(names)


def test_values_are_plain_numbers():
    """Counts are int, all else is float, and JSON takes them without loss."""
    found = measure(three_jobs())
    counts = {name for name, value in found.items() if type(value) is int}
    in_jobs = {metric.name for metric in METRICS if metric.unit == "jobs" and metric.name in found}
    assert in_jobs == counts - {"preemptions"}
    assert counts == {"jobs", "killed_jobs", "underpredicted_jobs", "preemptions"}
    assert all(type(value) is float for name, value in found.items() if name not in counts)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_only_the_usual_bounded_slowdown_is_held_at_one():
    """A job of 1 s that does not wait counts 1 in one mean and 0.1 in the other."""
    found = measure(schedule_of([(0, 1, 1, 0)], 1))
    assert (found["mean_bounded_slowdown"], found["mean_grid_bounded_slowdown"]) == (1, 0.1)


def test_killed_jobs_are_counted():
    """Of two jobs that outlive their request under "kill" and one that does not, two are counted."""
    workload = Workload.from_columns(
        submit_time=[0, 0, 0], run_time=[9, 9, 9], requested_time=[5, 8, 9], processors=[1, 1, 1]
    )
    found = measure(Schedule(Instance.of(workload, 3, estimates="kill"), np.zeros(3)))
    assert (found["killed_jobs"], found["c_max"], found["max_turnaround"]) == (2, 9, 9)


def test_fairness_among_users():
    """One user waits 0 and 20 s, the other 30 s: means 10 and 30; jobs of nobody do not count."""
    rows = [(0, 10, 1, 0), (0, 10, 1, 20), (0, 10, 1, 30), (0, 10, 1, 99)]
    found = measure(schedule_of(rows, 4, user=[1, 1, 2, -1]))
    assert found["jain_fairness_wait"] == pytest.approx(40**2 / (2 * (10**2 + 30**2)))
    assert found["jain_fairness_bounded_slowdown"] == pytest.approx(6**2 / (2 * (2**2 + 4**2)))


def test_fairness_needs_users():
    """A log without users has no fairness among them, rather than a perfect one."""
    found = measure(schedule_of([(0, 10, 1, 5)], 1))
    assert not [name for name in found if name.startswith("jain")]


def test_start_before_submission_is_refused():
    """A schedule no engine may return is not measured."""
    with pytest.raises(InputError, match="start: expected a time not before submit at position 1, got 3"):
        measure(schedule_of([(0, 1, 1, 0), (5, 1, 1, 3)], 1))


def test_schedule_without_jobs_is_refused():
    """There is no mean of nothing."""
    none = np.zeros(0)
    whole = np.zeros(0, dtype=np.int64)
    workload = Workload.from_columns(submit_time=none)
    instance = Instance(
        workload, whole, none, none, none, whole, none.astype(bool), machine=1, estimates="raise"
    )
    with pytest.raises(InputError, match="without jobs"):
        measure(Schedule(instance, none))


def test_metric_by_name():
    """A metric is found by its name; a wrong one gets the nearest."""
    assert metric_named("utilization").better == "high"
    with pytest.raises(UnknownNameError, match="did you mean 'mean_wait'"):
        metric_named("mean_wiat")


def test_every_metric_says_what_it_is():
    """No formula or source is empty; names are words joined by underscores."""
    assert all(metric.formula and metric.source and metric.name.isidentifier() for metric in METRICS)


def stored_schedule(file, processors, names):
    """Return a schedule kept as a table in a folder of ECHELON_DATA; skip if there is none."""
    folders = [Path(folder) for folder in os.environ.get("ECHELON_DATA", "").split(os.pathsep) if folder]
    path = next((folder / file for folder in folders if (folder / file).is_file()), None)
    if path is None:
        pytest.skip(f"{file} is in no folder of ECHELON_DATA")
    with gzip.open(path, "rt", newline="") as text:
        rows = [[float(row[name]) for name in names] for row in csv.DictReader(text)]
    return schedule_of([(submit, end - start, size, start) for submit, start, end, size in rows], processors)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backfilling", "known"),
    [
        (
            "none",
            {
                "c_max": 69_006_671,
                "utilization": 0.76795,
                "busy_share": 0.999598,
                "throughput_per_day": 68.2130,
                "mean_turnaround": 433.1611 * 3600,
                "mean_wait": 431.1082 * 3600,
                "max_wait": 5_509_181,
                "max_turnaround": 5_541_723,
            },
        ),
        (
            "easy",
            {
                "c_max": 63_591_529,
                "busy_share": 0.998698,
                "throughput_per_day": 74.0739,
                "mean_turnaround": 7.9373 * 3600,
                "mean_wait": 5.8844 * 3600,
                "max_wait": 459_636,
            },
        ),
    ],
)
def test_schedules_of_sdsc_sp2(backfilling, known):
    """What SST and Schedlyzer were found to give for FCFS and EASY on SDSC-SP2 comes out, to all digits."""
    names = ("submit_time", "start_time", "end_time", "processors")
    schedule = stored_schedule(f"SDSC-SP2-1998-4.2-cln.{backfilling}.fcfs.raise.csv.gz", 128, names)
    found = measure(schedule)
    assert found["jobs"] == 54_034
    assert {name: found[name] for name in known} == pytest.approx(known, rel=1e-5)


def test_published_easy_schedule_of_kth_sp2():
    """The waits, flow times and bounded slowdowns published with a pyss EASY schedule come out."""
    found = measure(stored_schedule("KTH-SP2.easy.csv.gz", 100, ("submit", "start", "end", "procs")))
    assert found["jobs"] == 28_481
    assert round(found["mean_wait"], 2) == 6_836.87
    assert round(found["mean_turnaround"], 2) == 15_696.80
    assert round(found["mean_bounded_slowdown"], 2) == 92.58
