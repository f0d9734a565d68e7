"""What holds of every schedule in which policies suspend jobs of several clusters."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from budgets import examples
from echelon.model import EndReason
from echelon.policies.coallocation import co_allocation
from echelon.testing.multiclusters import random_cluster_case

sys.path.insert(0, str(Path(__file__).parent))
from test_multicluster import ran
from test_preemption_on_shared_nodes import LOCAL, Hearer, attempts_of, by_node, work_done

check = examples(60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
SEEDS = st.integers(0, 2**32 - 1)
UPPER = st.sampled_from(("fcfs", "fpfs", "nb.rs", "requests"))
CO = st.sampled_from(("threshold", "rule-85:share=0.5"))
SETTINGS = {"local": st.sampled_from(LOCAL), "upper": UPPER, "co": CO, "two_phase": st.booleans()}


def wide(seed, rules, *, links=True, observers=()):
    """Return a case with jobs for several clusters, and its schedule; None if no job is left."""
    case = random_cluster_case(seed, forever=False, links=links, larger=True)
    scenario = case.scenario(
        rules["local"],
        upper=rules["upper"],
        co_allocation=co_allocation(rules["co"]),
        two_phase=rules["two_phase"],
        observers=observers,
    )
    return case, ran(scenario)


def suspended_in_parts(schedule):
    """Return how many attempts of jobs in several clusters ended by a suspension."""
    sites = {}
    for (site, _), here in by_node(schedule).items():
        for job, start, end in here:
            sites.setdefault((job, start, end), set()).add(site)
    cut = schedule.attempts.ended_by(EndReason.PREEMPTED)
    attempts = zip(*attempts_of(schedule)[:3], cut.tolist(), strict=True)
    return sum(is_cut and len(sites[job, start, end]) > 1 for job, start, end, is_cut in attempts)


@check
@given(SEEDS, st.fixed_dictionaries(SETTINGS))
def test_all_tasks_of_a_job_run_at_the_same_times(seed, rules):
    """In each attempt every task has a node of its own, for as long as all others; contracts are kept."""
    case, schedule = wide(seed, rules)
    if schedule is None:
        return
    jobs = schedule.instance.jobs()
    tasks = sorted((job, start, end) for here in by_node(schedule).values() for job, start, end in here)
    assert tasks == sorted(
        one for one in zip(*attempts_of(schedule)[:3], strict=True) for _ in range(jobs[one[0]].processors)
    )
    for (site, node), here in by_node(schedule).items():
        cluster = case.platform.clusters[site]
        for _, moment, _ in here:
            now = [jobs[job] for job, start, end in here if start <= moment < end]
            assert len({job.position for job in now}) == len(now) <= cluster.contract.mpl
            memory = cluster.nodes[node].memory * cluster.contract.memory
            assert sum(job.application.memory for job in now) <= memory


@check
@given(SEEDS, st.fixed_dictionaries(SETTINGS))
def test_work_is_conserved_in_several_clusters(seed, rules):
    """At the speed that the slowest of its nodes allows in each attempt, a job's work adds up."""
    case, schedule = wide(seed, rules, links=False)
    if schedule is None:
        return
    charge = 2.0 if "switch=2" in rules["local"] else 1.0 if "switch=1" in rules["local"] else 0.0
    assert work_done(case, schedule, charge) == pytest.approx(np.ones(len(schedule.instance)), rel=1e-9)
    parts = schedule.response_time + schedule.suspended_time + schedule.held_time
    assert schedule.end_time - schedule.instance.submit_time == pytest.approx(parts, abs=1e-6)


@check
@given(SEEDS, st.fixed_dictionaries(SETTINGS))
def test_events_name_all_clusters_of_every_attempt(seed, rules):
    """Observers alone hear of each attempt: when and in which nodes it began, and when it ended there."""
    hearer = Hearer()
    _, schedule = wide(seed, rules, observers=[hearer])
    if schedule is None:
        return
    told = {
        (job, start, end): sorted((one.site, node) for one in (place, *place.others) for node in one.nodes)
        for job, start, end, place, _ in hearer.attempts()
        if end > start
    }
    found = {}
    for at, here in by_node(schedule).items():
        for attempt in here:
            found.setdefault(tuple(attempt), []).append(at)
    assert told == {attempt: sorted(nodes) for attempt, nodes in found.items()}


def test_most_crowds_suspend_jobs_in_several_clusters():
    """The cases above have what they are about: parts of several clusters that are suspended together."""
    rules = {"upper": "fpfs", "co": "threshold", "two_phase": False}
    counts = [wide(seed, rules | {"local": LOCAL[seed % len(LOCAL)]})[1] for seed in range(20)]
    suspended = [suspended_in_parts(schedule) for schedule in counts if schedule is not None]
    assert np.count_nonzero(suspended) > len(suspended) / 4
