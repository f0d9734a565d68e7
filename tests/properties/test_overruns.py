"""Jobs that run longer than requested: planned again at their planned ends, alike wherever they run."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine.contract import CYCLES
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Site,
    SocialContract,
    TimeSharedMachine,
    Workstation,
)
from echelon.policies import Information, Policy
from echelon.testing.strategies import instances, orders, reference_backfills

sys.path.insert(0, str(Path(__file__).parent))
from trees_of_sites import BROKERS, PROTOCOLS, Inner, Leaf, cases, outcome, workload_of

SLOW_TO_DRAW = {"suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
check = examples(80, **SLOW_TO_DRAW)
few = examples(30, **SLOW_TO_DRAW)
requested = instances(estimates=("request",))
# With a quantum of 3 s a job is suspended hundreds of times at most: with more nothing new happens.
in_turns = requested.filter(lambda instance: instance.run_time.sum() < 1500)
PREEMPTIVE = ("srtf", "srtf:switch=2", "round-robin:quantum=3", "preemptive-priority:order=smallest-first")


@dataclass(frozen=True)
class Half:
    """Predict half of each request: jobs are corrected up to it, and may run on beyond."""

    name: str = "half"

    def memory(self):
        return self

    def predict(self, job):
        return job.planned_time / 2

    def learn(self, job, run_time):
        pass


def nodes(*cores):
    """Return a machine of nodes with so many cores each."""
    return Hardware((Cluster(tuple(Node((Processor((Core(1e9),) * each),)) for each in cores)),))


def times(workload, **how):
    """Return all starts and ends of a run that plans with requests."""
    schedule = ec.simulate(workload, estimates="request", engine="reference", **how).schedule
    return schedule.start_time.tolist(), schedule.end_time.tolist()


@check
@given(
    instance=requested,
    order=orders(),
    backfill=reference_backfills(),
    cycles=st.sampled_from(CYCLES),
    estimator=st.sampled_from(("request", "exact", "average", Half())),
)
def test_counted_processors_are_one_node(instance, order, backfill, cycles, estimator):
    """Under every backfilling, order, estimator and rule of cycles jobs start and end as on one node."""
    how = {"policy": Policy.of(order, backfill), "cycles": cycles, "estimator": estimator}
    n = instance.processors
    counted = times(instance.workload, processors=n, **how)
    assert times(instance.workload, platform=nodes(n), execution="fixed", **how) == counted


@few
@given(instance=in_turns, policy=st.sampled_from(PREEMPTIVE), cycles=st.sampled_from(CYCLES))
def test_suspended_jobs_too(instance, policy, cycles):
    """What a suspended job has left of its request is the same; it resumes and overruns as on one node."""
    n, how = instance.processors, {"policy": policy, "cycles": cycles}
    counted = times(instance.workload, processors=n, **how)
    assert times(instance.workload, platform=nodes(n), execution="fixed", **how) == counted


def requested_cases(**fixed):
    """Return a strategy for jobs on trees of counted processors, most of them with too short a request."""
    found = cases(**{"kinds": ("count",), "brokers": BROKERS, "estimates": ("request",)} | fixed)
    return found.map(lambda case: replace(case, jobs=[shorter(job) for job in case.jobs]))


def shorter(job):
    """Return `job` with a request below its run time, unless that is even."""
    return job if job.run % 2 == 0 else replace(job, requested=max(1, job.run - 1 - job.submit % 7))


def on_nodes(tree):
    """Return the tree where the processors of each leaf are the cores of one node."""
    if isinstance(tree, Leaf):
        return Leaf.nodes(tree.cores, tree.backfill)
    return replace(tree, children=tuple(map(on_nodes, tree.children)))


def starts_and_ends(result):
    """Return where and when every job ran."""
    return outcome(result)[:3]


def assert_nodes_do_the_same(case):
    there = case.run(tree=on_nodes(case.tree), execution="fixed")
    assert starts_and_ends(there) == starts_and_ends(case.run())


PREEMPT = tuple(word for word in PREEMPTIVE if "switch" not in word)
ANY = ("easy", "conservative", "easy:shortest-first", "first-fit", "fcfs")


@check
@given(requested_cases(policies=ANY, cycles=("instant", "event")))
def test_trees_of_counted_processors_are_trees_of_nodes(case):
    """Brokers that add up jobs and brokers that look ahead see and do the same, at every level."""
    assert_nodes_do_the_same(case)


@few
@given(requested_cases(policies=ANY), st.sampled_from(("fcfs", "nb.rs", "b", "pull", "requests")))
def test_global_queues_dispatch_the_same(case, rule):
    """A global queue above leaves whose planned ends are put off dispatches the same jobs to them."""
    case = replace(case, options=case.options | {"global_queue": rule, "queue_limit": 1})
    assert_nodes_do_the_same(case)


@few
@given(requested_cases(depth=1), st.sampled_from(PROTOCOLS))
def test_protocols_exchange_the_same(case, words):
    """EASY of a site under a protocol has the same shadow times, also those that are put off."""
    tree = Inner("ml", (Inner(words, case.tree.children, Fraction(1)),))
    assert_nodes_do_the_same(replace(case, tree=tree))


@few
@given(requested_cases(policies=PREEMPT, brokers=("ml", "mpl", "mlb", "random")))
def test_suspended_jobs_of_trees_too(case):
    """Jobs suspended below brokers resume with what is left of their requests, or of their put-off ends."""
    assert_nodes_do_the_same(case)


@check
@given(requested_cases(alone=True, policies=ANY, cycles=("instant", "event")), st.sampled_from(BROKERS))
def test_a_grid_of_one_site_is_the_machine(case, words):
    """Below a broker one machine starts and ends every job when it does alone."""
    alone = ec.simulate(workload_of(case.jobs), processors=case.tree.cores[0], **case.options)
    below = replace(case, homes=()).run(tree=Inner(words, (case.tree,)))
    assert starts_and_ends(below) == starts_and_ends(alone)


class Looker:
    """A broker that asks every site for its planned schedule, and sends jobs round."""

    name, source, grid_state = "looker", "none", "actual"
    information = Information.SCHEDULES

    def __init__(self):
        self.late, self.known = 0, 0

    def choose(self, job, view):
        able = view.allowed
        for site in able:
            for plan in (view.schedule(site), view.schedule(site, job)):
                self.known += len(plan)
                self.late += sum(planned.end < max(view.now, planned.start) for planned in plan)
        return able[job.position % len(able)]


MACHINES = Platform(
    (
        Site("count", 6),
        Site("nodes", nodes(2, 4)),
        Site("desks", TimeSharedMachine(3, 0.5)),
        Site("lab", SharedCluster((Workstation(),) * 6, contract=SocialContract(mpl=2))),
    )
)


@pytest.mark.parametrize("seed", range(3))
def test_no_broker_sees_an_end_in_the_past(seed):
    """At sites of every kind, all that runs or waits is planned to end after now, however late it is."""
    draw, looker = np.random.default_rng(seed), Looker()
    run = draw.integers(2, 60, 80)
    workload = ec.Workload.from_columns(
        submit_time=np.cumsum(draw.integers(0, 6, 80)),
        run_time=run,
        requested_time=np.maximum(1, run - draw.integers(-9, 50, 80)),
        processors=draw.integers(1, 7, 80),
    )
    ec.simulate(workload, platform=MACHINES, broker=looker, policy="easy", estimates="request")
    assert not looker.late
    assert looker.known > 1000
