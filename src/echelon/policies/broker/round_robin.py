"""Round robin: the sites in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class RoundRobin(Strategy):
    """Choose the first allowed site after the one that the last job went to; after the last, the first.

    Notes
    -----
    Ties: none. Cost: O(allowed sites). Source: the rule of that name in tGSF, CICESE 2012.
    """

    name: ClassVar[str] = "round-robin"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return how many sites lie between the last one chosen and this."""
        return (site - view.last_site - 1) % len(view.sizes)
