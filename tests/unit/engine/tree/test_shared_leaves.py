"""Clusters of shared nodes as leaves of trees: the multicluster below a broker, and beside other sites."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import echelon
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller, QueueRules
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import LeafRules, TreeOfSites, tree_of_sites
from echelon.errors import InputError
from echelon.execution import Execution
from echelon.model import (
    Cluster,
    Core,
    Hardware,
    Instance,
    Node,
    Platform,
    Processor,
    Schedule,
    SharedCluster,
    Site,
    TimeSharedMachine,
    Workstation,
)
from echelon.policies import Admissible, broker_of, estimator_named, placement_of, policy
from echelon.policies.coallocation import co_allocation
from echelon.policies.global_queue.registry import global_queue, queue_limit
from echelon.workloads.local_users import local_users

NODES = Hardware((Cluster((Node((Processor((Core(1e9),) * 8),)),) * 4),))
LABS = (SharedCluster((Workstation(),) * 8), SharedCluster((Workstation(),) * 16))
OWNERS = local_users("xwindows+internet:share=0.3")


def crowd(least: int = 1, seed: int = 3, jobs: int = 60) -> echelon.Workload:
    """Return jobs of `least` to 16 processors that come fast enough to wait."""
    rng = np.random.default_rng(seed)
    return echelon.Workload.from_columns(
        submit_time=np.cumsum(rng.integers(0, 60, jobs)).astype(float),
        run_time=rng.integers(1, 2000, jobs).astype(float),
        requested_time=rng.integers(500, 4000, jobs).astype(float),
        processors=rng.integers(least, 17, jobs),
    )


FEW = 25
"""Jobs where each is asked about at each cluster: enough for queues of several."""


def shared_rules(queue: str, limit: object, **others: object) -> MulticlusterRules:
    """Return the rules of shared nodes under a global queue."""
    return MulticlusterRules(global_queue(queue), queue_limit(limit), **others)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["tat", "mct:grid-state=actual"])
@pytest.mark.parametrize(("queue", "limit"), [("fcfs", "unlimited"), ("nb.rs", 2), ("requests", 1)])
@pytest.mark.parametrize("local", ["easy", "conservative"])
def test_below_a_broker_they_are_the_multicluster(broker, queue, limit, local):
    """A global queue at an inner site schedules its clusters as at the root, whatever else is in the tree.

    Every job is too large for the other site, so that the root has no choice.
    """
    rules = shared_rules(queue, limit, local_users=OWNERS)
    jobs, chosen = crowd(least=2, jobs=FEW), broker_of(broker)
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    expected = simulate(
        Scenario(Instance.of(jobs, alone), policy(local), system_model=tree_of_sites(chosen, rules=rules))
    )
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    inner = Controller(chosen, Admissible(), None, QueueRules(rules.global_queue, rules.limit))
    model = TreeOfSites(
        {"": Controller(broker_of("ml"), Admissible()), "labs": inner}, LeafRules(shared=rules)
    )
    found = simulate(Scenario(Instance.of(jobs, tree), policy(local), system_model=model))
    assert (expected.start_time - jobs.submit_time > 1000).sum() > 5  # many jobs wait, and for long
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    assert (found.site - 1).tolist() == expected.site.tolist()
    assert found.places.node.tolist() == expected.places.node.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["average", "smith", "li", "ibl", "hybrid", "corrected", "decisor"])
def test_estimators_below_a_broker_forecast_as_on_the_multicluster(spec):
    """Where all jobs run on clusters, what is learned is the same, and the starts and forecasts follow."""
    rules, named = shared_rules("nb.rs", 2, local_users=OWNERS), estimator_named(spec)
    jobs, chosen = crowd(least=2, jobs=FEW), broker_of("tat")
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    multicluster = tree_of_sites(chosen, rules=rules)
    expected = simulate(
        Scenario(Instance.of(jobs, alone), policy("easy"), system_model=multicluster, estimator=named)
    )
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    inner = Controller(chosen, Admissible(), None, QueueRules(rules.global_queue, rules.limit))
    controllers = {"": Controller(broker_of("ml"), Admissible()), "labs": inner}
    model = TreeOfSites(controllers, LeafRules(shared=rules))
    found = simulate(Scenario(Instance.of(jobs, tree), policy("easy"), system_model=model, estimator=named))
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    assert found.forecasts[0].run.tolist() == expected.forecasts[0].run.tolist()
    assert found.forecasts[0].wait.tolist() == expected.forecasts[0].wait.tolist()
    assert found.experiences == expected.experiences


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["heuristic", "first-feasible"])
def test_co_allocation_below_a_broker_is_that_of_the_multicluster(spec):
    """Jobs that wait at a cluster get nodes of both, whatever site stands beside the clusters."""
    rules = replace(
        shared_rules("fcfs", "unlimited", local_users=OWNERS),
        co_allocation=co_allocation(spec), two_phase=True,
    )  # fmt: skip
    jobs, chosen = crowd(least=2, jobs=FEW), broker_of("tat")
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    expected = simulate(
        Scenario(Instance.of(jobs, alone), policy("fcfs"), system_model=tree_of_sites(chosen, rules=rules))
    )
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    queue = QueueRules(rules.global_queue, rules.limit, two_phase=True)
    controllers = {
        "": Controller(broker_of("ml"), Admissible()),
        "labs": Controller(chosen, Admissible(), None, queue),
    }
    model = TreeOfSites(controllers, LeafRules(shared=rules))
    found = simulate(Scenario(Instance.of(jobs, tree), policy("fcfs"), system_model=model))
    clusters = {}
    for job, site in zip(found.places.job.tolist(), found.places.site.tolist(), strict=True):
        clusters.setdefault(job, set()).add(site)
    assert any(len(sites) > 1 for sites in clusters.values())
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    assert found.places.node.tolist() == expected.places.node.tolist()
    assert (found.places.site - 1).tolist() == expected.places.site.tolist()


def co_allocating(spec: str = "first-feasible", *, two_phase: bool = False) -> MulticlusterRules:
    """Return the rules of shared nodes under a global queue that runs jobs in several clusters."""
    rules = shared_rules("fcfs", "unlimited", local_users=OWNERS)
    return replace(rules, co_allocation=co_allocation(spec), two_phase=two_phase)


def above_labs(rules: MulticlusterRules, root: str = "ml", queue: str | None = None) -> TreeOfSites:
    """Return the controllers of labs below a root with this broker, and perhaps this global queue."""
    upper = None if queue is None else QueueRules(global_queue(queue), queue_limit("unlimited"))
    labs = QueueRules(rules.global_queue, rules.limit, two_phase=rules.two_phase)
    controllers = {
        "": Controller(broker_of(root), Admissible(), None, upper),
        "labs": Controller(broker_of("tat"), Admissible(), None, labs),
    }
    return TreeOfSites(controllers, LeafRules(shared=rules))


def larger(jobs: int = 60) -> echelon.Workload:
    """Return jobs some of which are larger than each of the labs, but not than both."""
    jobs = crowd(least=2, jobs=jobs)
    size = jobs.processors.copy()
    size[::5] = 17 + np.arange(len(size[::5])) % 8
    return jobs.with_columns(allocated_processors=size)


@cache
def on_the_multicluster() -> Schedule:
    """Return the schedule of jobs some of which are larger than each of the labs, on the labs alone."""
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    instance = Instance.of(larger(FEW), alone, spanning=True)
    model = tree_of_sites(broker_of("tat"), rules=co_allocating())
    return simulate(Scenario(instance, policy("fcfs"), system_model=model))


@pytest.mark.slow
@pytest.mark.parametrize("root", ["ml", "mct", "tat", "ptt", "mst"])
@pytest.mark.parametrize("queue", [None, "nb.rs", "pull", "requests"])
def test_jobs_too_large_for_a_leaf_run_where_clusters_hold_them_together(root, queue):
    """The root sends them to the labs alone, where they run as on the multicluster, whatever it asks."""
    rules, jobs, expected = co_allocating(), larger(FEW), on_the_multicluster()
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    instance = Instance.of(jobs, tree, spanning=("labs",))
    assert len(instance) == len(jobs)
    found = simulate(Scenario(instance, policy("fcfs"), system_model=above_labs(rules, root, queue)))
    clusters = {job: set() for job in range(len(jobs))}
    for job, site in zip(found.places.job.tolist(), found.places.site.tolist(), strict=True):
        clusters[job].add(site)
    assert all(clusters[job] == {1, 2} for job in range(0, len(jobs), 5))
    if queue != "pull":  # which sends on only what starts at once
        assert found.start_time.tolist() == expected.start_time.tolist()
        assert found.end_time.tolist() == expected.end_time.tolist()
        assert found.places.node.tolist() == expected.places.node.tolist()


@pytest.mark.slow
def test_a_job_that_a_leaf_can_hold_goes_there_though_clusters_could_together():
    """A site of 24 processors takes all jobs of 17 and more; a job of 25 is left out, also from Python."""
    jobs = larger().with_columns(allocated_processors=np.append(larger().processors[:-1], 25))
    tree = Platform((Site("a", 24), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    found = echelon.simulate(
        jobs, platform=tree, policy="easy", global_queue="@labs=fcfs", co_allocate="heuristic"
    )
    assert set(found.schedule.site[::5].tolist()) == {0}
    (drop,) = found.instance.dropped
    assert (drop.count, drop.reason) == (1, "more processors than the largest site's 24")
    small = Platform((Site("a", 20), *tree.sites[1:]))
    found = echelon.simulate(jobs, platform=small, global_queue="@labs=fcfs", co_allocate="heuristic")
    (drop,) = found.instance.dropped
    assert drop.reason == "more processors than the 24 of clusters that run jobs together"
    assert found.schedule.places is not None


@pytest.mark.slow
def test_a_job_for_which_the_co_allocation_finds_nothing_is_left_out():
    """Where one cluster must hold 85 % of a job, those of 20 and more find no nodes: dropped, or an error."""
    jobs = larger()
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    asked = {"platform": tree, "global_queue": "@labs=fcfs", "co_allocate": "rule-85"}
    found = echelon.simulate(jobs, **asked)
    (drop,) = found.instance.dropped
    why = "tasks for several clusters, for which rule-85 finds no nodes even when all are idle"
    assert (drop.reason, drop.is_rejected) == (why, True)
    left = set(range(len(jobs))) - set(found.instance.kept.tolist())
    assert left == {job for job, size in enumerate(jobs.processors.tolist()) if 0.85 * size > 16}
    with pytest.raises(InputError, match=f"strict: a simulation would drop jobs: .* with {why} .first: job"):
        echelon.simulate(jobs, strict=True, **asked)
    assert len(echelon.simulate(jobs, strict=True, **{**asked, "co_allocate": "heuristic"}).instance) == 60


@pytest.mark.slow
def test_queues_above_wait_no_more_for_a_job_that_clusters_have_started_together():
    """Under a global queue of the root, too, a job that runs for longer than jobs may stay is kept."""
    jobs = larger()
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    found = echelon.simulate(
        jobs, platform=tree, global_queue="fcfs@labs=fcfs", co_allocate="heuristic", two_phase=True,
        longest_stay=1500,
    )  # fmt: skip
    schedule, (drop,) = found.schedule, found.instance.dropped
    wait = schedule.start_time - schedule.instance.submit_time
    assert (wait <= 1500).all()
    assert "longest allowed" in drop.reason
    spans = np.array([len(set(schedule.places.site[schedule.places.job == job])) for job in range(len(wait))])
    long = schedule.end_time - schedule.instance.submit_time > 1500
    assert (long & (spans > 1)).any()


@pytest.mark.parametrize("spec", ["common-pool", "exchange:easy"])
def test_clusters_under_a_protocol(spec):
    """Two clusters exchange jobs beside other sites: each job runs once, on a node for each task."""
    instance, hearer = mixed(), Hearer()
    model = four_kinds("ml", None)
    labs = Controller(broker_of(spec), Admissible())
    given = model._replace(controllers={**model.controllers, "labs": labs})
    schedule = simulate(Scenario(instance, policy("easy"), system_model=given, observers=[hearer]))
    at_labs = np.isin(schedule.site, [1, 2])
    assert at_labs.sum() > 5
    assert (schedule.home_site[at_labs] != schedule.site[at_labs]).any()
    tasks = np.bincount(schedule.places.job, minlength=len(instance))
    assert tasks[at_labs].tolist() == instance.size[at_labs].tolist()
    for job in range(len(instance)):
        heard = [(what, time) for time, what, position, _ in hearer.heard if position == job]
        assert [what for what, _ in heard] == [0, 1, 2]
    late = Controller(broker_of("common-pool:latency=5"), Admissible())
    given = model._replace(controllers={**model.controllers, "labs": late})
    with pytest.raises(InputError, match="are shared with owners and other jobs and cannot be held"):
        Scenario(instance, policy("easy"), system_model=given)


def mixed(seed: int = 3) -> Instance:
    """Return jobs for a tree of all four kinds of leaves."""
    sites = (
        Site("a", 16), Site("labs/x", LABS[0]), Site("labs/y", LABS[1]), Site("n", NODES),
        Site("t", TimeSharedMachine(8, 0.5)),
    )  # fmt: skip
    return Instance.of(crowd(seed=seed), Platform(sites))


def four_kinds(broker: str, queue: QueueRules | None) -> TreeOfSites:
    """Return their controllers and rules."""
    rules = LeafRules(
        NodeRules(placement_of("first-fit"), Execution(fixed=True)),
        ImmediateRules(),
        shared_rules("fcfs", "unlimited", local_users=OWNERS),
    )
    root, labs = Controller(broker_of(broker), Admissible()), Controller(broker_of("ml"), Admissible())
    return TreeOfSites({"": root, "labs": labs._replace(queue=queue)}, rules)


class Hearer:
    """Keeps every event with its time, its job and its site."""

    def __init__(self):
        self.heard = []

    def submitted(self, time, job, place):
        self.heard.append((time, 0, job.position, place.name))

    def started(self, time, job, place):
        self.heard.append((time, 1, job.position, place.name))

    def ended(self, time, job, place):
        self.heard.append((time, 2, job.position, place.name))

    def decided(self, time, waiting, free, place):
        pass


@pytest.mark.parametrize("broker", ["ml", "round-robin"])
@pytest.mark.parametrize("queue", [None, QueueRules(global_queue("nb.rs"), queue_limit(2))])
def test_all_kinds_of_leaves_run_together(broker, queue):
    """Every job is submitted, starts and ends once, in this order, at one leaf that the schedule names."""
    instance, hearer = mixed(), Hearer()
    schedule = simulate(
        Scenario(instance, policy("easy"), system_model=four_kinds(broker, queue), observers=[hearer])
    )
    names = instance.sites.names
    assert hearer.heard == sorted(hearer.heard, key=lambda event: event[0])
    for position in range(len(instance)):
        mine = [event for event in hearer.heard if event[2] == position]
        assert [kind for _, kind, _, _ in mine] == [0, 1, 2]
        assert mine[1][0] == schedule.start_time[position]
        assert mine[2][0] == schedule.end_time[position]
        assert {place for _, _, _, place in mine[1:]} == {names[schedule.site[position]]}
    assert len(set(schedule.site.tolist())) == 5


def test_owners_slow_down_only_the_jobs_beside_them():
    """A job on counted processors or on nodes of its own runs for its run time, whoever works in the labs."""
    instance = mixed()
    schedule = simulate(Scenario(instance, policy("easy"), system_model=four_kinds("mpl", None)))
    took = schedule.end_time - schedule.start_time
    exact = np.isin(schedule.site, (0, 3))
    assert np.allclose(took[exact], instance.run_time[exact], rtol=1e-12)
    assert (
        took[np.isin(schedule.site, (1, 2))] > instance.run_time[np.isin(schedule.site, (1, 2))] - 1e-6
    ).all()
