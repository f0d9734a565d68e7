"""Properties of metrics: they agree with plain loops, with each other, and with a change of the time unit."""

from __future__ import annotations

import statistics
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echelon.metrics import busy_processors, measure, per_class, per_user, queue_length
from echelon.metrics.tables.class_table import LENGTHS, SIZES
from echelon.model import Instance, Schedule, Workload

PROCESSORS = 64

# No deadline: the first tables load polars, and a busy machine is no failure.
UNTIMED = settings(deadline=None)

seconds = st.integers(0, 60) | st.integers(0, 10**6)
fractions = st.integers(0, 10**7).map(lambda ticks: ticks / 1024)


def rows_of(times):
    """Return lists of submit, run, size, wait, user."""
    runs = times.filter(lambda run: run > 0)
    job = st.tuples(times, runs, st.integers(1, PROCESSORS), times | st.just(0), st.integers(-1, 5))
    return st.lists(job, min_size=1, max_size=40)


whole_jobs = rows_of(seconds)
jobs = whole_jobs | rows_of(fractions)


def schedule_of(rows, factor=1):
    """Return the schedule in which each job waits as its row says; capacity does not matter here."""
    submit, run, size, wait, user = (np.array(column) for column in zip(*rows, strict=True))
    workload = Workload.from_columns(
        submit_time=factor * submit, run_time=factor * run, processors=size, user=user
    )
    return Schedule(Instance.of(workload, PROCESSORS), np.asarray(factor * (submit + wait), dtype=np.float64))


def percentile(values, hundredth):
    """Return a percentile the slow way: exactly, between the two nearest ranks."""
    ordered = sorted(Fraction(value) for value in values)
    rank = Fraction(hundredth, 100) * (len(ordered) - 1)
    low = ordered[int(rank)]
    high = ordered[min(int(rank) + 1, len(ordered) - 1)]
    return float(low + (rank - int(rank)) * (high - low))


def idle_by_definition(starts_and_ends):
    """Return Schedlyzer's idle time, job by job in the order of their starts."""
    ordered = sorted(starts_and_ends)
    latest, idle = ordered[0][1], 0
    for start, end in ordered[1:]:
        if start > latest:
            idle += start - latest
        latest = max(latest, end)
    return idle


def measure_by_definition(rows):
    """Return every metric of a schedule from one loop over its jobs and the formulas as printed."""
    waits, turnarounds, slowdowns, bounded, grid, spans = [], [], [], [], [], []
    area = work = 0
    for submit, run, size, wait, _ in rows:
        start = submit + wait
        end = start + run
        waits.append(start - submit)
        turnarounds.append(end - submit)
        slowdowns.append((wait + run) / run)
        grid.append((wait + run) / (run if run > 10 else 10))
        bounded.append(grid[-1] if grid[-1] > 1 else 1)
        spans.append((start, end))
        area += run * size
        work += run
    first = min(row[0] for row in rows)
    last = max(end for _, end in spans)
    bound = max(max(row[0] + row[1] for row in rows), area / PROCESSORS)
    return {
        "jobs": len(rows),
        "makespan": last - first,
        "mean_wait": statistics.fmean(waits),
        "median_wait": statistics.median(waits),
        "max_wait": max(waits),
        "mean_turnaround": statistics.fmean(turnarounds),
        "max_turnaround": max(turnarounds),
        "mean_slowdown": statistics.fmean(slowdowns),
        "mean_bounded_slowdown": statistics.fmean(bounded),
        "utilization": area / (PROCESSORS * (last - first)),
        "busy_share": work / (work + idle_by_definition(spans)),
        "throughput_per_day": 86400 * len(rows) / (last - first),
        "c_max": last,
        "p90_wait": percentile(waits, 90),
        "p95_wait": percentile(waits, 95),
        "p99_wait": percentile(waits, 99),
        "median_turnaround": statistics.median(turnarounds),
        "median_bounded_slowdown": statistics.median(bounded),
        "p95_bounded_slowdown": percentile(bounded, 95),
        "max_bounded_slowdown": max(bounded),
        "mean_grid_bounded_slowdown": statistics.fmean(grid),
        "lower_bound": bound,
        "competitive_ratio": last / bound,
        "killed_jobs": 0,
        "mean_prediction_error": 0,
        "mean_prediction_accuracy": 1,
        "underpredicted_jobs": 0,
        **fairness_by_definition(rows, waits, bounded),
        "preemptions": 0,
        "mean_response": statistics.fmean(waits),
        "max_response": max(waits),
        "mean_suspended_time": 0,
        "switch_share": 0,
        "total_wait": sum(waits),
        "size_weighted_mean_wait": statistics.fmean(row[2] * row[3] for row in rows),
        "size_weighted_mean_turnaround": statistics.fmean(row[2] * (row[3] + row[1]) for row in rows),
        "work_weighted_mean_turnaround": statistics.fmean(
            row[1] * row[2] * (row[3] + row[1]) for row in rows
        ),
        "grid_throughput": len(rows) / last,
        "grid_utilization": area / (PROCESSORS * last),
    }


def fairness_by_definition(rows, waits, bounded):
    """Return Jain's index over the users' means, by the printed formula; nothing if no user is known."""
    users = sorted({row[4] for row in rows if row[4] >= 0})
    found = {}
    for name, values in (("wait", waits), ("bounded_slowdown", bounded)):
        means = [
            statistics.fmean(value for row, value in zip(rows, values, strict=True) if row[4] == user)
            for user in users
        ]
        if users:
            squares = len(users) * sum(mean**2 for mean in means)
            found[f"jain_fairness_{name}"] = sum(means) ** 2 / squares if squares else 1
    return found


@UNTIMED
@given(jobs)
def test_metrics_are_their_formulas(rows):
    """Every metric is what a plain loop over the jobs gives."""
    assert measure(schedule_of(rows)) == pytest.approx(measure_by_definition(rows), rel=1e-12)


@UNTIMED
@given(jobs, st.data())
def test_prediction_metrics_are_their_formulas(rows, data):
    """The same for what was predicted at submission."""
    count = len(rows)
    planned = data.draw(st.lists(st.integers(1, 10**6), min_size=count, max_size=count))
    found = measure(replace(schedule_of(rows), predicted_time=np.array(planned, dtype=np.float64)))
    pairs = [(row[1], guess) for row, guess in zip(rows, planned, strict=True)]
    expected = {
        "mean_prediction_error": statistics.fmean(abs(guess - run) for run, guess in pairs),
        "mean_prediction_accuracy": statistics.fmean(min(pair) / max(pair) for pair in pairs),
        "underpredicted_jobs": sum(guess < run for run, guess in pairs),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


@UNTIMED
@given(whole_jobs)
def test_whole_seconds_are_exact(rows):
    """Integer times give exactly the values of the formulas, not nearly."""
    found, expected = measure(schedule_of(rows)), measure_by_definition(rows)
    exact = [
        "jobs",
        "makespan",
        "mean_wait",
        "median_wait",
        "max_wait",
        "mean_turnaround",
        "max_turnaround",
        "utilization",
        "busy_share",
        "throughput_per_day",
        "c_max",
        "median_turnaround",
        "lower_bound",
        "competitive_ratio",
        "total_wait",
        "size_weighted_mean_wait",
        "size_weighted_mean_turnaround",
        "grid_throughput",
        "grid_utilization",
    ]
    assert {name: found[name] for name in exact} == {name: expected[name] for name in exact}


@UNTIMED
@given(whole_jobs)
def test_mean_turnaround_is_mean_wait_plus_mean_run(rows):
    """Turnaround is waiting and running, and nothing else."""
    found = measure(schedule_of(rows))
    mean_run = statistics.fmean(row[1] for row in rows)
    assert found["mean_turnaround"] - found["mean_wait"] == pytest.approx(mean_run, rel=1e-9)


@UNTIMED
@given(jobs, st.integers(-3, 12))
def test_change_of_time_unit(rows, exponent):
    """Times 2**k: times scale exactly, rates inversely, and dimensionless metrics without tau stay."""
    factor = 2.0**exponent
    before, after = measure(schedule_of(rows)), measure(schedule_of(rows, factor))
    times = [
        "makespan",
        "mean_wait",
        "median_wait",
        "p90_wait",
        "p95_wait",
        "p99_wait",
        "max_wait",
        "mean_turnaround",
        "median_turnaround",
        "max_turnaround",
        "c_max",
        "lower_bound",
        "total_wait",
        "size_weighted_mean_wait",
        "size_weighted_mean_turnaround",
    ]
    for name in times:
        assert after[name] == factor * before[name], name
    for name in (
        "jobs",
        "utilization",
        "busy_share",
        "mean_slowdown",
        "competitive_ratio",
        "grid_utilization",
    ):
        assert after[name] == before[name], name
    assert after["throughput_per_day"] == before["throughput_per_day"] / factor


@UNTIMED
@given(st.data(), whole_jobs)
def test_order_of_the_jobs_does_not_matter(data, rows):
    """A schedule's metrics and steps are those of its jobs in any order."""
    shuffled = data.draw(st.permutations(rows))
    one, other = schedule_of(rows), schedule_of(shuffled)
    assert measure(one) == pytest.approx(measure(other), rel=1e-12)
    for steps in (queue_length, busy_processors):
        assert [column.tolist() for column in steps(one)] == [column.tolist() for column in steps(other)]


@UNTIMED
@given(jobs, st.lists(fractions, max_size=10))
def test_steps_agree_with_counting(rows, instants):
    """At any time the steps give the jobs and processors found by looking at each job."""
    schedule = schedule_of(rows)
    queue, busy = queue_length(schedule), busy_processors(schedule)
    for time in [*instants, *queue.time.tolist(), *busy.time.tolist()]:
        waiting = held = 0
        for submit, run, size, wait, _ in rows:
            waiting += submit <= time < submit + wait
            held += size * (submit + wait <= time < submit + wait + run)
        assert queue.at(np.array([time])).tolist() == [waiting]
        assert busy.at(np.array([time])).tolist() == [held]


@UNTIMED
@given(whole_jobs)
def test_steps_and_sums_agree(rows):
    """The steps enclose the total waiting time and the total area, ascend strictly and end at 0."""
    schedule = schedule_of(rows)
    areas = [sum(row[3] for row in rows), sum(row[1] * row[2] for row in rows)]
    for steps, expected in zip((queue_length(schedule), busy_processors(schedule)), areas, strict=True):
        assert (np.diff(steps.time) > 0).all()
        assert (steps.value >= 0).all()
        assert steps.value[-1] == 0
        assert float((np.diff(steps.time) * steps.value[:-1]).sum()) == expected
    assert int(busy_processors(schedule).value.max()) == schedule.peak_processors


def statistics_of(rows):
    """Return the columns of the tables for some of the jobs, the slow way."""
    waits = [row[3] for row in rows]
    bounded = [max(1, (wait + run) / max(run, 10)) for _, run, _, wait, _ in rows]
    return {
        "jobs": len(rows),
        "area": sum(row[1] * row[2] for row in rows),
        "mean_wait": statistics.fmean(waits),
        "median_wait": statistics.median(waits),
        "max_wait": max(waits),
        "mean_turnaround": statistics.fmean(row[1] + row[3] for row in rows),
        "mean_bounded_slowdown": statistics.fmean(bounded),
    }


@UNTIMED
@given(whole_jobs)
def test_tables_agree_with_loops(rows):
    """Rows by user and by class are the statistics of just their jobs, and their shares add up to 1."""
    schedule = schedule_of(rows)
    users, classes = per_user(schedule), per_class(schedule)
    assert sum(users["jobs"]) == sum(classes["jobs"]) == len(rows)
    assert sum(users["area_share"]) == pytest.approx(1)
    assert sum(classes["area_share"]) == pytest.approx(1)
    for found in users.to_dicts():
        mine = [row for row in rows if row[4] == (-1 if found["user"] is None else int(found["user"]))]
        expected = statistics_of(mine)
        assert {name: found[name] for name in expected} == pytest.approx(expected)
    for place, found in enumerate(classes.to_dicts()):
        size, length = divmod(place, len(LENGTHS) + 1)
        mine = [
            row
            for row in rows
            if sum(row[2] > edge for edge in SIZES) == size
            and sum(row[1] > edge for edge in LENGTHS) == length
        ]
        assert found["jobs"] == len(mine)
        if mine:
            expected = statistics_of(mine)
            assert {name: found[name] for name in expected} == pytest.approx(expected)
