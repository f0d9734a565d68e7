"""Which jobs the leaves of a tree cannot hold, however empty, and which their clusters can only together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.resources.access import jobs_named_elsewhere

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.system_model import LeafRules
    from echelon.model import Job, Platform
    from echelon.model.machines.site_tree import SiteTree
    from echelon.policies.coallocation.contract import CoAllocation


def unable_jobs(scenario: Scenario, rules: LeafRules) -> list[NDArray[np.bool_]]:
    """Return which jobs each leaf cannot hold, by leaf, shape (n_jobs,) each.

    Among them are those too large, and those that name reservations of other leaves.
    """
    instance = scenario.instance
    misfits = unable_on_nodes(scenario, rules) | unable_on_shared(scenario)
    kept_out = jobs_named_elsewhere(scenario)
    return [
        (instance.size > site.largest_job) | misfits.get(leaf, False) | kept_out.get(leaf, False)
        for leaf, site in enumerate(instance.sites.sites)
    ]


def unable_on_nodes(scenario: Scenario, rules: LeafRules) -> dict[int, NDArray[np.bool_]]:
    """Return which jobs do not fit the nodes of each leaf with nodes, by leaf, shape (n_jobs,) each."""
    instance = scenario.instance
    nodes = instance.sites.node_level
    if not nodes:
        return {}
    from echelon.model.machines.misfits import misfits_of

    unable_jobs = {}
    for leaf, name in enumerate(instance.sites.names):
        if name in nodes:
            unable_jobs[leaf] = np.zeros(len(instance), dtype=np.bool_)
            crowd = rules.node_rules.tasks_per_core
            unable_jobs[leaf][misfits_of(instance.node_level.demands, nodes[name], crowd)] = True
    return unable_jobs


def unable_on_shared(scenario: Scenario) -> dict[int, NDArray[np.bool_]]:
    """Return which jobs too few shared nodes of each leaf can take, by leaf, shape (n_jobs,) each."""
    platform = scenario.instance.sites
    if not platform.clusters:
        return {}
    from echelon.engine.multicluster.sharing.admission import AbleNodes

    alone, at = shared_clusters(platform)
    able, jobs = AbleNodes(alone), scenario.instance.jobs()
    counts = np.array([able.counts(job) for job in jobs]) < np.array([[job.processors] for job in jobs])
    return {leaf: counts[:, cluster] for cluster, leaf in enumerate(at)}


def shared_clusters(platform: Platform) -> tuple[Platform, list[int]]:
    """Return the sites with shared nodes alone, and the leaf that each is."""
    from echelon.model import Platform, SharedCluster

    at = [leaf for leaf, site in enumerate(platform.sites) if isinstance(site.resource, SharedCluster)]
    return Platform(tuple(platform.sites[leaf] for leaf in at)), at


class JointJobs(NamedTuple):
    """The jobs that one inner site runs in several clusters right below it, since none can hold them alone.

    Attributes
    ----------
    room : dict of int to tuple of (int, int)
        How many tasks of each of them each branch can hold when it is empty, as pairs of the branch's place
        and this number, the most first, by position.
    jobs : NDArray, shape (n_jobs,)
        Which jobs they are.
    refused : NDArray, shape (n_jobs,)
        Which others have enough nodes there, but the co-allocation finds none even when all are idle.
    """

    room: dict[int, tuple[tuple[int, int], ...]]
    jobs: NDArray[np.bool_]
    refused: NDArray[np.bool_]

    def parts(self, job: Job) -> list[tuple[int, Job]]:
        """Return the parts of `job` that it would have in empty clusters, the largest first, by branch."""
        parts, left = [], job.processors
        for place, most in self.room[job.position]:
            if tasks := min(left, most):
                parts.append((place, job._replace(processors=tasks)))
                left -= tasks
        return parts


def co_allocating_sites(
    platform: Platform, controllers: Mapping[str, ControllerKind], rules: MulticlusterRules | None
) -> tuple[str, ...]:
    """Return the inner sites with a global queue that runs jobs in several clusters right below it."""
    if rules is None or rules.co_allocation is None:
        return ()
    return tuple(
        inner.path
        for inner in platform.tree.inner()
        if inner.clusters() and getattr(controllers[inner.path], "queue", None) is not None
    )


def joint_jobs(
    scenario: Scenario, controllers: Mapping[str, ControllerKind], rules: LeafRules
) -> dict[str, JointJobs]:
    """Return the jobs that each co-allocating inner site runs in several clusters, by its path.

    A multicluster is not asked: it has left out all others before.
    """
    platform, rule = scenario.instance.sites, None if rules.shared is None else rules.shared.co_allocation
    if rule is None or (platform.is_shared and not platform.is_nested):
        return {}
    paths = co_allocating_sites(platform, controllers, rules.shared)
    trees = {inner.path: inner for inner in platform.tree.inner()} if paths else {}
    return {path: _joint_jobs_at(trees[path], scenario, rule) for path in paths}


def _joint_jobs_at(tree: SiteTree, scenario: Scenario, rule: CoAllocation) -> JointJobs:
    from echelon.engine.multicluster.sharing.admission import AbleNodes, spans_when_idle
    from echelon.model import Platform

    instance, mine = scenario.instance, tree.clusters()
    here, _ = shared_clusters(Platform(tuple(tree.sites[leaf] for leaf in mine)))
    places = [tree.children.index(leaf) for leaf in mine]
    able, alone = AbleNodes(here), instance.uncut_time
    joint = JointJobs({}, *(np.zeros(len(instance), dtype=np.bool_) for _ in range(2)))
    for job in instance.jobs():
        counts = able.counts(job)
        if max(counts) >= job.processors or sum(counts) < job.processors:
            continue
        if not spans_when_idle(job, float(alone[job.position]), here, rule):
            joint.refused[job.position] = True
            continue
        joint.jobs[job.position] = True
        room = zip(places, counts, strict=True)
        joint.room[job.position] = tuple(sorted(room, key=lambda one: (-one[1], one[0])))
    return joint
