"""AllowedBranches: which sites right below an inner site each job may go to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.resources.access import jobs_named_elsewhere
from echelon.engine.tree.queues.membership import is_selective, mask_taken_below
from echelon.engine.tree.unable_jobs import joint_jobs, unable_jobs, unable_on_nodes, unable_on_shared
from echelon.model.machines.site_tree import SiteTree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.system_model import LeafRules
    from echelon.engine.tree.unable_jobs import JointJobs
    from echelon.model.jobs.columns import IntColumn


class Branches(NamedTuple):
    """The sizes of the branches of an inner site; see `echelon.policies.broker.admissible.SizedSites`."""

    sizes: IntColumn
    largest_jobs: IntColumn

    @property
    def by_size(self) -> IntColumn:
        """Their indices by (largest job, index), ascending, shape (n_branches,)."""
        return np.argsort(self.largest_jobs, kind="stable")


class AllowedBranches:
    """The sites that each job may go to: admissible by its size, and able to hold it.

    Parameters
    ----------
    scenario, controllers, rules
        See `echelon.engine.tree.assembly.tree_system`.

    Attributes
    ----------
    joint : mapping of str to JointJobs
        Which jobs run in several clusters right below an inner site, by its path.
    """

    def __init__(
        self, scenario: Scenario, controllers: Mapping[str, ControllerKind], rules: LeafRules
    ) -> None:
        self._scenario, self._controllers, self._rules = scenario, controllers, rules
        self._platform = scenario.instance.sites
        self.joint = joint_jobs(scenario, controllers, rules)

    def at(self, tree: SiteTree) -> list[Sequence[int]]:
        """Return the sites right below an inner site that each job may go to, by position."""
        platform, instance = self._platform, self._scenario.instance
        leaves = [child.leaves() if isinstance(child, SiteTree) else (child,) for child in tree.children]
        branches = Branches(
            np.array([sum(platform.sites[leaf].processors for leaf in below) for below in leaves]),
            np.array([max(platform.sites[leaf].largest_job for leaf in below) for below in leaves]),
        )
        # A job that is too large for this inner site never gets here.
        size = np.minimum(instance.size, branches.largest_jobs.max())
        allowed = self._controllers[tree.path].admissible.sites(branches, size)
        if platform.is_shared and not platform.is_nested:
            return _able_clusters(self._scenario, allowed)
        return self._drop_unable(tree, allowed, branches, leaves)

    def _drop_unable(
        self,
        tree: SiteTree,
        allowed: list[Sequence[int]],
        branches: Branches,
        leaves: Sequence[Sequence[int]],
    ) -> list[Sequence[int]]:
        """Leave out the branches that cannot hold a job or whose queues do not take it.

        A job goes to where a leaf can hold it, else to where clusters can together; to no branch if only the
        clusters here can.
        """
        order, selective, joint = branches.by_size.tolist(), is_selective(self._controllers), self.joint
        if len(tree.clusters()) == len(leaves):  # as on a multicluster, by the tasks that they may hold
            order = np.argsort(branches.sizes, kind="stable").tolist()
            allowed = [[place for place in order if place in places] for places in allowed]
        unable = (*self._misfits.values(), *jobs_named_elsewhere(self._scenario).values())
        if not (selective or joint or any(jobs.any() for jobs in unable)):
            return allowed
        able = [self._can(tree, {})] + ([self._can(tree, joint)] if joint else [])
        branches_of_jobs = [
            next(filter(None, (_first_able(places, order, can, position) for can in able)), None)
            for position, places in enumerate(allowed)
        ]
        here = joint[tree.path].jobs if tree.path in joint else None
        return [
            chosen if chosen is not None else () if here is not None and here[position] else allowed[position]
            for position, chosen in enumerate(branches_of_jobs)
        ]

    def _can(self, tree: SiteTree, joint: Mapping[str, JointJobs]) -> list[NDArray[np.bool_]]:
        """Return which jobs each site right below can run, and its queues take, shape (n_jobs,) each."""
        instance, unable = self._scenario.instance, self._unable
        return [
            mask_taken_below(child, self._controllers, instance, unable.__getitem__, joint)
            if isinstance(child, SiteTree) else ~unable[child]
            for child in tree.children
        ]  # fmt: skip

    @cached_property
    def _misfits(self) -> dict[int, NDArray[np.bool_]]:
        """Which jobs the nodes of each leaf with nodes cannot hold, by leaf, shape (n_jobs,) each."""
        return unable_on_nodes(self._scenario, self._rules) | unable_on_shared(self._scenario)

    @cached_property
    def _unable(self) -> list[NDArray[np.bool_]]:
        """Which jobs each leaf cannot hold, by leaf, shape (n_jobs,) each."""
        return unable_jobs(self._scenario, self._rules)


def _first_able(
    places: Sequence[int], order: Sequence[int], can: Sequence[NDArray[np.bool_]], position: int
) -> Sequence[int]:
    """Return those of `places` that can take a job, else all that can in `order`; empty if none can."""
    return [place for place in places if can[place][position]] or [
        place for place in order if can[place][position]
    ]


def _able_clusters(scenario: Scenario, allowed: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return the clusters that can hold each job of a run on shared nodes alone, the smallest first.

    They are those `allowed` by its size among these, or if none is, all.
    """
    from echelon.engine.multicluster.sharing.admission import AbleNodes

    able, kept_out = AbleNodes(scenario.instance.sites), jobs_named_elsewhere(scenario)
    clusters = [able.sites(job) for job in scenario.instance.jobs()]
    if kept_out:
        open_to = [[site for site in sites if not kept_out[site][position]]
                   for position, sites in enumerate(clusters)]  # fmt: skip
        clusters = [chosen or sites for chosen, sites in zip(open_to, clusters, strict=True)]
    return [
        [site for site in sites if site in chosen] or sites
        for sites, chosen in zip(clusters, allowed, strict=True)
    ]
