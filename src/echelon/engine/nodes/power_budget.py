"""PowerBudget: the present power of the machine, and the frequency level of a job under its cap."""

from __future__ import annotations

import math
from collections import Counter
from copy import copy
from typing import TYPE_CHECKING

from echelon.model.machines.power import node_power

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job
    from echelon.policies import Running


class PowerBudget:
    """Power of all nodes now, maintained only if there is a cap.

    A processor draws its idle share of its static power, or all of it and the dynamic power of the cores that
    are held; a node also its own power; a sleeping node the power of its sleep, a node that wakes up the
    larger of both. See `echelon.metrics`, which integrates the same figures.

    Parameters
    ----------
    nodes : Nodes
        The nodes.
    """

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        hardware, rules = nodes.hardware, nodes.rules
        self.cap: float = rules.power_cap
        self.is_capped = math.isfinite(self.cap)
        most = max(len(processor.levels) for processor in hardware.processors)
        self._levels = {"highest": (0,), "lowest": (most - 1,), "capped": tuple(range(most))}[rules.governor]
        self._processor_of = hardware.processor_of_core.tolist() if self.is_capped else []
        shares = [p.levels[min(self._levels[-1], len(p.levels) - 1)].power for p in set(hardware.processors)]
        self._least = min(shares) * float(hardware.core_power.min())
        self._level_of: dict[int, int] = {}
        self._held: list[int] = [0] * len(hardware.processors)
        self._dynamic: list[float] = [0.0] * len(hardware.processors)
        self._added: dict[int, float] = {}

    def copy(self, nodes: Nodes) -> PowerBudget:
        """Return an independent copy, of `nodes`, which are a copy of these."""
        twin = copy(self)
        numbers = {"_level_of": dict(self._level_of), "_added": dict(self._added)}
        sums = {"_held": list(self._held), "_dynamic": list(self._dynamic)}
        twin.__dict__.update(numbers, **sums, _nodes=nodes)
        return twin

    def level_for(self, cores: Sequence[int], now: float) -> int | None:
        """Return the frequency level at which a job may start on these cores now, or None."""
        if not self.is_capped:
            return self._levels[0]
        power = self.power_at(now)
        for level in self._levels:
            if power + self.power_rise(cores, level, now) <= self.cap:
                return level
        return None

    def peak_power(self, cores: Sequence[int]) -> float:
        """Return the largest power of the machine, all nodes on, while a job wakes these and runs, in W."""
        nodes = self._nodes.hardware.nodes
        total = sum(self._power_awake(number) for number in range(len(nodes)))
        for node, rise in self._rises(cores, self._levels[-1]).items():
            sleep = nodes[node].sleep
            total += max(rise, 0.0 if sleep is None else sleep.wake_power - self._power_awake(node))
        return total

    def power_at(self, now: float) -> float:
        """Return the present power of the machine, in W. Cost: O(processors)."""
        sleep = self._nodes.sleep
        asleep, waking = sleep.asleep(now), sleep.mask_waking(now)
        total = 0.0
        for number, node in enumerate(self._nodes.hardware.nodes):
            awake = self._power_awake(number)
            if node.sleep is not None and asleep[number]:
                total += node.sleep.power
            elif node.sleep is not None and waking[number]:
                total += max(node.sleep.wake_power, awake)
            else:
                total += awake
        return total

    def power_rise(self, cores: Sequence[int], level: int, now: float) -> float:
        """Return the increase of the power if these idle cores are taken now, in W."""
        nodes = self._nodes.hardware.nodes
        asleep = self._nodes.sleep.asleep(now)
        added = 0.0
        for node, rise in self._rises(cores, level).items():
            sleep = nodes[node].sleep
            if sleep is not None and asleep[node]:
                # Until it is ready it draws the larger of the two; the cap holds throughout.
                added += max(sleep.wake_power, self._power_awake(node) + rise) - sleep.power
            else:
                added += rise
        return added

    def _rises(self, cores: Sequence[int], level: int) -> dict[int, float]:
        """Return the increase of each node's power, from being on, with these cores held, in W."""
        hardware = self._nodes.hardware
        rises: dict[int, float] = {}
        for number, count in Counter(self._processor_of[core] for core in cores).items():
            processor, node = hardware.processors[number], int(hardware.node_of_processor[number])
            rise = sum(self._core_power(core, level) for core in cores if self._processor_of[core] == number)
            if count and not self._held[number]:
                rise += (1 - processor.idle_share) * processor.static_power
            rises[node] = rises.get(node, 0.0) + rise
        return rises

    def suffices(self, head: Job, ended: Sequence[Running], now: float) -> bool:
        """Return whether there is power for `head`, as planned, when these jobs have ended.

        A job is planned to give back what it added when it started; the head to need the dynamic power of its
        tasks on the least of its cores at the lowest level it may have. When no job runs, there is nothing
        left to wait for.
        """
        if not self.is_capped or len(ended) == len(self._nodes.held):
            return True
        freed = sum(self._added.get(running.position, 0.0) for running in ended)
        needed = head.processors * self._least
        return self.power_at(now) - freed + needed <= self.cap

    def free_from(self, head: Job, cluster: Cluster) -> float:
        """Return when running jobs are planned to leave power for blocked `head`, in seconds."""
        if not self.is_capped:
            return cluster.now
        ends, left = [*cluster.holders], cluster.as_left(head)
        times = (end.planned_end for count, end in enumerate(ends, start=1)
                 if self.suffices(left, ends[:count], cluster.now))  # fmt: skip
        return next(times, cluster.now)

    def take(self, position: int, cores: Sequence[int], level: int, now: float) -> None:
        """Note that a job has taken these cores."""
        if not self.is_capped:
            return
        self._added[position] = self.power_rise(cores, level, now)
        for core in cores:
            self._level_of[core] = level
            number = self._processor_of[core]
            self._held[number] += 1
            self._dynamic[number] += self._core_power(core, level)

    def give_back(self, position: int, cores: Sequence[int]) -> None:
        """Note that a job has released these cores."""
        if not self.is_capped:
            return
        for core in cores:
            number, level = self._processor_of[core], self._level_of.pop(core)
            self._held[number] -= 1
            self._dynamic[number] -= self._core_power(core, level)
            if not self._held[number]:
                self._dynamic[number] = 0.0
        if not self._nodes.held.get(position):
            self._added.pop(position, None)

    def _power_awake(self, node: int) -> float:
        """Return the power of a node that is on, in W."""
        hardware = self._nodes.hardware
        numbers = range(int(hardware.first_processor[node]), int(hardware.first_processor[node + 1]))
        held = [self._dynamic[number] if self._held[number] else None for number in numbers]
        return node_power(hardware.nodes[node], held)

    def _core_power(self, core: int, level: int) -> float:
        hardware = self._nodes.hardware
        levels = hardware.processors[self._processor_of[core]].levels
        share: float = levels[min(level, len(levels) - 1)].power
        return float(hardware.core_power[core]) * share
