"""Clusters of shared nodes as leaves of trees: the multicluster below a broker, and beside other sites."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller, QueueRules
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.reference import simulate
from echelon.engine.worlds import LeafRules, TreeOfSites, world_of_sites
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
    SharedCluster,
    Site,
    TimeSharedMachine,
    Workstation,
)
from echelon.policies import Admissible, broker_of, placement_of, policy
from echelon.policies.coallocation import co_allocation
from echelon.policies.upper_queue.registry import queue_limit, upper_queue
from echelon.workloads.local_users import local_users

NODES = Hardware((Cluster((Node((Processor((Core(1e9),) * 8),)),) * 4),))
LABS = (SharedCluster((Workstation(),) * 8), SharedCluster((Workstation(),) * 16))
OWNERS = local_users("xwindows+internet:share=0.3")


def crowd(least: int = 1, seed: int = 3) -> echelon.Workload:
    """Return jobs of `least` to 16 processors that come fast enough to wait."""
    rng = np.random.default_rng(seed)
    return echelon.Workload.from_columns(
        submit_time=np.cumsum(rng.integers(0, 60, 60)).astype(float),
        run_time=rng.integers(1, 2000, 60).astype(float),
        requested_time=rng.integers(500, 4000, 60).astype(float),
        processors=rng.integers(least, 17, 60),
    )


def shared_rules(queue: str, limit: object, **others: object) -> MulticlusterRules:
    """Return the rules of shared nodes under a global queue."""
    return MulticlusterRules(upper_queue(queue), queue_limit(limit), **others)  # type: ignore[arg-type]


@pytest.mark.parametrize("broker", ["tat", "mct:belief=execution"])
@pytest.mark.parametrize(("queue", "limit"), [("fcfs", "unlimited"), ("nb.rs", 2), ("requests", 1)])
@pytest.mark.parametrize("local", ["easy", "conservative"])
def test_below_a_broker_they_are_the_multicluster(broker, queue, limit, local):
    """A global queue at an inner site schedules its clusters as at the root, whatever else is in the tree.

    Every job is too large for the other site, so that the root has no choice.
    """
    rules = shared_rules(queue, limit, local_users=OWNERS)
    jobs, chosen = crowd(least=2), broker_of(broker)
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    expected = simulate(
        Scenario(Instance.of(jobs, alone), policy(local), world=world_of_sites(chosen, rules=rules))
    )
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    inner = Controller(chosen, Admissible(), None, QueueRules(rules.upper_queue, rules.limit))
    world = TreeOfSites(
        {"": Controller(broker_of("ml"), Admissible()), "labs": inner}, LeafRules(shared=rules)
    )
    found = simulate(Scenario(Instance.of(jobs, tree), policy(local), world=world))
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    assert (found.site - 1).tolist() == expected.site.tolist()
    assert found.places.node.tolist() == expected.places.node.tolist()


@pytest.mark.parametrize("words", ["heuristic", "first-feasible"])
def test_co_allocation_below_a_broker_is_that_of_the_multicluster(words):
    """Jobs that wait at a cluster get nodes of both, whatever site stands beside the clusters."""
    rules = replace(
        shared_rules("fcfs", "unlimited", local_users=OWNERS),
        co_allocation=co_allocation(words), two_phase=True,
    )  # fmt: skip
    jobs, chosen = crowd(least=2), broker_of("tat")
    alone = Platform((Site("x", LABS[0]), Site("y", LABS[1])))
    expected = simulate(
        Scenario(Instance.of(jobs, alone), policy("fcfs"), world=world_of_sites(chosen, rules=rules))
    )
    tree = Platform((Site("a", 1), Site("labs/x", LABS[0]), Site("labs/y", LABS[1])))
    queue = QueueRules(rules.upper_queue, rules.limit, two_phase=True)
    controllers = {
        "": Controller(broker_of("ml"), Admissible()),
        "labs": Controller(chosen, Admissible(), None, queue),
    }
    world = TreeOfSites(controllers, LeafRules(shared=rules))
    found = simulate(Scenario(Instance.of(jobs, tree), policy("fcfs"), world=world))
    clusters = {}
    for job, site in zip(found.places.job.tolist(), found.places.site.tolist(), strict=True):
        clusters.setdefault(job, set()).add(site)
    assert any(len(sites) > 1 for sites in clusters.values())
    assert found.start_time.tolist() == expected.start_time.tolist()
    assert found.end_time.tolist() == expected.end_time.tolist()
    assert found.places.node.tolist() == expected.places.node.tolist()
    assert (found.places.site - 1).tolist() == expected.places.site.tolist()


@pytest.mark.parametrize("words", ["common-pool", "exchange:easy"])
def test_clusters_under_a_protocol(words):
    """Two clusters exchange jobs beside other sites: each job runs once, on a node for each task."""
    instance, hearer = mixed(), Hearer()
    world = four_kinds("ml", None)
    labs = Controller(broker_of(words), Admissible())
    given = world._replace(controllers={**world.controllers, "labs": labs})
    schedule = simulate(Scenario(instance, policy("easy"), world=given, observers=[hearer]))
    at_labs = np.isin(schedule.site, [1, 2])
    assert at_labs.sum() > 5
    assert (schedule.home_site[at_labs] != schedule.site[at_labs]).any()
    tasks = np.bincount(schedule.places.job, minlength=len(instance))
    assert tasks[at_labs].tolist() == instance.size[at_labs].tolist()
    for job in range(len(instance)):
        heard = [(what, time) for time, what, position, _ in hearer.heard if position == job]
        assert [what for what, _ in heard] == [0, 1, 2]
    late = Controller(broker_of("common-pool:latency=5"), Admissible())
    given = world._replace(controllers={**world.controllers, "labs": late})
    with pytest.raises(InputError, match="are shared with owners and other jobs and cannot be held"):
        Scenario(instance, policy("easy"), world=given)


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
@pytest.mark.parametrize("queue", [None, QueueRules(upper_queue("nb.rs"), queue_limit(2))])
def test_all_kinds_of_leaves_run_together(broker, queue):
    """Every job is submitted, starts and ends once, in this order, at one leaf that the schedule names."""
    instance, hearer = mixed(), Hearer()
    schedule = simulate(
        Scenario(instance, policy("easy"), world=four_kinds(broker, queue), observers=[hearer])
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
    schedule = simulate(Scenario(instance, policy("easy"), world=four_kinds("mpl", None)))
    took = schedule.end_time - schedule.start_time
    exact = np.isin(schedule.site, (0, 3))
    assert np.allclose(took[exact], instance.run_time[exact], rtol=1e-12)
    assert (
        took[np.isin(schedule.site, (1, 2))] > instance.run_time[np.isin(schedule.site, (1, 2))] - 1e-6
    ).all()


def test_what_shared_nodes_beside_others_cannot_do_is_refused():
    """No queue could resume a job of several clusters: a policy that suspends jobs is refused then."""
    instance, world = mixed(), four_kinds("mpl", None)
    shared = replace(world.rules.shared, co_allocation=co_allocation("threshold"))
    world = world._replace(rules=world.rules._replace(shared=shared))
    with pytest.raises(InputError, match="srtf suspends jobs, which resume in their cluster, but with thres"):
        Scenario(instance, policy("srtf"), world=world)
