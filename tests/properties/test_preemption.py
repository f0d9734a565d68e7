"""What holds of every preemptive schedule."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.metrics import measure
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.columns.steps import busy_processors, queue_length
from echelon.model import EndReason, Instance, Workload
from echelon.policies import (
    Average,
    Policy,
    PreemptivePriority,
    RoundRobin,
    ShortestRemainingTimeFirst,
    broker_named,
)
from echelon.policies.order.one_formula import fcfs, shortest_first
from echelon.testing.strategies import grids, instances, workloads

check = examples(80)
SWITCHES = st.sampled_from((0.0, 0.5, 1.0, 7.0))
QUANTA = st.sampled_from((0.25, 1.0, 3.0, 1000.0))
ATTEMPT = ("job", "site", "start", "end", "reason")


@st.composite
def schedulers(draw):
    """Return a preemptive policy with any parameters."""
    switch = draw(SWITCHES)
    shared = {"switch": switch, "fill": draw(st.booleans())}
    return draw(
        st.sampled_from(
            (
                ShortestRemainingTimeFirst(**shared),
                PreemptivePriority(order=shortest_first, aging=draw(st.sampled_from((0, 0.1, 1))), **shared),
                PreemptivePriority(order=fcfs, aging=1, review=switch + draw(QUANTA), **shared),
                RoundRobin(quantum=draw(QUANTA), **shared),
            )
        )
    )


def takes_turns(case):
    """Return whether jobs are suspended a thousand times at most: with more nothing new happens."""
    instance, scheduler = case
    turn = getattr(scheduler, "quantum", None) or getattr(scheduler, "review", None) or 1000.0
    return instance.run_time.sum() / turn < 1000


def scheduled(instance, scheduler, cycles="instant"):
    return simulate(Scenario(instance, Policy.of(backfill=scheduler), cycles=cycles))


@check
@given(instance=instances(exact_times=True), scheduler=schedulers(), cycles=st.sampled_from(CYCLES))
def test_work_is_conserved_and_capacity_kept(instance, scheduler, cycles):
    """Every job holds processors for its run time and whole or cut switches, never too many at once.

    A switch is charged at each dispatch: in full at the last one, at most in full at those before it.
    """
    schedule = scheduled(instance, scheduler, cycles)
    segments, switch = schedule.segments, scheduler.switch
    assert schedule.peak_processors <= instance.processors
    assert (schedule.start_time >= instance.submit_time).all()
    if segments is None:
        assert switch == 0
        return
    assert schedule.start_time.tolist() == segments.first_start().tolist()
    lost = schedule.held_time - instance.run_time
    times = segments.counts()
    assert (lost >= switch).all()
    assert (lost <= times * switch).all()
    # All that overlaps nothing of its own: a job never runs beside itself.
    for job in range(len(instance)):
        mine = segments.job == job
        assert (segments.start[mine][1:] >= segments.end[mine][:-1]).all()
    busy, queue = busy_processors(schedule), queue_length(schedule)
    assert busy.value.max() <= instance.processors
    assert busy.value[-1] == queue.value[-1] == 0
    assert (queue.value >= 0).all()
    measured = measure(schedule)
    assert measured["utilization"] + measured["switch_share"] <= 1 + 1e-12


class Heard:
    """The attempts of each job as events tell them: site, start, end and whether the job ended."""

    def __init__(self):
        self.attempts, self.running = {}, {}

    def submitted(self, time, job, place):
        self.attempts[job.position] = []

    def started(self, time, job, place):
        self.running[job.position] = (place.site, time)

    def preempted(self, time, job, place):
        self.left(time, job.position, done=False)

    def ended(self, time, job, place):
        self.left(time, job.position, done=True)

    def decided(self, time, waiting, free, place):
        pass

    def left(self, time, position, *, done):
        site, start = self.running.pop(position)
        # Who loses its processors at the instant it got them held them for no time.
        if done or time > start:
            self.attempts[position].append((-1 if site is None else site, start, time, done))


@check
@given(
    case=st.tuples(st.one_of(instances(), grids(max_jobs=15, max_sites=3)), schedulers()).filter(takes_turns),
    cycles=st.sampled_from(CYCLES),
)
def test_attempts_are_what_events_tell(case, cycles):
    """Attempts have the sites and times of the events; those of a job do not overlap and add up to its time.

    All but the last of a job ended because it was preempted; the last completed, or was killed if it was cut.
    """
    (instance, scheduler), heard, model = case, Heard(), {}
    if instance.platform is not None:
        # Grids have cycles of instants only.
        cycles, model = "instant", {"system_model": tree_of_sites(broker_named("mpl"))}
    schedule = simulate(
        Scenario(instance, Policy.of(backfill=scheduler), cycles=cycles, observers=[heard], **model)
    )
    found = schedule.attempts
    rows = list(zip(*(getattr(found, name).tolist() for name in ATTEMPT), strict=True))
    for job, held in enumerate(heard.attempts[job] for job in range(len(instance))):
        mine = [row[1:] for row in rows if row[0] == job]
        assert [(site, start) for site, start, _, _ in mine] == [(site, start) for site, start, _, _ in held]
        assert [end for _, _, end, _ in mine] == pytest.approx([end for _, _, end, _ in held], rel=1e-12)
        assert all(one[2] <= next_one[1] for one, next_one in pairwise(mine))
        done = EndReason.KILLED if instance.killed[job] else EndReason.COMPLETED
        assert [one[3] for one in mine] == [EndReason.PREEMPTED] * (len(mine) - 1) + [done]
        assert schedule.held_time[job] == pytest.approx(sum(end - start for _, start, end, _ in mine))
    assert found.counts().tolist() == [len(heard.attempts[job]) for job in range(len(instance))]
    assert found.job[found.finished].tolist() == list(range(len(instance)))
    assert found.last_end().tolist() == schedule.end_time.tolist()


@check
@given(case=st.tuples(instances(), schedulers()).filter(takes_turns), cycles=st.sampled_from(CYCLES))
def test_predictions_go_with_preemption(case, cycles):
    """With planned times that are predicted and corrected, on any times, runs end and keep their work."""
    instance, scheduler = case
    policy = Policy.of(backfill=scheduler)
    schedule = simulate(Scenario(instance, policy, cycles=cycles, estimator=Average(alpha=0.5)))
    assert schedule.peak_processors <= instance.processors
    lost = schedule.held_time - instance.run_time
    assert (lost >= scheduler.switch - 1e-6).all()


@check
@given(instance=instances(), scheduler=schedulers(), cycles=st.sampled_from(CYCLES))
def test_turnaround_has_three_parts_and_a_run(instance, scheduler, cycles):
    """Turnaround = response + suspended + switch + run; the wait is the first two, whatever the times."""
    m = Measured(scheduled(instance, scheduler, cycles))
    parts = m.response + m.suspended + m.switching + m.run
    assert m.turnaround.tolist() == pytest.approx(parts.tolist(), rel=1e-9, abs=1e-9)
    assert m.wait.tolist() == (m.response + m.suspended).tolist()
    assert m.delay.tolist() == pytest.approx((m.wait + m.switching).tolist(), rel=1e-9, abs=1e-9)


@check
@given(instance=instances(exact_times=True), scheduler=schedulers())
def test_no_processor_idles_that_a_job_fits(instance, scheduler):
    """With fill, at no time does a job wait that would fit the idle processors."""
    schedule = scheduled(instance, replace(scheduler, fill=True))
    job, start, end = schedule.holding
    for now in np.unique(np.concatenate((instance.submit_time, start, end))):
        holds = (start <= now) & (now < end)
        free = instance.processors - instance.size[job[holds]].sum()
        there = (instance.submit_time <= now) & (now < schedule.end_time)
        waiting = np.setdiff1d(np.flatnonzero(there), job[holds])
        assert (instance.size[waiting] > free).all()


@check
@given(
    table=workloads(max_jobs=12, max_processors=1, exact_times=True),
    estimates=st.sampled_from(("raise", "exact", "kill")),
)
def test_a_long_quantum_is_fcfs(table, estimates):
    """On one processor a quantum as long as the longest run interrupts nobody."""
    instance = Instance.of(table, 1, estimates=estimates)
    schedule = scheduled(instance, RoundRobin(quantum=float(instance.run_time.max())))
    assert schedule.end_time.tolist() == simulate(Scenario(instance, Policy.of())).end_time.tolist()


@check
@given(instance=instances(estimates=("exact",)), cycles=st.sampled_from(CYCLES))
def test_a_priority_that_needs_no_preemption_is_its_order(instance, cycles):
    """By order of submission nobody newer preempts: in strict order it is fcfs without backfilling."""
    scheduler = PreemptivePriority(order=fcfs, fill=False)
    found = scheduled(instance, scheduler, cycles)
    plain = simulate(Scenario(instance, Policy.of(), cycles=cycles))
    assert found.segments is None
    assert found.start_time.tolist() == plain.start_time.tolist()


@examples(40)
@given(table=workloads(max_jobs=5, max_processors=1, exact_times=True))
def test_srtf_has_the_smallest_mean_turnaround(table):
    """On one processor, with exact estimates, no fixed precedence of the jobs does better.

    A preemptive schedule of one processor is a list of precedence at best: whoever is first of it runs.
    """
    instance = Instance.of(table, 1, estimates="exact")
    best = min(
        turnaround_by_precedence(instance, precedence) for precedence in permutations(range(len(instance)))
    )
    found = scheduled(instance, ShortestRemainingTimeFirst())
    assert measure(found)["mean_turnaround"] == pytest.approx(best / len(instance), rel=1e-12)


def turnaround_by_precedence(instance, precedence):
    """Return the sum of turnarounds if at any time the first job of `precedence` that is there runs."""
    left, total, now = instance.run_time.tolist(), 0.0, 0.0
    submit = instance.submit_time.tolist()
    while any(left):
        there = [job for job in precedence if left[job] and submit[job] <= now]
        coming = [time for job, time in enumerate(submit) if left[job] and time > now]
        if not there:
            now = min(coming)
            continue
        job = there[0]
        step = min([left[job], *(time - now for time in coming)])
        now, left[job] = now + step, left[job] - step
        if not left[job]:
            total += now - submit[job]
    return total


@check
@given(instance=instances(exact_times=True), scheduler=schedulers())
def test_scaling_all_times(instance, scheduler):
    """Four times all times, the policy's own seconds included, gives four times every segment."""
    longer = {"switch": 4 * scheduler.switch}
    if isinstance(scheduler, RoundRobin):
        longer["quantum"] = 4 * scheduler.quantum
    if isinstance(scheduler, PreemptivePriority):
        longer["review"] = 4 * scheduler.review
        # The base of fcfs is 0 whatever the scale, and that of shortest-first scales as aging does.
    columns = {name: 4 * getattr(instance, name) for name in ("submit_time", "run_time", "planned_time")}
    scaled = scheduled(replace(instance, **columns), replace(scheduler, **longer))
    for one, other in zip(scheduled(instance, scheduler).holding, scaled.holding, strict=True):
        assert (4 * one).tolist() == other.tolist() or one.dtype.kind == "i"


def test_a_small_quantum_is_processor_sharing():
    """In the limit round robin shares the processor evenly: each job ends when an ideal sharer ends it.

    Poisson arrivals, exponential run times of mean 100 s, load 0.7; the quantum is a hundredth of the mean.
    In a round everybody there has one quantum, so a job is late by no more than some rounds.
    """
    draws = np.random.default_rng(20)
    submit, run = np.cumsum(draws.exponential(140.0, 300)), draws.exponential(100.0, 300)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=np.ones(300, dtype=np.int64))
    found = scheduled(Instance.of(table, 1), RoundRobin(quantum=1.0))
    ideal = ends_when_shared(submit, run)
    assert found.end_time.tolist() == pytest.approx(ideal.tolist(), abs=60.0)
    assert (found.end_time - submit).mean() == pytest.approx((ideal - submit).mean(), rel=0.01)


def ends_when_shared(submit, run):
    """Return when jobs end on a processor that all jobs there share evenly at any time."""
    ends, left, now, coming = np.zeros(len(run)), {}, 0.0, 0
    while left or coming < len(run):
        arrival = submit[coming] if coming < len(run) else np.inf
        shortest = min(left, key=left.get, default=None)
        ending = now + left[shortest] * len(left) if left else np.inf
        passed, now = min(arrival, ending) - now, min(arrival, ending)
        left = {job: rest - passed / len(left) for job, rest in left.items()}
        if ending <= arrival:
            ends[shortest] = now
            del left[shortest]
        else:
            left[coming] = run[coming]
            coming += 1
    return ends
