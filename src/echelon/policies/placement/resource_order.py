"""ResourceOrder: the order of idle cores. The base of all built-in orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from echelon.policies.placement.ranking import Ranking, Runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement.contract import Room


@dataclass(frozen=True, slots=True)
class ResourceOrder:
    """An order of cores: the one with the lowest key is taken first, ties by core number.

    Notes
    -----
    Cost: one key a run of cores that are alike, and O(runs log runs) to sort them, each placement.
    """

    name: ClassVar[str]
    source: ClassVar[str]

    def alike(self, hardware: Hardware) -> Sequence[NDArray[np.generic]]:
        """Return columns of cores: neighbors in one node that agree in all have equal keys at any time."""
        raise NotImplementedError

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the keys of these cores, lowest first."""
        raise NotImplementedError

    def ranking(self, job: Job, room: Room) -> Ranking:
        """Return the cores in this order, as it is now for `job`."""
        runs = self.runs(room.hardware)
        return runs.rank(self.keys(job, room, runs.first))

    def runs(self, hardware: Hardware) -> Runs:
        """Return the runs of cores that are alike; worked out once a machine."""
        runs_by_order = _RUNS.setdefault(hardware, {})
        if self not in runs_by_order:
            runs_by_order[self] = Runs.of(hardware, self.alike(hardware))
        return runs_by_order[self]

    def ranks(self, hardware: Hardware) -> IntColumn | None:
        """Return the place of each core, shape (n_cores,), or None if it depends on more than the machine."""
        return None


@dataclass(frozen=True, slots=True)
class StaticOrder(ResourceOrder):
    """A resource order by fixed properties of cores, computed once per machine."""

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return the key of each core, shape (n_cores,), lowest first."""
        raise NotImplementedError

    def alike(self, hardware: Hardware) -> Sequence[NDArray[np.generic]]:
        """Return the keys themselves."""
        return (self.column(hardware),)

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the keys of these cores."""
        return self.column(room.hardware)[cores]

    def ranking(self, job: Job, room: Room) -> Ranking:
        """Return the cores in this order."""
        rankings = _RANKINGS.setdefault(room.hardware, {})
        if self not in rankings:
            runs = self.runs(room.hardware)
            rankings[self] = runs.rank(self.column(room.hardware)[runs.first])
        return rankings[self]

    def ranks(self, hardware: Hardware) -> IntColumn:
        """Return the place of each core in this order, shape (n_cores,). Cost: O(n log n)."""
        ranks = np.empty(hardware.cores, dtype=np.int64)
        ranks[np.argsort(self.column(hardware), kind="stable")] = np.arange(hardware.cores)
        return ranks


_RUNS: WeakKeyDictionary[Hardware, dict[ResourceOrder, Runs]] = WeakKeyDictionary()
_RANKINGS: WeakKeyDictionary[Hardware, dict[ResourceOrder, Ranking]] = WeakKeyDictionary()


THESIS = "Cuevas Cuesta, Universidad de Cantabria 2022, 2.2"


@dataclass(frozen=True, slots=True)
class First(StaticOrder):
    """Cores by their numbers, as the platform lists them."""

    name: ClassVar[str] = "first"
    source: ClassVar[str] = "IRMASim, GitHub 2019, resource selection first"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return equal keys."""
        return np.zeros(hardware.cores)


@dataclass(frozen=True, slots=True)
class HighGigaflops(StaticOrder):
    """The fastest core first: operations per second at full clock speed."""

    name: ClassVar[str] = "high-gigaflops"
    source: ClassVar[str] = f"{THESIS}, HICOM"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return minus the speeds, in operations a second."""
        return -hardware.core_speed


@dataclass(frozen=True, slots=True)
class HighMemory(StaticOrder):
    """Cores of the node with the largest memory first: its capacity, not its free memory.

    Notes
    -----
    The public program sorts by the memory in use instead, the most first.
    """

    name: ClassVar[str] = "high-memory"
    source: ClassVar[str] = f"{THESIS}, HIMEM"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return minus the memory of the cores' nodes, in bytes."""
        return -hardware.node_memory[hardware.node_of_core]


@dataclass(frozen=True, slots=True)
class HighMemoryBandwidth(StaticOrder):
    """Cores of the processor with the highest bandwidth to memory first."""

    name: ClassVar[str] = "high-memory-bandwidth"
    source: ClassVar[str] = f"{THESIS}, HIMBW"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return minus the bandwidth of the cores' processors, in bytes a second."""
        bandwidth = np.array([processor.memory_bandwidth for processor in hardware.processors])
        return -bandwidth[hardware.processor_of_core]


@dataclass(frozen=True, slots=True)
class LowPower(StaticOrder):
    """The core of least power first: its dynamic power plus an equal share of its processor's static power.

    Notes
    -----
    At full clock speed, independent of other cores of the processor. The power of the node outside of its
    processors is left out. The thesis only states that the core consumes least; its program adds the two
    powers in this way.
    """

    name: ClassVar[str] = "low-power"
    source: ClassVar[str] = f"{THESIS}, LPOWR"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return the powers, in W."""
        share = np.array([one.static_power / len(one.cores) for one in hardware.processors])
        draws: FloatColumn = hardware.core_power + share[hardware.processor_of_core]
        return draws
