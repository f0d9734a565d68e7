"""Dependencies: edges in any order, cut to some jobs, and circles found."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Dependencies, Workload
from echelon.model.jobs.dependencies import CircleError


def of(n_jobs, *edges, follows=()):
    """Return the dependencies of edges (predecessor, successor, delay)."""
    before, after, delay = (
        (np.array(column) for column in zip(*edges, strict=True)) if edges else ([], [], [])
    )
    flags = np.isin(np.arange(n_jobs), follows)
    columns = (np.asarray(column, dtype=np.int64) for column in (before, after))
    return Dependencies.of_edges(n_jobs, *columns, delay=np.asarray(delay, dtype=float), follows=flags)


def edges_of(dependencies):
    """Return the edges as a set of (predecessor, successor, delay)."""
    columns = (dependencies.predecessor, dependencies.successor, dependencies.delay)
    return set(zip(*(column.tolist() for column in columns), strict=True))


def test_edges_in_any_order_are_one_thing():
    """The order of edges says nothing; of an edge given twice the longer delay stays."""
    one = of(4, (0, 2, 5), (1, 2, 0), (2, 3, 7), (2, 3, 1))
    other = of(4, (2, 3, 1), (2, 3, 7), (1, 2, 0), (0, 2, 5))
    assert one == other
    assert one.first.tolist() == [0, 0, 0, 2, 3]
    assert one.predecessor.tolist() == [0, 1, 2]
    assert one.successor.tolist() == [2, 2, 3]
    assert one.delay.tolist() == [5, 0, 7]
    assert one.of(2).tolist() == [0, 1]
    assert one.of(0).tolist() == []
    assert len(one) == 4
    assert one != of(4, (0, 2, 5))
    assert one != "edges"


def test_without_delays_and_followers():
    """By default nothing is waited for after an end, and every job's own submit time counts."""
    plain = Dependencies.of_edges(2, np.array([0]), np.array([1]))
    assert plain.delay.tolist() == [0]
    assert not plain.follows.any()
    assert len(Dependencies.of_edges(0, np.array([], dtype=int), np.array([], dtype=int))) == 0


def test_columns_can_not_be_written():
    """What jobs wait for does not change."""
    with pytest.raises(ValueError, match="read-only"):
        of(2, (0, 1, 0)).delay[0] = 1


def test_take_keeps_what_is_left():
    """By their new places; jobs stop waiting for lost predecessors, and without any they follow none."""
    whole = of(5, (0, 2, 1), (1, 2, 2), (0, 3, 3), (2, 4, 4), follows=(2, 3))
    kept = whole.take(np.array([4, 2, 1, 3]))
    assert edges_of(kept) == {(2, 1, 2), (1, 0, 4)}
    assert kept.follows.tolist() == [False, True, False, False]
    assert edges_of(whole.take(np.arange(5))) == edges_of(whole)
    assert len(whole.take(np.array([], dtype=np.int64))) == 0


@pytest.mark.parametrize("edges", [[(0, 0, 0)], [(0, 1, 0), (1, 0, 0)], [(0, 1, 0), (1, 3, 0), (3, 1, 0)]])
def test_circles_are_refused(edges):
    """A job that waits for itself, two for each other, and a circle behind a job that is in none."""
    with pytest.raises(CircleError, match="in a cycle, by position in the list: ") as caught:
        of(4, *edges)
    circle = caught.value.positions
    assert circle[0] == circle[-1]
    assert all((after, before) in {(a, b) for a, b, _ in edges} for before, after in pairwise(circle))


def test_a_long_circle_is_not_told_in_full():
    """Six jobs are shown, as the caller calls them."""
    edges = [(job, (job + 1) % 9, 0) for job in range(9)]
    with pytest.raises(CircleError) as caught:
        of(9, *edges)
    told = str(CircleError(caught.value.positions, "J{}".format, "log.swf"))
    assert told.startswith("log.swf, dependencies: jobs wait for each other in a cycle, by job id: J")
    assert told.count("waits for") == 5
    assert " ...;" in told


@given(st.integers(1, 12), st.data())
def test_a_circle_is_found_if_and_only_if_there_is_one(n_jobs, data):
    """The check agrees with a search for a path from each job to itself; what it names is a circle."""
    pair = st.tuples(st.integers(0, n_jobs - 1), st.integers(0, n_jobs - 1))
    edges = data.draw(st.lists(pair, max_size=14))
    reach = np.zeros((n_jobs, n_jobs), dtype=bool)
    for before, after in edges:
        reach[before, after] = True
    for middle in range(n_jobs):
        reach |= reach[:, [middle]] & reach[[middle], :]
    if not reach.diagonal().any():
        of(n_jobs, *((before, after, 0) for before, after in edges))
        return
    with pytest.raises(CircleError) as caught:
        of(n_jobs, *((before, after, 0) for before, after in edges))
    circle = caught.value.positions
    assert circle[0] == circle[-1]
    assert all((after, before) in edges for before, after in pairwise(circle))


def column(*values, kind=np.int64):
    return np.array(values, dtype=kind)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ((column(0, 1), column(3), column(0), column(False, kind=bool)), "predecessors must be positions"),
        ((column(0, 2), column(0), column(0), column(False, kind=bool)), "columns must fit"),
        ((column(0, 0, 1), column(5), column(0), column(0, 0, kind=bool)), "positions from 0 to 1"),
        ((column(0, 0, 1), column(0), column(-1), column(0, 0, kind=bool)), "delays must be finite"),
        (
            (column(0, 0, 1), column(0), column(np.inf, kind=float), column(0, 0, kind=bool)),
            "delays must be finite",
        ),
        ((column(0, 0, 0), column(), column(), column(0, 1, kind=bool)), "needs a predecessor"),
        ((column(0, 0, 2), column(0, 0), column(0, 0), column(0, 0, kind=bool)), "ascending and different"),
        ((column(0, 2, 1), column(0), column(0), column(0, 0, kind=bool)), "columns must fit"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, told):
    """Bounds, positions, delays and followers must make sense together."""
    with pytest.raises(InputError, match=told):
        Dependencies(*columns)


def test_successors_must_be_jobs():
    """An edge to a job that is not there is refused."""
    with pytest.raises(InputError, match="successors must be positions from 0 to 1"):
        of(2, (0, 2, 0))


def test_a_workload_is_given_them():
    """By position, with delays or without; what makes no sense is refused."""
    jobs = Workload.from_columns(run_time=[1, 1, 1])
    tied = jobs.with_dependencies([0, 1], [2, 2], delay=[0, 5])
    assert edges_of(tied.dependencies) == {(0, 2, 0), (1, 2, 5)}
    assert edges_of(tied.with_dependencies([0], [1]).dependencies) == {(0, 1, 0)}
    assert not edges_of(tied.with_dependencies([], []).dependencies)
    with pytest.raises(InputError, match="equally long"):
        jobs.with_dependencies([0, 1], [2])
    with pytest.raises(InputError, match="positions from 0 to 2"):
        jobs.with_dependencies([3], [0])
    with pytest.raises(CircleError):
        jobs.with_dependencies([0, 1], [1, 0])


def test_a_workload_carries_them():
    """They go with the jobs through take, count for equality, and must be of every job."""
    jobs = Workload.from_columns(run_time=[1, 1, 1])
    tied = replace(jobs, dependencies=of(3, (0, 1, 0), (1, 2, 5)))
    assert tied != jobs
    cut = tied.take(np.array([1, 2])).dependencies
    assert cut is not None
    assert edges_of(cut) == {(0, 1, 5)}
    with pytest.raises(InputError, match="needs dependencies of every job, got those of 2 for 3 jobs"):
        replace(jobs, dependencies=of(2))
