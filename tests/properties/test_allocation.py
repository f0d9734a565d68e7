"""Properties of processor numbers: the compiled loop is the definition, and no processor is held twice."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model.schedules.allocation import assign_by_definition, assign_processors

times = st.integers(0, 12).map(float)
jobs = st.lists(st.tuples(times, st.integers(0, 8).map(float), st.integers(1, 6)), max_size=40)


def columns(rows):
    start = np.array([row[0] for row in rows])
    return start, start + [row[1] for row in rows], np.array([row[2] for row in rows], dtype=np.int64)


def outcome(rule, rows, processors):
    try:
        return rule(*columns(rows), processors)
    except InputError as error:
        return str(error)


@given(jobs, st.integers(1, 30))
def test_kernel_is_the_definition(rows, processors):
    """The compiled loop gives each job the processors, or the error, that the definition gives."""
    assert outcome(assign_processors, rows, processors) == outcome(assign_by_definition, rows, processors)


@given(jobs)
def test_no_processor_is_held_twice(rows):
    """Jobs that run at the same time hold disjoint processors, as many as their size, all of the machine."""
    start, end, size = columns(rows)
    processors = max(1, int(size.sum()))
    allocation = assign_processors(start, end, size, processors)
    held = [set(allocation.processors(i).tolist()) for i in range(len(rows))]
    assert [len(numbers) for numbers in held] == size.tolist()
    assert all(0 <= number < processors for numbers in held for number in numbers)
    for i in range(len(rows)):
        for j in range(i):
            if max(start[i], start[j]) < min(end[i], end[j]):
                assert not held[i] & held[j]


@given(jobs)
def test_intervals_are_maximal(rows):
    """The intervals of a job ascend with a gap between them, so its text is canonical."""
    start, end, size = columns(rows)
    allocation = assign_processors(start, end, size, max(1, int(size.sum())))
    for position in range(len(rows)):
        intervals = allocation.intervals(position)
        assert all(low <= high for low, high in intervals)
        assert all(high + 1 < low for (_, high), (low, _) in pairwise(intervals))


@given(jobs, st.integers(1, 30))
def test_orders_that_are_known_change_nothing(rows, processors):
    """Whoever has sorted the jobs by start and by end already gets the same processors, or the same error."""
    start, end, _ = columns(rows)
    orders = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")

    def sorted_before(*given):
        return assign_processors(*given, orders=orders)

    assert outcome(sorted_before, rows, processors) == outcome(assign_processors, rows, processors)
