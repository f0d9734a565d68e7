"""OLB: the machine that is ready next, however long the job takes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.immediate.strategy import ImmediateStrategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


@dataclass(frozen=True, slots=True)
class OpportunisticLoadBalancing(ImmediateStrategy):
    """Choose the machine that is done with its jobs first: min r_i. How fast it is does not count.

    Notes
    -----
    Ties: the lowest site; the source takes any of them. Cost: O(sites). Source: Maheswaran et al., HCW 1999,
    immediate mode.
    """

    name: ClassVar[str] = "olb"
    source: ClassVar[str] = "Maheswaran et al., HCW 1999"
    goes_by: ClassVar[str] = "ready at"
    information: ClassVar[Information] = Information.ESTIMATES

    def value(self, job: Job, site: int, view: ImmediateView) -> float:
        """Return the ready time, in seconds."""
        return view.ready_time(site)
