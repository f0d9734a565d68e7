"""LBal_S, LBal_T, LBal_W: balance the load per processor over the grid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class _LoadBalance(Strategy):
    """Choose the site q that gives the least standard deviation of the sites' loads.

    min sqrt((1/m) sum_i (L_i^q - mean L^q)^2) over all m sites, with L_i^q = (load of i + [i = q] load of the
    job) / s_i. With d = (load of the job) / s_q, the variance changes by d (2 (L_q - mean L) + d (1 - 1/m)) /
    m. The site with the least change is chosen, which is equivalent except for rounding, and exact for equal
    sites. The s_i are the processors in service; a site without any does not count.

    Notes
    -----
    Ties: the lowest site. Cost: O(sites). Source: Quezada Pina, CICESE 2012, eq. 6, as repaired: the job's
    load is added once, not for each job there.
    """

    def choose(self, job: Job, view: GridView) -> int:
        """Return the allowed site that increases the variance least."""
        sizes, total = tuple(view.in_service), 0.0
        # Sums of fractions depend on the order of addition.
        sites = [site for site in sites_by_size(view.sizes) if sizes[site]]
        if not sites:
            return view.allowed[0]
        loads = {site: self.load(site, view) / sizes[site] for site in sites}
        for site in sites:
            total += loads[site]
        mean, rest = total / len(sites), 1.0 - 1.0 / len(sites)
        amount = self.amount(job)

        def increase_at(site: int) -> float:
            if not sizes[site]:
                return math.inf
            change = amount / sizes[site]
            return change * (2.0 * (loads[site] - mean) + change * rest)

        return min(view.allowed, key=increase_at)

    def load(self, site: int, view: GridView) -> float:
        """Return the load of the jobs at `site`."""
        raise NotImplementedError

    def amount(self, job: Job) -> float:
        """Return the load of `job`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class LoadBalanceBySize(_LoadBalance):
    """Choose the site that best balances the sum of sizes per processor over the grid.

    Notes
    -----
    Ties: the lowest site. Cost: O(sites). Source: Quezada Pina, CICESE 2012, eq. 6, repaired.
    """

    name: ClassVar[str] = "lbal-s"
    information: ClassVar[Information] = Information.JOB_SIZES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 6"

    def load(self, site: int, view: GridView) -> float:
        """Return the sum of sizes at `site`."""
        return view.size_sum(site)

    def amount(self, job: Job) -> float:
        """Return the size of `job`."""
        return job.processors


@dataclass(frozen=True, slots=True)
class LoadBalanceByTime(_LoadBalance):
    """Choose the site that best balances the sum of planned times per processor over the grid.

    Notes
    -----
    Ties: the lowest site. Cost: O(sites). Source: Quezada Pina, CICESE 2012, eq. 6 with time for size.
    """

    name: ClassVar[str] = "lbal-t"
    information: ClassVar[Information] = Information.ESTIMATES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 6"

    def load(self, site: int, view: GridView) -> float:
        """Return the sum of planned times at `site`, in seconds."""
        return view.time_sum(site)

    def amount(self, job: Job) -> float:
        """Return the planned time of `job`, in seconds."""
        return job.planned_time


@dataclass(frozen=True, slots=True)
class LoadBalanceByWork(_LoadBalance):
    """Choose the site that best balances the sum of size x planned time per processor over the grid.

    Notes
    -----
    Ties: the lowest site. Cost: O(sites). Source: Quezada Pina, CICESE 2012, eq. 6 with work for size.
    """

    name: ClassVar[str] = "lbal-w"
    information: ClassVar[Information] = Information.ESTIMATES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 6"

    def load(self, site: int, view: GridView) -> float:
        """Return the planned area at `site`, in processor-seconds."""
        return view.area_sum(site)

    def amount(self, job: Job) -> float:
        """Return the planned area of `job`, in processor-seconds."""
        return job.processors * job.planned_time
