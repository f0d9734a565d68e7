"""Jobs that wait for others, drawn at random, and what their releases must have been."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from echelon.model import Dependencies

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from echelon.model import Instance, Schedule
    from echelon.model.columns import FloatColumn

_DELAYS = (0.0, 0.0, 0.0, 1.0, 2.0, 7.0, 30.0)


@st.composite
def dependent(draw: DrawFn, /, given: SearchStrategy[Instance], *, densest: float = 2.0) -> Instance:
    """Return a strategy for the instances of another, whose jobs wait for each other.

    Up to `densest` times as many edges as jobs, most without delay, from jobs listed before or after; some
    jobs that wait follow.
    """
    instance = draw(given)
    n_jobs = len(instance)
    pairs = st.tuples(st.integers(0, n_jobs - 1), st.integers(0, n_jobs - 1), st.sampled_from(_DELAYS))
    edges = np.array(draw(st.lists(pairs, max_size=int(densest * n_jobs)))).reshape(-1, 3)
    place = np.arange(n_jobs)
    if draw(st.booleans()):
        np.random.default_rng(draw(st.integers(0, 99))).shuffle(place)
    one, other = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64)
    before, after = np.where(place[one] < place[other], (one, other), (other, one))
    follows = np.zeros(n_jobs, dtype=np.bool_)
    follows[after[one != other]] = True
    follows &= draw(st.integers(0, 2)) == 0
    return with_edges(instance, before[one != other], after[one != other], edges[one != other, 2], follows)


def with_edges(
    instance: Instance,
    predecessor: np.ndarray[tuple[int], np.dtype[np.int64]],
    successor: np.ndarray[tuple[int], np.dtype[np.int64]],
    delay: FloatColumn | None = None,
    follows: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None,
) -> Instance:
    """Return `instance` with these dependencies, by position; without any if there is no edge."""
    if not len(predecessor):
        return dataclasses.replace(instance, dependencies=None)
    found = Dependencies.of_edges(len(instance), predecessor, successor, delay=delay, follows=follows)
    return dataclasses.replace(instance, dependencies=found)


def releases(log: Instance, end: FloatColumn) -> FloatColumn:
    """Return when the jobs of `log` are released if they end at `end`, in seconds, by the definition."""
    waiting = log.dependencies
    if waiting is None:
        return log.submit_time
    times = np.where(waiting.follows, -np.inf, log.submit_time)
    np.maximum.at(times, waiting.successor, end[waiting.predecessor] + waiting.delay)
    return times


def check_releases(log: Instance, schedule: Schedule) -> None:
    """Assert that every job of `schedule` joined when it was released, to the last bit, and started later."""
    submitted = schedule.instance.submit_time
    assert np.array_equal(submitted, releases(log, schedule.end_time))
    assert (schedule.start_time >= submitted).all()
