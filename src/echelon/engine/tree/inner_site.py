"""InnerSite: what a controller of an inner site has at hand; a new kind of controller needs nothing else."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from echelon.engine.queue.look_ahead import unsupported_reason
from echelon.engine.tree.views.broker_view import BrokerView, LoadView
from echelon.errors import InputError
from echelon.policies import Information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.tree.leaf import Leaf
    from echelon.engine.tree.leaves import Leaves
    from echelon.engine.tree.queues.deliveries import Deliveries
    from echelon.engine.tree.views.broker_view import Requester
    from echelon.engine.tree.views.statistics import SiteStatistics
    from echelon.model import Job
    from echelon.policies import Broker, Policy


class Branch(Protocol):
    """Where a broker sends jobs: a leaf, or another inner site."""

    def join(self, job: Job, *, is_reported: bool) -> None:
        """Take over `job` now; `is_reported` says whether observers know of it."""

    def withdraw(self, job: Job) -> None:
        """Remove `job`, which waits there: a copy has started elsewhere, or it is rejected."""


class Place(NamedTuple):
    """Where an inner site stands.

    Attributes
    ----------
    path : str
        Its path, ``""`` of the root.
    level : int
        The number of choices that a job has behind it here.
    weights : sequence of float or None, default none
        What the platform says of the weight of each site right below.
    """

    path: str
    level: int
    weights: Sequence[float | None] = ()


class InnerSite:
    """An inner site before it has a controller: its branches, what is known of them, where each job may go.

    Parameters
    ----------
    scenario : Scenario
        The run.
    place : Place
        Where it stands.
    states : sequence of Leaves
        The leaves by actual times, then perhaps by planned times.
    branches : sequence of Branch
        The sites right below.
    below : sequence of sequence of int
        The leaves of each.
    sums : sequence of SiteStatistics
        Of the branches, for each state.
    allowed : list of sequence of int
        The branches that each job may go to, by position.
    deliveries : Deliveries
        What follows from a job's way through a global queue here.
    """

    def __init__(
        self,
        scenario: Scenario,
        place: Place,
        states: Sequence[Leaves],
        *,
        branches: Sequence[Branch],
        below: Sequence[Sequence[int]],
        sums: Sequence[SiteStatistics],
        allowed: list[Sequence[int]],
        deliveries: Deliveries,
    ) -> None:
        self.scenario, self.path, self.states = scenario, place.path, states
        self._place = place
        self.branches, self.below, self.sums = branches, below, sums
        self.allowed, self.deliveries = allowed, deliveries
        self._views: list[BrokerView] = []

    @property
    def ledger(self) -> Ledger:
        """The ledger of the run."""
        return self.states[0].ledger

    @cached_property
    def leaves(self) -> list[Leaf]:
        """All leaves below, branch by branch."""
        return [self.states[0].leaves[leaf] for branch in self.below for leaf in branch]

    @cached_property
    def homes(self) -> list[int]:
        """The branch at which each job was submitted, -1 if none, by position."""
        branch_of = np.full(len(self.states[0].leaves) + 1, -1)
        for place, below in enumerate(self.below):
            branch_of[list(below)] = place
        homes: list[int] = branch_of[self.scenario.instance.home_site].tolist()
        return homes

    def grow(self, scenario: Scenario, allowed: Sequence[Sequence[int]]) -> None:
        """Take in the jobs at the end of the instance of `scenario`, and the branches that each may go to."""
        self.scenario = scenario
        self.allowed.extend(allowed)
        self.__dict__.pop("homes", None)
        self.deliveries.grow(len(scenario.instance))
        for view in self._views:
            view.grow(scenario)

    def send(self, job: Job, place: int, *, is_reported: bool) -> None:
        """Send `job` to the branch at `place` now; `is_reported` says whether observers know of it."""
        for statistics in self.sums:
            statistics.join(job, place)
        self.branches[place].join(job, is_reported=is_reported)

    def withdraw(self, job: Job, place: int) -> None:
        """Remove `job`, which waits at the branch at `place`, now."""
        for statistics in self.sums:
            statistics.leave(job, place)
        self.branches[place].withdraw(job)

    def view(self, rule: Requester, statistics: Any) -> BrokerView:  # noqa: ANN401  (statistics, perhaps old)
        """Return what `rule` sees of the branches, of which `statistics` says what is known.

        Raises
        ------
        InputError
            If it needs planned schedules of queues whose policy cannot be simulated ahead.
        """
        by_load = getattr(rule, "immediate", False) or not any(leaf.has_queue for leaf in self.leaves)
        if not by_load and not all(leaf.predicts_starts for leaf in self.leaves):
            names = self.scenario.instance.sites.names
            at = [names[leaf] for branch in self.below for leaf in branch]
            for policy in self.scenario.policy.distinct_at(at):
                check_predictable(rule, self.scenario, policy)
        kind = LoadView if by_load else BrokerView
        place = self._place
        view = kind(
            self.scenario, rule, statistics, lambda: self.homes, level=place.level, weights=place.weights
        )
        self._views.append(view)
        return view


def check_predictable(broker: Broker | Requester, scenario: Scenario, policy: Policy) -> None:
    """Refuse a broker that needs planned schedules of sites whose policy cannot be simulated ahead.

    Raises
    ------
    InputError
        If it does.
    """
    if broker.information >= Information.SCHEDULES and (reason := unsupported_reason(scenario, policy)):
        raise InputError(f"{broker.name} needs planned schedules, but {reason}", field="broker")
