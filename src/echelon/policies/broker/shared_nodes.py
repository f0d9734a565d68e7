"""MEM and MPL: brokers that use the memory in use, or the tasks of the fullest node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class LeastMemory(Strategy):
    """Choose the cluster with the least mean use of its nodes' memory, by tasks and owners.

    If nodes are not shared, the use is unknown, and the lowest site is chosen.

    Notes
    -----
    Ties: the lowest site. Cost: O(nodes). Source: the ordering MEM of MetaLoRaS, Lérida Monsó, UAB 2009,
    appendix A, which was never evaluated.
    """

    name: ClassVar[str] = "least-memory"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the mean share of memory in use."""
        return view.memory_use(site)


@dataclass(frozen=True, slots=True)
class LeastFullNode(Strategy):
    """Choose the cluster whose fullest node holds the fewest parallel tasks.

    If nodes are not shared, the use is unknown, and the lowest site is chosen.

    Notes
    -----
    Ties: the lowest site. Cost: O(nodes). Source: the ordering MPL of MetaLoRaS, Lérida Monsó, UAB 2009,
    appendix A, which was never evaluated.
    """

    name: ClassVar[str] = "least-mpl"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, appendix A"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the most tasks in one of its nodes."""
        return float(view.fullest_node(site))
