"""The first site, whatever it has to do already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class FirstSite(Strategy):
    """Choose the lowest site that can hold the job, whatever is there already.

    Notes
    -----
    Ties: none. Cost: O(1). Source: the policy FFIT of the M-CISNE thesis (Lérida Monsó, UAB 2009, section
    4.3), which `first-fit` here is not: that one looks for room.
    """

    name: ClassVar[str] = "first-site"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 4.3"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the place of the site among those allowed, by size."""
        return float(view.allowed.index(site))
