"""Resource orders by fixed properties of a core, its processor and its node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.placement.resource_order import StaticOrder

if TYPE_CHECKING:
    from echelon.model import Hardware
    from echelon.model.jobs.columns import FloatColumn

_THESIS = "Cuevas Cuesta, Universidad de Cantabria 2022, 2.2"


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
    source: ClassVar[str] = f"{_THESIS}, HICOM"

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
    source: ClassVar[str] = f"{_THESIS}, HIMEM"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return minus the memory of the cores' nodes, in bytes."""
        return -hardware.node_memory[hardware.node_of_core]


@dataclass(frozen=True, slots=True)
class HighMemoryBandwidth(StaticOrder):
    """Cores of the processor with the highest bandwidth to memory first."""

    name: ClassVar[str] = "high-memory-bandwidth"
    source: ClassVar[str] = f"{_THESIS}, HIMBW"

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
    source: ClassVar[str] = f"{_THESIS}, LPOWR"

    def column(self, hardware: Hardware) -> FloatColumn:
        """Return the powers, in W."""
        share = np.array([one.static_power / len(one.cores) for one in hardware.processors])
        draws: FloatColumn = hardware.core_power + share[hardware.processor_of_core]
        return draws
