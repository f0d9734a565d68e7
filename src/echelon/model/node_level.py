"""NodeLevel: nodes modeled individually, and what the tasks of each job demand of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.model.machines.hardware import Hardware


@dataclass(frozen=True, slots=True, eq=False)
class NodeLevel:
    """The machine of an instance whose nodes are modeled individually.

    Parameters
    ----------
    hardware : Hardware
        The nodes.
    demands : Demands
        What the tasks of each job demand, one entry a job.
    """

    hardware: Hardware
    demands: Demands

    @property
    def processors(self) -> int:
        """Processors that a scheduler counts: the cores of all nodes."""
        return self.hardware.cores

    def take(self, positions: IntColumn) -> NodeLevel:
        """Return the same nodes with the demands of the jobs at `positions`."""
        return NodeLevel(self.hardware, self.demands.take(positions))
