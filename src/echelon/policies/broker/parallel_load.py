"""MPL and MLB: the least sum of sizes, and of areas, per processor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy, per_processor

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class MinimumParallelLoad(Strategy):
    """Choose the site of least parallel load per processor: min (sum of size_k) / s_i.

    The sum is over the waiting and running jobs of the site, without the arriving job.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, eq. 5.
    """

    name: ClassVar[str] = "mpl"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 5"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the sum of the job sizes there over the site's processors."""
        return per_processor(view.size_sum(site), site, view)


@dataclass(frozen=True, slots=True)
class MinimumLowerBound(Strategy):
    """Choose the site whose work, spread evenly, ends first: min (sum of size_k p'_k) / s_i.

    The sum is over the waiting and running jobs of the site, without the arriving job; running jobs
    count in full, regardless of their progress.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, eq. 7.
    """

    name: ClassVar[str] = "mlb"
    information: ClassVar[Information] = Information.ESTIMATES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 7"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the planned area there over the site's processors, in seconds."""
        return per_processor(view.area_sum(site), site, view)
