"""Every case has one outcome, whichever workers die over which cases; chunks end together."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from echelon.experiments.study.executors.contract import Finished
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.dispatch import MOST_DEATHS, TARGET, Chunks, by_workload, outcomes_of
from echelon.experiments.study.run.outcome import Outcome


class DeadlyPool:
    """A pool of which all workers are lost when one meets a deadly case, as with Python's process pools.

    Parameters
    ----------
    deadly : mapping of int to int
        Seed of a case, and how many workers it kills before it can be run.
    """

    def __init__(self, workers, deadly):
        self.workers, self.deadly, self.deaths = workers, dict(deadly), Counter()
        self.waiting = []
        self.most = 0

    def start(self, chunk):
        self.waiting.append(chunk)
        self.most = max(self.most, len(self.waiting))

    def wait(self):
        """Let the first chunk at work end, or all of them at the death of one."""
        at_work = self.waiting[: self.workers]
        for case in (case for chunk in at_work for case in chunk):
            if self.deadly.get(case.settings["seed"], 0) > 0:
                self.deadly[case.settings["seed"]] -= 1
                self.deaths[case.settings["seed"]] += 1
                lost, self.waiting = self.waiting, []
                return [Finished(chunk, None) for chunk in lost]
        chunk = self.waiting.pop(0)
        copies = [Case(dict(case.settings)) for case in chunk]
        return [Finished(chunk, [Outcome(case, "k", "done", {}, seconds=0.001) for case in copies])]


def run(total, workers, deadly):
    cases = [Case({"workload": "w", "seed": k}) for k in range(total)]
    pool = DeadlyPool(workers, deadly)
    found = list(outcomes_of(pool, cases))
    assert sorted(outcome.case.settings["seed"] for outcome in found) == list(range(total))
    assert all(any(outcome.case is case for case in cases) for outcome in found)
    return {outcome.case.settings["seed"]: outcome.ending for outcome in found}, pool


@given(st.integers(1, 80), st.integers(1, 4), st.sets(st.integers(0, 79), max_size=4))
def test_only_deadly_cases_are_given_up(total, workers, deadly):
    """Cases that kill their workers each time fail, all others are done, once."""
    endings, _ = run(total, workers, dict.fromkeys(deadly, 100))
    failed = {seed for seed, ending in endings.items() if ending == "failed"}
    assert failed == {seed for seed in deadly if seed < total}


@given(st.integers(1, 80), st.integers(1, 4), st.sets(st.integers(0, 79), max_size=4))
def test_a_worker_that_dies_once_costs_nothing(total, workers, deadly):
    """A worker killed by chance takes no case with it."""
    endings, _ = run(total, workers, dict.fromkeys(deadly, 1))
    assert set(endings.values()) == {"done"}


def test_the_guilty_die_alone():
    """A case is given up only after so many deaths with nothing beside it; the sentence says how many."""
    cases = [Case({"workload": "w", "seed": 0})]
    pool = DeadlyPool(2, {0: 100})
    (outcome,) = outcomes_of(pool, cases)
    assert pool.deaths[0] >= MOST_DEATHS
    assert outcome.problem.startswith("its worker process was killed 2 times while it ran alone")


def test_workers_have_work_ahead():
    """A pool has two chunks a worker, so that none waits for the next."""
    _, pool = run(200, 3, {})
    assert pool.most == 6


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
