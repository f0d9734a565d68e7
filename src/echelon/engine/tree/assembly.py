"""Assembly: the sites of a platform under brokers, as the system of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.ledger.ledger import Ledger
from echelon.engine.tree.allowed_branches import AllowedBranches
from echelon.engine.tree.inner_site import Branch, InnerSite, Place
from echelon.engine.tree.leaf_kinds import LeafKinds
from echelon.engine.tree.leaves import LeafBranch, Leaves
from echelon.engine.tree.queues.deliveries import Deliveries
from echelon.engine.tree.queues.membership import drop_misplaced
from echelon.engine.tree.tree_system import TreeSystem
from echelon.engine.tree.views.inner_member import InnerMember
from echelon.engine.tree.views.statistics import SiteStatistics
from echelon.model.machines.site_tree import SiteTree
from echelon.policies import Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.controllers import ControllerKind
    from echelon.engine.multicluster.forecasting.site_view import QueuePredictor
    from echelon.engine.system_model import LeafRules
    from echelon.engine.tree.controlled_site import ControlledSite
    from echelon.engine.tree.views.member import Member
    from echelon.model import Job


def tree_system(
    scenario: Scenario,
    controllers: Mapping[str, ControllerKind],
    rules: LeafRules,
    predict_queue: QueuePredictor | None = None,
) -> TreeSystem:
    """Return the sites of the scenario's platform under these controllers, before their first event.

    Parameters
    ----------
    scenario : Scenario
        The run.
    controllers : mapping of str to ControllerKind
        Of every inner site, by its path.
    rules : LeafRules
        The rules of leaves of each kind.
    predict_queue : QueuePredictor, optional
        Simulates the queues of shared nodes, if there are some.

    Raises
    ------
    InputError
        If a broker needs planned schedules of queues whose policy cannot be simulated ahead.
    """
    platform = scenario.instance.sites
    if platform.is_shared and not platform.is_nested:
        from echelon.engine.multicluster.sharing.admission import drop_misfits

        scenario = drop_misfits(scenario, rules.shared_rules)
    scenario = drop_misplaced(scenario, controllers, rules)
    return Planter(scenario, controllers, rules, predict_queue).system()


def planned_scenario(scenario: Scenario) -> Scenario:
    """Return `scenario` with jobs that run for their planned times, without observers."""
    plain = scenario.instance
    none_killed = np.zeros(len(plain), dtype=np.bool_)
    instance = replace(plain, run_time=plain.planned_time, killed=none_killed)
    estimator = scenario.estimator if scenario.learns else Request()
    return replace(scenario, instance=instance, observers=(), estimator=estimator)


class Planter:
    """Builds the tree of one run, from the leaves up.

    Parameters
    ----------
    scenario, controllers, rules, predict_queue
        See `tree_system`.

    Attributes
    ----------
    kind : type of TreeSystem
        What it builds.
    kinds : type of LeafKinds
        Makes the leaves by actual times.
    inner_sites : dict of str to InnerSite
        By path.
    """

    kind: type[TreeSystem] = TreeSystem
    kinds: type[LeafKinds] = LeafKinds

    def __init__(
        self,
        scenario: Scenario,
        controllers: Mapping[str, ControllerKind],
        rules: LeafRules,
        predict_queue: QueuePredictor | None,
    ) -> None:
        self._scenario, self._controllers, self._rules = scenario, controllers, rules
        self._platform = scenario.instance.sites
        self._keeps_jobs = any(one.keeps_jobs for one in controllers.values())
        inner = scenario if not self._platform.is_shared else _scenario_inside(scenario)
        # On shared nodes planned times are forecast when jobs are dispatched, not predicted at submission.
        ledger = Ledger(replace(inner, estimator=Request(), observers=scenario.observers)
                        if self._platform.is_shared else scenario)  # fmt: skip
        replicated = any(one.copies_jobs for one in controllers.values())
        kinds = self.kinds(
            ledger, scenario, rules, replicated=replicated, predict_queue=predict_queue, inside=inner
        )
        self._kinds = [kinds]
        if self._has_plans():
            planned = Ledger(planned_scenario(scenario))
            planned.releases, planned.follows_plans = kinds.ledger.releases, scenario.learns
            # Jobs join with what the run's own memory predicts.
            planned.predictions = None
            planned.held = None
            self._kinds.append(LeafKinds(planned, planned.scenario, rules.for_planning()))
        self._states = [Leaves(kind.ledger, kind.leaves()) for kind in self._kinds]
        kinds.group(self._states[0])
        self._levels = _levels(self._platform.tree)
        self._allowed = AllowedBranches(scenario, controllers, rules)
        self._controlled_at: dict[str, ControlledSite] = {}
        self.inner_sites: dict[str, InnerSite] = {}
        self._deliveries = Deliveries(len(scenario.instance))
        if kinds.shared is not None:
            self._deliveries.delivered = kinds.shared.record.delivered

    def allowed_branches(self, tree: SiteTree) -> list[Sequence[int]]:
        """Return the sites right below an inner site that each job may go to, by position."""
        return self._allowed.at(tree)

    def leaf_branch(self, site: int) -> Branch:
        """Return a leaf as a branch of the inner site above it."""
        return LeafBranch(self._states, site)

    def _has_plans(self) -> bool:
        """Return whether some broker believes in planned times.

        Where no job waits there are none; and below a global queue information is actual.
        """
        if self._keeps_jobs or self._platform.clusters:
            return False
        has_queues = len(self._platform.time_shared) < len(self._platform)
        return has_queues and any(one.wants_plans for one in self._controllers.values())

    def system(self) -> TreeSystem:
        """Return the whole tree."""
        tree = self._platform.tree
        self._build_inner(tree)
        controlled = [self._controlled_at[inner.path] for inner in tree.inner()]
        actual, groups = self._kinds[0], self._states[0].groups
        # What says all attempts comes last: it reads the ends of all jobs.
        records = [group.complete_schedule for group in groups] + actual.records()
        whole = groups[0].schedule if self._platform.is_shared else None
        return self.kind(self._states, controlled, records, latest=actual.latest, whole=whole)

    def _build_inner(self, tree: SiteTree) -> tuple[Branch, list[Member]]:
        """Build an inner site; return it as a branch, and as a member by actual and by planned times."""
        grown = [
            self._build_inner(child)
            if isinstance(child, SiteTree)
            else (self.leaf_branch(child), [state.leaves[child] for state in self._states])
            for child in tree.children
        ]
        branches = [branch for branch, _ in grown]
        members = [*zip(*(child_members for _, child_members in grown), strict=True)]
        here = self._site_at(tree, branches, [SiteStatistics(there) for there in members])
        controlled = self._controlled_at[tree.path] = self._controllers[tree.path].plant(here)
        for leaf in here.leaves:
            leaf.above_waits = (*leaf.above_waits, lambda: controlled.waiting)
        joint = self._allowed.joint.get(tree.path)

        def parts(job: Job) -> list[tuple[int, Job]]:
            together = joint is not None and not here.allowed[job.position]
            return joint.parts(job) if joint and together else [(controlled.choose(job), job)]

        return controlled, [InnerMember(there, parts, lambda: controlled.held) for there in members]

    def _site_at(
        self, tree: SiteTree, branches: Sequence[Branch], statistics: Sequence[SiteStatistics]
    ) -> InnerSite:
        """Return an inner site with these branches, of which each state of the leaves has `statistics`."""
        leaves = [child.leaves() if isinstance(child, SiteTree) else (child,) for child in tree.children]
        for place, below in enumerate(leaves):
            for leaf in below:
                for state, sums in zip(self._states, statistics, strict=True):
                    state.leaves[leaf].above.append((sums, place))
        here = self.inner_sites[tree.path] = InnerSite(
            self._scenario,
            Place(tree.path, self._levels[tree.path], _weights(tree)),
            self._states,
            branches=branches,
            below=leaves,
            sums=statistics,
            allowed=self.allowed_branches(tree),
            deliveries=self._deliveries,
        )
        return here


def _weights(tree: SiteTree) -> list[float | None]:
    """Return what the platform says of the weight of each site right below an inner site."""
    weights: list[float | None] = []
    for child in tree.children:
        site = child.described if isinstance(child, SiteTree) else tree.sites[child]
        weights.append(site.settings.get("ptt_weight"))
    return weights


def _levels(tree: SiteTree, level: int = 0) -> dict[str, int]:
    """Return the number of choices that a job has behind it at each inner site, by path."""
    levels, below = {tree.path: level}, level + (len(tree.children) > 1)
    for child in tree.children:
        if isinstance(child, SiteTree):
            levels |= _levels(child, below)
    return levels


def _scenario_inside(scenario: Scenario) -> Scenario:
    from echelon.engine.multicluster.parts import inside

    return inside(scenario)
