"""Attempts, and what a schedule makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import busy_processors, measure, queue_length
from echelon.metrics.columns.job_values import delay_time, preemptions, suspended_time, switch_time
from echelon.metrics.columns.steps import waiting_intervals
from echelon.model import Attempts, EndReason, Instance, Platform, Schedule, Site, Workload
from echelon.testing import draw

TWO = Instance.of(Workload.from_columns(submit_time=[0, 2], run_time=[6, 3], processors=[3, 2]), 4)
COMPLETED, KILLED, PREEMPTED, CANCELED = list(EndReason)[:4]


def attempts(*rows, jobs=2, **more):
    """Return attempts of rows of a job, a start, an end and a reason, at no site."""
    job, start, end, reason = zip(*rows, strict=True) if rows else ((), (), (), ())
    columns = np.array(job, dtype=int), np.full(len(rows), -1), np.array(start, float), np.array(end, float)
    return Attempts(jobs, *columns, np.array(reason, dtype=np.int8), **more)


def preempted():
    """Job 1 runs from 0 to 2, job 2 pays 1 s and runs to 6, job 1 goes on from 7, pays 1 s, ends at 12.

    ::

        2 1 1 . . . . . 1 1 1 1 1
        1 1 1 2 2 2 2 . 1 1 1 1 1
        0 1 1 2 2 2 2 . 1 1 1 1 1
    """
    rows = (0, 0, 2, PREEMPTED), (0, 7, 12, COMPLETED), (1, 2, 6, COMPLETED)
    return Schedule(TWO, np.array([0.0, 2.0]), recorded=attempts(*rows))


def half_started():
    """Job 1 runs from 0 to 6; job 2 never starts."""
    return Schedule(TWO, np.array([0.0, np.nan]), recorded=attempts((0, 0, 6, COMPLETED)))


def test_times_of_a_preempted_job():
    """Its end is the last attempt's; it waits until it starts and while suspended, not in a switch."""
    schedule = preempted()
    assert schedule.end_time.tolist() == [12, 6]
    assert schedule.response_time.tolist() == [0, 0]
    assert schedule.wait_time.tolist() == [5, 0]
    assert schedule.held_time.tolist() == [7, 4]
    assert suspended_time(schedule).tolist() == [5, 0]
    assert switch_time(schedule).tolist() == [1, 1]
    assert delay_time(schedule).tolist() == [6, 1]
    assert preemptions(schedule).tolist() == [1, 0]
    assert schedule.peak_processors == 3


def test_steps_go_by_attempts():
    """A suspended job waits and holds nothing."""
    busy, queue = busy_processors(preempted()), queue_length(preempted()).changes()
    assert dict(zip(busy.time.tolist(), busy.value.tolist(), strict=True)) == {0: 3, 2: 2, 6: 0, 7: 3, 12: 0}
    assert dict(zip(queue.time.tolist(), queue.value.tolist(), strict=True)) == {2: 1, 7: 0}


def test_metrics_of_a_preempted_schedule():
    """Slowdown is turnaround over run; work, switches and idle time share the machine."""
    found = measure(preempted())
    assert found["mean_turnaround"] == (12 + 4) / 2
    assert found["mean_slowdown"] == pytest.approx((12 / 6 + 4 / 3) / 2)
    assert found["utilization"] == pytest.approx((18 + 6) / 48)
    assert found["switch_share"] == pytest.approx((3 + 2) / 48)
    # From 6 to 7 no job holds a processor.
    assert found["busy_share"] == pytest.approx(9 / 10)
    assert found["mean_wait"] == found["total_wait"] / 2 == 2.5
    assert found["max_wait"] == 5
    assert found["mean_response"] == found["max_response"] == 0
    assert found["mean_suspended_time"] == 2.5


def test_drawing():
    """Between its attempts a job is drawn as suspended."""
    assert draw(preempted()).splitlines() == [
        "time  0    2    6    7    12",
        "1 x3  =====----------=====",
        "2 x2       =====",
    ]


def test_schedule_without_preemption_has_an_attempt_a_job():
    """Where none are recorded each job has one, from its start to its end, and nothing is interrupted."""
    schedule = Schedule(TWO, np.array([0.0, 6.0]))
    found = schedule.attempts
    assert (found.job.tolist(), found.site.tolist()) == ([0, 1], [-1, -1])
    assert (found.start.tolist(), found.end.tolist()) == ([0, 6], [6, 9])
    assert (found.reason.tolist(), found.counts().tolist()) == ([COMPLETED, COMPLETED], [1, 1])
    assert found.held_time().tolist() == schedule.held_time.tolist() == [6, 3]
    assert schedule.recorded is schedule.segments is schedule.replicas is None
    assert not schedule.interrupted


def test_attempts_of_a_grid_have_its_sites():
    """Where none are recorded each job's attempt is at its site."""
    grid = Instance.of(TWO.workload, Platform((Site("a", 2), Site("b", 4))))
    assert Schedule(grid, np.array([0.0, 2.0]), site=np.array([1, 0])).attempts.site.tolist() == [1, 0]


def test_a_job_cut_at_its_request_is_killed():
    """The attempt of a job that was cut at its requested time says so, in agreement with the instance."""
    table = Workload.from_columns(
        submit_time=[0, 0], run_time=[6, 3], processors=[1, 1], requested_time=[4, 4]
    )
    schedule = Schedule(Instance.of(table, 2, estimates="kill"), np.zeros(2))
    assert schedule.attempts.reason.tolist() == [KILLED, COMPLETED]
    assert schedule.attempts.end.tolist() == [4, 3]
    assert schedule.attempts.finished.tolist() == [True, True]


def test_what_is_asked_of_attempts():
    """Attempts are counted by job and by reason; those that follow a preemption are resumptions."""
    schedule = preempted()
    found = schedule.attempts
    assert schedule.interrupted
    assert schedule.segments is schedule.recorded is found
    assert schedule.replicas is None
    assert (len(found), found.n_jobs) == (3, 2)
    assert (found.counts().tolist(), found.counts(reason=PREEMPTED).tolist()) == ([2, 1], [1, 0])
    assert found.finished.tolist() == [False, True, True]
    assert found.reason_names.tolist() == ["preempted", "completed", "completed"]
    assert found.ended_by(PREEMPTED).tolist() == [True, False, False]
    assert (found.first_start().tolist(), found.last_end().tolist()) == ([0, 2], [12, 6])
    assert found.resumptions().tolist() == [1]


def test_a_job_that_never_started_has_no_attempt():
    """It counts 0 attempts that held nothing, and has neither a start nor an end."""
    found = attempts((1, 3, 5, PREEMPTED), (1, 8, 9, COMPLETED), jobs=3)
    assert found.counts().tolist() == [0, 2, 0]
    assert found.held_time().tolist() == [0, 3, 0]
    assert np.array_equal(found.first_start(), [np.nan, 3, np.nan], equal_nan=True)
    assert np.array_equal(found.last_end(), [np.nan, 9, np.nan], equal_nan=True)
    nothing = attempts(jobs=2)
    assert (len(nothing), nothing.counts().tolist(), nothing.held_time().tolist()) == (0, [0, 0], [0, 0])
    assert np.isnan(nothing.first_start()).all()
    assert np.isnan(nothing.last_end()).all()


def test_a_schedule_in_which_a_job_never_started():
    """Recorded attempts say that it has none: it holds nothing, is at no site and waits in the drawing."""
    schedule = half_started()
    assert np.array_equal(schedule.end_time, [6, np.nan], equal_nan=True)
    assert schedule.held_time.tolist() == [6, 0]
    assert schedule.peak_processors == 3
    assert busy_processors(schedule).value.tolist() == [3, 0]
    assert draw(schedule).splitlines()[1:] == ["1 x3  ==========", "2 x2       ....."]
    grid = Instance.of(TWO.workload, Platform((Site("a", 2), Site("b", 4))))
    there = replace(schedule, instance=grid, site=np.array([1, -1]))
    assert there.site.tolist() == [1, -1]
    with pytest.raises(InputError, match="job 1 ran at no site"):
        replace(schedule, instance=grid, site=np.array([-1, -1]))


def test_no_metrics_of_a_schedule_in_which_a_job_never_started():
    """A mean over jobs of which one has no wait is refused, not made up."""
    with pytest.raises(InputError, match="every job started, but job 2 never did"):
        measure(half_started())


def test_copies_run_side_by_side():
    """Copies of a job may overlap; its end is the latest of them, and one of them completed."""
    rows = (0, 0, 9, CANCELED), (0, 1, 9, COMPLETED), (1, 2, 5, COMPLETED)
    found = attempts(*rows, copies=True)
    assert (found.held_time().tolist(), found.last_end().tolist()) == ([17, 3], [9, 5])
    assert found.counts(reason=CANCELED).tolist() == [1, 0]
    assert found.resumptions().tolist() == []
    schedule = Schedule(TWO, np.array([0.0, 2.0]), recorded=found, end=np.array([9.0, 5.0]))
    assert not schedule.interrupted
    assert schedule.replicas is schedule.attempts is found
    assert schedule.segments is None
    assert schedule.suspended_time.tolist() == [0, 0]
    # From 2 to 5 job 1 holds three processors twice, and job 2 holds two.
    assert schedule.peak_processors == 8
    with pytest.raises(InputError, match="not overlap; row 1 is not"):
        attempts(*rows)


def test_copies_of_one_job_and_suspensions_of_another():
    """Segments follow each other, a job that had copies as one; replicas are of jobs never suspended."""
    rows = (0, 0, 9, CANCELED), (0, 1, 9, COMPLETED), (1, 2, 3, PREEMPTED), (1, 5, 7, COMPLETED)
    found = attempts(*rows, copies=True, suspends=True)
    schedule = Schedule(TWO, np.array([0.0, 2.0]), recorded=found, end=np.array([9.0, 7.0]))
    segments, replicas = schedule.segments, schedule.replicas
    assert (segments.start.tolist(), segments.end.tolist()) == ([0, 2, 5], [9, 3, 7])
    assert (replicas.job.tolist(), replicas.start.tolist()) == ([0, 0], [0, 1])
    assert schedule.suspended_time.tolist() == [0, 2]
    assert [part.tolist() for part in waiting_intervals(schedule)] == [[0, 2, 3], [0, 2, 5]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (((1, 0, 1, 0), (0, 2, 3, 0)), "sorted by job and time and not overlap; row 1 is not"),
        (((0, 0, 5, 2), (0, 4, 6, 0), (1, 0, 1, 0)), "row 1 is not"),
        (((0, 5, 4, 0), (1, 0, 1, 0)), "an end not before the start, got 4.0 in row 0"),
        (((0, 0, 1, 0), (1, np.nan, 1, 0)), "a finite start, got nan in row 1"),
        (((0, 0, 1, 0), (2, 0, 1, 0)), "a job from 0 to 1, got 2 in row 1"),
        (((-1, 0, 1, 0),), "a job from 0 to 1, got -1 in row 0"),
        (((0, 0, 1, 9),), "a known reason, got 9 in row 0"),
        (((0, 0, 1, 0), (1, 0, 1, 0), (1, 2, 3, 1)), "done once; the one at position 1 is done again"),
    ],
)
def test_rows_that_are_no_attempts(rows, sentence):
    """Rows go by job, then time; a job is in one place at a time, ends after it starts, and is done once."""
    with pytest.raises(InputError, match=sentence):
        attempts(*rows)


def test_copies_are_sorted_by_start():
    """Copies that overlap are still in order of their starts, and no two of them complete."""
    with pytest.raises(InputError, match="sorted by job and start; row 1 is not"):
        attempts((0, 3, 9, COMPLETED), (0, 1, 9, CANCELED), copies=True)
    with pytest.raises(InputError, match="position 0 is done again"):
        attempts((0, 1, 9, COMPLETED), (0, 3, 9, COMPLETED), copies=True)


def test_attempts_of_other_jobs():
    """Attempts are of the schedule's jobs and begin when these start; columns are equally long."""
    starts, row = np.array([0.0, 2.0]), (0, 0, 1, COMPLETED)
    with pytest.raises(InputError, match="got those of 3 for 2 jobs"):
        Schedule(TWO, starts, recorded=attempts(row, jobs=3))
    with pytest.raises(InputError, match="job 2 starts at 2 s, but its first recorded attempt at nan s"):
        Schedule(TWO, starts, recorded=attempts(row))
    with pytest.raises(InputError, match="job 2 starts at nan s, but its first recorded attempt at 1 s"):
        Schedule(TWO, np.array([0.0, np.nan]), recorded=attempts(row, (1, 1, 2, COMPLETED)))
    with pytest.raises(InputError, match="equally long, got 1, 1, 2, 1, 1"):
        Attempts(1, np.array([0]), np.array([0]), np.zeros(2), np.zeros(1), np.zeros(1, dtype=np.int8))
    with pytest.raises(InputError, match="equally long, got 1, 1, 1, 1, 1, 2"):
        attempts(row, jobs=1, cpu_time=np.zeros(2))


def test_attempts_can_not_be_changed():
    """Attempts cannot be changed, recorded or not."""
    with pytest.raises(ValueError, match="read-only"):
        preempted().attempts.end[0] = 9
    with pytest.raises(ValueError, match="read-only"):
        Schedule(TWO, np.array([0.0, 6.0])).attempts.reason[0] = PREEMPTED


def test_a_requeued_job_waits_again():
    """It joins the queue as its node fails and leaves it as it restarts; a preempted one only resumes."""
    requeued = EndReason.REQUEUED
    found = attempts((0, 0, 2, requeued), (0, 4, 5, PREEMPTED), (0, 6, 12, COMPLETED), (1, 2, 5, COMPLETED))
    assert found.resumptions().tolist() == [1, 2]
    assert found.restarts().tolist() == [1]
    join, leave = waiting_intervals(Schedule(TWO, np.array([0.0, 2.0]), recorded=found))
    assert (join.tolist(), leave.tolist()) == ([0, 2, 2, 5], [0, 2, 4, 6])


def test_copies_side_by_side_are_one_attempt():
    """Copies count together from the first start to the end that counts; a later one is another attempt."""
    attempts = Attempts(
        2,
        np.array([0, 0, 0, 0, 1]),
        np.array([0, 1, 2, 1, 0]),
        np.array([0.0, 5.0, 8.0, 40.0, 2.0]),
        np.array([10.0, 30.0, 30.0, 60.0, 3.0]),
        np.array(
            [
                EndReason.REQUEUED,
                EndReason.REQUEUED,
                EndReason.REQUEUED,
                EndReason.COMPLETED,
                EndReason.COMPLETED,
            ],
            dtype=np.int8,
        ),
        copies=True,
        suspends=True,
    )
    one = attempts.one_after_another()
    assert (one.job.tolist(), one.start.tolist(), one.end.tolist()) == ([0, 0, 1], [0, 40, 2], [30, 60, 3])
    assert one.reason.tolist() == [EndReason.REQUEUED, EndReason.COMPLETED, EndReason.COMPLETED]
    assert not one.copies


def test_a_copy_beside_another_is_no_restart():
    """Copies run from 0 to 100, 10 to 20 and 30 to 40 s, all lost; the only restart is at 200 s."""
    requeued = EndReason.REQUEUED
    rows = (0, 0, 100, requeued), (0, 10, 20, requeued), (0, 30, 40, requeued), (0, 200, 260, COMPLETED)
    found = attempts(*rows, copies=True, suspends=True)
    assert found.restarts().tolist() == [3]
    assert found.find_deciding().tolist() == [0, 3]
