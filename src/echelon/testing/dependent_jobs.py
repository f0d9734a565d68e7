"""Random jobs that wait for others, and their expected releases."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from echelon.model import Dependencies

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from echelon.model import Instance, Schedule
    from echelon.model.jobs.columns import FloatColumn

_DELAYS = (0.0, 0.0, 0.0, 1.0, 2.0, 7.0, 30.0)
_FOLLOWING = 0.3
"""Share of the jobs that wait that follow."""


@st.composite
def dependent(draw: DrawFn, /, strategy: SearchStrategy[Instance], *, densest: float = 2.0) -> Instance:
    """Return a strategy for the instances of another strategy, with random dependencies.

    Up to `densest` times as many edges as jobs, most without delay, from jobs listed before or after; some
    jobs that wait follow.
    """
    instance = draw(strategy)
    n_jobs = len(instance)
    edges = np.array(draw(_edges(n_jobs, int(densest * n_jobs)))).reshape(-1, 3)
    place = np.arange(n_jobs)
    if draw(st.booleans()):
        np.random.default_rng(draw(st.integers(0, 99))).shuffle(place)
    one, other = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64)
    before, after = np.where(place[one] < place[other], (one, other), (other, one))
    follows = np.zeros(n_jobs, dtype=np.bool_)
    follows[after[one != other]] = True
    follows &= draw(st.integers(0, 2)) == 0
    return with_edges(instance, before[one != other], after[one != other], edges[one != other, 2], follows)


@cache
def _edges(n_jobs: int, most: int) -> SearchStrategy[list[tuple[int, int, float]]]:
    """Return a strategy for up to `most` edges: two jobs and a delay."""
    pairs = st.tuples(st.integers(0, n_jobs - 1), st.integers(0, n_jobs - 1), st.sampled_from(_DELAYS))
    return st.lists(pairs, max_size=most)


DAGS: tuple[str, ...] = ("chains", "diamonds", "tree", "sparse")
"""Shapes that `dag` knows."""


def dag(instance: Instance, shape: str, seed: int) -> Instance:
    """Return `instance` with random dependencies of one of the shapes of `DAGS`.

    Half of the delays are 0, the others fractions of seconds to minutes; a third of the jobs that wait
    follow. Jobs stand in the log in any order.
    """
    rng = np.random.default_rng(seed)
    n_jobs = len(instance)
    job = np.arange(n_jobs)
    if shape == "chains":
        before, after = job[:-7], job[7:]
    elif shape == "diamonds":
        # One splits into four, which meet in the next one.
        split = job // 5 * 5
        meet = np.minimum(split + 5, n_jobs - 1)
        before, after = np.concatenate((split, job)), np.concatenate((job, meet))
    elif shape == "tree":
        before, after = (rng.random(n_jobs - 1) * job[1:]).astype(np.int64), job[1:]
    else:
        after = np.flatnonzero(rng.random(n_jobs) < 0.1)
        before = (rng.random(len(after)) * after).astype(np.int64)
    apart = before < after
    place = rng.permutation(n_jobs)
    before, after = place[before[apart]], place[after[apart]]
    delay = rng.choice((0.0, 0.0, 0.0, 0.1, 1 / 3, 60.0), len(before))
    follows = np.zeros(n_jobs, dtype=np.bool_)
    follows[after] = rng.random(len(after)) < 1 / 3
    return with_edges(instance, before, after, delay, follows)


def random_edges(instance: Instance, seed: int, *, density: float = 1.0) -> Instance:
    """Return `instance` with about `density` random edges a job, from jobs listed before to later ones."""
    draw = np.random.default_rng(seed)
    n_jobs = len(instance)
    one, other = draw.integers(0, n_jobs, (2, int(density * n_jobs)))
    before, after = np.minimum(one, other), np.maximum(one, other)
    real = before < after
    delay = draw.choice(_DELAYS, len(before))
    follows = np.zeros(n_jobs, dtype=np.bool_)
    follows[after[real]] = draw.random(int(real.sum())) < _FOLLOWING
    return with_edges(instance, before[real], after[real], delay[real], follows)


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
    dependencies = Dependencies.of_edges(len(instance), predecessor, successor, delay=delay, follows=follows)
    return dataclasses.replace(instance, dependencies=dependencies)


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
