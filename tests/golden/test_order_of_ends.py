"""EASY on logs whose jobs often end together, against a queue of events as plain as can be.

The program was written from the rule of `pyss` alone: events go by time, SUBMITs before ENDs, then by the
number each was given when it became known. An END becomes known when its job starts.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.workloads import read_workload

SUBMIT, END = 0, 1


class EventQueue:
    """One machine that calls its scheduler after each event."""

    def __init__(self, instance):
        self.processors = instance.processors
        self.submit, self.run, self.plan, self.size = (
            column.tolist()
            for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        )
        self.numbers, self.events = count(), []
        self.queue, self.running, self.start = [], {}, [None] * len(self.size)

    def starts(self):
        """Return the start of every job."""
        for j in np.argsort(self.submit, kind="stable").tolist():
            heappush(self.events, (self.submit[j], SUBMIT, next(self.numbers), j))
        while self.events:
            now, kind, _, j = heappop(self.events)
            if kind == SUBMIT:
                self.queue.append(j)
            else:
                del self.running[j]
            if self.queue:
                self.easy(now)
        return self.start

    def easy(self, now):
        # Whoever is planned to end by now counts as gone, though its own event may be still to come.
        free = self.processors - sum(self.size[j] for j, end in self.running.items() if end > now)
        while self.queue and self.size[self.queue[0]] <= free:
            free -= self.size[self.queue[0]]
            self.go(self.queue[0], now)
        if not self.queue or not free:
            return
        then, shadow = free, now
        for end, j in sorted((end, j) for j, end in self.running.items() if end > now):
            if then >= self.size[self.queue[0]] and end > shadow:
                break
            then, shadow = then + self.size[j], end
        extra = then - self.size[self.queue[0]]
        for j in self.queue[1:]:
            in_time = now + self.plan[j] <= shadow
            if self.size[j] <= free and (in_time or self.size[j] <= extra):
                free -= self.size[j]
                extra -= 0 if in_time else self.size[j]
                self.go(j, now)

    def go(self, j, now):
        self.queue.remove(j)
        self.start[j], self.running[j] = now, now + self.plan[j]
        heappush(self.events, (now + self.run[j], END, next(self.numbers), j))


def assert_same(simulate, workload, processors):
    """Check that every start is that of the plain queue of events."""
    instance = Instance.of(workload, processors)
    start = simulate(Scenario(instance, policy("easy"), cycles="pyss")).start_time
    assert start.tolist() == EventQueue(instance).starts()


LOGS = {"CTC-SP2-1996-3.1-cln": 25_000, "SDSC-BLUE-2000-4.2-cln": 90_000, "LANL-CM5-1994-4.1-cln": None}
"""How many jobs of a log are run, None for all."""


@pytest.mark.parametrize(("log", "first"), LOGS.items())
def test_logs(data_file, log, first):
    """Every start is the same; of all of SDSC-BLUE 5,648 depend on the order of ENDs, of LANL-CM5 426."""
    workload = read_workload(data_file(f"{log}.swf.gz"))
    some = workload if first is None or IN_FULL else workload.take(np.arange(first))
    assert_same(compiled.simulate, some, workload.header.max_procs)


def test_part_of_a_log_in_both_engines(engine, data_file):
    """Every start of those weeks of LANL-CM5 in which jobs end together that had not started together."""
    workload = read_workload(data_file("LANL-CM5-1994-4.1-cln.swf.gz"))
    assert_same(engine, workload.take(np.arange(30_000, 45_000)), workload.header.max_procs)
