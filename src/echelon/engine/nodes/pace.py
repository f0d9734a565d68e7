"""Pace: the rates at which running tasks progress, and the next end of one."""

from __future__ import annotations

import math
from collections import defaultdict
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from echelon.execution import Load, Traffic, speed_factor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.nodes.rules import NodeRules
    from echelon.engine.nodes.running_group import RunningGroup
    from echelon.model import Demand, Hardware
    from echelon.model.jobs.columns import FloatColumn


class Pace:
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
    """

    def __init__(self, hardware: Hardware, rules: NodeRules) -> None:
        self._hardware = hardware
        # Fixed run times end exactly; work done at some rate ends up to rounding.
        self.blur = 0.0 if rules.execution.fixed else 8.0
        self._memory = rules.execution.memory
        self._network = rules.network
        self._by_node = self._memory is not None and self._memory.scope == "node"
        self._late = getattr(self._memory, "refresh", "end") == "release"
        self._heap: list[tuple[float, int, int, RunningGroup]] = []
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
        self._joining: list[tuple[float, int]] = []
        self._begins: dict[int, float] = {}

    def next_time(self, other: float, planned: Iterable[float]) -> float:
        """Return the time of the next event, of a task or at one of the other times, in seconds.

        Events of tasks, and their `planned` ends, that differ only by rounding happen together at the last of
        their times, or at `other` if that differs only by rounding.
        """
        while self._heap and self._heap[0][1] != self._heap[0][3].serial:
            heappop(self._heap)
        while self._joining and not self._is_joining(*self._joining[0]):
            heappop(self._joining)
        times = [*planned]
        if self._heap:
            times.append(self._heap[0][0])
        if self._joining:
            times.append(self._joining[0][0])
        by = self._about(min(times, default=math.inf))
        return other if other <= by else max(time for time in times if time <= by)

    def start(self, position: int, groups: list[RunningGroup], demand: Demand) -> None:
        """Start a job: its groups progress, and count for others, from their begin on."""
        self._groups[position], self._demands[position] = groups, demand
        self._begins[position] = groups[0].begin
        heappush(self._joining, (groups[0].begin, position))

    def due(self, now: float) -> list[RunningGroup]:
        """Return the groups whose tasks have all ended by now and are not finished yet."""
        self.join(now)
        done = []
        by = self._about(now)
        while self._heap and self._heap[0][0] <= by:
            _, serial, _, group = heappop(self._heap)
            if serial != group.serial:
                continue
            if group.turn(now):
                done.append(group)
            else:
                self._push(group)
                self._parts.add(self._part(group))
        return done

    def finish(self, group: RunningGroup, now: float) -> None:
        """End the tasks of `group` now."""
        if self._late:
            self._lingering[group.processor] += group.running * group.bandwidth
        group.finish(now)
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
        self._begins.pop(position, None)
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
        """Return when a running job ends at its present speed, in seconds."""
        return max(group.outlook for group in self._groups[position] if group.is_running)

    def settle(self, now: float) -> None:
        """Set the rate of every task from now on, after all changes of this instant."""
        touched: dict[int, RunningGroup] = {}
        for part in self._parts:
            self._remember(part)
            touched.update((id(group), group) for group in self._there[part])
        for position in self._new_network_factors():
            touched.update((id(group), group) for group in self._groups[position] if group.is_running)
        for group in touched.values():
            if group.is_running and group.begin <= now and group.pace(self._factor(group), now):
                self._push(group)
        self._parts.clear()
        self._jobs.clear()

    def join(self, now: float) -> None:
        """Let jobs whose nodes are ready progress and count."""
        while self._joining and self._joining[0][0] <= now:
            begin, position = heappop(self._joining)
            # A job cut at its request or suspended before its nodes were ready has left.
            if not self._is_joining(begin, position):
                continue
            del self._begins[position]
            for group in self._groups[position]:
                if not group.is_running:
                    continue
                part = self._part(group)
                self._there[part].append(group)
                self._lingering[group.processor] = 0.0
                self._parts.add(part)
            self._talk(position)

    def _is_joining(self, begin: float, position: int) -> bool:
        """Return whether a job is still to join then: it may have left, and begin at another time."""
        return self._begins.get(position) == begin

    def _about(self, time: float) -> float:
        """Return the last time that equals `time` up to rounding: ends of equal work may differ by it."""
        return time + self.blur * math.ulp(time) if time < math.inf else time

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
        assert self._network is not None
        if self._network.local:
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
        if self._network.local:
            among = sorted(set().union(*(self._talkers[node] for node in nodes)))
        found = self._network.factors([self._traffic[position] for position in among], self._hardware)
        changed = []
        for position, factors in zip(among, found, strict=True):
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
        heappush(self._heap, (group.due, group.serial, self._pushed, group))
