"""Rows of equal tasks in one processor, in kernels: made of the cores of each job when a run is over."""

from __future__ import annotations

from typing import Any

import numpy as np

from echelon.engine.compiled.nodes.state import sample
from echelon.libraries.kernel import entry_kernel, kernel

DEAL_TYPE = np.dtype(
    [("core", np.int64), ("group", np.int64), ("row", np.int64), ("ended", np.float64)], align=True
)
"""A task on its core."""


def _sample() -> tuple[Any, ...]:
    """Return arguments of the types that `arrange` takes."""
    state, jobs, *_ = sample()
    one = np.zeros(1, dtype=np.int64)
    return jobs, state, one, one, np.zeros(1, dtype=np.bool_), one, np.zeros((2, 1), DEAL_TYPE)


@entry_kernel("node_rows", _sample)
def arrange(jobs, st, processor_of, groups, begins, rows, deals):
    """Sort the cores of each job into its rows, and mark where rows begin."""
    for j in range(len(jobs)):
        n = jobs[j].size
        alike = _deal(jobs[j], st, deals[0])
        _sort(deals, n)
        rows[j] = _into_rows(st, processor_of, deals, n, alike)
        slot = jobs[j].slot
        for i in range(n):
            deal = deals[0, i]
            st.held[slot + i] = deal.core
            if len(groups) > 1:
                groups[slot + i] = deal.group
            if not st.machine[0].fixed:
                st.ended[slot + i] = deal.ended
            begins[slot + i] = i == 0 or deal.row != deals[0, i - 1].row


@kernel
def _deal(job, st, deals):
    """List the cores of a job and the group of the task on each; return whether all are of one group."""
    g = job.first_group
    ahead = st.groups[g].tasks
    for i in range(job.size):
        if i == ahead:
            g += 1
            ahead += st.groups[g].tasks
        deals[i].core, deals[i].group = st.held[job.slot + i], g - job.first_group
        deals[i].ended = 0.0 if st.machine[0].fixed else st.ended[job.slot + i]
    return g == job.first_group


@kernel
def _copy(deal, to):
    to.core, to.group, to.row, to.ended = deal.core, deal.group, deal.row, deal.ended


@kernel
def _sort(deals, n):
    """Sort the first `n` by core: merge the stretches that are in order."""
    one, other = deals[0], deals[1]
    while True:
        merged, low = False, 0
        while low < n:
            middle = _stretch(one, low, n)
            if middle == n:
                break
            high = _stretch(one, middle, n)
            _merge(one, other, low, middle, high)
            merged, low = True, high
        if not merged:
            return


@kernel
def _stretch(deals, first, n):
    """Return the end of the ascending stretch that begins at `first`."""
    last = first + 1
    while last < n and deals[last].core > deals[last - 1].core:
        last += 1
    return last


@kernel
def _merge(deals, spare, low, middle, high):
    for k in range(low, middle):
        _copy(deals[k], spare[k - low])
    left, right, to = 0, middle, low
    while left < middle - low and right < high:
        if deals[right].core < spare[left].core:
            _copy(deals[right], deals[to])
            right += 1
        else:
            _copy(spare[left], deals[to])
            left += 1
        to += 1
    while left < middle - low:
        _copy(spare[left], deals[to])
        left += 1
        to += 1


@kernel
def _into_rows(st, processor_of, deals, n, alike):
    """Give rows numbers, by the lowest core of each; put tasks of one row together; return how many rows."""
    one, other = deals[0], deals[1]
    row, first = -1, 0
    while first < n:
        processor = processor_of[one[first].core]
        last, mixed = first, False
        rate = st.table[one[first].core].rate
        while last < n and processor_of[one[last].core] == processor:
            mixed = mixed or one[last].group != one[first].group or st.table[one[last].core].rate != rate
            one[last].row = -1
            last += 1
        if not mixed:
            row += 1
            for k in range(first, last):
                one[k].row = row
        else:
            row = _sort_out(st, one, other, first, last, row)
        first = last
    return row + 1


@kernel
def _sort_out(st, deals, spare, first, last, row):
    """Bring the tasks of one processor together that are of one group on cores of one speed."""
    to = 0
    for k in range(first, last):
        if deals[k].row >= 0:
            continue
        row += 1
        group, rate = deals[k].group, st.table[deals[k].core].rate
        for i in range(k, last):
            if deals[i].row < 0 and deals[i].group == group and st.table[deals[i].core].rate == rate:
                deals[i].row = row
                _copy(deals[i], spare[to])
                to += 1
    for k in range(to):
        _copy(spare[k], deals[first + k])
    return row
