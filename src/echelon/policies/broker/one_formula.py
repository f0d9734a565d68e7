"""Brokers of one formula that know only the sites: random, round robin, the first, the job's home."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView


@dataclass(frozen=True, slots=True)
class Random(Strategy):
    """Choose any allowed site, all with the same probability.

    Of the k allowed sites it is number floor(u k), where u is the job's number of the stream ``"broker"``.

    Notes
    -----
    Ties: none. Cost: O(1). Source: Quezada Pina, CICESE 2012, section 3.2.1.1; on time-shared machines it is
    the rule RandomScheduler of Rodrigues et al., about 2014, where a decision took 0.320 s (Table 2).
    """

    name: ClassVar[str] = "random"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.1"

    def choose(self, job: Job, view: GridView) -> int:
        """Return the site drawn."""
        return view.allowed[int(view.draw(job) * len(view.allowed))]


@dataclass(frozen=True, slots=True)
class RoundRobin(Strategy):
    """Choose the next allowed site after that of the previous job; after the last site, the first.

    Notes
    -----
    Ties: none. Cost: O(allowed sites). Source: the rule of that name in tGSF, CICESE 2012.
    """

    name: ClassVar[str] = "round-robin"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the number of sites between the last chosen site and this one."""
        return (site - view.last_site - 1) % len(view.sizes)


@dataclass(frozen=True, slots=True)
class FirstSite(Strategy):
    """Choose the lowest site that can hold the job, regardless of its load.

    Notes
    -----
    Ties: none. Cost: O(1). Source: the policy FFIT of the M-CISNE thesis (Lérida Monsó, UAB 2009, section
    4.3), which `first-fit` here is not: that one looks for room.
    """

    name: ClassVar[str] = "first-site"
    information: ClassVar[Information] = Information.SITES
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 4.3"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the index of the site among the allowed sites, by size."""
        return float(view.allowed.index(site))

    def choose(self, job: Job, view: GridView) -> int:
        """Return the first allowed site, without a look at the others."""
        return view.allowed[0]


@dataclass(frozen=True, slots=True)
class HomeSite(Strategy):
    """Choose the site at which the job was submitted, as in a grid whose sites share no jobs.

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
