"""Assembly: the sites of a platform under brokers, as the system of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.ledger import Ledger
from echelon.engine.look_ahead import unsupported_reason
from echelon.engine.tree.broker_view import BrokerView
from echelon.engine.tree.brokerage import Brokerage, LeafBranch
from echelon.engine.tree.brokered_sites import BrokeredSites
from echelon.engine.tree.inner_member import InnerMember
from echelon.engine.tree.leaf_kinds import LeafKinds
from echelon.engine.tree.leaves import Leaves
from echelon.engine.tree.load_view import LoadView
from echelon.engine.tree.statistics import SiteStatistics
from echelon.errors import InputError
from echelon.model.machines.site_tree import SiteTree
from echelon.policies import Information, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.engine.tree.brokerage import Branch
    from echelon.engine.tree.statistics import Member
    from echelon.engine.worlds import Controller, LeafRules
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


def tree_system(scenario: Scenario, controllers: Mapping[str, Controller], rules: LeafRules) -> BrokeredSites:
    """Return the sites of the scenario's platform under these controllers, before their first event.

    Parameters
    ----------
    scenario : Scenario
        The run.
    controllers : mapping of str to Controller
        Of every inner site, by its path.
    rules : LeafRules
        The rules of leaves of each kind.

    Raises
    ------
    InputError
        If a broker needs planned schedules of queues whose policy cannot be simulated ahead.
    """
    return _Planter(scenario, controllers, rules).system()


def planned_scenario(scenario: Scenario) -> Scenario:
    """Return `scenario` with jobs that run for their planned times, without observers."""
    instance = replace(scenario.instance, run_time=scenario.instance.planned_time)
    return replace(scenario, instance=instance, observers=(), estimator=Request())


class _Planter:
    """Builds the tree of one run, from the leaves up."""

    def __init__(self, scenario: Scenario, controllers: Mapping[str, Controller], rules: LeafRules) -> None:
        self._scenario, self._controllers = scenario, controllers
        self._platform = scenario.instance.sites
        kinds = LeafKinds(Ledger(scenario), rules)
        self._kinds = [kinds]
        if any(map(self._is_planned, controllers.values())):
            planned = Ledger(planned_scenario(scenario))
            planned.releases = kinds.ledger.releases
            self._kinds.append(LeafKinds(planned, rules.planned()))
        self._states = [Leaves(kind.ledger, kind.leaves()) for kind in self._kinds]
        self._brokerages: dict[str, Brokerage] = {}

    def _is_planned(self, controller: Controller) -> bool:
        """Return whether a broker believes in planned times; where no job waits there are none."""
        has_queues = len(self._platform.time_shared) < len(self._platform)
        return controller.broker.belief == "allocation" and has_queues and not _goes_by_load(controller)

    def system(self) -> BrokeredSites:
        """Return the whole tree."""
        tree = self._platform.tree
        self._inner(tree)
        brokerages = [self._brokerages[inner.path] for inner in tree.inner()]
        actual = self._kinds[0]
        return BrokeredSites(self._states, brokerages, actual.records(), latest=actual.latest)

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
        controller = self._controllers[tree.path]
        believed = statistics[1 if self._is_planned(controller) else 0]
        brokerage = Brokerage(
            controller.broker,
            branches,
            ledger=self._states[0].ledger,
            view=self._view(controller, tree, believed, leaves),
            allowed=self._allowed(controller, tree, leaves),
            decision_time=controller.decision_time,
        )
        self._brokerages[tree.path] = brokerage
        return brokerage, [InnerMember(there, brokerage.choose) for there in members]

    def _leaf(self, site: int) -> tuple[Branch, list[Member]]:
        return LeafBranch(self._states, site), [state.leaves[site] for state in self._states]

    def _view(
        self,
        controller: Controller,
        tree: SiteTree,
        statistics: SiteStatistics,
        leaves: Sequence[Sequence[int]],
    ) -> BrokerView:
        has_queues = any(self._states[0].leaves[leaf].has_queue for below in leaves for leaf in below)
        if _goes_by_load(controller) or not has_queues:
            return LoadView(self._scenario, controller.broker, statistics, self._homes(leaves))
        check_foreseen(controller.broker, self._scenario)
        return BrokerView(self._scenario, controller.broker, statistics, self._homes(leaves))

    def _homes(self, leaves: Sequence[Sequence[int]]) -> Callable[[], list[int]]:
        """Return what tells the branch at which each job was submitted, -1 if none, when it is asked."""
        branch_of = np.full(len(self._platform) + 1, -1)
        for place, below in enumerate(leaves):
            branch_of[list(below)] = place

        def homes() -> list[int]:
            found: list[int] = branch_of[self._scenario.instance.home_site].tolist()
            return found

        return homes

    def _allowed(
        self, controller: Controller, tree: SiteTree, leaves: Sequence[Sequence[int]]
    ) -> list[Sequence[int]]:
        """Return the branches that each job may go to: admissible by its size, and able to hold it."""
        platform, instance = self._platform, self._scenario.instance
        branches = Branches(
            np.array([sum(platform.sites[leaf].processors for leaf in below) for below in leaves]),
            np.array([max(platform.sites[leaf].largest_job for leaf in below) for below in leaves]),
        )
        # A job that is too large for this inner site never gets here.
        size = np.minimum(instance.size, branches.largest_jobs.max())
        allowed = controller.admissible.sites(branches, size)
        return self._able(allowed, branches, leaves)

    def _able(
        self, allowed: list[Sequence[int]], branches: Branches, leaves: Sequence[Sequence[int]]
    ) -> list[Sequence[int]]:
        """Leave out the branches whose nodes cannot hold a job, if any can."""
        unable = self._kinds[0].unable()
        if not any(jobs.any() for jobs in unable.values()):
            return allowed
        cannot = [
            np.all([self._too_small(leaf) | unable.get(leaf, False) for leaf in below], axis=0)
            for below in leaves
        ]
        order = branches.by_size.tolist()
        return [
            [place for place in places if not cannot[place][position]]
            or [place for place in order if not cannot[place][position]]
            or places
            for position, places in enumerate(allowed)
        ]

    def _too_small(self, leaf: int) -> NDArray[np.bool_]:
        return self._scenario.instance.size > self._platform.sites[leaf].largest_job


def _goes_by_load(controller: Controller) -> bool:
    """Return whether a broker goes by the loads and speeds of sites, and not by planned information."""
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
