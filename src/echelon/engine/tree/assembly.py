"""Assembly: the sites of a platform under brokers, as the system of a run."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.ledger import Ledger
from echelon.engine.look_ahead import unsupported_reason
from echelon.engine.tree.broker_view import BrokerView
from echelon.engine.tree.brokerage import Brokerage, LeafBranch
from echelon.engine.tree.deliveries import Deliveries
from echelon.engine.tree.global_queue import GlobalQueue
from echelon.engine.tree.inner_member import InnerMember
from echelon.engine.tree.leaf_kinds import LeafKinds
from echelon.engine.tree.leaves import Leaves
from echelon.engine.tree.load_view import LoadView
from echelon.engine.tree.membership import admitted_to_queues, is_selective, taken_below
from echelon.engine.tree.queue_assembly import QueueAssembly
from echelon.engine.tree.stale_statistics import StaleStatistics
from echelon.engine.tree.statistics import SiteStatistics
from echelon.engine.tree.tree_system import TreeSystem
from echelon.engine.tree.unable_jobs import unable_jobs
from echelon.errors import InputError
from echelon.model.machines.site_tree import SiteTree
from echelon.policies import Information, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.parts import Parts
    from echelon.engine.multicluster.site_view import QueuePredictor
    from echelon.engine.tree.brokerage import Branch
    from echelon.engine.tree.queue_lines import QueueLines
    from echelon.engine.tree.statistics import Member
    from echelon.engine.worlds import Controller, LeafRules, QueueRules
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies import Broker


class Branches(NamedTuple):
    """The sizes of the branches of an inner site; see `echelon.policies.broker.admissible.SizedSites`."""

    sizes: IntColumn
    largest_jobs: IntColumn

    @property
    def by_size(self) -> IntColumn:
        """Their indices by (largest job, index), ascending, shape (n_branches,)."""
        return np.argsort(self.largest_jobs, kind="stable")


def tree_system(
    scenario: Scenario,
    controllers: Mapping[str, Controller],
    rules: LeafRules,
    predict_queue: QueuePredictor | None = None,
) -> TreeSystem:
    """Return the sites of the scenario's platform under these controllers, before their first event.

    Parameters
    ----------
    scenario : Scenario
        The run.
    controllers : mapping of str to Controller
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
    if is_selective(controllers):
        scenario = admitted_to_queues(scenario, controllers, rules)
    return _Planter(scenario, controllers, rules, predict_queue).system()


def planned_scenario(scenario: Scenario) -> Scenario:
    """Return `scenario` with jobs that run for their planned times, without observers."""
    plain = scenario.instance
    nobody = np.zeros(len(plain), dtype=np.bool_)
    instance = replace(plain, run_time=plain.planned_time, killed=nobody)
    return replace(scenario, instance=instance, observers=(), estimator=Request())


class _Planter:
    """Builds the tree of one run, from the leaves up."""

    def __init__(
        self,
        scenario: Scenario,
        controllers: Mapping[str, Controller],
        rules: LeafRules,
        predict_queue: QueuePredictor | None,
    ) -> None:
        self._scenario, self._controllers, self._rules = scenario, controllers, rules
        self._platform = scenario.instance.sites
        self._has_queues = any(one.queue is not None for one in controllers.values())
        inner = scenario if not self._platform.is_shared else _inside(scenario)
        # On shared nodes planned times are forecast when jobs are dispatched, not predicted at submission.
        ledger = Ledger(replace(inner, estimator=Request(), observers=scenario.observers)
                        if self._platform.is_shared else scenario)  # fmt: skip
        kinds = LeafKinds(ledger, scenario, rules, predict_queue=predict_queue, inside=inner)
        self._kinds = [kinds]
        if any(map(self._is_planned, controllers.values())):
            planned = Ledger(planned_scenario(scenario))
            planned.releases = kinds.ledger.releases
            self._kinds.append(LeafKinds(planned, planned.scenario, rules.planned()))
        self._states = [Leaves(kind.ledger, kind.leaves()) for kind in self._kinds]
        kinds.group(self._states[0])
        self._levels = _levels(self._platform.tree)
        self._controlled_at: dict[str, Brokerage | GlobalQueue] = {}
        self._deliveries = Deliveries(len(scenario.instance))
        if kinds.shared is not None:
            self._deliveries.delivered = kinds.shared.record.delivered

    def _is_planned(self, controller: Controller) -> bool:
        """Return whether a broker believes in planned times.

        Where no job waits there are none; and below a global queue information is actual.
        """
        if self._has_queues or self._platform.clusters:
            return False
        has_queues = len(self._platform.time_shared) < len(self._platform)
        return controller.broker.belief == "allocation" and has_queues and not _goes_by_load(controller)

    def system(self) -> TreeSystem:
        """Return the whole tree."""
        tree = self._platform.tree
        self._inner(tree)
        controlled = [self._controlled_at[inner.path] for inner in tree.inner()]
        actual, groups = self._kinds[0], self._states[0].groups
        records = actual.records() + [group.beside for group in groups]
        if self._has_queues and not groups:
            records.append(self._deliveries.schedule)
        whole = groups[0].schedule if self._platform.is_shared else None
        return TreeSystem(self._states, controlled, records, latest=actual.latest, whole=whole)

    def _inner(self, tree: SiteTree) -> tuple[Branch, list[Member]]:
        """Build an inner site; return it as a branch, and as a member by actual and by planned times."""
        grown = [
            self._inner(child) if isinstance(child, SiteTree) else self._leaf(child)
            for child in tree.children
        ]
        branches, members = (
            [branch for branch, _ in grown],
            [*zip(*(found for _, found in grown), strict=True)],
        )
        statistics = [SiteStatistics(there) for there in members]
        leaves = [child.leaves() if isinstance(child, SiteTree) else (child,) for child in tree.children]
        for place, below in enumerate(leaves):
            for leaf in below:
                for state, sums in zip(self._states, statistics, strict=True):
                    state.leaves[leaf].above.append((sums, place))
        controlled = self._controlled(tree, branches, statistics, leaves)
        self._controlled_at[tree.path] = controlled
        for below in leaves:
            for leaf in below:
                here = self._states[0].leaves[leaf]
                here.above_waits = (*here.above_waits, lambda: controlled.waiting)
        return controlled, [
            InnerMember(there, controlled.choose, lambda: controlled.held) for there in members
        ]

    def _controlled(
        self,
        tree: SiteTree,
        branches: Sequence[Branch],
        sums: Sequence[SiteStatistics],
        leaves: Sequence[Sequence[int]],
    ) -> Brokerage | GlobalQueue:
        """Return an inner site with its controller."""
        controller, actual = self._controllers[tree.path], self._states[0]
        known: Any = sums[1 if self._is_planned(controller) else 0]
        stale = StaleStatistics(known, actual.ledger, controller.refresh) if controller.refresh else None
        known = stale or known
        allowed = self._allowed(tree, controller, leaves)

        def view_of(rule: Any) -> BrokerView:  # noqa: ANN401  (a broker, or a site filter)
            return self._view(controller, rule, known, tree, leaves)

        queues = QueueAssembly(self._scenario, controller, known, allowed, view_of)
        if controller.queue is None:
            return Brokerage(
                controller.broker, branches, ledger=actual.ledger, sums=sums, allowed=allowed,
                view=view_of(controller.broker), screen=queues.screen(controller.site_filter),
                decision_time=controller.decision_time,
            )  # fmt: skip
        lines = queues.lines(controller.queue)
        return self._global_queue(
            controller.queue, controller, branches, leaves, lines=lines, statistics=sums[0], stale=stale
        )

    def _global_queue(
        self,
        rules: QueueRules,
        controller: Controller,
        branches: Sequence[Branch],
        leaves: Sequence[Sequence[int]],
        *,
        lines: QueueLines,
        statistics: SiteStatistics,
        stale: StaleStatistics | None,
    ) -> GlobalQueue:
        """Return an inner site with a global queue."""
        actual, shared = self._states[0], self._kinds[0].shared
        deliveries = self._deliveries
        if shared is not None:
            cluster_of = {leaf: cluster for cluster, leaf in enumerate(shared.at)}
            direct = [cluster_of.get(below[0], -1) if len(below) == 1 else -1 for below in leaves]
            deliveries = shared_deliveries(shared, direct)
            for cluster in direct:
                shared.machines[cluster].is_dispatched |= cluster >= 0
        queue = GlobalQueue(
            lines, actual, branches=branches, below=leaves, statistics=statistics,
            deliveries=deliveries, decision_time=controller.decision_time or 0.0,
            longest_stay=rules.longest_stay, two_phase=rules.two_phase, stale=stale,
        )  # fmt: skip
        for group in actual.groups:
            group.queues.append(queue)
        return queue

    def _leaf(self, site: int) -> tuple[Branch, list[Member]]:
        return LeafBranch(self._states, site), [state.leaves[site] for state in self._states]

    def _view(
        self,
        controller: Controller,
        rule: Any,  # noqa: ANN401  (a broker, or a site filter)
        statistics: SiteStatistics,
        tree: SiteTree,
        leaves: Sequence[Sequence[int]],
    ) -> BrokerView:
        """Return what a broker or a site filter sees of the sites below."""
        below = [self._states[0].leaves[leaf] for branch in leaves for leaf in branch]
        by_load = _goes_by_load(controller._replace(broker=rule))
        kind = LoadView if by_load or not any(leaf.has_queue for leaf in below) else BrokerView
        if kind is BrokerView and not all(leaf.predicts_starts for leaf in below):
            check_foreseen(rule, self._scenario)
        return kind(
            self._scenario, rule, statistics, self._homes(leaves),
            level=self._levels[tree.path], weights=_weights(tree),
        )  # fmt: skip

    def _homes(self, leaves: Sequence[Sequence[int]]) -> Callable[[], list[int]]:
        """Return a function that gives the branch at which each job was submitted, -1 if none."""
        branch_of = np.full(len(self._platform) + 1, -1)
        for place, below in enumerate(leaves):
            branch_of[list(below)] = place

        def homes() -> list[int]:
            found: list[int] = branch_of[self._scenario.instance.home_site].tolist()
            return found

        return homes

    def _allowed(
        self, tree: SiteTree, controller: Controller, leaves: Sequence[Sequence[int]]
    ) -> list[Sequence[int]]:
        """Return the branches that each job may go to: admissible by its size, and able to hold it."""
        platform, instance = self._platform, self._scenario.instance
        if platform.is_shared and not platform.is_nested:
            return _able_clusters(self._scenario)
        branches = Branches(
            np.array([sum(platform.sites[leaf].processors for leaf in below) for below in leaves]),
            np.array([max(platform.sites[leaf].largest_job for leaf in below) for below in leaves]),
        )
        # A job that is too large for this inner site never gets here.
        size = np.minimum(instance.size, branches.largest_jobs.max())
        allowed = controller.admissible.sites(branches, size)
        return self._able(tree, allowed, branches, leaves)

    def _able(
        self,
        tree: SiteTree,
        allowed: list[Sequence[int]],
        branches: Branches,
        leaves: Sequence[Sequence[int]],
    ) -> list[Sequence[int]]:
        """Leave out the branches whose nodes cannot hold a job or whose queues do not take it, if any can."""
        selective = is_selective(self._controllers)
        if not selective and not any(jobs.any() for jobs in self._kinds[0].unable().values()):
            return allowed
        unable = self._unable
        if selective:
            instance, controllers = self._scenario.instance, self._controllers
            cannot = [
                ~taken_below(child, controllers, instance, unable.__getitem__)
                if isinstance(child, SiteTree) else unable[child]
                for child in tree.children
            ]  # fmt: skip
        else:
            cannot = [np.all([unable[leaf] for leaf in below], axis=0) for below in leaves]
        order = branches.by_size.tolist()
        return [
            [place for place in places if not cannot[place][position]]
            or [place for place in order if not cannot[place][position]]
            or places
            for position, places in enumerate(allowed)
        ]

    @cached_property
    def _unable(self) -> list[NDArray[np.bool_]]:
        """Which jobs each leaf cannot hold, by leaf, shape (n_jobs,) each."""
        return unable_jobs(self._scenario, self._rules)


def _weights(tree: SiteTree) -> list[float | None]:
    """Return what the platform says of the weight of each site right below an inner site."""
    found: list[float | None] = []
    for child in tree.children:
        said = child.said if isinstance(child, SiteTree) else tree.sites[child]
        found.append(getattr(said, "ptt_weight", None))
    return found


def _levels(tree: SiteTree, level: int = 0) -> dict[str, int]:
    """Return the number of choices that a job has behind it at each inner site, by path."""
    found, below = {tree.path: level}, level + (len(tree.children) > 1)
    for child in tree.children:
        if isinstance(child, SiteTree):
            found |= _levels(child, below)
    return found


def _inside(scenario: Scenario) -> Scenario:
    from echelon.engine.multicluster.parts import inside

    return inside(scenario)


def _able_clusters(scenario: Scenario) -> list[Sequence[int]]:
    """Return the clusters that can hold each job of a run on shared nodes alone, the lowest first."""
    from echelon.engine.multicluster.admission import AbleNodes

    able = AbleNodes(scenario.instance.sites)
    return [able.sites(job) for job in scenario.instance.jobs()]


def shared_deliveries(parts: Parts, clusters: Sequence[int]) -> Deliveries:
    """Return the deliveries to sites among which are clusters of shared nodes, -1 where a site is none."""
    from echelon.engine.multicluster.shared_deliveries import SharedDeliveries

    return SharedDeliveries(parts, clusters)


def _goes_by_load(controller: Controller) -> bool:
    """Return whether a broker uses the loads and speeds of sites instead of planned information."""
    return bool(getattr(controller.broker, "immediate", False))


def check_foreseen(broker: Broker, scenario: Scenario) -> None:
    """Refuse a broker that needs planned schedules of sites whose policy cannot be simulated ahead.

    Raises
    ------
    InputError
        If it does.
    """
    if broker.information >= Information.SCHEDULES and (reason := unsupported_reason(scenario)):
        raise InputError(f"{broker.name} needs planned schedules, but {reason}", field="broker")
