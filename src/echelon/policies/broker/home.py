"""Home: every job runs where it was submitted, the baseline that other brokers are measured against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class HomeSite(Strategy):
    """Choose the site at which the job was submitted: a grid whose sites share nothing.

    A job's home is the site that its partition is named after. A job whose home is unknown, too small for
    it or not admissible goes to the lowest site that is allowed.

    Notes
    -----
    Ties: none. Cost: O(allowed sites). Source: no paper; the grid without metascheduling.
    """

    name: ClassVar[str] = "home"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "baseline, no paper"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return 0 for the home of the job, 1 for every other site."""
        return float(site != view.home(job))
