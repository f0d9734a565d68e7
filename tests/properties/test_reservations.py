"""Guarantees of the backfillings whose promises depend on how long a job has waited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.reference import simulate
from echelon.policies import Conservative, Easy, FirstFit, Policy, Relaxed, Reserve, Selective, Slack
from echelon.policies.order.one_formula import fcfs
from echelon.testing.strategies import crowded_instances, orders
from echelon.testing.strategies import instances as any_instances

check = examples(100)


def instances():
    """Return a strategy for small instances and for small crowds."""
    return any_instances() | crowded_instances(min_jobs=5, max_jobs=40, processors=(2, 3, 5, 8))


def starts(instance, order, backfill, cycles="instant"):
    """Return the starts in the reference engine."""
    return simulate(Scenario(instance, Policy.of(order, backfill), cycles=cycles, seed=4)).start_time.tolist()


class Watched:
    """A backfilling that writes down what it promises."""

    name = "watched"

    def __init__(self, inner):
        self.inner = inner
        self.made = {}

    def decide(self, view):
        for decision in self.inner.decide(view):
            if isinstance(decision, Reserve):
                self.made.setdefault(decision.job.position, []).append(decision.time)
            yield decision


@check
@given(
    instance=instances(),
    order=orders(),
    threshold=st.sampled_from((-1.0, 0.0, 1.0)),
    cycles=st.sampled_from(CYCLES),
)
def test_selective_with_threshold_1_is_conservative(instance, order, threshold, cycles):
    """Every job reaches a threshold of 1 when it arrives, so every job is promised a start."""
    selective = starts(instance, order, Selective(threshold), cycles)
    assert selective == starts(instance, order, Conservative(), cycles)


@check
@given(instance=instances(), order=orders(), cycles=st.sampled_from(CYCLES))
def test_selective_without_end_is_first_fit(instance, order, cycles):
    """No job reaches an infinite threshold, so nobody is promised anything."""
    selective = starts(instance, order, Selective(float("inf")), cycles)
    assert selective == starts(instance, order, FirstFit(), cycles)


@check
@given(
    instance=instances(),
    order=orders(),
    threshold=st.sampled_from((1.0, 1.2, 2.0, 5.0, "adaptive")),
    cycles=st.sampled_from(CYCLES),
)
def test_selective_keeps_every_promise(instance, order, threshold, cycles):
    """A promise is only ever replaced by one not later, and the job starts at the last one."""
    watched = Watched(Selective(threshold))
    start = starts(instance, order, watched, cycles)
    for position, made in watched.made.items():
        assert made == sorted(made, reverse=True)
        assert start[position] == made[-1]
    if threshold == 1.0:
        assert len(watched.made) == len(instance)


FACTORS = st.sampled_from((0.0, 0.5, 1.0, 10.0))


@check
@given(instance=instances(), order=orders(), factor=FACTORS, cycles=st.sampled_from(CYCLES))
def test_no_job_is_delayed_beyond_its_slack(instance, order, factor, cycles):
    """Every job is promised a start on arrival and starts by that plus `factor` times its expected wait."""
    watched = Watched(Slack(factor))
    start = starts(instance, order, watched, cycles)
    assert sorted(watched.made) == list(range(len(instance)))
    for position, made in watched.made.items():
        submit = instance.submit_time[position]
        assert start[position] <= made[0] + factor * (made[0] - submit)
        if factor == 0:
            assert start[position] <= made[0]


@check
@given(instance=instances(), order=orders(), cycles=st.sampled_from(CYCLES))
def test_slack_leaves_nobody_waiting_when_all_fit(instance, order, cycles):
    """Whatever the slack, nobody waits while the machine could hold all that wait."""
    schedule = simulate(Scenario(instance, Policy.of(order, Slack(1.0)), cycles=cycles, seed=4))
    for now in schedule.end_time:
        waiting = (instance.submit_time <= now) & (now < schedule.start_time)
        running = (schedule.start_time <= now) & (now < schedule.end_time)
        free = instance.processors - instance.size[running].sum()
        assert not waiting.any() or instance.size[waiting].sum() > free


@check
@given(instance=instances(), factor=FACTORS, cycles=st.sampled_from(CYCLES))
def test_the_head_is_delayed_within_its_limit(instance, factor, cycles):
    """With FCFS, whoever becomes the head starts by its first shadow time plus the accepted delay."""
    watched = Watched(Relaxed(factor))
    start = starts(instance, fcfs, watched, cycles)
    for position, made in watched.made.items():
        assert start[position] <= made[0] + factor * (made[0] - instance.submit_time[position])


@check
@given(instance=instances(), cycles=st.sampled_from(CYCLES))
def test_relaxed_by_nothing_is_easy_if_estimates_are_exact(instance, cycles):
    """Without early ends the first shadow time is the shadow time."""
    known = instance.with_known_run_times()
    assert starts(known, fcfs, Relaxed(0.0), cycles) == starts(known, fcfs, Easy(), cycles)
