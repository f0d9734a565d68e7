"""TaskRates: the rates at which running tasks progress, and the next end of one."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.progress.agenda import Agenda
from echelon.engine.progress.rates import BLUR, Rates
from echelon.execution import Load, Traffic, speed_factor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.nodes.progress.running_group import RunningGroup
    from echelon.engine.nodes.rules import NodeRules
    from echelon.model import Demand, Hardware
    from echelon.model.jobs.columns import FloatColumn


class TaskRates(Rates["RunningGroup"]):
    """Rates of all running tasks. They change only where the set of running tasks changes.

    A task progresses at the speed of its core times S_f, by `echelon.execution.speed_factor` of S_m, the
    factor of the memory model among the tasks of its processor or node, and of S_c, that of the network model
    for its job in its node, 1 if the job is in one node. Tasks of an MPI job that have ended no longer use
    memory, but keep their part of the job's traffic until the job ends. A memory model whose ``refresh`` is
    ``release`` learns of that only when tasks start on the part or cores of it are given back.

    Parameters
    ----------
    hardware : Hardware
        The nodes.
    rules : NodeRules
        The models.

    Attributes
    ----------
    changed : set of int
        Positions of the jobs of which tasks have ended at this instant.
    """

    # After a turn of tasks the rates are others, so that ends near it may not hold: the first comes first.
    gathers_ends = False

    def __init__(self, hardware: Hardware, rules: NodeRules) -> None:
        # Fixed run times end exactly; work done at some rate ends up to rounding.
        super().__init__(0.0 if rules.execution.fixed else BLUR)
        self._hardware = hardware
        self.changed: set[int] = set()
        self._memory = rules.execution.memory
        self._network = rules.network
        self._is_local = rules.network is not None and rules.network.local
        self._by_node = self._memory is not None and self._memory.scope == "node"
        self._late = getattr(self._memory, "refresh", "end") == "release"
        self._pushed = 0
        self._there: dict[int, list[RunningGroup]] = defaultdict(list)
        # Of tasks that have ended since the last update of their processor, if updates are late.
        self._lingering: dict[int, float] = defaultdict(float)
        self._memory_factor: dict[int, float] = {}
        self._groups: dict[int, list[RunningGroup]] = {}
        self._demands: dict[int, Demand] = {}
        self._traffic: dict[int, Traffic] = {}
        self._talkers: dict[int, set[int]] = defaultdict(set)
        self._network_factor: dict[int, dict[int, float]] = {}
        self._parts: set[int] = set()
        self._jobs: set[int] = set()
        self._joining: Agenda[int] = Agenda()

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `Rates.next_time`; cuts and what is planned are subject to rounding as ends are."""
        return super().next_time(other, (*planned, self._cuts.first(), self._joining.first()))

    def enter(
        self, position: int, groups: list[RunningGroup], demand: Demand, *, cut: float = math.inf
    ) -> None:
        """Start a job: its groups progress, and count for others, from their begin on, until its `cut`."""
        self._groups[position], self._demands[position] = groups, demand
        self._joining.plan(position, groups[0].begin)
        self._cuts.plan(position, cut)

    def complete(self, now: float) -> list[int]:
        """See `Rates.complete`: end the tasks whose work is done, and give others their turn."""
        self.join(now)
        done = []
        for group in self._ends.take_all(self.last_equal(now)):
            if group.turn(now):
                done.append(group)
            else:
                self._push(group)
                self._parts.add(self._part(group))
        for group in done:
            self.finish(group, now)
        self.changed = {group.position for group in done}
        return [
            position
            for position in self.changed
            if not any(group.is_running for group in self._groups[position])
        ]

    def finish(self, group: RunningGroup, now: float) -> None:
        """End the tasks of `group` now."""
        if self._late:
            self._lingering[group.processor] += group.running * group.bandwidth
        group.finish(now)
        self._ends.take(group)
        part = self._part(group)
        if group in self._there[part]:
            self._there[part].remove(group)
            if not self._late:
                self._parts.add(part)

    def give_back(self, group: RunningGroup) -> None:
        """Note that the cores of `group`, whose tasks have ended, are released."""
        if self._late:
            self._parts.add(self._part(group))
            self._lingering[group.processor] = 0.0

    def bandwidth_asked(self) -> FloatColumn:
        """Return the memory traffic of the running tasks of each processor, in bytes a second.

        Where factors are computed late, tasks that have ended count until tasks start there or cores are
        given back.
        """
        asked = np.zeros(len(self._hardware.processors))
        for processor, lingering in self._lingering.items():
            asked[processor] = lingering
        for groups in self._there.values():
            for group in groups:
                asked[group.processor] += group.running * group.bandwidth
        return asked

    def leave(self, position: int) -> list[RunningGroup]:
        """Forget a job that has ended, and its traffic; return its groups."""
        self._demands.pop(position)
        self._joining.take(position)
        self._cuts.take(position)
        if position in self._traffic:
            self._jobs |= self._neighbors(self._traffic[position].tasks)
            self._jobs.discard(position)
            for node in self._traffic.pop(position).tasks:
                self._talkers[node].discard(position)
            self._network_factor.pop(position, None)
        return self._groups.pop(position)

    def groups(self, position: int) -> list[RunningGroup]:
        """Return the groups of a running job."""
        return self._groups[position]

    def outlook(self, position: int) -> float:
        """Return when a running job ends at its present speed, or at its cut, in seconds."""
        end = max(group.outlook for group in self._groups[position] if group.is_running)
        return min(end, self.cut_at(position))

    def settle(self, now: float) -> None:
        """Set the rate of every task from now on, after all changes of this instant."""
        touched: dict[int, RunningGroup] = {}
        for part in self._parts:
            self._remember(part)
            touched.update((id(group), group) for group in self._there[part])
        for position in self._new_network_factors():
            touched.update((id(group), group) for group in self._groups[position] if group.is_running)
        for group in touched.values():
            if group.is_running and group.begin <= now and group.run_at(self._factor(group), now):
                self._push(group)
        self._parts.clear()
        self._jobs.clear()

    def join(self, now: float) -> None:
        """Let jobs whose nodes are ready progress and count."""
        for position in self._joining.take_all(now):
            for group in self._groups[position]:
                if not group.is_running:
                    continue
                part = self._part(group)
                self._there[part].append(group)
                self._lingering[group.processor] = 0.0
                self._parts.add(part)
            self._talk(position)

    def _talk(self, position: int) -> None:
        demand = self._demands[position]
        if self._network is None or demand.sequential or not demand.communication_volume:
            return
        tasks: dict[int, int] = defaultdict(int)
        for group in self._groups[position]:
            tasks[group.node] += group.tasks
        if len(tasks) < 2:
            return
        alone = max(group.alone for group in self._groups[position])
        self._traffic[position] = Traffic(dict(tasks), demand.communication_volume, alone)
        for node in tasks:
            self._talkers[node].add(position)
        self._jobs |= self._neighbors(tasks)

    def _neighbors(self, nodes: Iterable[int]) -> set[int]:
        """Return the jobs whose factors may change with what a job sends from `nodes`."""
        if self._is_local:
            return set().union(*(self._talkers[node] for node in nodes))
        if self._hardware.topology is not None:
            return set(self._traffic)
        seen: set[int] = set()
        left = [*nodes]
        reached = set(left)
        while left:
            for position in self._talkers[left.pop()] - seen:
                seen.add(position)
                fresh = set(self._traffic[position].tasks) - reached
                reached |= fresh
                left.extend(fresh)
        return seen

    def _new_network_factors(self) -> list[int]:
        """Compute the factors of the jobs concerned; return the jobs with a changed factor."""
        if not self._jobs or self._network is None:
            return []
        concerned = sorted(self._jobs & set(self._traffic))
        nodes = {node for position in concerned for node in self._traffic[position].tasks}
        among = concerned
        if self._is_local:
            among = sorted(set().union(*(self._talkers[node] for node in nodes)))
        network_factors = self._network.factors(
            [self._traffic[position] for position in among], self._hardware
        )
        changed = []
        for position, factors in zip(among, network_factors, strict=True):
            if position in self._jobs:
                if self._network_factor.get(position) != factors:
                    changed.append(position)
                self._network_factor[position] = dict(factors)
        return changed

    def _remember(self, part: int) -> None:
        """Compute the memory factors of the tasks in a part of the machine."""
        groups = self._there[part]
        if self._memory is None or not groups:
            return
        where = self._hardware.nodes[part] if self._by_node else self._hardware.processors[part]
        loads = [Load(group.running, group.bandwidth) for group in groups]
        for group, factor in zip(groups, self._memory.factors(loads, where), strict=True):
            self._memory_factor[id(group)] = factor

    def _factor(self, group: RunningGroup) -> float:
        computes = self._demands[group.position].compute_share
        memory = self._memory_factor.get(id(group), 1.0)
        network = self._network_factor.get(group.position, {}).get(group.node, 1.0)
        return memory if memory == network else speed_factor(computes, memory, network)

    def _part(self, group: RunningGroup) -> int:
        return group.node if self._by_node else group.processor

    def _push(self, group: RunningGroup) -> None:
        self._pushed += 1
        self._ends.plan(group, group.due, (group.serial, self._pushed))
