"""Resource orders by running jobs, by the job to place, or random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.placement.ranking import Ranking, idle_cores
from echelon.policies.placement.resource_order import THESIS, ResourceOrder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement.contract import Room


@dataclass(frozen=True, slots=True)
class Random(ResourceOrder):
    """A random core first: one uniform number in [0, 1) per core, drawn once per job from the run's seed."""

    name: ClassVar[str] = "random"
    source: ClassVar[str] = f"{THESIS}, RANDOM"

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the numbers drawn."""
        return room.draws(job)[cores]

    def ranking(self, job: Job, room: Room) -> Ranking:
        """Return the idle cores in this order; no two are alike, so busy ones would only be in the way."""
        cores = idle_cores(room, room.cores > 0)
        return Ranking.of_cores(room.hardware, cores, self.keys(job, room, cores))


@dataclass(frozen=True, slots=True)
class HighCores(ResourceOrder):
    """Cores of the processor with the most idle cores first, counted before the job is placed."""

    name: ClassVar[str] = "high-cores"
    source: ClassVar[str] = f"{THESIS}, HICOR"

    def alike(self, hardware: Hardware) -> Sequence[NDArray[np.generic]]:
        """Return the cores' processors."""
        return (hardware.processor_of_core,)

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return minus the idle cores of each core's processor."""
        return -idle_in_processors(room)[room.hardware.processor_of_core[cores]].astype(np.float64)


@dataclass(frozen=True, slots=True)
class LowCores(HighCores):
    """Cores of the processor with the fewest idle cores first, counted before the job is placed."""

    name: ClassVar[str] = "low-cores"
    source: ClassVar[str] = "IRMASim, GitHub 2019, resource selection low_cores"

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the idle cores of each core's processor."""
        return idle_in_processors(room)[room.hardware.processor_of_core[cores]].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Energy(ResourceOrder):
    """The core with the least estimated energy of the job first, in J.

    Notes
    -----
    The estimate is t (n P + S / (k + 1)): t the planned time on the slowest core, less as this core is
    faster; n the job's tasks, P the core's dynamic power, S the power of its node apart from the cores, and k
    the jobs that run there now.
    """

    name: ClassVar[str] = "energy"
    source: ClassVar[str] = "IRMASim, GitHub 2019, EnergyHeuristic, energy"

    def alike(self, hardware: Hardware) -> Sequence[NDArray[np.generic]]:
        """Return what a core's estimate takes of the core itself."""
        return (hardware.core_speed, hardware.core_power)

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the estimates, in J."""
        hardware = room.hardware
        node = hardware.node_of_core[cores]
        static = hardware.static_power[node] / (room.running[node] + 1)
        tasks = job.processors if job.demand is None else job.demand.tasks
        return self.time(job, room, cores) * (tasks * hardware.core_power[cores] + static)

    @staticmethod
    def time(job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return how long the job is estimated to run on each of these cores, in seconds."""
        hardware = room.hardware
        times: FloatColumn = job.planned_time * (hardware.slowest / hardware.core_speed[cores])
        return times


@dataclass(frozen=True, slots=True)
class EnergyDelay(Energy):
    """The core with the least estimated energy x time of the job first, in J s.

    Notes
    -----
    The estimate of ``energy`` times that of the run time in it.
    """

    name: ClassVar[str] = "edp"
    source: ClassVar[str] = "IRMASim, GitHub 2019, EnergyHeuristic, edp"

    def keys(self, job: Job, room: Room, cores: IntColumn) -> FloatColumn:
        """Return the estimates, in J s."""
        return Energy.keys(self, job, room, cores) * self.time(job, room, cores)


def idle_in_processors(room: Room) -> IntColumn:
    """Return the idle cores of each processor, shape (n_processors,), in nodes with free cores.

    Of a room that does not know yet which of a node's cores will be idle these are all that it names.
    Cost: O(nodes), and a look at each core of nodes that are neither idle nor full.
    """
    hardware = room.hardware
    counts = np.diff(hardware.first_core_of_processor)
    full = room.cores == hardware.node_cores
    counts *= full[hardware.node_of_processor]
    idle = idle_cores(room, (room.cores > 0) & ~full)
    return counts + np.bincount(hardware.processor_of_core[idle], minlength=len(counts))
