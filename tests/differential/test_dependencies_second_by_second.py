"""Jobs that wait for others, against a third program: whole seconds, a free processor count for each.

Written from the definitions alone. Who is released, who runs and who fits is asked every second; nothing
is carried over but starts, promises, and who has joined the queue when.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import ESTIMATES, Instance, Workload
from echelon.policies import policy
from echelon.testing.dependent_jobs import dependent

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}


class Seconds:
    """One machine under FCFS, none of whose times are anything but whole seconds."""

    def __init__(self, instance, backfill):
        whole = (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        self.submit, self.run, self.plan, self.size = (column.astype(int).tolist() for column in whole)
        self.jobs = range(len(self.submit))
        waiting = instance.dependencies
        self.edges = {j: [] for j in self.jobs}
        self.follows = [False for _ in self.jobs] if waiting is None else waiting.follows.tolist()
        if waiting is not None:
            delays = waiting.delay.astype(int).tolist()
            pairs = zip(waiting.predecessor.tolist(), waiting.successor.tolist(), strict=True)
            for (before, after), delay in zip(pairs, delays, strict=True):
                self.edges[after].append((before, delay))
        self.last = max(self.submit) + sum(self.plan) + sum(d for e in self.edges.values() for _, d in e) + 2
        self.machine = instance.processors
        self.decide = getattr(self, backfill)
        self.start, self.joined, self.promise = {}, {}, {}

    def starts(self):
        """Return starts and releases of all jobs."""
        for now in range(self.last):
            ending = [j for j in self.start if self.end(j) == now]
            coming = [j for j in self.jobs if j not in self.joined and self.is_released(j, now)]
            self.joined |= dict.fromkeys(coming, now)
            if ending or coming or now in self.promise.values():
                self.decide(now, early=any(self.run[j] < self.plan[j] for j in ending))
        return [self.start[j] for j in self.jobs], [self.joined[j] for j in self.jobs]

    def end(self, j):
        return self.start[j] + self.run[j]

    def is_released(self, j, now):
        """Return whether nothing holds job `j` back at second `now`."""
        ended = all(k in self.start and self.end(k) + delay <= now for k, delay in self.edges[j])
        return ended and (self.follows[j] or self.submit[j] <= now)

    def queue(self):
        return sorted((j for j in self.joined if j not in self.start), key=lambda j: (self.joined[j], j))

    def free(self, now):
        """Return the processors free in each second from `now` on, by plan and by promises."""
        free = np.full(2 * self.last + max(self.plan), self.machine)
        for j, start in self.start.items():
            if self.end(j) > now:
                free[now : start + self.plan[j]] -= self.size[j]
        for j, start in self.promise.items():
            free[start : start + self.plan[j]] -= self.size[j]
        return free

    def fits(self, free, now, j):
        return bool((free[now : now + self.plan[j]] >= self.size[j]).all())

    def first_slot(self, now, j):
        free = self.free(now)
        return next(t for t in range(now, 2 * self.last) if self.fits(free, t, j))

    def heads(self, now):
        """Start jobs from the head while they fit; return the first that does not, and who is behind it."""
        queue = self.queue()
        while queue and self.size[queue[0]] <= self.free(now)[now]:
            self.start[queue.pop(0)] = now
        return queue

    def none(self, now, *, early):
        self.heads(now)

    def easy(self, now, *, early):
        queue = self.heads(now)
        for j in queue[1:]:
            free = self.free(now)
            turn = next(t for t in range(now, 2 * self.last) if free[t] >= self.size[queue[0]])
            spare = free[turn] - self.size[queue[0]]
            if self.size[j] <= free[now] and (now + self.plan[j] <= turn or self.size[j] <= spare):
                self.start[j] = now

    def conservative(self, now, *, early):
        for j in self.queue():
            if early and j in self.promise:
                del self.promise[j]
                self.promise[j] = self.first_slot(now, j)
        for j in self.queue():
            if j not in self.promise:
                self.promise[j] = self.first_slot(now, j)
        for j in self.queue():
            if self.promise[j] == now:
                del self.promise[j]
                self.start[j] = now


@st.composite
def graphs(draw):
    """Return a few jobs in whole seconds that wait for each other."""
    machine = draw(st.integers(1, 5))
    request = st.one_of(st.just(-1), st.integers(1, 25))
    job = st.tuples(st.integers(0, 20), st.integers(1, 9), st.integers(1, machine), request)
    rows = np.array(draw(st.lists(job, min_size=1, max_size=12)))
    jobs = Workload.from_columns(
        submit_time=rows[:, 0], run_time=rows[:, 1], processors=rows[:, 2], requested_time=rows[:, 3]
    )
    instance = Instance.of(jobs, machine, estimates=draw(st.sampled_from(ESTIMATES)))
    return draw(dependent(st.just(instance), densest=1.5))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("backfill", ["none", "easy", "conservative"])
@examples(120)
@given(instance=graphs())
def test_start_for_start(engine, backfill, instance):
    """Both programs start every job, and release it, in the same second."""
    scenario = Scenario(instance, policy("fcfs" if backfill == "none" else backfill))
    if engine == "compiled" and compiled.supports(scenario) is not None:
        pytest.skip("the compiled engine does not run these")
    schedule = ENGINES[engine](scenario)
    starts, joined = Seconds(instance, backfill).starts()
    assert schedule.start_time.tolist() == starts
    assert schedule.instance.submit_time.tolist() == joined
