"""Both engines against a third program, as naive as can be: whole seconds, and free processors in an array.

It was written from the definition of each backfilling alone and shares nothing with the engines: no
profile of steps, no shadow scan, no heap; every question is answered by trying every second.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import ALL_ESTIMATES, Instance, Workload
from echelon.policies import policy
from echelon.testing import crowd

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}
KEYS = {
    "fcfs": lambda size, plan: 0,
    "largest-first": lambda size, plan: -size,
    "shortest-first": lambda size, plan: plan,
    "smallest-area-first": lambda size, plan: size * plan,
}


class Naive:
    """One machine, second by second."""

    def __init__(self, instance, backfill, order):
        self.processors, self.backfill = instance.processors, backfill
        self.submit, self.run, self.plan, self.size = (
            column.astype(int).tolist()
            for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        )
        self.key = [
            (KEYS[order](size, plan), submit, position)
            for position, (size, plan, submit) in enumerate(
                zip(self.size, self.plan, self.submit, strict=True)
            )
        ]
        self.horizon = max(self.submit) + 2 * (sum(self.plan) + sum(self.run)) + 2
        self.start, self.promise, self.waiting = {}, {}, []
        # Until when each job is planned to run.
        self.until = {}

    def starts(self):
        """Return the start of every job."""
        for now in range(self.horizon):
            ended = [j for j, start in self.start.items() if start + self.run[j] == now]
            arrived = [j for j in range(len(self.submit)) if self.submit[j] == now]
            self.waiting = sorted([*self.waiting, *arrived], key=self.key.__getitem__)
            late = [j for j, until in self.until.items() if until == now < self.start[j] + self.run[j]]
            if ended or late or arrived or now in self.promise.values():
                early = any(self.until[j] > now for j in ended)
                self.correct(late)
                getattr(self, self.backfill.replace("-", "_"))(now, early)
        return [self.start[j] for j in range(len(self.submit))]

    def correct(self, late):
        """Plan the jobs that run on at their planned end until they end; then all promises are void."""
        for j in late:
            self.until[j] = self.start[j] + self.run[j]
        if late:
            self.promise.clear()

    def free_now(self, now):
        held = [self.size[j] for j, start in self.start.items() if start + self.run[j] > now]
        return self.processors - sum(held)

    def free_by_plan(self, now):
        """Return free processors for each second by the running jobs' planned ends, and by promises."""
        free = np.full(self.horizon + max(self.plan), self.processors)
        for j, start in self.start.items():
            if start + self.run[j] > now:
                free[start : self.until[j]] -= self.size[j]
        for j, start in self.promise.items():
            free[start : start + self.plan[j]] -= self.size[j]
        return free

    def earliest(self, free, now, j):
        return next(t for t in range(now, self.horizon) if (free[t : t + self.plan[j]] >= self.size[j]).all())

    def go(self, now, j):
        self.waiting.remove(j)
        self.start[j], self.until[j] = now, now + self.plan[j]

    def none(self, now, early):
        while self.waiting and self.size[self.waiting[0]] <= self.free_now(now):
            self.go(now, self.waiting[0])

    def first_fit(self, now, early):
        for j in list(self.waiting):
            if self.size[j] <= self.free_now(now):
                self.go(now, j)

    def easy(self, now, early):
        self.none(now, early)
        if not self.waiting:
            return
        head, *rest = self.waiting
        for j in rest:
            free = self.free_by_plan(now)
            shadow = next(t for t in range(now, self.horizon) if free[t] >= self.size[head])
            # What is over at the shadow time shrinks with every job that runs on past it.
            extra = free[shadow] - self.size[head]
            in_time = now + self.plan[j] <= shadow
            if self.size[j] <= self.free_now(now) and (in_time or self.size[j] <= extra):
                self.go(now, j)

    def plan_all(self, now, early, most=None):
        free = self.free_by_plan(now)
        kept = 0
        for j in list(self.waiting):
            begin = self.earliest(free, now, j)
            reserved = most is None or kept < most
            if begin == now:
                self.go(now, j)
            elif reserved:
                kept += 1
            if begin == now or reserved:
                free[begin : begin + self.plan[j]] -= self.size[j]

    def easy_reservations_2(self, now, early):
        self.plan_all(now, early, most=2)

    def conservative(self, now, early):
        if early:
            for j in [j for j in self.waiting if j in self.promise]:
                del self.promise[j]
                self.promise[j] = self.earliest(self.free_by_plan(now), now, j)
        for j in [j for j in self.waiting if j not in self.promise]:
            self.promise[j] = self.earliest(self.free_by_plan(now), now, j)
        for j in list(self.waiting):
            if self.promise[j] == now:
                del self.promise[j]
                self.go(now, j)


METHODS = {
    "none": "none",
    "first-fit": "first-fit",
    "easy": "easy",
    "easy(reservations=2)": "easy-reservations-2",
    "conservative": "conservative",
    "plan": "plan-all",
}

JOB = st.tuples(
    st.integers(0, 15),
    st.integers(1, 9),
    st.integers(1, 5),
    st.one_of(st.just(-1), st.integers(1, 20)),
)


@st.composite
def any_instances(draw):
    """Draw up to 12 jobs one by one, or a crowd of up to 30 by a seed."""
    estimates = draw(st.sampled_from(ALL_ESTIMATES))
    if draw(st.booleans()):
        jobs = draw(st.integers(5, 30))
        tiny = crowd(draw(st.integers(0, 2**32 - 1)), jobs, processors=5, load=3)
        whole = np.ceil(tiny.workload.run_time / 5)
        shorter = tiny.workload.with_columns(
            submit_time=tiny.workload.submit_time // 5,
            run_time=whole,
            requested_time=tiny.workload.requested_time // 5,
        )
        return Instance.of(shorter, 5, estimates=estimates)
    submit, run, size, request = zip(*draw(st.lists(JOB, min_size=1, max_size=12)), strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, requested_time=request)
    return Instance.of(table, 5, estimates=estimates)


@pytest.mark.parametrize("backfill", METHODS)
@given(instance=any_instances(), order=st.sampled_from(sorted(KEYS)))
def test_engines_equal_the_naive_program(backfill, instance, order):
    """Every start is what trying every second gives, in each engine that runs it."""
    scenario = Scenario(instance, policy(f"{backfill}:{order}"))
    expected = Naive(instance, METHODS[backfill], order).starts()
    for name, simulate in ENGINES.items():
        if name == "reference" or instance.estimates != "request":
            assert simulate(scenario).start_time.tolist() == expected, name
