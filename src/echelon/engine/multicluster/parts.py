"""Parts: the parts of one run on a multicluster."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.ledger import Ledger
from echelon.engine.multicluster.accounting import Accounting
from echelon.engine.multicluster.admission import AbleNodes
from echelon.engine.multicluster.broker_view import SharedView
from echelon.engine.multicluster.cluster import SlotCluster, slot_rules
from echelon.engine.multicluster.forecasts import ForecastBook
from echelon.engine.multicluster.local_load import LocalLoad
from echelon.engine.multicluster.machine import SlotMachine
from echelon.engine.multicluster.nodes import SharedNodes, program_of
from echelon.engine.multicluster.pace import Pace
from echelon.engine.multicluster.record import Record
from echelon.engine.multicluster.shared_deliveries import SharedDeliveries
from echelon.engine.multicluster.shared_group import SharedGroup
from echelon.engine.multicluster.site_view import SiteView
from echelon.engine.multicluster.variation import times_of_profile
from echelon.engine.multicluster.virtual_clusters import VirtualClusters
from echelon.engine.observer import Place
from echelon.engine.system import LATEST
from echelon.engine.tree.brokerage import LeafBranch
from echelon.engine.tree.global_queue import GlobalQueue
from echelon.engine.tree.global_queue_view import GlobalQueueView
from echelon.engine.tree.leaves import Leaves
from echelon.engine.tree.tree_system import TreeSystem
from echelon.engine.worlds import Multicluster, NodeLevelMachine
from echelon.model import Demands, NodeLevel
from echelon.policies import Request, estimator_capabilities, estimator_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.site_view import QueuePredictor
    from echelon.model import Instance, LocalChange, LocalLoadModel, Platform

_HOUR = 3600.0


class Parts:
    """The nodes, clusters, local load, global queue, and accounting of one run.

    Parameters
    ----------
    scenario : Scenario
        The run; all its jobs can run.
    predict_queue : QueuePredictor
        Simulates clusters' queues for estimators.

    Attributes
    ----------
    replans : bool
        Whether local policies plan with forecasts instead of the instance's planned times.
    """

    def __init__(self, scenario: Scenario, predict_queue: QueuePredictor) -> None:
        world, platform = scenario.world_as(Multicluster), scenario.instance.sites
        rules, broker = world.rules, world.broker
        self.rules = rules
        instance = scenario.instance
        estimator = estimator_capabilities(scenario.estimator)
        self.replans = estimator.predicts and not estimator.knows_run_times
        self.nodes = SharedNodes(platform, rules.execution.owners)
        alone: list[float] = instance.run_time.tolist()
        noise = times_of_profile(scenario, rules.execution)
        self.pace = Pace(self.nodes, rules.execution, alone, noise)
        inside = _inside(scenario, self.nodes)
        # Planned times are forecast when jobs are dispatched to clusters, not predicted at submission.
        self.ledger = Ledger(replace(inside, estimator=Request(), observers=scenario.observers))
        self.machines = [
            SlotMachine(
                self.ledger, SlotCluster(self.ledger, self.nodes, site, inside), platform.names[site],
                pace=self.pace,
            )
            for site in range(len(platform))
        ]  # fmt: skip
        self.views = [
            SiteView(machine, self.nodes, self.pace, run_time=alone, predict_queue=predict_queue)
            for machine in self.machines
        ]
        estimators: list[Any] = [scenario.estimator, *rules.watched]
        words = [estimator_words(estimator) for estimator in estimators]
        self.forecasts = ForecastBook(estimators, words, rules.past, self.views)
        self.accounting = Accounting(self.machines, self.views, self.nodes)
        self.view = SharedView(scenario, broker, self.accounting, self.forecasts)
        able = AbleNodes(platform)
        self.global_queue = GlobalQueueView(
            self.machines, [able.sites(job) for job in self.ledger.jobs], broker, view=self.view,
            limit=rules.limit,
        )  # fmt: skip
        self.record = Record(instance, self.nodes)
        changes = _changes(rules.local_users, platform, scenario)
        self.local_load = LocalLoad(self.nodes, changes, self.pace, rules.execution)
        self.virtual = VirtualClusters(rules, self.machines, self.nodes, self.pace, self.ledger.dispatches)

    def system(self) -> TreeSystem:
        """Return the system of these parts, before its first event."""
        leaves, rules = Leaves(self.ledger, self.machines), self.rules
        queue = GlobalQueue(
            rules.upper_queue, self.global_queue, leaves,
            branches=[LeafBranch([leaves], site) for site in range(len(self.machines))],
            below=[(site,) for site in range(len(self.machines))],
            statistics=self.accounting, deliveries=SharedDeliveries(self), decision_time=rules.decision_time,
            longest_stay=rules.longest_stay, two_phase=rules.two_phase,
        )  # fmt: skip
        group = SharedGroup(self, leaves, queue)
        leaves.groups.append(group)
        for machine, view in zip(self.machines, self.views, strict=True):
            machine.group, machine.view, machine.forecasts = group, view, self.forecasts
            machine.above_waits = (lambda: queue.waiting,)
        return TreeSystem([leaves], [queue], latest=LATEST)

    def place_of(self, position: int) -> Place:
        """Return the cluster of the running job at `position`: the one with most of its tasks."""
        nodes = self.nodes
        by_site: dict[int, dict[int, int]] = {}
        for node in self.pace.running[position].nodes:
            site = nodes.site_of[node]
            by_site.setdefault(site, {})[node - nodes.first[site]] = 1
        first = self.record.site_of(position)
        places = {site: Place(site, self.machines[site].name, where) for site, where in by_site.items()}
        others = tuple(places[site] for site in sorted(places) if site != first)
        return places[first]._replace(others=others)

    def sites_of(self, nodes: set[int]) -> set[int]:
        """Return the clusters of these nodes."""
        return {self.nodes.site_of[node] for node in nodes}


def _changes(users: LocalLoadModel, platform: Platform, scenario: Scenario) -> Iterator[LocalChange]:
    """Yield the changes of owners; those of a random model begin at the full hour before the first job.

    Otherwise a log whose times count from 1970 would have half a century of changes before its first job.
    """
    first = scenario.instance.first_submission
    origin = math.floor(first / _HOUR) * _HOUR if getattr(users, "are_drawn", False) else 0.0
    for change in users.changes(platform, scenario.seed):
        yield change._replace(time=change.time + origin) if origin else change


def _inside(scenario: Scenario, nodes: SharedNodes) -> Scenario:
    """Return the run as clusters know it: each job with what its tasks demand of slots."""
    instance = scenario.instance
    machine = NodeLevel(nodes.clusters[0].slot_hardware, _demands(instance))
    return replace(
        scenario,
        instance=replace(instance, machine=machine),
        observers=(),
        world=NodeLevelMachine(slot_rules()),
    )


def _demands(instance: Instance) -> Demands:
    """Return the demands of jobs: one slot in each of their nodes, with the memory of a task."""
    memory = np.array([program_of(job).memory for job in instance.jobs()], dtype=np.float64)
    return Demands.of_equal_tasks(instance.size, np.ones(len(instance)), memory, tasks_per_node=1)
