"""The schedule of a run without the jobs that it rejected: everything that was recorded is numbered again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon import Workload
from echelon.errors import InputError
from echelon.model import Attempts, Forecasts, Holdings, Instance, Platform, Schedule, Site, TaskPlaces
from echelon.model.schedules.kept_jobs import kept_positions, schedule_without

LATE = {"too late": [1]}


def whole(*, copies: bool = False) -> Schedule:
    """Return four jobs on two sites of which the second never started, with all that can be recorded."""
    jobs = Workload.from_columns(submit_time=[0, 1, 2, 3], run_time=[10, 20, 30, 40], processors=[1, 2, 3, 4])
    instance = Instance.of(jobs.with_dependencies([1], [3]), Platform((Site("a", 4), Site("b", 4))))
    rows = [(0, 0, 0.0, 10.0), (2, 1, 2.0, 12.0), (2, 1, 20.0, 40.0), (3, 0, 50.0, 90.0)]
    job, site, start, end = map(np.array, zip(*rows, strict=True))
    reason = np.array([0, 3 if copies else 2, 0, 0], dtype=np.int8)
    ones, four = np.ones(3, dtype=np.int64), np.array([0.0, np.nan, 2.0, 3.0])
    held = np.array([0, 2, 3])
    times = {"start": np.zeros(3), "begin": np.zeros(3), "end": np.ones(3), "release": np.ones(3)}
    return Schedule(
        instance,
        np.array([0.0, np.nan, 2.0, 50.0]),
        recorded=Attempts(4, job, site, start, end, reason, copies=copies, cpu_time=end - start),
        site=np.array([0, -1, 1, 0]),
        home_site=np.array([1, 0, 1, 0]),
        predicted_time=np.array([1.0, 2.0, 3.0, 4.0]),
        end=np.array([10.0, np.nan, 40.0, 90.0]),
        holdings=Holdings(
            job=held, group=ones, processor=ones, tasks=ones, first_core=np.array([0, 1, 3, 6]),
            cores=np.arange(6), level=ones, speed=np.ones(3), bandwidth=np.ones(3), **times,
        ),
        places=TaskPlaces(np.array([0, 2, 2, 3]), np.array([0, 1, 1, 0]), np.array([0, 1, 2, 3])),
        delivered=four.copy(),
        forecasts=(Forecasts("one", four.copy(), four.copy(), four.copy()),),
        cpu_time=four.copy(),
    )  # fmt: skip


def test_every_column_is_that_of_the_jobs_kept():
    """Columns by job lose the row of the rejected one, and the instance says why."""
    kept = schedule_without(whole(), LATE, interrupted=True)
    assert kept.instance.kept.tolist() == [0, 2, 3]
    assert [(drop.reason, drop.positions, drop.is_rejected) for drop in kept.instance.dropped] == [
        ("too late", (1,), True)
    ]
    assert (kept.start_time.tolist(), kept.end_time.tolist()) == ([0, 2, 50], [10, 40, 90])
    assert (kept.site.tolist(), kept.home_site.tolist()) == ([0, 1, 0], [1, 1, 0])
    assert kept.predicted_time.tolist() == [1, 3, 4]
    for column in (kept.delivered, kept.cpu_time, kept.forecasts[0].wait, kept.forecasts[0].seconds):
        assert column.tolist() == [0, 2, 3]


def test_rows_of_records_name_the_jobs_by_their_new_positions():
    """Attempts, cores held and places of tasks keep their rows, of jobs that are numbered from 0."""
    kept = schedule_without(whole(), LATE, interrupted=True)
    assert kept.recorded.job.tolist() == [0, 1, 1, 2]
    assert kept.recorded.cpu_time.tolist() == [10, 10, 20, 40]
    assert kept.holdings.job.tolist() == [0, 1, 2]
    assert kept.holdings.first_core.tolist() == [0, 1, 3, 6]
    assert kept.places.job.tolist() == [0, 1, 1, 2]
    gone = schedule_without(whole(), {"too late": [1], "never": [2]}, interrupted=True)
    assert gone.holdings.cores.tolist() == [0, 3, 4, 5]
    assert gone.places.node.tolist() == [0, 3]


def test_attempts_stay_where_they_say_more_than_starts_and_ends():
    """Those that were there only since a job never started go with it; copies and interruptions stay."""
    assert schedule_without(whole(copies=True), LATE, interrupted=False).recorded.copies
    once = whole()
    rows = np.array([0, 1, 3])
    names = ("job", "site", "start", "end")
    columns = {name: getattr(once.recorded, name)[rows] for name in names}
    single = Attempts(4, reason=np.zeros(3, dtype=np.int8), **columns)
    assert schedule_without(replace(once, recorded=single), LATE, interrupted=False).recorded is None


def test_jobs_rejected_meanwhile_were_present():
    """A job that waited for a rejected one has no absent predecessor: it came when that one left."""
    kept = schedule_without(whole(), LATE, interrupted=True)
    assert (kept.instance.dependencies, kept.instance.absent_predecessors) == (None, 0)


def test_a_run_that_rejects_all_jobs_is_refused():
    """Nothing can be measured of no job; the error counts the jobs by reason."""
    with pytest.raises(InputError, match="no job is left to simulate: 3 with too late; 1 with never"):
        kept_positions(whole().instance, {"too late": [0, 1, 3], "never": [2]})
