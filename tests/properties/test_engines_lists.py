"""The compiled engine's sorted list and heap, against Python's own."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from budgets import examples
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import BLOCK, add, empty_list, remove, remove_at

check = examples(60)
ADD, REMOVE, REMOVE_AT = 0, 1, 2


@pytest.fixture(scope="module", autouse=True)
def _compiled(jitted):
    """Compile the list and the heap by themselves."""
    global add, remove, remove_at, heap, play_list, play_heap
    lists, heap = jitted(
        "echelon.engine.compiled.structures.blocked_list", "echelon.engine.compiled.structures.heap"
    )
    add, remove, remove_at = lists.add, lists.remove, lists.remove_at
    play_list, play_heap = njit(_play_list), njit(_play_heap)


def _play_list(bl, steps, keys, sizes, durations):
    """Do all steps: (what, id), or (what, place, entry)."""
    emptied = 0
    for step in steps:
        if step[0] == ADD:
            job = step[1]
            add(bl, keys[job], job, sizes[job], durations[job])
        elif step[0] == REMOVE:
            remove(bl, keys[step[1]], step[1])
        elif remove_at(bl, step[1], step[2]):
            emptied += 1
    return emptied


def _play_heap(entries, steps):
    """Do all steps, (time, tie, job), or a negative time to take the first out; return those taken out."""
    taken = np.empty(len(steps), dtype=np.int64)
    n = n_taken = 0
    for time, tie, job in steps:
        if time >= 0:
            heap.push(entries, n, time, tie, job)
            n += 1
        elif n:
            taken[n_taken] = entries[0].job
            heap.drop_first(entries, n)
            n -= 1
            n_taken += 1
    return taken[:n_taken]


def blocks_of(bl):
    """Return the list's blocks in order."""
    return [bl.blocks[b] for b in bl.order[: bl.totals[0]["blocks"]]]


def assert_holds(bl, expected, sizes, durations):
    """Assert that the list holds exactly the `expected` (key, id), and each block knows its entries."""
    blocks = blocks_of(bl)
    entries = [
        (key, job)
        for block in blocks
        for key, job in zip(
            block["key"][: block["count"]].tolist(), block["id"][: block["count"]].tolist(), strict=True
        )
    ]
    assert entries == expected
    assert bl.totals[0]["entries"] == len(expected)
    for block in blocks:
        jobs = block["id"][: block["count"]]
        assert 0 < len(jobs) <= BLOCK
        assert np.array_equal(block["size"][: len(jobs)], sizes[jobs])
        assert np.array_equal(block["duration"][: len(jobs)], durations[jobs])
        assert block["sum_size"] == sizes[jobs].sum()
        assert block["min_size"] == sizes[jobs].min()
        assert block["min_duration"] == durations[jobs].min()


def drawn_steps(rng, n_jobs, keys, stay):
    """Return random steps for `n_jobs` entries, of which about the share `stay` is not removed at once."""
    steps, held, expected = [], [], []
    for job in rng.permutation(n_jobs).tolist():
        steps.append((ADD, job, 0))
        held.append(job)
        while held and rng.random() > stay:
            gone = held.pop(rng.integers(len(held)))
            steps.append((REMOVE, gone, 0))
    expected = sorted((keys[job], job) for job in held)
    return np.array(steps), expected


@check
@given(
    seed=st.integers(0, 2**32 - 1),
    n_jobs=st.integers(1, 1500),
    distinct=st.sampled_from((1, 5, 100, 10**9)),
    stay=st.sampled_from((0.4, 0.55, 0.8, 1.0)),
)
def test_list_is_a_sorted_list(seed, n_jobs, distinct, stay):
    """Whatever is added and removed, the list is sorted by (key, id) and its blocks' summaries are right."""
    rng = np.random.default_rng(seed)
    keys = rng.integers(0, distinct, n_jobs).astype(np.float64)
    sizes, durations = rng.integers(1, 50, n_jobs), rng.integers(1, 9, n_jobs).astype(np.float64)
    steps, expected = drawn_steps(rng, n_jobs, keys, stay)
    bl = empty_list(n_jobs)
    play_list(bl, steps, keys, sizes, durations)
    assert_holds(bl, expected, sizes, durations)


@check
@given(seed=st.integers(0, 2**32 - 1), left=st.integers(0, 40), again=st.integers(1, 1500))
def test_sparse_blocks_are_laid_out_anew(seed, left, again):
    """A list emptied all over, so that its blocks are sparse, holds right what is added then."""
    rng = np.random.default_rng(seed)
    n_jobs = 3000
    keys, sizes, durations = np.arange(n_jobs) * 1.0, rng.integers(1, 50, n_jobs), rng.random(n_jobs)
    first, second = np.split(rng.permutation(n_jobs), [n_jobs - again])
    gone = rng.permutation(first)[left:]
    steps = [(ADD, j, 0) for j in first] + [(REMOVE, j, 0) for j in gone] + [(ADD, j, 0) for j in second]
    bl = empty_list(n_jobs)
    play_list(bl, np.array(steps), keys, sizes, durations)
    held = set(range(n_jobs)) - set(gone.tolist())
    assert_holds(bl, sorted((float(j), j) for j in held), sizes, durations)
    assert len(blocks_of(bl)) <= 9 + len(held) // 16 + again // (BLOCK // 2)


@check
@given(seed=st.integers(0, 2**32 - 1), n_jobs=st.integers(1, 400))
def test_entries_are_removed_by_place(seed, n_jobs):
    """Removed by block and entry, any entry goes, and a block that empties is taken out."""
    rng = np.random.default_rng(seed)
    keys, sizes, durations = rng.random(n_jobs), rng.integers(1, 50, n_jobs), rng.random(n_jobs)
    bl = empty_list(n_jobs)
    play_list(bl, np.array([(ADD, j, 0) for j in range(n_jobs)]), keys, sizes, durations)
    expected = sorted(zip(keys.tolist(), range(n_jobs), strict=True))
    while expected:
        blocks = blocks_of(bl)
        place = int(rng.integers(len(blocks)))
        i = int(rng.integers(blocks[place]["count"]))
        was_last = blocks[place]["count"] == 1
        gone = (float(blocks[place]["key"][i]), int(blocks[place]["id"][i]))
        emptied = play_list(bl, np.array([(REMOVE_AT, place, i)]), keys, sizes, durations)
        assert emptied == was_last
        expected.remove(gone)
        if len(expected) % 50 == 0:
            assert_holds(bl, expected, sizes, durations)


@check
@given(seed=st.integers(0, 2**32 - 1), n_steps=st.integers(1, 400), latest=st.sampled_from((1, 6, 1000)))
def test_heap_is_pythons_heap(seed, n_steps, latest):
    """Entries come out by (time, tie); what is pushed and taken out is what heapq gives."""
    rng = np.random.default_rng(seed)
    times, ties = rng.integers(-latest // 2, latest, n_steps), rng.integers(0, 5, n_steps)
    steps = [(float(time), int(tie), job) for job, (time, tie) in enumerate(zip(times, ties, strict=True))]
    ours, taken = [], []
    for step in steps:
        if step[0] >= 0:
            heapq.heappush(ours, step)
        elif ours:
            taken.append(heapq.heappop(ours)[:2])
    found = play_heap(np.zeros(len(steps), dtype=heap.ENTRY_TYPE), np.array(steps).astype(np.float64))
    assert [steps[job][:2] for job in found] == taken


@pytest.mark.parametrize("most", [1, 2, 63, 64, 65, 1000])
def test_list_has_room_for_the_most(most):
    """A list made for so many entries takes them, in the order that splits the most blocks."""
    keys = np.arange(most) * -1.0
    ones, bl = np.ones(most, dtype=np.int64), empty_list(most)
    play_list(bl, np.array([(ADD, j, 0) for j in range(most)]), keys, ones, keys)
    assert_holds(bl, sorted((float(-j), j) for j in range(most)), ones, keys)
