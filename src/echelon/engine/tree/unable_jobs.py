"""Which jobs the leaves of a tree cannot hold, however empty they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.resources.access import named_elsewhere

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.worlds import LeafRules
    from echelon.model import Platform


def unable_jobs(scenario: Scenario, rules: LeafRules) -> list[NDArray[np.bool_]]:
    """Return which jobs each leaf cannot hold, by leaf, shape (n_jobs,) each.

    Among them are those too large, and those that name reservations of other leaves.
    """
    instance = scenario.instance
    misfits = unable_on_nodes(scenario, rules) | unable_on_shared(scenario)
    kept_out = named_elsewhere(scenario)
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

    alone, at = clusters_alone(platform)
    able, jobs = AbleNodes(alone), scenario.instance.jobs()
    counts = np.array([able.counts(job) for job in jobs]) < np.array([[job.processors] for job in jobs])
    return {leaf: counts[:, cluster] for cluster, leaf in enumerate(at)}


def clusters_alone(platform: Platform) -> tuple[Platform, list[int]]:
    """Return the sites with shared nodes alone, and the leaf that each is."""
    from echelon.model import Platform, SharedCluster

    at = [leaf for leaf, site in enumerate(platform.sites) if isinstance(site.resource, SharedCluster)]
    return Platform(tuple(platform.sites[leaf] for leaf in at)), at
