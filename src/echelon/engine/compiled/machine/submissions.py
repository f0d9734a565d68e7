"""Submissions: the submissions of a run, in kernels: by the log, or by the ends of others.

A job without predecessors stands in a list by (submit time, position), known before the run. One with
predecessors is released by the last of them: it goes into a heap then, by (release time, position). Both are
read side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.heap import ENTRY_TYPE
from echelon.libraries.kernel import kernel

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.dependencies import Dependencies

NUMBERS_TYPE = np.dtype(
    [
        ("dependent", np.int64),  # whether any job waits for another
        ("taken", np.int64),  # jobs submitted so far (dependent)
        ("instant", np.int64),  # those of them before the time of the last (dependent)
        ("own", np.int64),  # those of them that have no predecessors (dependent)
        ("released", np.int64),  # entries in the heap (dependent)
    ],
    align=True,
)
"""The numbers of one run."""

EDGE_TYPE = np.dtype([("successor", np.int64), ("delay", np.float64)], align=True)
"""A job that waits for another to end, and how long after."""


class Submissions(NamedTuple):
    """What is known of submissions to come."""

    numbers: Any  # NUMBERS_TYPE[1]
    arrivals: Any  # int64[n_jobs]: jobs as they are submitted, so far, or all if none waits for another
    own: Any  # int64[...]: jobs without predecessors by (submit time, position) (dependent)
    heap: Any  # ENTRY_TYPE[...]: jobs released (dependent)
    left: Any  # int64[n_jobs]: predecessors that each job still waits for (dependent)
    first: Any  # int64[n_jobs + 1]: the edges from job j are first[j] ... first[j + 1] - 1 (dependent)
    edges: Any  # EDGE_TYPE[...]


def independent_submissions(arrivals: IntColumn) -> Submissions:
    """Return the submissions of jobs that wait for no others: `arrivals`, by (submit time, position)."""
    none = np.zeros(0, dtype=np.int64)
    return Submissions(
        np.zeros(1, dtype=NUMBERS_TYPE),
        arrivals,
        own=none,
        heap=np.empty(0, dtype=ENTRY_TYPE),
        left=none,
        first=none,
        edges=np.empty(0, dtype=EDGE_TYPE),
    )


def dependent_submissions(arrivals: IntColumn, dependencies: Dependencies) -> Submissions:
    """Return the submissions of jobs of which some wait for others; kernels know them by position.

    Parameters
    ----------
    arrivals : IntColumn, shape (n_jobs,)
        Jobs by (submit time of the log, position).
    dependencies : Dependencies
        By position.
    """
    n_jobs = len(arrivals)
    before, after = dependencies.predecessor, dependencies.successor
    order = np.argsort(before, kind="stable")
    edges = np.empty(len(order), dtype=EDGE_TYPE)
    edges["successor"], edges["delay"] = after[order], dependencies.delay[order]
    left = np.bincount(after, minlength=n_jobs)
    numbers = np.zeros(1, dtype=NUMBERS_TYPE)
    numbers["dependent"] = 1
    return Submissions(
        numbers,
        np.empty(n_jobs, dtype=np.int64),
        own=arrivals[left[arrivals] == 0],
        heap=np.empty(int((left > 0).sum()) + 1, dtype=ENTRY_TYPE),
        left=left,
        first=np.concatenate(([0], np.cumsum(np.bincount(before, minlength=n_jobs)))),
        edges=edges,
    )


@kernel
def next_submission(submissions, jobs, position):
    """Return when the next job from `position` on is submitted, by what is known; infinity without."""
    if submissions.numbers[0].dependent:
        return _next_release(submissions, jobs)
    return jobs[submissions.arrivals[position]].submit if position < len(jobs) else np.inf


@kernel
def _next_release(submissions, jobs):
    """Return when the next job is submitted, by the log or because of the ENDs so far."""
    numbers, time = submissions.numbers[0], np.inf
    if numbers.own < len(submissions.own):
        time = jobs[submissions.own[numbers.own]].submit
    return min(time, submissions.heap[0].time) if numbers.released > 0 else time


@kernel
def take_submissions(submissions, jobs, now, position):
    """Take the jobs submitted now, the first of which is number `position`; return how many have been then.

    They stand in ``submissions.arrivals``, those of one time by position.
    """
    if submissions.numbers[0].dependent:
        return _take_released(submissions, jobs, now)
    while position < len(jobs) and jobs[submissions.arrivals[position]].submit == now:
        position += 1
    return position


@kernel
def _take_released(submissions, jobs, now):
    """Do so if jobs wait for others."""
    numbers = submissions.numbers[0]
    while _next_release(submissions, jobs) == now:
        submissions.arrivals[numbers.taken] = _take_first(submissions, jobs, now)
        numbers.taken += 1
    return numbers.taken


@kernel
def _take_first(submissions, jobs, now):
    """Take the first of the jobs submitted now, by position."""
    numbers, entries = submissions.numbers[0], submissions.heap
    if numbers.own < len(submissions.own):
        job = submissions.own[numbers.own]
        is_released = numbers.released > 0 and entries[0].time == now
        if jobs[job].submit == now and not (is_released and entries[0].job < job):
            numbers.own += 1
            return job
    job = entries[0].job
    heap.drop_first(entries, numbers.released)
    numbers.released -= 1
    return job


@kernel
def note_end(submissions, jobs, now, job):
    """Note that `job` has ended: it may release others, even at this very time."""
    for k in range(submissions.first[job], submissions.first[job + 1]):
        edge = submissions.edges[k]
        after = edge.successor
        # Until it is released, its submit time is the latest one known.
        jobs[after].submit = max(jobs[after].submit, now + edge.delay)
        submissions.left[after] -= 1
        if submissions.left[after] == 0:
            numbers = submissions.numbers[0]
            heap.push(submissions.heap, numbers.released, jobs[after].submit, after, after)
            numbers.released += 1


@kernel
def put_behind(submissions, jobs, first, last):
    """Give the jobs submitted now keys behind those of all jobs that are equal but came earlier.

    They are numbers `first` to `last` - 1 of the run. Jobs of one time share a key and are ordered by
    position, even if one was released by another that started and ended at that very time, by rounding.
    """
    numbers, arrivals = submissions.numbers[0], submissions.arrivals
    if first == last:
        return
    if first == 0 or jobs[arrivals[first - 1]].submit < jobs[arrivals[first]].submit:
        numbers.instant = first
    for k in range(first, last):
        jobs[arrivals[k]].key += numbers.instant
        jobs[arrivals[k]].candidate += numbers.instant


@kernel
def note_places(submissions, traits, first, last):
    """Note the places of the jobs that have just been put behind, for orders that change with time."""
    for k in range(first, last):
        job = submissions.arrivals[k]
        traits[job].place = submissions.numbers[0].instant * len(traits) + job


@kernel
def note_ends(submissions, jobs, now, ending, pyss, late):
    """Note the jobs that end now, before the SUBMITs, or `late`, behind them.

    By the rules of `pyss` those that end before their planned end do so behind the SUBMITs of this instant,
    and the jobs they release are submitted in another round of it. No other job is late.
    """
    for job in ending:
        if (pyss and jobs[job].planned_end > now) == late:
            note_end(submissions, jobs, now, job)
