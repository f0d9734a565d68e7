"""Brokers of one formula: by sites alone, by the number, sizes and areas of their jobs, by what is free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.broker.contract import Information
from echelon.policies.broker.strategy import Strategy, per_processor

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


@dataclass(frozen=True, slots=True)
class MinimumLoad(Strategy):
    """Choose the site with the fewest jobs, waiting and running: min l_i.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, section 1.2.
    """

    name: ClassVar[str] = "ml"
    information: ClassVar[Information] = Information.JOB_COUNTS
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 1.2"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the number of jobs there."""
        return view.jobs(site)


@dataclass(frozen=True, slots=True)
class MinimumLoadPerProcessor(Strategy):
    """Choose the site with the fewest jobs per processor, waiting and running: min l_i / s_i.

    s_i are the processors in service.

    Notes
    -----
    Ties: the lowest site. Cost: O(allowed sites). Source: Quezada Pina, CICESE 2012, eq. 4.
    """

    name: ClassVar[str] = "mlp"
    information: ClassVar[Information] = Information.JOB_COUNTS
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 4"

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the number of jobs there over the site's processors."""
        return per_processor(view.jobs(site), site, view)


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
