"""Promises that depend on waits, and predictions, against a program that tries every second.

Like its neighbors it was written from the rules as they are printed and shares nothing with the engine but
the instance: whole seconds, free processors in an array, predictions corrected when a second finds them
too short.
"""

from __future__ import annotations

import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.engine.ledger import prediction
from echelon.model import ESTIMATES, Instance, Workload
from echelon.policies import Average, policy
from echelon.testing import crowd

SHORT_CORRECTIONS = (1.0, 3.0, 4.0)
"""In place of minutes and hours, so that small cases see them all."""


class Naive:
    """One machine, second by second; with `alpha`, planned by exponential averages."""

    def __init__(self, instance, order, alpha=None):
        self.processors, self.order, self.alpha = instance.processors, order, alpha
        self.submit, self.run, self.limit, self.size = (
            column.astype(int).tolist()
            for column in (instance.submit_time, instance.run_time, instance.planned_time, instance.size)
        )
        self.user = instance.workload.user[instance.kept].tolist()
        self.horizon = max(self.submit) + 3 * sum(self.limit) + 10
        self.plan, self.told, self.used, self.average = {}, {}, {}, {}
        self.start, self.promise, self.first, self.waiting, self.slowdowns = {}, {}, {}, [], []

    def starts(self, rule, *parameters):
        """Return the start of every job under `rule`, one of the methods below."""
        jobs = range(len(self.submit))
        for now in range(self.horizon):
            ended = [j for j in self.start if self.start[j] + self.run[j] == now]
            early = any(self.start[j] + self.plan[j] > now for j in ended)
            # In the order in which they were started.
            for j in ended:
                self.learn(j, now)
            late = [j for j in self.running(now) if self.start[j] + self.plan[j] <= now]
            for j in late:
                self.correct(j, now)
                self.promise = {}
            arrived = [j for j in jobs if self.submit[j] == now]
            for j in arrived:
                self.plan[j] = self.told[j] = self.predicted(j)
            self.waiting = sorted([*self.waiting, *arrived], key=self.key)
            if ended or late or arrived or now in self.promise.values():
                getattr(self, rule)(now, early, *parameters)
            if len(self.start) == len(self.submit):
                return [self.start[j] for j in jobs]
        raise AssertionError("nobody waits forever")

    def key(self, j):
        return (self.plan[j] if self.order == "shortest-first" else 0, self.submit[j], j)

    def predicted(self, j):
        if self.user[j] not in self.average:
            return self.limit[j]
        return min(max(math.ceil(self.average[self.user[j]]), 1), self.limit[j])

    def learn(self, j, now):
        self.slowdowns.append(max(1, (now - self.submit[j]) / max(self.run[j], 10)))
        if self.alpha is not None:
            before = self.average.get(self.user[j], self.limit[j])
            self.average[self.user[j]] = self.alpha * self.run[j] + (1 - self.alpha) * before

    def correct(self, j, now):
        used = self.used.get(j, 0)
        more = SHORT_CORRECTIONS[used] if used < len(SHORT_CORRECTIONS) else self.limit[j]
        self.used[j], self.plan[j] = used + 1, min(self.plan[j] + int(more), self.limit[j])
        assert self.start[j] + self.plan[j] > now

    def running(self, now):
        return [j for j, start in self.start.items() if start + self.run[j] > now]

    def free_now(self, now):
        return self.processors - sum(self.size[j] for j in self.running(now))

    def free_by_plan(self, now, promised=()):
        free = np.full(2 * self.horizon, self.processors)
        for j in self.running(now):
            free[now : self.start[j] + self.plan[j]] -= self.size[j]
        for j in promised:
            self.take(free, self.promise[j], j)
        return free

    def take(self, free, begin, j):
        free[begin : begin + self.plan[j]] -= self.size[j]

    def earliest(self, free, now, j):
        return next(t for t in range(now, self.horizon) if (free[t : t + self.plan[j]] >= self.size[j]).all())

    def go(self, now, j):
        self.waiting.remove(j)
        self.promise.pop(j, None)
        self.start[j] = now

    def give(self, now, j):
        self.promise.pop(j, None)
        self.promise[j] = self.earliest(self.free_by_plan(now, self.promise), now, j)
        self.first.setdefault(j, self.promise[j])

    def compress(self, now):
        for j in [j for j in self.waiting if j in self.promise]:
            self.give(now, j)

    def start_due(self, now):
        for j in list(self.waiting):
            if self.promise.get(j) == now:
                self.go(now, j)

    def conservative(self, now, early, threshold=0):
        if early:
            self.compress(now)
        if threshold is None:
            threshold = sum(self.slowdowns) / len(self.slowdowns) if self.slowdowns else 1
        for j in [j for j in self.waiting if j not in self.promise]:
            if (now - self.submit[j] + self.plan[j]) / self.plan[j] >= threshold:
                self.give(now, j)
        self.start_due(now)

    def selective(self, now, early, threshold):
        self.conservative(now, early, threshold)
        for j in [j for j in self.waiting if j not in self.promise]:
            if self.earliest(self.free_by_plan(now, self.promise), now, j) == now:
                self.go(now, j)

    def latest(self, j, factor, now_promised):
        return max(self.first[j] + factor * (self.first[j] - self.submit[j]), now_promised)

    def slack(self, now, early, factor):
        self.conservative(now, early)
        for j in list(self.waiting):
            if j not in self.waiting or self.size[j] > self.free_now(now):
                continue
            free, plan = self.free_by_plan(now), {}
            self.take(free, now, j)
            for other in sorted((k for k in self.waiting if k != j), key=lambda k: self.promise[k]):
                plan[other] = self.earliest(free, now, other)
                self.take(free, plan[other], other)
            if all(time <= self.latest(k, factor, self.promise[k]) for k, time in plan.items()):
                self.go(now, j)
                self.promise = plan
                self.start_due(now)

    def easy(self, now, early):
        self.relaxed(now, early, None)

    def relaxed(self, now, early, factor):
        del early
        while self.waiting and self.size[self.waiting[0]] <= self.free_now(now):
            self.go(now, self.waiting[0])
        if not self.waiting:
            return
        head, *rest = self.waiting
        shadow = self.earliest(self.free_by_plan(now), now, head)
        self.first.setdefault(head, shadow)
        latest = shadow if factor is None else self.latest(head, factor, shadow)
        for j in rest:
            free = self.free_by_plan(now)
            self.take(free, now, j)
            if self.size[j] <= self.free_now(now) and self.earliest(free, now, head) <= latest:
                self.go(now, j)


RULES = {
    "easy": ("easy",),
    "conservative": ("conservative",),
    "selective": ("selective", None),
    "selective:threshold=1.5": ("selective", 1.5),
    "selective:threshold=3": ("selective", 3),
    "slack": ("slack", 1),
    "slack:factor=0.25": ("slack", 0.25),
    "relaxed": ("relaxed", 0.5),
    "relaxed:factor=2": ("relaxed", 2),
}

JOB = st.tuples(
    st.integers(0, 15),
    st.integers(1, 12),
    st.integers(1, 5),
    st.one_of(st.just(-1), st.integers(1, 30)),
    st.sampled_from((-1, 1, 2)),
)
ORDERS = st.sampled_from(("fcfs", "shortest-first"))
check = examples(80)


@st.composite
def instances(draw):
    """Draw up to 10 jobs one by one, or a crowd of up to 20 by a seed."""
    estimates = draw(st.sampled_from(ESTIMATES))
    if draw(st.booleans()):
        tiny = crowd(draw(st.integers(0, 2**32 - 1)), draw(st.integers(5, 20)), processors=5, load=3)
        shorter = tiny.workload.with_columns(
            submit_time=tiny.workload.submit_time // 5,
            run_time=np.ceil(tiny.workload.run_time / 5),
            requested_time=tiny.workload.requested_time // 5,
        )
        return Instance.of(shorter, 5, estimates=estimates)
    columns = zip(*draw(st.lists(JOB, min_size=1, max_size=10)), strict=True)
    names = ("submit_time", "run_time", "processors", "requested_time", "user")
    table = Workload.from_columns(**dict(zip(names, columns, strict=True)))
    return Instance.of(table, 5, estimates=estimates)


@pytest.mark.parametrize("spec", RULES)
@check
@given(instance=instances(), order=ORDERS)
def test_promises_equal_the_naive_program(spec, instance, order):
    """Every start is what trying every second gives, in each engine that can run the rule."""
    scenario = Scenario(instance, policy(f"{spec}:{order}"))
    expected = Naive(instance, order).starts(*RULES[spec])
    assert reference.simulate(scenario).start_time.tolist() == expected
    if compiled.supports(scenario) is None:
        assert compiled.simulate(scenario).start_time.tolist() == expected


@pytest.mark.parametrize("spec", RULES)
@check
@given(instance=instances(), order=ORDERS, alpha=st.sampled_from((0.0, 0.5, 1.0)))
def test_predictions_equal_the_naive_program(spec, instance, order, alpha):
    """The same with predictions and their corrections, short ones so that many are seen."""
    scenario = Scenario(instance, policy(f"{spec}:{order}"), estimator=Average(alpha))
    with patch.object(prediction, "CORRECTIONS", SHORT_CORRECTIONS):
        schedule = reference.simulate(scenario)
    naive = Naive(instance, order, alpha)
    assert schedule.start_time.tolist() == naive.starts(*RULES[spec])
    assert schedule.planned_time.tolist() == [naive.told[j] for j in range(len(instance))]
