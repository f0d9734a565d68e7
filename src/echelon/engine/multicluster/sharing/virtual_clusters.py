"""VirtualClusters: the nodes of several clusters that a co-allocated job holds while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.errors import PolicyError
from echelon.execution.time_shared import availability
from echelon.policies.capabilities import switch_of
from echelon.policies.coallocation.contract import SpanningProblem
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Job


class VirtualClusters:
    """One virtual cluster for each co-allocated job, from its start to its end.

    Parameters
    ----------
    rules : MulticlusterRules
        The settings, with the co-allocation.
    machines : sequence of SlotMachine
        The clusters whose nodes are borrowed; each knows the part of the job it holds.
    nodes : SharedNodes
        The nodes of all.
    pace : SharedRates
        The pace of all jobs.
    dispatches : Dispatches
        The dispatches of the run.

    Notes
    -----
    **Source**: M-CISNE thesis, sections 2.5.1, 4.6 and 4.7.
    """

    def __init__(
        self,
        rules: MulticlusterRules,
        machines: Sequence[SlotMachine],
        nodes: SharedNodes,
        pace: SharedRates,
        dispatches: Dispatches,
    ) -> None:
        self._rule, self._machines = rules.co_allocation, machines
        self._nodes, self._pace, self._dispatches = nodes, pace, dispatches
        self._parts: dict[int, dict[int, Job]] = {}
        self._suspended: dict[int, float] = {}
        self._switches = [switch_of(machine.cluster.policy.scheduler) for machine in machines]

    def find(self, job: Job, now: float, among: Sequence[int]) -> tuple[int, ...] | None:
        """Return nodes of the clusters `among` all for the tasks of `job` now, or None.

        Raises
        ------
        PolicyError
            If the co-allocation fails, or answers with nodes that it was not offered, or too few.
        """
        # What a policy has just suspended is not offered to it again at the same instant.
        if self._rule is None or self._suspended.get(job.position) == now:
            return None
        software, left = program_of(job).software, self._dispatches.as_left(job)
        until = now + self._switch(among) + left.planned_time
        offered = [
            machine.slots.first_node + node
            for machine in map(self._machines.__getitem__, among)
            if software <= self._nodes.clusters[machine.slots.site].software
            for node in machine.slots.open_nodes(left, machine.cluster.window(until), now)
        ]
        if len(offered) < job.processors:
            return None
        problem, name = self.problem(job, offered), self._rule.name

        def error(rule: str) -> PolicyError:
            return PolicyError(name, time=now, job_id=job.job_id, broken_rule=rule)

        with Guard(
            lambda failure: error(f"makes span(problem) fail with {failure}; it returns a Span or None")
        ):
            span = self._rule.span(problem)
            # Typed as anything: a user's rule may return anything.
            places = None if span is None else sorted({int(place) for place in span.nodes})
            listed = None if span is None else len(span.nodes)
            answer = None if span is None else f"{span.nodes!r:.60}"
        if span is None or places is None:
            return None
        if not len(places) == listed == job.processors or not 0 <= places[0] <= places[-1] < len(offered):
            rule = f"was given {answer}; expected {job.processors} different nodes of {len(offered)}"
            raise error(rule)
        return tuple(offered[place] for place in places)

    def problem(self, job: Job, offered: Sequence[int]) -> SpanningProblem:
        """Return the problem which of the `offered` nodes the job should take."""
        nodes, program = self._nodes, program_of(job)
        alone = self._pace.time_alone(job.position)
        power = [
            float(nodes.power[node]) * availability(float(nodes.processors[node]), nodes.tasks(node) + 1)
            for node in offered
        ]
        return SpanningProblem(
            tasks=job.processors,
            bandwidth=program.bandwidth,
            compute_time=alone * program.compute_share,
            communication_time=alone - alone * program.compute_share,
            cluster=np.array([nodes.site_of[node] for node in offered], dtype=np.int64),
            power=np.array(power, dtype=np.float64),
            link=np.array([cluster.link for cluster in nodes.clusters], dtype=np.float64),
            # Sums of increases and decreases may end a rounding error below 0.
            consumed=np.array([max(0.0, self._pace.link_use(site)) for site in range(len(nodes.clusters))]),
        )

    def start(self, job: Job, where: tuple[int, ...], now: float) -> tuple[int, ...]:
        """Start or resume `job` on these nodes now; return their clusters.

        It pays the longest switch of the policies there: its tasks begin to progress together.
        """
        here = self._by_site(where)
        switch = self._switch(here)
        end = now + switch + self._dispatches.as_left(job).planned_time
        self._dispatches.dispatch(job, now, switch)
        self._pace.enter(job, where, now, switch)
        parts = self._parts[job.position] = {}
        for site, mine in here.items():
            parts[site] = job._replace(processors=len(mine))
            machine = self._machines[site]
            machine.cluster.seize(parts[site], machine.slots.assign_one_each(mine), end)
        return tuple(parts)

    def _switch(self, clusters: Iterable[int]) -> float:
        """Return the longest switch that the policies of these clusters charge, in seconds."""
        return max((self._switches[cluster] for cluster in clusters), default=0.0)

    def spans(self, position: int) -> bool:
        """Return whether a job runs in several clusters."""
        return position in self._parts

    def note_suspension(self, position: int, now: float) -> None:
        """Note that a job is suspended at `now`, in seconds."""
        self._suspended[position] = now

    def parts_of(self, job: Job, where: tuple[int, ...]) -> Mapping[int, Job]:
        """Return the part of running `job` in each cluster: the job itself if it is not co-allocated."""
        return self._parts.get(job.position) or {self._nodes.site_of[where[0]]: job}

    def dissolve(self, position: int) -> None:
        """Forget the virtual cluster of a job that has ended."""
        self._parts.pop(position, None)

    def _by_site(self, where: Sequence[int]) -> dict[int, list[int]]:
        """Return the nodes by cluster, numbered as there."""
        nodes_by_site: dict[int, list[int]] = {}
        for node in where:
            site = self._nodes.site_of[node]
            nodes_by_site.setdefault(site, []).append(node - self._nodes.first[site])
        return nodes_by_site
