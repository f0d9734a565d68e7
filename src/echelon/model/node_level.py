"""NodeLevel: nodes modeled individually, and what the tasks of each job demand of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.platform import Platform


@dataclass(frozen=True, slots=True, eq=False)
class NodeLevel:
    """The machine of an instance whose nodes are modeled individually: one machine, or sites with nodes.

    Parameters
    ----------
    hardware : Hardware
        The nodes; of sites, those of all together: `Platform.all_nodes`.
    demands : Demands
        What the tasks of each job demand, one entry a job.
    platform : Platform, optional
        The sites, at least one of which has nodes; default: one machine.

    Raises
    ------
    InputError
        If the nodes are not those of the sites.
    """

    hardware: Hardware
    demands: Demands
    platform: Platform | None = None

    def __post_init__(self) -> None:
        if self.platform is not None and self.hardware != self.platform.all_nodes:
            whose = f"all nodes of platform {self.platform.name!r}"
            raise InputError(f"must be {whose}, got {self.hardware!r}", field="hardware")

    @property
    def processors(self) -> int:
        """Processors that schedulers count: the cores of all nodes, and the processors of other sites."""
        return self.hardware.cores if self.platform is None else self.platform.processors

    def take(self, positions: IntColumn) -> NodeLevel:
        """Return the same nodes with the demands of the jobs at `positions`."""
        return replace(self, demands=self.demands.take(positions))
