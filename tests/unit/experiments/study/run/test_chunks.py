"""Chunks are long enough to cost little and short enough to end together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.chunks import TARGET, Chunks, by_workload
from echelon.experiments.study.run.outcome import Outcome


def cases(count):
    return [Case({"workload": f"{k % 3}.swf", "seed": k}) for k in range(count)]


def taken(total, *, seconds, workers):
    """Return the sizes of the chunks when every case takes so long."""
    chunks, sizes = Chunks(cases(total)), []
    while chunks:
        chunk = chunks.take(workers)
        sizes.append(len(chunk))
        chunks.learn([Outcome(case, "k", "done", {}, seconds=seconds) for case in chunk])
    return sizes


@given(st.integers(1, 400), st.floats(0, 3), st.integers(1, 9))
def test_every_case_is_taken_once(total, seconds, workers):
    """All cases are in one chunk each, whatever they take."""
    assert sum(taken(total, seconds=seconds, workers=workers)) == total


def test_short_runs_go_together():
    """Runs of 5 ms go by the hundred, from one at first, and by ever fewer at the end."""
    sizes = taken(5000, seconds=0.005, workers=2)
    assert sizes[:4] == [1, 4, 16, 64]
    assert 0.95 * TARGET < max(sizes) * 0.005 <= TARGET
    assert sizes[-1] == 1


def test_long_runs_go_alone():
    """Runs that take longer than a chunk should are sent one by one."""
    assert set(taken(50, seconds=2.0, workers=2)) == {1}


def test_cases_of_a_workload_are_together():
    """Cases come by workload in the order of the first of each, else as they were."""
    order = [case.settings["seed"] for case in by_workload(cases(7))]
    assert order == [0, 3, 6, 1, 4, 2, 5]


def test_a_chunk_without_outcomes_teaches_nothing():
    """A chunk that was stopped before its first case changes nothing."""
    chunks = Chunks(cases(100))
    chunks.learn([])
    assert len(chunks.take(1)) == 1
