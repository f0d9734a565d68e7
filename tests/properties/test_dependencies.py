"""Jobs that wait for others: what must hold in every engine, under every policy.

The main proof is one sentence: a run with dependencies is the run of the same jobs submitted when they were
released. So all that is proved of runs without dependencies holds of runs with them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.engine.compiled.multicluster import simulate as with_projections
from echelon.engine.contract import CYCLES, Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine, tree_of_sites
from echelon.execution import execution_named
from echelon.model import Cluster, Core, Dependencies, Hardware, Instance, Node, Processor, Sleep, Workload
from echelon.policies import (
    Policy,
    RoundRobin,
    ShortestRemainingTimeFirst,
    broker_named,
    estimator_named,
    placement_of,
    policy,
    policy_named,
)
from echelon.testing.dependent_jobs import check_releases, dependent, random_edges, releases
from echelon.testing.multiclusters import random_cluster_case
from echelon.testing.strategies import grids, instances, orders, reference_backfills, scenarios, workloads

check = examples(60)
seldom = examples(25)
BROKERS = ("mpl", "mct", "mct:grid-state=actual", "mwt", "random", "lbal-w", "round-robin")
PEERS = (
    "exchange", "exchange:latency=2:refresh=5", "common-pool:refresh=3", "stealing:latency=1:refresh=4",
    "stealing:refresh=0.1",
)  # fmt: skip
PREEMPTIVE = (
    ShortestRemainingTimeFirst(), ShortestRemainingTimeFirst(switch=1.0), RoundRobin(quantum=3.0),
    RoundRobin(quantum=2.0, switch=0.5, fill=True),
)  # fmt: skip
LEARNING = ("average", "smith", "ibl", "corrected:of=request:window=3:ra=0:spread=9")


def run(scenario):
    """Run in the reference engine, and in the compiled one if it can: the same."""
    schedule = reference.simulate(scenario)
    kernels = compiled if scenario.multicluster is None else with_projections
    if scenario.multicluster is not None or compiled.supports(scenario) is None:
        fast = kernels.simulate(scenario)
        assert np.array_equal(fast.start_time, schedule.start_time)
        assert np.array_equal(fast.end_time, schedule.end_time)
        assert np.array_equal(fast.instance.submit_time, schedule.instance.submit_time)
        if schedule.site is not None:
            assert np.array_equal(fast.site, schedule.site)
    return schedule


def submitted_at_release(scenario, schedule):
    """Return `scenario` without dependencies, its jobs submitted when `schedule` released them."""
    times = scenario.instance.submit_time.copy()
    times[np.searchsorted(scenario.instance.kept, schedule.instance.kept)] = schedule.instance.submit_time
    return replace(scenario, instance=replace(scenario.instance.release_at(times), dependencies=None))


def check_run(scenario):
    """Assert that releases are right to the last bit, and that nothing but releases has changed."""
    schedule = run(scenario)
    check_releases(scenario.instance, schedule)
    same = reference.simulate(submitted_at_release(scenario, schedule))
    assert np.array_equal(same.start_time, schedule.start_time)
    assert np.array_equal(same.end_time, schedule.end_time)
    if schedule.site is not None:
        assert np.array_equal(same.site, schedule.site)
    if schedule.predicted_time is not None:
        assert np.array_equal(same.predicted_time, schedule.predicted_time)
    return schedule


@check
@given(
    instance=dependent(instances()), backfill=reference_backfills(), order=orders(),
    cycles=st.sampled_from(("instant", "event")),
)  # fmt: skip
def test_one_machine(instance, backfill, order, cycles):
    """Under every order and backfilling, with one pass an instant or one an event."""
    check_run(Scenario(instance, Policy.of(order, backfill), cycles=cycles, seed=2))


@check
@given(scenario=scenarios(dependent(instances()), cycles="pyss"))
def test_releases_as_pyss_decides(scenario):
    """A job that an early END releases joins when the instant's ENDs are over: never before, never later."""
    check_releases(scenario.instance, run(scenario))


@check
@given(
    instance=dependent(instances(exact_times=True)), rule=st.sampled_from(PREEMPTIVE),
    cycles=st.sampled_from(CYCLES),
)  # fmt: skip
def test_preemptive_policies(instance, rule, cycles):
    """The last of a job's segments is its end."""
    scenario = Scenario(instance, Policy.of(backfill=rule), cycles=cycles)
    if cycles == "pyss":
        check_releases(instance, run(scenario))
    else:
        check_run(scenario)


@check
@given(instance=dependent(instances()), words=st.sampled_from(LEARNING), backfill=reference_backfills())
def test_estimators_that_learn(instance, words, backfill):
    """They see a job when it is released, and learn from the ends they have seen by then."""
    check_run(Scenario(instance, Policy.of(backfill=backfill), estimator=estimator_named(words)))


@check
@given(instance=dependent(grids()), broker=st.sampled_from(BROKERS), words=st.sampled_from(("easy", "fcfs")))
def test_grids(instance, broker, words):
    """By what really happens, whatever schedule the broker believes in."""
    check_run(Scenario(instance, policy(words), system_model=tree_of_sites(broker_named(broker)), seed=1))


@check
@given(instance=dependent(grids()), arrangement=st.sampled_from(PEERS))
def test_grids_without_a_broker(instance, arrangement):
    """Other sites know of a job so long after its release as after a submission."""
    check_run(Scenario(instance, policy("fcfs"), system_model=tree_of_sites(broker_named(arrangement))))


@seldom
@given(jobs=workloads(max_jobs=12, max_processors=6), data=st.data())
def test_nodes(jobs, data):
    """Where jobs slow each other down, end late, and nodes sleep."""
    sleepy = Sleep(3.0, 1.0, 2.0, 20.0)
    node = Node((Processor((Core(1e9), Core(1e9))),), memory=np.inf, sleep=sleepy)
    hardware = Hardware((Cluster((node, node, node)),))
    instance = data.draw(dependent(st.just(Instance.of(jobs, hardware))))
    rules = NodeRules(
        placement_of(data.draw(st.sampled_from(("first-fit", "best-fit")))), execution_named("speed")
    )
    words = data.draw(st.sampled_from(("fcfs", "easy", "conservative", "first-fit")))
    check_run(Scenario(instance, policy(words), system_model=NodeLevelMachine(rules)))


@seldom
@given(
    seed=st.integers(0, 2**32 - 1), upper=st.sampled_from(("fcfs", "fpfs", "b", "nb", "b.rs", "pull")),
    local=st.sampled_from(("fcfs", "easy")), estimator=st.sampled_from(("request", "li", "hanzich")),
)  # fmt: skip
def test_multiclusters(seed, upper, local, estimator):
    """Through the upper queue, to a cluster or to several, beside owners who come and go."""
    case = random_cluster_case(seed, forever=False)
    scenario = case.scenario(local, upper=upper, estimator=estimator, broker="first-fit")
    tied = random_edges(scenario.instance, seed)
    schedule = run(replace(scenario, instance=tied))
    left = np.searchsorted(tied.kept, schedule.instance.kept)
    log = replace(schedule.instance, submit_time=tied.submit_time[left])
    assert np.array_equal(schedule.instance.submit_time, releases(log, schedule.end_time))
    same = run(submitted_at_release(replace(scenario, instance=tied), schedule))
    assert np.array_equal(same.start_time, schedule.start_time)
    assert np.array_equal(same.site, schedule.site)


@check
@given(
    jobs=workloads(max_processors=4), data=st.data(), words=st.sampled_from(("easy", "sjf", "conservative"))
)
def test_ignored_dependencies_change_nothing(jobs, data, words):
    """With ``dependencies="ignore"`` the schedule is that of the log without them."""
    numbers = st.sampled_from([-1, *range(1, len(jobs) + 1)])
    preceding = data.draw(st.lists(numbers, min_size=len(jobs), max_size=len(jobs)))
    tied = jobs.with_columns(preceding_job=preceding)
    ignoring = Instance.of(tied, 4, dependencies="ignore")
    one, other = (run(Scenario(given, policy(words))) for given in (ignoring, Instance.of(jobs, 4)))
    assert np.array_equal(one.start_time, other.start_time)


@check
@given(instance=dependent(instances()))
def test_fcfs_never_overtakes_a_release(instance):
    """Without backfilling jobs start in the order in which they are released, then of the workload."""
    schedule = run(Scenario(instance, policy("fcfs")))
    order = np.lexsort((np.arange(len(instance)), schedule.instance.submit_time))
    assert (np.diff(schedule.start_time[order]) >= 0).all()


@check
@given(
    instance=dependent(instances(exact_times=True)), words=st.sampled_from(("easy", "conservative", "srtf"))
)
def test_times_scale(instance, words):
    """Twice the times, delays among them, give twice the starts."""
    waiting = instance.dependencies
    doubled = None if waiting is None else replace(waiting, delay=2 * waiting.delay)
    columns = ("submit_time", "run_time", "planned_time")
    twice = replace(instance, dependencies=doubled, **{name: 2 * getattr(instance, name) for name in columns})
    one, other = (run(Scenario(given, policy_named(words))) for given in (instance, twice))
    assert np.array_equal(2 * one.start_time, other.start_time)


@check
@given(jobs=workloads(max_processors=4), data=st.data())
def test_renaming_jobs_changes_nothing(jobs, data):
    """Other numbers, the same jobs: the same schedule."""
    count = len(jobs)
    before = [data.draw(st.integers(0, position)) for position in range(count)]
    old, new = np.arange(1, count + 1), 7 + 3 * np.arange(count)[::-1]
    one, other = (
        jobs.with_columns(
            job_id=ids,
            preceding_job=[ids[k - 1] if k else -1 for k in before],
            think_time=np.arange(count) % 3 - 1,
        )
        for ids in (old, new)
    )
    starts = [run(Scenario(Instance.of(log, 4), policy("easy"))).start_time for log in (one, other)]
    assert np.array_equal(*starts)


@pytest.mark.parametrize("cycles", CYCLES)
def test_a_chain_by_hand(cycles):
    """Three jobs in a row on one processor, one that answers after 5 s, and a stranger between."""
    jobs = Workload.from_columns(
        submit_time=[0, 1, 90, 12],
        run_time=[10, 20, 5, 3],
        processors=[1, 1, 1, 1],
        preceding_job=[-1, 1, 2, -1],
        think_time=[-1, -1, 5, -1],
    )
    schedule = run(Scenario(Instance.of(jobs, 1), policy("fcfs"), cycles=cycles))
    # Job 2 joins when 1 ends, at 10, before 4 at 12; 3 follows 2 at 35 and need not wait for its 90 s.
    assert schedule.instance.submit_time.tolist() == [0, 10, 35, 12]
    assert schedule.start_time.tolist() == [0, 10, 35, 30]


@pytest.mark.parametrize("cycles", CYCLES)
def test_a_diamond_by_hand(cycles):
    """Two branches of one job, and one that waits for both: it starts when the slower one has ended."""
    jobs = Workload.from_columns(submit_time=[0] * 4, run_time=[5, 10, 20, 1], processors=[1, 1, 1, 2])
    one, other = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3])
    edges = Dependencies.of_edges(4, one, other, delay=np.array([0.0, 0.0, 3.0, 1.0]))
    tied = replace(jobs, dependencies=edges)
    schedule = run(Scenario(Instance.of(tied, 2), policy("easy"), cycles=cycles))
    assert schedule.instance.submit_time.tolist() == [0, 5, 5, 26]
    assert schedule.start_time.tolist() == [0, 5, 5, 26]


@seldom
@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("words", ["fcfs", "easy", "sjf", "conservative"])
def test_the_order_of_lines_counts_only_in_ties(words, seed):
    """Where no two times are the same, the lines of a log may come in any order."""
    draw = np.random.default_rng(seed)
    count = 12
    jobs = Workload.from_columns(
        submit_time=50 * draw.random(count), run_time=1 + 20 * draw.random(count),
        processors=draw.integers(1, 5, count),
    )  # fmt: skip
    one, other = np.sort(draw.integers(0, count, (2, count)), axis=0)
    real = one < other
    jobs = jobs.with_dependencies(one[real], other[real], delay=10 * draw.random(int(real.sum())))
    lines = draw.permutation(count)
    first, second = (run(Scenario(Instance.of(log, 4), policy(words))) for log in (jobs, jobs.take(lines)))
    assert np.array_equal(first.start_time[lines], second.start_time)
