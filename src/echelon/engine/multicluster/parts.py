"""Parts: the parts of one run on a multicluster."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.ledger.observer import Place
from echelon.engine.multicluster.forecasting.forecasts import ForecastBook
from echelon.engine.multicluster.forecasting.site_view import SiteView
from echelon.engine.multicluster.machine import SlotMachine
from echelon.engine.multicluster.record import Record
from echelon.engine.multicluster.shared_rates import SharedRates
from echelon.engine.multicluster.sharing.local_load import LocalLoad
from echelon.engine.multicluster.sharing.nodes import SharedNodes, program_of
from echelon.engine.multicluster.sharing.slots import Slots, slot_rules
from echelon.engine.multicluster.sharing.virtual_clusters import VirtualClusters
from echelon.engine.system_model import NodeLevelMachine
from echelon.model import Demands, NodeLevel
from echelon.model.streams import stream
from echelon.policies import estimator_capabilities, format_estimator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.multicluster.forecasting.site_view import QueuePredictor
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.execution.time_shared import TimeShared
    from echelon.model import Instance, LocalChange, LocalLoadModel, Platform


_HOUR = 3600.0


class Parts:
    """The shared nodes of one run: their clusters, local load, rates, forecasts, and what happens there.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run; planned times are forecast when jobs are dispatched, not at submission.
    scenario : Scenario
        The run as clusters know it, with the estimator of forecasts.
    rules : MulticlusterRules
        Execution, local load and what else is set.
    jobs : Instance
        The jobs on all sites of the run.
    platform : Platform
        The clusters alone.
    at : sequence of int
        The leaf that each cluster is.
    predict_queue : QueuePredictor
        Simulates clusters' queues for estimators.

    Attributes
    ----------
    replans : bool
        Whether local policies plan with forecasts instead of the instance's planned times.
    """

    def __init__(
        self,
        ledger: Ledger,
        scenario: Scenario,
        rules: MulticlusterRules,
        *,
        jobs: Instance,
        platform: Platform,
        at: Sequence[int],
        predict_queue: QueuePredictor,
    ) -> None:
        self.ledger, self.rules, self.at = ledger, rules, at
        instance = scenario.instance
        estimator = estimator_capabilities(scenario.estimator)
        self.replans = estimator.predicts and not estimator.knows_run_times
        self.nodes = SharedNodes(platform, rules.execution.owners)
        alone: list[float] = instance.uncut_time.tolist()
        self.longest = instance.longest_time.tolist() if instance.estimates == "kill" else None
        noise = times_of_profile(scenario, rules.execution)
        self.pace = SharedRates(self.nodes, rules.execution, alone, noise, self.longest)
        places = [Place(leaf, name) for leaf, name in zip(at, platform.names, strict=True)]
        slots = [Slots(self.nodes, cluster, seed=scenario.seed) for cluster in range(len(at))]
        self.machines = [
            SlotMachine(ledger, scenario, here, place, pace=self.pace)
            for here, place in zip(slots, places, strict=True)
        ]
        self.views = [
            SiteView(machine, self.nodes, self.pace, run_time=alone, predict_queue=predict_queue)
            for machine in self.machines
        ]
        estimators: list[Any] = [scenario.estimator, *rules.watched]
        specs = [format_estimator(estimator) for estimator in estimators]
        self.forecasts = ForecastBook(estimators, specs, rules.past, self.views)
        self.record = Record(jobs, self.nodes, at)
        changes = _changes(rules.local_users, platform, scenario)
        self.local_load = LocalLoad(self.nodes, changes, self.pace, rules.execution)
        self.virtual = VirtualClusters(rules, self.machines, self.nodes, self.pace, ledger.dispatches)

    def place_of(self, position: int) -> Place:
        """Return the cluster of the running job at `position`: the one with most of its tasks."""
        nodes = self.nodes
        by_site: dict[int, dict[int, int]] = {}
        for node in self.pace.running[position].nodes:
            site = nodes.site_of[node]
            by_site.setdefault(site, {})[node - nodes.first[site]] = 1
        first = self.record.site_of(position)
        places = {site: self.machines[site].place._replace(nodes=where) for site, where in by_site.items()}
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


def inside(scenario: Scenario) -> Scenario:
    """Return a run on shared nodes alone as its clusters know it: with what tasks demand of slots."""
    instance = scenario.instance
    memory = np.array([program_of(job).memory for job in instance.jobs()], dtype=np.float64)
    # One slot in each of its nodes, with the memory of a task.
    demands = Demands.of_equal_tasks(instance.size, np.ones(len(instance)), memory, tasks_per_node=1)
    machine = NodeLevel(instance.sites.clusters[0].slot_hardware, demands)
    return replace(
        scenario,
        instance=replace(instance, machine=machine),
        observers=(),
        system_model=NodeLevelMachine(slot_rules()),
    )


def times_of_profile(scenario: Scenario, execution: TimeShared) -> list[float]:
    """Return the time of each job alone as a multiple of its run time: noise times its program's error.

    Notes
    -----
    The noise is drawn with the scenario's seed. The error of a profile is the same in every run, for any
    seed.
    """
    factor = np.ones(len(scenario.instance))
    if deviation := execution.noise:
        random = stream(scenario.seed, "execution/noise")
        factor = np.exp(random.normal(-deviation * deviation / 2, deviation, len(factor)))
    if execution.profile:
        jobs = scenario.instance.jobs()
        programs = [f"{program_of(job).name or job.executable} on {job.processors}" for job in jobs]
        error = {program: _error(program, execution.profile) for program in sorted(set(programs))}
        factor = factor * np.array([error[program] for program in programs])
    times: list[float] = factor.tolist()
    return times


def _error(program: str, deviation: float) -> float:
    """Return the factor of all jobs of a program: lognormal of mean 1."""
    exponent = stream(0, f"execution/profile/{program}").normal(-deviation * deviation / 2, deviation)
    return float(np.exp(exponent))
