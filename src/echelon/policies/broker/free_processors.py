"""First-fit and MaxAR: brokers that use the number of free processors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy, per_processor

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class FirstFitSite(Strategy):
    """Choose the lowest site where the job fits beside all its running and waiting jobs, else as `mpl` does.

    It fits if the sizes of the site's jobs and its own sum to at most the site's processors.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: first-fit of bin packing, over sites.
    """

    name: ClassVar[str] = "first-fit"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "no paper: first-fit of bin packing, over sites"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return -1 if the job fits, else the sum of the job sizes there over the site's processors."""
        if view.size_sum(site) + job.processors <= view.in_service[site]:
            return -1.0
        return per_processor(view.size_sum(site), site, view)


@dataclass(frozen=True, slots=True)
class MostAvailable(Strategy):
    """Choose the site with the largest share of free processors; if no site has any, the largest site.

    Notes
    -----
    Ties: the lowest site; of the largest sites the last. Cost: O(allowed sites). Source: the rule MaxAR of
    tGSF, CICESE 2012.
    """

    name: ClassVar[str] = "max-ar"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def choose(self, job: Job, view: GridView) -> int:
        """Return the site of the largest free share, else the last."""
        best = Strategy.choose(self, job, view)
        return best if view.free(best) else view.allowed[-1]

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the share of free processors, negative."""
        return -view.free(site) / (view.in_service[site] or 1)
