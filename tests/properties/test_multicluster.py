"""Multiclusters drawn at random: room, work, order, and what must not change a schedule."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import reference
from echelon.engine.compiled.multicluster import simulate as compiled
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine, tree_of_sites
from echelon.errors import DeadlockError, InputError
from echelon.execution import Execution
from echelon.execution.time_shared import TimeShared
from echelon.history.experiences import experiences_of
from echelon.model import (
    AWAY,
    Cluster,
    Core,
    Hardware,
    Instance,
    Node,
    Platform,
    Processor,
    SharedCluster,
    Site,
    Workstation,
)
from echelon.policies import (
    Admissible,
    Information,
    admissible,
    broker_of,
    estimator_capabilities,
    placement_of,
    policy,
)
from echelon.testing import crowd
from echelon.testing.multiclusters import ClusterCase, random_cluster_case

sys.path.insert(0, str(Path(__file__).parent))
from cluster_rules import LENIENT, SEEDS, drawn, rules

check = examples(40, suppress_health_check=LENIENT)
few = examples(9, suppress_health_check=LENIENT)


def ran(scenario, engine=reference):
    """Return the schedule, or None if no job can run there."""
    try:
        return engine.simulate(scenario)
    except InputError as error:
        if "no job is left to simulate" not in str(error):
            raise
        return None


def in_a_group(scenario):
    """Return the run with the clusters of a multicluster in a group, under the controller of its root."""
    flat = scenario.instance.platform
    sites = tuple(Site(f"g/{site.name}", site.resource) for site in flat.sites)
    model, workload = scenario.system_model, scenario.instance.workload
    spread = ("g",) if model.rules.shared.co_allocation is not None else ()
    instance = Instance.of(workload, Platform(sites), spanning=spread)
    known = estimator_capabilities(scenario.estimator).knows_run_times
    controllers = {"": Controller(broker_of("ml"), Admissible()), "g": model.controllers[""]}
    return replace(
        scenario,
        instance=instance.with_known_run_times() if known else instance,
        system_model=model._replace(controllers=controllers),
    )


@examples(60, suppress_health_check=LENIENT)
@given(SEEDS, rules(), st.sampled_from((1.0, 0.7, 0.4, "0.4:equal-sizes")), st.sampled_from(Information))
def test_a_group_of_clusters_is_a_multicluster(seed, settings, share, level):
    """A tree of one level makes the same schedule, whatever may be chosen from and whatever clusters tell."""
    flat = drawn(seed, settings).scenario(**settings)
    needed = max(rule.information for rule in flat.system_model.controllers[""]._brokers())
    told = max(level, needed)
    model = tree_of_sites(flat.broker, admissible(share), flat.multicluster, told)
    flat = replace(flat, system_model=model)
    expected, found = ran(flat), ran(in_a_group(flat))
    if expected is None:
        assert found is None
        return
    assert found.instance.kept.tolist() == expected.instance.kept.tolist()
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    for name in ("job", "site", "node"):
        assert getattr(found.places, name).tolist() == getattr(expected.places, name).tolist()
    assert found.delivered.tolist() == expected.delivered.tolist() or np.isnan(expected.delivered).any()


def by_node(schedule):
    """Return the jobs with a task in each node, by site and node."""
    places = schedule.places
    found = {}
    for job, site, node in zip(places.job.tolist(), places.site.tolist(), places.node.tolist(), strict=True):
        found.setdefault((site, node), []).append(job)
    return found


@check
@given(SEEDS, rules())
def test_nodes_hold_what_their_contract_allows(seed, settings):
    """At every start: tasks, their memory and what they ask of the link stay below the ceilings."""
    case = drawn(seed, settings)
    schedule = ran(case.scenario(**settings))
    if schedule is None:
        return
    jobs = schedule.instance.jobs()
    assert (np.bincount(schedule.places.job, minlength=len(jobs)) == schedule.instance.size).all()
    for (site, node), here in by_node(schedule).items():
        cluster = case.platform.clusters[site]
        contract, machine = cluster.contract, cluster.nodes[node]
        for moment in schedule.start_time[here]:
            now = [jobs[j] for j in here if schedule.start_time[j] <= moment < schedule.end_time[j]]
            assert len({job.position for job in now}) == len(now) <= contract.mpl
            assert sum(job.application.memory for job in now) <= machine.memory * contract.memory
            asked = sum(job.application.bandwidth for job in now if job.processors > 1)
            assert asked <= machine.bandwidth * contract.bandwidth * (1 + 1e-9)


@check
@given(SEEDS, rules())
def test_a_job_is_submitted_then_delivered_then_run(seed, settings):
    """In this order, on as many nodes as it needs: of one cluster unless jobs are co-allocated."""
    schedule = ran(drawn(seed, settings).scenario(**settings))
    if schedule is None:
        return
    assert (schedule.instance.submit_time <= schedule.delivered).all()
    assert (schedule.delivered <= schedule.start_time).all()
    least = schedule.instance.workload.run_time[schedule.instance.kept]
    assert (schedule.end_time - schedule.start_time >= least * (1 - 1e-9)).all()
    sites = [len(set(schedule.places.site[schedule.places.job == j])) for j in range(len(schedule.instance))]
    assert settings["co_allocation"] is not None or max(sites) == 1


def work_done(case, schedule, paging=5.0):
    """Return the share of each job's work that nodes and owners let it do, link-free, from places alone."""
    start, end, jobs = schedule.start_time, schedule.end_time, schedule.instance.jobs()
    whole = schedule.instance.workload.run_time[schedule.instance.kept]
    done = np.zeros(len(jobs))
    told = case.users.script
    instants = np.unique(np.concatenate((start, end, [change.time for change in told])))
    nodes = by_node(schedule)
    for begin, stop in pairwise(instants):
        use = {(change.site, change.node): change.use for change in told if change.time <= begin}
        slowest = np.ones(len(jobs))
        for (site, node), here in nodes.items():
            cluster, owner = case.platform.clusters[site], use.get((site, node), AWAY)
            machine, now = cluster.nodes[node], [j for j in here if start[j] <= begin and stop <= end[j]]
            left = machine.processors * (1 - owner.cpu)
            if owner != AWAY:
                left = min(left, machine.processors * cluster.contract.cpu)
            memory = sum(jobs[j].application.memory for j in now) / machine.memory
            pages = 1 + paging * max(0.0, memory + owner.memory * np.isfinite(machine.memory) - 1)
            for j in now:
                power = machine.power * min(1.0, left / len(now))
                slowest[j] = max(slowest[j], pages / power if power else np.inf)
        running = (start <= begin) & (stop <= end)
        done[running] += (stop - begin) / (whole[running] * slowest[running])
    return done


@check
@given(SEEDS, rules())
def test_work_is_conserved(seed, settings):
    """What each job does at the speed that places, contracts and owners give it adds up to its work."""
    case = drawn(seed, settings, links=False)
    schedule = ran(case.scenario(**settings))
    if schedule is not None:
        assert work_done(case, schedule) == pytest.approx(np.ones(len(schedule.instance)), rel=1e-9)


@check
@given(SEEDS, rules())
def test_both_engines_agree(seed, settings):
    """Starts, ends, places, planned times and forecasts are the same to the last bit."""
    scenario = drawn(seed, settings, jobs=30).scenario(**settings)
    expected, found = ran(scenario), ran(scenario, compiled)
    if expected is None or found is None:
        assert expected is found
        return
    for name in ("start_time", "end_time", "delivered", "site", "planned_time"):
        assert np.array_equal(getattr(expected, name), getattr(found, name)), name
    for mine, other in zip(expected.forecasts, found.forecasts, strict=True):
        assert np.array_equal(mine.wait, other.wait, equal_nan=True)
        assert np.array_equal(mine.run, other.run, equal_nan=True)
    assert np.array_equal(expected.places.node, found.places.node)


def same(one, other):
    """Assert that two schedules are equal in times and places."""
    assert one.start_time.tolist() == other.start_time.tolist()
    assert one.end_time.tolist() == other.end_time.tolist()
    assert one.places.node.tolist() == other.places.node.tolist()
    assert one.site.tolist() == other.site.tolist()


@check
@given(SEEDS, rules())
def test_the_same_seed_gives_the_same_schedule(seed, settings):
    """Also with noise, random brokers and estimators that learn; job numbers have no say."""
    case = drawn(seed, settings)
    noisy = settings | {"execution": TimeShared(interference=0.3, noise=0.2)}
    first = ran(case.scenario(**noisy))
    if first is None:
        return
    same(first, ran(case.scenario(**noisy)))
    renamed = case.workload.with_columns(job_id=1000 - np.arange(len(case.workload)))
    same(first, ran(replace(case, workload=renamed).scenario(**noisy)))


def minds_no_clock(settings):
    """Return whether no rule holds seconds of its own, as slowdowns bounded with 10 s are."""
    return settings["estimator"] in ("request", "exact") and settings["local"] != "selective"


@check
@given(SEEDS, rules().filter(minds_no_clock), st.sampled_from([0.5, 4]))
def test_all_times_may_be_in_another_unit(seed, settings, factor):
    """Multiplying the times of jobs and owners by k multiplies every start and end by k."""
    case = drawn(seed, settings, links=False)
    once, scaled = ran(case.scenario(**settings)), ran(case.scale(factor).scenario(**settings))
    if once is None:
        assert scaled is None
        return
    assert (once.start_time * factor).tolist() == pytest.approx(scaled.start_time.tolist(), rel=1e-12)
    assert (once.end_time * factor).tolist() == pytest.approx(scaled.end_time.tolist(), rel=1e-12)


@check
@given(SEEDS, rules(co=(None,)))
def test_a_weight_of_one_looks_at_turnarounds_alone(seed, settings):
    """PTT(w=1) chooses as TAT does."""
    case = drawn(seed, settings)
    found = [ran(case.scenario(**settings | {"broker": broker})) for broker in ("tat", "ptt:w=1")]
    if found[0] is not None:
        same(*found)


@few
@given(SEEDS, rules())
def test_without_limit_all_job_selections_are_one(seed, settings):
    """Every job goes at once to its cluster, so there is nothing to select."""
    case = drawn(seed, settings | {"co_allocation": None})
    alone = settings | {"limit": "unlimited", "co_allocation": None, "two_phase": False}
    found = [
        ran(case.scenario(**alone | {"upper": upper}))
        for upper in ("fcfs", "fpfs", "backfilling", "b", "nb", "b.rs", "nb.rs")
    ]
    for other in found[1:]:
        assert (found[0] is None) == (other is None)
        if other is not None:
            same(found[0], other)


@pytest.mark.parametrize(
    "local", ["fcfs", "sjf", "first-fit", "easy", "easy:shortest-first", "easy:fit=best-fit"]
)
@few
@given(SEEDS, st.integers(1, 8))
def test_dedicated_nodes_are_a_machine_of_processors(local, seed, nodes):
    """One cluster without owners, one task a node: the plain machine, start for start."""
    table = crowd(seed, 28, processors=nodes, load=3.0).workload
    plain = reference.simulate(Scenario(Instance.of(table, nodes), policy(local)))
    cluster = SharedCluster((Workstation(),) * nodes)
    case = ClusterCase(table, Platform((Site("lab", cluster),)))
    found = reference.simulate(case.scenario(local))
    assert found.start_time.tolist() == plain.start_time.tolist()
    assert found.end_time.tolist() == pytest.approx(plain.end_time.tolist(), rel=1e-12)


@pytest.mark.parametrize("local", ["conservative", "plan", "selective", "easy:reservations=3"])
@few
@given(SEEDS, st.integers(1, 8))
def test_dedicated_nodes_are_a_machine_of_nodes(local, seed, nodes):
    """The same for those that promise nodes: the machine of so many nodes of one core."""
    table = crowd(seed, 20, processors=nodes, load=3.0).workload
    hardware = Hardware((Cluster((Node((Processor((Core(1e9),)),)),) * nodes),))
    apart = NodeRules(placement_of("first-fit"), Execution(fixed=True))
    told = reference.simulate(
        Scenario(Instance.of(table, hardware), policy(local), system_model=NodeLevelMachine(apart))
    )
    case = ClusterCase(table, Platform((Site("lab", SharedCluster((Workstation(),) * nodes)),)))
    assert reference.simulate(case.scenario(local)).start_time.tolist() == told.start_time.tolist()


@check
@given(SEEDS, rules(co=(None,)))
def test_experiences_are_those_of_the_schedule(seed, settings):
    """What estimators were taught is what a history works out of the schedule, if nothing is at one time."""
    alone = settings | {"local": "fcfs", "upper": "nb", "limit": "unlimited", "estimator": "li"}
    case = drawn(seed, settings)
    table = case.workload
    apart = np.cumsum(np.random.default_rng(seed).exponential(5.0, len(table)))
    schedule = ran(replace(case, workload=table.with_columns(submit_time=apart)).scenario(**alone))
    if schedule is None:
        return
    taught, worked_out = schedule.experiences, experiences_of(replace(schedule, experiences=None))
    for mine, other in zip(taught, worked_out, strict=True):
        assert mine[:4] == other[:4]
        assert mine[4:] == pytest.approx(other[4:], rel=1e-9, abs=1e-6)


def test_owners_for_ever():
    """Where owners never leave, the run says so: it neither hangs nor invents ends."""
    stuck = []
    for seed in range(60):
        try:
            ran(random_cluster_case(seed, owners=40, clusters=1, forever=True).scenario("easy"))
        except DeadlockError as error:
            stuck.append(str(error))
    assert 0 < len(stuck) < 60
    assert all("the owners of" in sentence for sentence in stuck)
