"""Every claim of an explanation is true of the schedule, by checks that share no code with it.

The schedule is that of a run without an observer, so the observer has changed nothing either.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError
from echelon.experiments.summaries.explanation.explain import explain_scenario
from echelon.model import Instance, JobStatus, Workload
from echelon.policies import (
    NodeBackfill,
    Policy,
    PreemptivePriority,
    RoundRobin,
    ShortestRemainingTimeFirst,
    broker_named,
    policy_named,
)
from echelon.policies.order.one_formula import fcfs
from echelon.testing.strategies import grids, instances, orders, reference_backfills

sys.path.insert(0, str(Path(__file__).parent))
from changing_nodes import random_nodes
from changing_scenarios import random_scenario
from trees_of_sites import cases, direct_cases

check = examples(120)
check_few = examples(60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@st.composite
def seen_jobs(draw, schedulers, **how):
    """Return a scenario on one machine, and the position of one of its jobs."""
    instance = draw(instances(max_jobs=14, estimates=("raise", "kill", "exact"), **how))
    scenario = Scenario(instance, Policy.of(draw(orders()), draw(schedulers)), seed=draw(st.integers(0, 3)))
    return scenario, draw(st.integers(0, len(instance) - 1))


def explanation_of(scenario, position):
    """Return the explanation of the job at a position, whose label may be that of others."""
    return explain_scenario(scenario, scenario.instance.label(position))


class Naive:
    """A machine of counted processors as its schedule says it, job by job."""

    def __init__(self, instance, schedule):
        self.submit, self.size = instance.submit_time.tolist(), instance.size.tolist()
        self.planned = instance.planned_time.tolist()
        self.start, self.end = schedule.start_time.tolist(), schedule.end_time.tolist()
        self.processors = instance.processors
        self.all = range(len(instance))

    def running(self, time):
        """Return which jobs run right after all that happens at a time."""
        return {k for k in self.all if self.start[k] <= time < self.end[k]}

    def waiting(self, time):
        return {k for k in self.all if self.submit[k] <= time < self.start[k]}

    def free(self, time):
        return self.processors - sum(self.size[k] for k in self.running(time))

    def times(self, low, high):
        """Return when anything starts or ends, from one time to before another."""
        return sorted({low, *(t for t in (*self.start, *self.end) if low <= t < high)})

    def room(self, job, time, spans):
        """Return whether a job fits from `time` on beside these spans: start, end and size."""
        end = time + self.planned[job]
        steps = [time, *(start for start, _, _ in spans if time < start < end)]
        return all(
            self.size[job] + sum(size for start, stop, size in spans if start <= step < stop)
            <= self.processors
            for step in steps
        )


@check
@given(seen_jobs(st.one_of(reference_backfills(), st.sampled_from([NodeBackfill()]))))
def test_claims_are_true_of_the_schedule(seen):
    """Who ran, who waited, what was free, why it did not suffice, and who came before: all as scheduled."""
    claims_hold(*seen)


def claims_hold(scenario, position):
    """Check each claim of the explanation of a job; return the kinds of its obstacles."""
    schedule = simulate(scenario)
    naive = Naive(scenario.instance, schedule)
    told = explanation_of(scenario, position)
    assert told.job.position == position
    assert (told.start, told.end) == (naive.start[position], naive.end[position])
    assert told.status == ("killed" if scenario.instance.killed[position] else "completed")
    (wait,) = told.waits
    assert wait.since == wait.arrival == naive.submit[position]
    obstacles_hold(wait, position, naive, is_first_come=scenario.policy.order.name == "fcfs")
    overtakers_hold(wait, position, naive)
    start_holds(wait.began, position, naive, is_first_come=scenario.policy.order.name == "fcfs")
    assert all(sentence.endswith(".") for sentence in told.sentences)
    return {one.kind for one in wait.obstacles}


HOLDING_BACK = {
    **{"none": "order", "easy": "start", "easy(reservations=3)": "start", "easy(fit=best-fit)": "start"},
    **{"easy(candidates=shortest-first)": "start", "conservative": "start", "plan": "start"},
    **{"selective": "start", "slack": "start", "relaxed": "start", "node-backfill": "node"},
}
"""Schedulers that hold jobs back for which there is room, and the kind of reason that they have for it."""


@pytest.mark.parametrize("spec", HOLDING_BACK)
def test_why_jobs_are_held_back_on_a_crowded_machine(spec):
    """Long queues of jobs of all sizes: all claims are true, and the scheduler's kind of reason occurs."""
    kinds = set()
    for seed in range(2):
        random = Random(seed)
        run = [random.randint(1, 40) for _ in range(14)]
        jobs = Workload.from_columns(
            submit_time=sorted(random.randint(0, 30) for _ in run),
            run_time=run,
            requested_time=[time + random.choice((0, 0, 5, 40)) for time in run],
            processors=[random.choice((1, 1, 2, 3, 5, 6)) for _ in run],
        )
        chosen = spec if spec != "none" else random.choice(("fcfs", "largest-first"))
        scenario = Scenario(Instance.of(jobs, 6), policy_named(chosen))
        for position in range(len(run)):
            kinds |= claims_hold(scenario, position)
    assert HOLDING_BACK[spec] in kinds
    assert "scheduler" not in kinds


def obstacles_hold(wait, position, naive, *, is_first_come):
    """Check that obstacles follow each other from arrival to start, and each of their claims."""
    since, until = [one.since for one in wait.obstacles], [one.until for one in wait.obstacles]
    assert [*since, naive.start[position]][:1] == [naive.submit[position]]
    assert [*since[1:], naive.start[position]] == (until or [naive.start[position]])
    for one in wait.obstacles:
        running, waiting = naive.running(one.since), naive.waiting(one.since)
        assert {holder.job.position for holder in one.running} == running
        for holder in one.running:
            k = holder.job.position
            assert holder.planned_end == pytest.approx(naive.start[k] + naive.planned[k])
        assert one.room.free == naive.free(one.since)
        ahead = [other.position for other in one.ahead]
        assert {*ahead} <= waiting - {position}
        if is_first_come:
            mine = (naive.submit[position], position)
            assert ahead == sorted(
                (k for k in waiting if (naive.submit[k], k) < mine), key=lambda k: (naive.submit[k], k)
            )
        reason_holds(one, position, naive, waiting)


def reason_holds(one, position, naive, waiting):
    """Check the reason of an obstacle by what the machine was like."""
    free = [naive.free(time) for time in naive.times(one.since, one.until)]
    assert one.most_free == max(free)
    if one.kind == "processors":
        assert max(free) < naive.size[position]
        return
    assert naive.size[position] <= min(free)
    held_back_holds(one, position, naive, waiting)


def held_back_holds(one, position, naive, waiting):
    """Check why a job waits for which there is room."""
    spans = [
        (one.since, naive.start[k] + naive.planned[k], naive.size[k])
        for k in (holder.job.position for holder in one.running)
    ]
    if one.kind == "order":
        assert one.behind.position in waiting
        assert naive.size[one.behind.position] > naive.free(one.since)
    elif one.kind == "start":
        conflict_holds(one, position, naive, waiting, spans)
    elif one.kind == "node":
        # The machine is one node: its head would start when enough has ended as planned.
        head = one.behind.position
        assert head in waiting - {position}
        assert naive.room(head, one.latest, spans)
        assert one.latest < one.since + naive.planned[position]
    else:
        assert one.kind == "scheduler"


def conflict_holds(one, position, naive, waiting, spans):
    """Check that a planned start was possible without the job, and is not beside it."""
    now, other = one.since, one.conflict.job.position
    assert other in waiting - {position}
    assert one.conflict.is_ahead == (other in {ahead.position for ahead in one.ahead})
    # What is planned in one cycle for jobs behind gives way to the job itself.
    assert one.conflict.is_reserved or one.conflict.is_ahead
    spans = [*spans]
    for plan in one.planned:
        k = plan.job.position
        assert k in waiting - {position, other}
        spans.append((plan.start, plan.start + naive.planned[k], naive.size[k]))
    mine = (now, now + naive.planned[position], naive.size[position])
    assert naive.room(other, one.conflict.start, spans)
    assert not naive.room(other, one.conflict.start, [*spans, mine])
    candidates = sorted({now, *(stop for _, stop, _ in [*spans, mine])})
    first = next(time for time in candidates if time >= now and naive.room(other, time, [*spans, mine]))
    if one.conflict.moved_to is None:
        assert first <= one.conflict.start
    else:
        assert one.conflict.moved_to == pytest.approx(first)


def overtakers_hold(wait, position, naive):
    """Check that overtakers started before, and that each that came later is among them."""
    began, came = naive.start[position], naive.submit[position]
    found = {one.job.position: one for one in wait.overtakers}
    assert len(found) == len(wait.overtakers)
    for k, one in found.items():
        assert one.time == naive.start[k]
        assert came <= one.time <= began
        assert one.was_behind or naive.submit[k] > came
        assert one.planned_end == pytest.approx(naive.start[k] + naive.planned[k])
        if one.fitted:
            before = {j for j in naive.running(one.time) if naive.start[j] < one.time}
            assert naive.size[position] <= naive.processors - sum(naive.size[j] for j in before)
        assert (one.reason is not None) == (one.fitted and one.was_behind)
        if one.reason is not None:
            held = {holder.job.position for holder in one.reason.running}
            # Some that start at this time have started before in the same cycle.
            assert before <= held <= naive.running(one.time)
            assert one.reason.kind != "processors"
            waiting = {j for j in naive.all if naive.submit[j] <= one.time <= naive.start[j]} - held
            held_back_holds(one.reason, position, naive, waiting)
    later = {k for k in naive.all if naive.submit[k] > came and naive.start[k] < began}
    assert later <= {*found}


def start_holds(began, position, naive, *, is_first_come):
    """Check what ended as the job started, what was free, and who still waited ahead of it."""
    assert began.is_seen
    now = began.time
    assert now == naive.start[position]
    assert {one.position for one in began.ended} == {k for k in naive.all if naive.end[k] == now}
    assert began.free - naive.size[position] >= naive.free(now)
    overtaken = {one.position for one in began.overtaken}
    assert overtaken <= naive.waiting(now)
    if is_first_come:
        mine = (naive.submit[position], position)
        assert overtaken == {k for k in naive.waiting(now) if (naive.submit[k], k) < mine}
    if (plan := began.planned_start) is not None:
        assert plan.start > now or plan.is_reserved
        assert plan.job.position != position


PREEMPTIVE = st.one_of(
    st.sampled_from([ShortestRemainingTimeFirst(), PreemptivePriority(order=fcfs, aging=0.1)]),
    st.builds(RoundRobin, st.sampled_from((1.0, 3.0, 20.0)), fill=st.booleans()),
)


@check_few
@given(seen_jobs(PREEMPTIVE, exact_times=True))
def test_waits_of_suspended_jobs_are_those_of_the_schedule(seen):
    """Each time that a job held processors begins a wait's end and ends with the scheduler's decision."""
    scenario, position = seen
    schedule = simulate(scenario)
    told = explanation_of(scenario, position)
    segments = schedule.segments
    held = [(float(schedule.start_time[position]), float(schedule.end_time[position]))]
    if segments is not None:
        mine = segments.job == position
        held = list(zip(segments.start[mine].tolist(), segments.end[mine].tolist(), strict=True))
    assert [wait.began.time for wait in told.waits] == [start for start, _ in held]
    assert [wait.stop.time for wait in told.waits[:-1]] == [end for _, end in held[:-1]]
    assert all(wait.stop.by_scheduler for wait in told.waits[:-1])
    assert told.waits[-1].stop is None
    assert told.end == held[-1][1]
    for wait in told.waits:
        for one in wait.obstacles:
            assert runs_at(one.since, scenario.instance, schedule) == {h.job.position for h in one.running}


def runs_at(time, instance, schedule):
    """Return which jobs hold processors right after all that happens at a time."""
    segments = schedule.segments
    if segments is None:
        start, end = schedule.start_time, schedule.end_time
        return {k for k in range(len(instance)) if start[k] <= time < end[k]}
    return set(segments.job[(segments.start <= time) & (time < segments.end)].tolist())


@check_few
@given(seed=st.integers(0, 10**6), on_nodes=st.booleans(), place=st.integers(0, 100))
def test_on_machines_that_change_times_are_those_of_the_schedule(seed, on_nodes, place):
    """Failures, maintenance, reservations, cancellations, deadlines: every attempt and what became of it."""
    scenario = random_nodes(seed) if on_nodes else random_scenario(seed)
    position = place % len(scenario.instance)
    try:
        schedule = simulate(scenario)
    except InputError:
        # No job of the run ever started: there is nothing to explain.
        return
    told = explanation_of(scenario, position)
    row = int(scenario.instance.kept[position])
    kept = schedule.instance.kept.tolist()
    if row not in kept:
        assert told.start is None
        assert any(drop.reason == told.status and row in drop.positions for drop in schedule.instance.dropped)
        return
    here = kept.index(row)
    assert told.start == schedule.start_time[here]
    attempts = schedule.attempts
    if attempts is not None:
        mine = attempts.job == here
        assert [wait.began.time for wait in told.waits if wait.began] == attempts.start[mine].tolist()
    assert told.status == JobStatus(int(schedule.status[here])).name.lower()
    obstacles_are_in_order(told)


def obstacles_are_in_order(told):
    """Check that obstacles lie in their waits, one after the other, and say what their kind needs."""
    for wait in told.waits:
        last = wait.since
        for one in wait.obstacles:
            assert last <= one.since <= one.until
            last = one.until
            if one.kind == "processors":
                assert one.most_free < one.needs
            if one.kind == "closed":
                assert one.room.free >= one.needs > one.room.free - one.room.closed
            if one.kind == "place":
                assert one.room.free >= one.needs
            if one.kind == "start" and one.conflict.moved_to is not None:
                assert one.conflict.moved_to > one.conflict.start
        if wait.began is not None:
            assert last <= wait.began.time
    assert told.sentences


@check_few
@given(instance=grids(max_jobs=15), backfill=reference_backfills(), data=st.data())
def test_on_grids_the_site_is_that_of_the_schedule(instance, backfill, data):
    """The job is explained at the site that the broker chose, with the jobs that ran there."""
    spec = data.draw(st.sampled_from(("ml", "mpl", "round-robin", "lbal-w")))
    model = tree_of_sites(broker_named(spec))
    scenario = Scenario(instance, Policy.of(fcfs, backfill), system_model=model)
    schedule = simulate(scenario)
    position = data.draw(st.integers(0, len(instance) - 1))
    told = explanation_of(scenario, position)
    (wait,) = told.waits
    site = int(schedule.site[position])
    assert wait.site == instance.platform.names[site]
    assert wait.began.time == schedule.start_time[position]
    start, end = schedule.start_time, schedule.end_time
    for one in wait.obstacles:
        there = (schedule.site == site) & (start <= one.since) & (one.since < end)
        assert {holder.job.position for holder in one.running} == {*there.nonzero()[0].tolist()}
    obstacles_are_in_order(told)


@check_few
@given(case=st.one_of(cases(), direct_cases()), place=st.integers(0, 100))
def test_on_any_tree_of_sites_start_and_site_are_those_of_the_run(case, place):
    """Nodes, shared nodes, time-shared machines, brokers, queues and protocols: at least when and where."""
    result = case.run()
    schedule, instance = result.schedule, result.scenario.instance
    position = place % len(instance)
    told = result.explain(instance.label(position))
    where = schedule.instance.kept.tolist().index(int(instance.kept[position]))
    assert told.start == schedule.start_time[where]
    if schedule.site is not None and schedule.site[where] >= 0 and schedule.places is None:
        began = next(wait for wait in told.waits if wait.began is not None)
        assert began.site in ("", result.platform.names[schedule.site[where]])
    obstacles_are_in_order(told)
