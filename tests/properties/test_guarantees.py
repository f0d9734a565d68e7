"""What semantics promise of every schedule, in both engines."""

from __future__ import annotations

from functools import wraps
from inspect import Signature, signature
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.queue.ranking import ranks
from echelon.model import Instance
from echelon.policies import Conservative, Easy, FirstFit, NoBackfill, Plan, Policy, Reserve, Start
from echelon.policies.backfill.cycle_reservations import first_fits, reserve_first
from echelon.policies.order.one_formula import fcfs
from echelon.testing.strategies import crowded_instances, fixed_orders, policies, scale_free, scenarios
from echelon.testing.strategies import instances as any_instances

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}
check = examples(80)

CALM = Easy(), Easy(fit="best-fit"), Easy(candidates=fcfs), Easy(reservations=2), Easy(reservations=50)


def in_both_engines(test):
    """Return a test that calls `test` with each engine, with what was drawn once for both."""

    @wraps(test)
    def both(*values, **drawn):
        for name, simulate in ENGINES.items():
            try:
                test(simulate, *values, **drawn)
            except AssertionError as failed:
                failed.add_note(f"in the {name} engine")
                raise

    both.__signature__ = Signature([*signature(test).parameters.values()][1:])
    return both


def instances():
    """Return a strategy for small instances and for small crowds."""
    return any_instances() | crowded_instances(min_jobs=5, max_jobs=40, processors=(2, 3, 5, 8))


def moments(schedule):
    """Yield, for each time something happens, who waits and who runs once the policy has decided."""
    instance, start, end = schedule.instance, schedule.start_time, schedule.end_time
    for now in np.unique(np.concatenate((instance.submit_time, end))):
        waiting = np.flatnonzero((instance.submit_time <= now) & (now < start))
        running = np.flatnonzero((start <= now) & (now < end))
        yield now, waiting, running


def head_of(waiting, rank):
    """Return the waiting job of the lowest rank."""
    return waiting[np.argmin(rank[waiting])]


def shadow_of(schedule, head, running):
    """Return when the head fits by plan, tried out for every planned end."""
    instance = schedule.instance
    planned_end = schedule.start_time + instance.planned_time
    for time in np.sort(planned_end[running]):
        used = instance.size[running][planned_end[running] > time].sum()
        if instance.processors - used >= instance.size[head]:
            return time
    raise AssertionError("an empty machine holds any job")


@check
@given(scenario=scenarios(instances()))
@in_both_engines
def test_capacity_is_never_exceeded(simulate, scenario):
    """At no time do the running jobs hold more processors than there are, and none starts too early."""
    schedule = simulate(scenario)
    size = scenario.instance.size
    for _, _, running in moments(schedule):
        assert size[running].sum() <= scenario.instance.processors
    assert (schedule.start_time >= scenario.instance.submit_time).all()


@examples(20)
@given(
    instance=crowded_instances(max_jobs=600), backfill=st.sampled_from((FirstFit(), Easy(), Conservative()))
)
@in_both_engines
def test_capacity_is_never_exceeded_by_crowds(simulate, instance, backfill):
    """The same for hundreds of jobs at once."""
    schedule = simulate(Scenario(instance, Policy.of(backfill=backfill)))
    assert schedule.peak_processors <= instance.processors
    assert (schedule.wait_time >= 0).all()


@check
@given(instance=instances(), cycles=st.sampled_from(CYCLES))
@in_both_engines
def test_none_with_fcfs_never_overtakes(simulate, instance, cycles):
    """In the order of submission, start times never go back."""
    start = simulate(Scenario(instance, Policy.of(), cycles=cycles)).start_time
    by_submission = start[np.argsort(instance.submit_time, kind="stable")]
    assert (np.diff(by_submission) >= 0).all()


@check
@given(instance=instances(), order=fixed_orders(), backfill=st.sampled_from(CALM))
@in_both_engines
def test_easy_never_delays_the_head(simulate, instance, order, backfill):
    """Unless a job is put before it, a head's shadow time never moves back, and it starts by then."""
    scenario = Scenario(instance, Policy.of(order, backfill), seed=5)
    schedule = simulate(scenario)
    rank = ranks(instance, order, scenario.seed)
    for (now, waiting, running), (later, still_waiting, still_running) in pairwise(moments(schedule)):
        if not len(waiting):
            continue
        head = head_of(waiting, rank)
        put_before = (rank < rank[head]) & (now < instance.submit_time) & (instance.submit_time <= later)
        if put_before.any():
            continue
        shadow = shadow_of(schedule, head, running)
        if head in still_waiting:
            assert shadow_of(schedule, head, still_running) <= shadow
        else:
            assert schedule.start_time[head] == later <= shadow


@check
@given(instance=instances(), backfill=st.sampled_from(CALM))
@in_both_engines
def test_easy_with_fcfs_starts_the_head_by_its_first_shadow_time(simulate, instance, backfill):
    """With FCFS a head stays the head: it starts by the shadow time it had when it became one."""
    schedule = simulate(Scenario(instance, Policy.of(backfill=backfill)))
    rank = np.argsort(np.argsort(instance.submit_time, kind="stable"))
    for _, waiting, running in moments(schedule):
        if len(waiting):
            head = head_of(waiting, rank)
            assert schedule.start_time[head] <= shadow_of(schedule, head, running)


@check
@given(
    instance=instances(),
    order=fixed_orders(),
    backfill=st.sampled_from((NoBackfill(), FirstFit(), Plan(), *CALM)),
)
@in_both_engines
def test_the_head_starts_as_soon_as_it_fits(simulate, instance, order, backfill):
    """Once the policy has decided, the head of those who still wait does not fit."""
    schedule = simulate(Scenario(instance, Policy.of(order, backfill), seed=2))
    rank = ranks(instance, order, 2)
    for _, waiting, running in moments(schedule):
        if len(waiting):
            free = instance.processors - instance.size[running].sum()
            assert instance.size[head_of(waiting, rank)] > free


@check
@given(instance=instances(), cycles=st.sampled_from(CYCLES))
@in_both_engines
def test_first_fit_leaves_nobody_who_fits(simulate, instance, cycles):
    """Once first-fit has decided for the last time at an instant, no waiting job fits."""
    schedule = simulate(Scenario(instance, Policy.of(backfill=FirstFit()), cycles=cycles))
    for _, waiting, running in moments(schedule):
        free = instance.processors - instance.size[running].sum()
        assert (instance.size[waiting] > free).all()


class Promises:
    """Conservative backfilling that writes down what it promises."""

    name = "promises"

    def __init__(self):
        self.made = {}

    def decide(self, view):
        for decision in Conservative().decide(view):
            if isinstance(decision, Reserve):
                self.made.setdefault(decision.job.position, []).append(decision.time)
            yield decision


@check
@given(instance=instances(), order=fixed_orders(), cycles=st.sampled_from(CYCLES))
@in_both_engines
def test_conservative_keeps_every_promise(simulate, instance, order, cycles):
    """A promise is only ever replaced by one not later, and the job starts at the last one."""
    promises = Promises()
    reference.simulate(Scenario(instance, Policy.of(order, promises), cycles=cycles))
    start = simulate(Scenario(instance, Policy.of(order, Conservative()), cycles=cycles)).start_time
    assert sorted(promises.made) == list(range(len(instance)))
    for position, made in promises.made.items():
        assert made == sorted(made, reverse=True)
        assert start[position] == made[-1]


@check
@given(scenario=scenarios(instances()))
@in_both_engines
def test_the_same_seed_gives_the_same_schedule(simulate, scenario):
    """Two runs of one scenario are equal."""
    first, second = simulate(scenario), simulate(scenario)
    assert first.start_time.tolist() == second.start_time.tolist()
    assert first.counts == second.counts


@check
@given(scenario=scenarios(instances()), numbers=st.randoms(use_true_random=False))
@in_both_engines
def test_renaming_jobs_changes_nothing(simulate, scenario, numbers):
    """Other job numbers, in any order and even repeated, give the same starts."""
    old = scenario.instance
    renamed = old.workload.with_columns(job_id=[numbers.randrange(50) for _ in old.workload])
    again = Instance.of(renamed, old.processors, estimates=old.estimates)
    other = Scenario(again, scenario.policy, cycles=scenario.cycles, seed=scenario.seed)
    assert simulate(other).start_time.tolist() == simulate(scenario).start_time.tolist()


@check
@given(
    scenario=scenarios(instances()).filter(lambda scenario: scale_free(scenario.policy)),
    power=st.integers(-6, 20),
)
@in_both_engines
def test_scaling_time_scales_the_schedule(simulate, scenario, power):
    """All times multiplied by a power of two, which is exact, multiply every start by it."""
    k, old = 2.0**power, scenario.instance
    request = old.workload.requested_time
    scaled = old.workload.with_columns(
        submit_time=k * old.workload.submit_time,
        run_time=k * old.workload.run_time,
        requested_time=np.where(request > 0, k * request, -1),
    )
    again = Instance.of(scaled, old.processors, estimates=old.estimates)
    other = Scenario(again, scenario.policy, cycles=scenario.cycles, seed=scenario.seed)
    expected = k * simulate(scenario).start_time
    assert simulate(other).start_time.tolist() == expected.tolist()


@check
@given(
    instance=any_instances(exact_times=True),
    policy=policies().filter(scale_free),
    shift=st.integers(1, 10**6),
)
@in_both_engines
def test_shifting_time_shifts_the_schedule(simulate, instance, policy, shift):
    """Everything submitted later by the same time starts later by it."""
    shifted = instance.workload.with_columns(submit_time=instance.workload.submit_time + shift)
    again = Instance.of(shifted, instance.processors, estimates=instance.estimates)
    expected = simulate(Scenario(instance, policy)).start_time + shift
    assert simulate(Scenario(again, policy)).start_time.tolist() == expected.tolist()


class ByProfile:
    """EASY by an availability profile, as `reservations` > 1 does it, instead of shadow time and extra."""

    name = "by-profile"

    def decide(self, view):
        profile = view.availability()
        rest = yield from reserve_first(view, profile, 1)
        yield from first_fits(view, profile, rest)


@check
@given(instance=instances(), order=fixed_orders(), cycles=st.sampled_from(CYCLES))
@in_both_engines
def test_shadow_and_profile_are_the_same_easy(simulate, instance, order, cycles):
    """One reservation kept in a profile is the shadow time with its extra processors."""
    one = simulate(Scenario(instance, Policy.of(order, Easy()), cycles=cycles))
    other = reference.simulate(Scenario(instance, Policy.of(order, ByProfile()), cycles=cycles))
    assert one.start_time.tolist() == other.start_time.tolist()


@check
@given(instance=instances(), order=fixed_orders(), cycles=st.sampled_from(CYCLES))
@in_both_engines
def test_plan_is_easy_with_a_reservation_for_everyone(simulate, instance, order, cycles):
    """As many reservations as jobs leave nobody unprotected: that is planning."""
    plan = simulate(Scenario(instance, Policy.of(order, Plan()), cycles=cycles))
    easy = Policy.of(order, Easy(reservations=len(instance)))
    assert simulate(Scenario(instance, easy, cycles=cycles)).start_time.tolist() == plan.start_time.tolist()


class LargestAgainAndAgain:
    """Best-fit EASY as it is defined: again and again the largest candidate that may start."""

    name = "largest-again-and-again"

    def decide(self, view):
        while view.queue and view.queue[0].processors <= view.free:
            yield Start(view.queue[0])
        if len(view.queue) < 2:
            return
        head = view.queue[0]
        while True:
            shadow, extra = view.shadow(head.processors)
            fits = [
                job
                for job in view.queue[1:]
                if job.processors <= view.free
                and (view.now + job.planned_time <= shadow or job.processors <= extra)
            ]
            if not fits:
                return
            yield Start(max(fits, key=lambda job: job.processors))


@check
@given(instance=instances(), order=fixed_orders())
@in_both_engines
def test_best_fit_takes_the_largest_each_time(simulate, instance, order):
    """Walking the candidates once by size is choosing the largest again after each start."""
    walked = simulate(Scenario(instance, Policy.of(order, Easy(fit="best-fit"))))
    chosen = reference.simulate(Scenario(instance, Policy.of(order, LargestAgainAndAgain())))
    assert walked.start_time.tolist() == chosen.start_time.tolist()
