"""Passes after every single event, against a program that handles one event after the other.

It was written from the rules of time alone and shares nothing with the engines: whole seconds, no heap of
ENDs, no profile of steps. Jobs that run stand in the order in which they were started, and end in it.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import IN_FULL, examples
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.execution import Execution
from echelon.model import ALL_ESTIMATES, Cluster, Core, Hardware, Instance, Node, Processor, Workload
from echelon.policies import placement_named, policy

SEEDS = 100 if IN_FULL else 12
ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}
KEYS = {
    "fcfs": lambda size, plan: 0,
    "shortest-first": lambda size, plan: plan,
    "largest-first": lambda size, plan: -size,
}


class Desk:
    """One machine whose scheduler is called after every single event."""

    def __init__(self, instance, backfill, order, *, handle_ends="by dispatch"):
        self.free, self.backfill, self.handle_ends = instance.processors, backfill, handle_ends
        self.submit, self.run, self.plan, self.size = (
            column.astype(int).tolist()
            for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        )
        self.order = lambda j: (KEYS[order](self.size[j], self.plan[j]), self.submit[j], j)
        self.horizon = max(self.submit) + 2 * (sum(self.plan) + sum(self.run)) + 2
        self.queue, self.running, self.promise, self.start = [], [], {}, {}
        # Until when each running job is planned to run.
        self.until = {}
        self.early = False

    def starts(self, cycles):
        """Return the start of every job."""
        for now in range(self.horizon):
            if len(self.start) == len(self.submit):
                break
            self.now = now
            ending = [j for j in self.running if self.start[j] + self.run[j] == self.now]
            if self.handle_ends == "by position":
                ending.sort()
            coming = [j for j in range(len(self.submit)) if self.submit[j] == self.now]
            if ending or coming or self.now in self.until.values():
                getattr(self, cycles)(ending, coming)
            elif self.now in self.promise.values():
                self.scheduler()
        return [self.start[j] for j in range(len(self.submit))]

    def event(self, ending, coming):
        for j in ending:
            self.leave(j)
            self.scheduler()
        self.correct()
        for j in coming:
            self.queue.append(j)
            self.scheduler()

    def pyss(self, ending, coming):
        gone = [j for j in ending if self.until[j] == self.now]
        for j in gone:
            self.leave(j)
        self.correct()
        for j in coming:
            self.queue.append(j)
            self.scheduler()
        for j in ending:
            if j not in gone:
                self.leave(j)
            self.scheduler()

    def leave(self, j):
        self.running.remove(j)
        self.free += self.size[j]
        self.early |= self.until.pop(j) > self.now

    def correct(self):
        """Plan the jobs that run on at their planned end until they end; then all promises are void."""
        late = [j for j in self.running if self.until[j] == self.now]
        for j in late:
            self.until[j] = self.start[j] + self.run[j]
        if late:
            self.promise.clear()
            self.scheduler()

    def go(self, j):
        self.queue.remove(j)
        self.running.append(j)
        self.free -= self.size[j]
        self.start[j], self.until[j] = self.now, self.now + self.plan[j]

    def scheduler(self):
        self.queue.sort(key=self.order)
        getattr(self, self.backfill.replace("-", "_"))()
        self.early = False

    def none(self):
        while self.queue and self.size[self.queue[0]] <= self.free:
            self.go(self.queue[0])

    def first_fit(self):
        for j in list(self.queue):
            if self.size[j] <= self.free:
                self.go(j)

    def easy(self):
        self.none()
        if not self.queue:
            return
        head, *rest = self.queue
        need = self.size[head]
        shadow = next(t for t in range(self.now, self.horizon) if self.free_by_plan(t) >= need)
        extra = self.free_by_plan(shadow) - need
        for j in rest:
            in_time = self.now + self.plan[j] <= shadow
            if self.size[j] <= self.free and (in_time or self.size[j] <= extra):
                self.go(j)
                extra -= 0 if in_time else self.size[j]

    def free_by_plan(self, time):
        """Return the processors free at `time` if jobs end when they are planned to."""
        return self.free + sum(self.size[j] for j in self.running if self.until[j] <= time)

    def conservative(self):
        if self.early:
            for j in [j for j in self.queue if j in self.promise]:
                del self.promise[j]
                self.promise[j] = self.earliest(j)
        for j in [j for j in self.queue if j not in self.promise]:
            self.promise[j] = self.earliest(j)
        for j in list(self.queue):
            # One that waits for an END of this very second has its turn after that.
            if self.promise[j] <= self.now and self.size[j] <= self.free:
                del self.promise[j]
                self.go(j)

    def earliest(self, j):
        free = np.full(self.horizon + max(self.plan), self.free + sum(self.size[k] for k in self.running))
        for k in self.running:
            free[self.start[k] : self.until[k]] -= self.size[k]
        for k, begin in self.promise.items():
            free[begin : begin + self.plan[k]] -= self.size[k]
        length = self.plan[j]
        return next(t for t in range(self.now, self.horizon) if (free[t : t + length] >= self.size[j]).all())


BACKFILLS = ("none", "first-fit", "easy", "conservative")
JOB = st.tuples(
    st.integers(0, 8), st.integers(1, 4), st.integers(1, 5), st.one_of(st.just(-1), st.integers(1, 12))
)


@st.composite
def instances(draw):
    """Return up to 16 jobs of few seconds, in a file that is not sorted by time: many end together."""
    submit, run, size, request = zip(*draw(st.lists(JOB, min_size=2, max_size=20)), strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=request)
    return Instance.of(table, draw(st.integers(5, 9)), estimates=draw(st.sampled_from(ALL_ESTIMATES)))


def drawn(seed):
    """Return 60 jobs of 1 to 3 s that crowd a machine of 16 processors, so that most of them end together."""
    generator, jobs = np.random.default_rng(seed), 60
    run = generator.integers(1, 4, jobs)
    table = Workload.from_columns(
        submit_time=generator.integers(0, 30, jobs),
        run_time=run,
        processors=generator.integers(1, 8, jobs),
        requested_time=run + generator.integers(0, 9, jobs),
    )
    return Instance.of(table, 16)


@pytest.mark.parametrize("cycles", ["event", "pyss"])
@pytest.mark.parametrize("backfill", BACKFILLS)
@examples(150)
@given(instance=instances(), order=st.sampled_from(sorted(KEYS)))
def test_engines_equal_the_desk(cycles, backfill, instance, order):
    """Every start, in each engine that runs it, is that of a scheduler called after each event."""
    scenario = Scenario(instance, policy(f"{backfill}:{order}"), cycles=cycles)
    expected = Desk(instance, backfill, order).starts(cycles)
    for name, simulate in ENGINES.items():
        if name == "reference" or instance.estimates != "request":
            assert simulate(scenario).start_time.tolist() == expected, name


@pytest.mark.parametrize("cycles", ["event", "pyss"])
@pytest.mark.parametrize("backfill", ["first-fit", "easy", "conservative"])
def test_the_order_of_ends_is_seen(cycles, backfill):
    """On full machines both engines agree with the order of dispatch, and often not with that of the file."""
    moved = 0
    for seed in range(SEEDS):
        instance = drawn(seed)
        expected = Desk(instance, backfill, "fcfs").starts(cycles)
        for simulate in ENGINES.values():
            schedule = simulate(Scenario(instance, policy(backfill), cycles=cycles))
            assert schedule.start_time.tolist() == expected
        moved += Desk(instance, backfill, "fcfs", handle_ends="by position").starts(cycles) != expected
    assert moved >= 0.4 * SEEDS


@pytest.mark.parametrize("cycles", ["event", "pyss"])
@pytest.mark.parametrize("backfill", ["none", "first-fit", "easy"])
def test_the_cores_of_a_node_are_such_a_machine(cycles, backfill):
    """With run times given and all cores in one node, starts are those of the desk in both engines."""
    hardware = Hardware((Cluster((Node((Processor((Core(1.0, dynamic_power=1.0),) * 16),)),)),), name="one")
    rules = NodeRules(placement_named("first-fit"), Execution(fixed=True))
    for seed in range(SEEDS):
        expected = Desk(drawn(seed), backfill, "fcfs").starts(cycles)
        instance = Instance.of(drawn(seed).workload, hardware)
        for simulate in ENGINES.values():
            schedule = simulate(
                Scenario(instance, policy(backfill), cycles=cycles, system_model=NodeLevelMachine(rules))
            )
            assert schedule.start_time.tolist() == expected
