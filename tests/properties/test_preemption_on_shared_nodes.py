"""What holds of every preemptive schedule on shared nodes."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine import reference
from echelon.model import (
    AWAY,
    Cluster,
    Core,
    EndReason,
    Hardware,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Site,
    SocialContract,
    Workstation,
)
from echelon.policies import Policy
from echelon.testing.multiclusters import random_cluster_case
from echelon.testing.strategies import instances

sys.path.insert(0, str(Path(__file__).parent))
from test_multicluster import ran
from test_preemption_on_nodes import attempts_of, schedulers

LENIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
check = examples(60, suppress_health_check=LENIENT)
SEEDS = st.integers(0, 2**32 - 1)
LOCAL = (
    "srtf",
    "srtf:switch=2",
    "srtf:fill=no",
    "gang:quantum=3",
    "gang:quantum=3:switch=1:fill=no",
    "preemptive-priority:order=shortest-first",
    "preemptive-priority:order=fcfs:aging=1:review=4:switch=1",
)


def lab(nodes):
    """Return one cluster of these many dedicated nodes."""
    return Platform((Site("lab", SharedCluster((Workstation(),) * nodes, contract=SocialContract(mpl=1))),))


@check
@given(instances(max_jobs=15), schedulers(), st.sampled_from(("instant", "event")))
def test_dedicated_nodes_are_a_machine_of_processors(instance, scheduler, cycles):
    """Without contention and owners every attempt is that of counted processors, to the last bit."""
    how = {"policy": Policy.of(backfill=scheduler), "estimates": "exact", "cycles": cycles}
    # Times that floats hold exactly: a third of a second less a tenth may round in two ways.
    n, jobs = instance.processors, instance.workload
    jobs = jobs.with_columns(
        **{name: np.ceil(getattr(jobs, name) * 8) / 8 for name in ("submit_time", "run_time")}
    )
    counted = ec.simulate(jobs, processors=n, **how).schedule
    found = ec.simulate(jobs, platform=lab(n), **how).schedule
    assert attempts_of(found) == attempts_of(counted)
    assert found.start_time.tolist() == counted.start_time.tolist()
    assert found.end_time.tolist() == counted.end_time.tolist()
    assert found.instance.run_time.tolist() == counted.instance.run_time.tolist()
    assert found.wait_time.tolist() == counted.wait_time.tolist()


@check
@given(instances(max_jobs=15), schedulers(), st.sampled_from(("raise", "kill")), SEEDS)
def test_dedicated_nodes_are_a_machine_of_nodes(instance, scheduler, estimates, seed):
    """Where requests are no run times, either: both know of the planned time left by the work left."""
    # No two jobs have so nearly as much left that rounding decides which is first.
    uneven = np.random.default_rng(seed).uniform(0.9, 1.1, len(instance.workload))
    jobs = instance.workload.with_columns(run_time=instance.workload.run_time * uneven)
    how = {"policy": Policy.of(backfill=scheduler), "estimates": estimates}
    n = instance.processors
    nodes = Hardware((Cluster((Node((Processor((Core(1e9),)),)),) * n),))
    told = ec.simulate(jobs, platform=nodes, execution="speed", **how).schedule
    found = ec.simulate(jobs, platform=lab(n), **how).schedule
    for mine, other in zip(attempts_of(found), attempts_of(told), strict=True):
        assert mine == pytest.approx(other, rel=1e-9, abs=1e-9)


def drawn(seed, **options):
    """Return a case in which no owner stays forever."""
    return random_cluster_case(seed, forever=False, **options)


def by_node(schedule):
    """Return job, start and end of every task in each node, by site and node."""
    places, found = schedule.places, {}
    times = places.times(schedule.start_time, schedule.end_time)
    columns = (places.site, places.node, places.job, *times)
    for site, node, *task in zip(*(column.tolist() for column in columns), strict=True):
        found.setdefault((site, node), []).append(task)
    return found


@check
@given(SEEDS, st.sampled_from(LOCAL), st.sampled_from(("fcfs", "nb.rs", "requests")))
def test_nodes_hold_what_their_contract_allows(seed, local, upper):
    """In every attempt: tasks, their memory and what they ask of the link stay below the ceilings."""
    case = drawn(seed)
    schedule = ran(case.scenario(local, upper=upper))
    if schedule is None:
        return
    jobs, attempts = schedule.instance.jobs(), schedule.attempts
    tasks = sorted((job, start, end) for here in by_node(schedule).values() for job, start, end in here)
    rows = zip(attempts.job.tolist(), attempts.start.tolist(), attempts.end.tolist(), strict=True)
    assert tasks == sorted(row for row in rows for _ in range(jobs[row[0]].processors))
    for (site, node), here in by_node(schedule).items():
        cluster = case.platform.clusters[site]
        contract, machine = cluster.contract, cluster.nodes[node]
        for _, moment, _ in here:
            now = [jobs[job] for job, start, end in here if start <= moment < end]
            assert len({job.position for job in now}) == len(now) <= contract.mpl
            assert sum(job.application.memory for job in now) <= machine.memory * contract.memory
            asked = sum(job.application.bandwidth for job in now if job.processors > 1)
            assert asked <= machine.bandwidth * contract.bandwidth * (1 + 1e-9)


def work_done(case, schedule, switch, paging=5.0):
    """Return the share of each job's work that nodes and owners let it do in all its attempts.

    From places alone, where there are no links. Each attempt begins with a switch.
    """
    jobs, told = schedule.instance.jobs(), case.users.script
    whole = schedule.instance.workload.run_time[schedule.instance.kept]
    attempts = list(zip(*attempts_of(schedule)[:3], strict=True))
    begin_of = {(job, start): min(start + switch, end) for job, start, end in attempts}
    instants = {time for _, *times in attempts for time in times} | set(begin_of.values())
    nodes, done = by_node(schedule), np.zeros(len(jobs))
    for since, to in pairwise(sorted(instants | {change.time for change in told})):
        use = {(change.site, change.node): change.use for change in told if change.time <= since}
        slowest = {}
        for (site, node), here in nodes.items():
            cluster, owner = case.platform.clusters[site], use.get((site, node), AWAY)
            machine = cluster.nodes[node]
            now = [(job, start) for job, start, end in here if start <= since and to <= end]
            left = machine.processors * (1 - owner.cpu)
            if owner != AWAY:
                left = min(left, machine.processors * cluster.contract.cpu)
            memory = sum(jobs[job].application.memory for job, _ in now) / machine.memory
            pages = 1 + paging * max(0.0, memory + owner.memory * np.isfinite(machine.memory) - 1)
            for task in now:
                power = machine.power * min(1.0, left / len(now))
                slowest[task] = max(slowest.get(task, 1.0), pages / power if power else np.inf)
        for (job, start), slow in slowest.items():
            if begin_of[job, start] <= since:
                done[job] += (to - since) / (whole[job] * slow)
    return done


@check
@given(SEEDS, st.sampled_from(LOCAL), st.sampled_from(("li", "sdpn", "request")))
def test_work_is_conserved_over_attempts(seed, local, estimator):
    """At the speed that neighbors, contracts and owners leave in each attempt, a job's work adds up."""
    case = drawn(seed, links=False)
    schedule = ran(case.scenario(local, estimator=estimator))
    if schedule is None:
        return
    charge = 2.0 if "switch=2" in local else 1.0 if "switch=1" in local else 0.0
    done = work_done(case, schedule, charge)
    assert done == pytest.approx(np.ones(len(schedule.instance)), rel=1e-9)
    parts = schedule.response_time + schedule.suspended_time + schedule.held_time
    assert schedule.end_time - schedule.instance.submit_time == pytest.approx(parts, abs=1e-6)
    switched = schedule.held_time - schedule.instance.run_time
    assert (switched >= -1e-9).all()
    assert (switched <= charge * schedule.attempts.counts() + 1e-6).all()


@check
@given(SEEDS, st.sampled_from(LOCAL), st.sampled_from([0.5, 4.0]))
def test_all_times_may_be_in_another_unit(seed, local, factor):
    """Multiplying the times of jobs, owners and the policy by k multiplies those of every attempt by k."""
    case = drawn(seed, links=False)
    spec = re.sub(r"(quantum|switch|review)=(\d)", lambda m: f"{m[1]}={int(m[2]) * factor}", local)
    once, scaled = ran(case.scenario(local)), ran(case.scale(factor).scenario(spec))
    if once is None:
        assert scaled is None
        return
    one, other = attempts_of(once), attempts_of(scaled)
    assert one[0] == other[0]
    assert one[3] == other[3]
    for mine, theirs in zip(one[1:3], other[1:3], strict=True):
        assert [time * factor for time in mine] == pytest.approx(theirs, rel=1e-9)


class Hearer:
    """Keeps when and in which nodes each job started, was suspended and ended."""

    def __init__(self):
        self.heard = []

    def submitted(self, time, job, place):
        pass

    def started(self, time, job, place):
        self.heard.append((time, "started", job.position, place))

    def preempted(self, time, job, place):
        self.heard.append((time, "preempted", job.position, place))

    def ended(self, time, job, place):
        self.heard.append((time, "ended", job.position, place))

    def decided(self, time, waiting, free, place):
        pass

    def attempts(self):
        """Yield job, start, end, place and what ended it, of every attempt; it ends where it began."""
        began = {}
        for time, what, job, place in self.heard:
            if what == "started":
                began[job] = (time, place)
                continue
            start, there = began.pop(job)
            assert there == place
            yield job, start, time, place, what


@check
@given(SEEDS, st.sampled_from(LOCAL), st.sampled_from(("fcfs", "requests")))
def test_events_name_the_nodes_of_every_attempt(seed, local, upper):
    """Observers alone hear of each attempt: when and in which nodes it began, and when it ended there."""
    case, hearer = drawn(seed), Hearer()
    schedule = ran(case.scenario(local, upper=upper, observers=[hearer]))
    if schedule is None:
        return
    told = {
        (job, start, end): (place.site, sorted(place.nodes), what)
        for job, start, end, place, what in hearer.attempts()
    }
    found = {}
    for (site, node), here in by_node(schedule).items():
        for job, start, end in here:
            found.setdefault((job, start, end), (site, []))[1].append(node)
    assert {key: value[:2] for key, value in told.items()} == {
        key: (site, sorted(nodes)) for key, (site, nodes) in found.items()
    }
    suspended = schedule.attempts.ended_by(EndReason.PREEMPTED).sum()
    assert sum(what == "preempted" for _, _, what in told.values()) == suspended


def test_most_cases_suspend_jobs():
    """The policies above suspend jobs in the drawn cases, also beside owners at work."""
    counts = []
    for seed in range(20):
        schedule = ran(drawn(seed).scenario(LOCAL[seed % len(LOCAL)]))
        if schedule is not None:
            counts.append(len(schedule.attempts) - len(schedule.instance))
    assert np.count_nonzero(counts) > len(counts) / 2


def test_neighbors_speed_up_while_a_job_is_suspended():
    """Two tasks in one node halve each other's speed; a third waits, and takes the place of the longer."""
    node = SharedCluster((Workstation(),), contract=SocialContract(mpl=2))
    jobs = ec.Workload.from_columns(
        submit_time=[0, 0, 4], run_time=[10, 20, 1], requested_time=[10, 20, 1], processors=[1, 1, 1]
    )
    run = ec.simulate(jobs, platform=Platform((Site("lab", node),)), policy="srtf:switch=1")
    # The longest is suspended at 4 s, after a switch of 1 s and 3 s at half speed. From 8 s to 21 s it does
    # another 6.5 s of its work beside the first, and the last 12 s alone.
    assert attempts_of(run.schedule)[:3] == [
        [0, 1, 1, 2],
        [0.0, 0.0, 7.0, 4.0],
        [21.0, 4.0, 33.0, 7.0],
    ]
    again = replace(run.scenario, observers=())
    assert attempts_of(reference.simulate(again)) == attempts_of(run.schedule)
