"""SiteStatistics: counts and sums of the jobs at each of several sites, which brokers read, perhaps late."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.tree.views.member import Member
    from echelon.model import Job


class SiteSums:
    """Counts and sums of the waiting and running jobs of one site.

    Sums are updated where a job joins and where it leaves, and are 0 when no job is left, so that both
    engines get the same bits.

    Parameters
    ----------
    member : Member
        The site.

    Attributes
    ----------
    jobs, size_sum : int
        The jobs, and their sizes.
    time_sum, area_sum : float
        Planned times (s), and sizes times planned times (processor-seconds).
    past : list of Planned
        Jobs that have ended there.
    """

    __slots__ = ("area_sum", "jobs", "member", "past", "size_sum", "time_sum")

    def __init__(self, member: Member) -> None:
        self.member = member
        self.jobs = self.size_sum = 0
        self.time_sum = self.area_sum = 0.0
        self.past: list[Planned] = []

    def join(self, job: Job) -> None:
        """Count `job`."""
        self.jobs += 1
        self.size_sum += job.processors
        self.time_sum += job.planned_time
        self.area_sum += job.area

    def leave(self, job: Job) -> None:
        """Stop counting `job`."""
        self.jobs -= 1
        self.size_sum -= job.processors
        # Sums of fractions need not return to exactly 0.
        if self.jobs:
            self.time_sum -= job.planned_time
            self.area_sum -= job.area
        else:
            self.time_sum = self.area_sum = 0.0

    def freeze(self) -> SiteSums:
        """Return what they are now, whatever happens later."""
        twin = SiteSums(self.member.freeze())
        twin.jobs, twin.size_sum = self.jobs, self.size_sum
        twin.time_sum, twin.area_sum, twin.past = self.time_sum, self.area_sum, self.past.copy()
        return twin


class SiteStatistics:
    """What a controller knows of the sites right below it.

    Parameters
    ----------
    members : sequence of Member
        The sites.

    Attributes
    ----------
    sites : list of SiteSums
        The jobs at each.
    sizes : tuple of int
        Processors of each site.
    speeds : tuple of float
        Speed of a core of each site.
    on_leave : tuple of callable (int) -> None
        Called with the site when a job has left it.
    """

    def __init__(self, members: Sequence[Member]) -> None:
        self.sites = [SiteSums(member) for member in members]
        self.sizes = tuple(member.processors for member in members)
        self.speeds = tuple(member.speed for member in members)
        self.on_leave: tuple[Callable[[int], None], ...] = ()

    def join(self, job: Job, site: int) -> None:
        """Count `job` at `site`."""
        self.sites[site].join(job)

    def leave(self, job: Job, site: int) -> None:
        """Stop counting `job` at `site`."""
        self.sites[site].leave(job)
        for left in self.on_leave:
            left(site)

    def note_end(self, job: Job, site: int, start: float, end: float) -> None:
        """Note that `job` has ended at `site`; both times in seconds."""
        self.sites[site].past.append(Planned(job, start, end))
        self.leave(job, site)


class StaleStatistics:
    """Stands for `SiteStatistics` that are asked for a site's status at most every `refresh` seconds.

    Until then the site's last status answers, and planned schedules are of the jobs that were there when it
    was asked.

    Parameters
    ----------
    statistics : SiteStatistics
        The truth.
    ledger : Ledger
        The ledger of the run.
    refresh : float
        How old a status may become, in seconds, > 0.

    Notes
    -----
    **Source**: M-CISNE thesis, appendix A.3.1: a status is asked for at most once within ``TimeStamp``.
    """

    def __init__(self, statistics: SiteStatistics, ledger: Ledger, refresh: float) -> None:
        self._statistics, self._ledger, self._refresh = statistics, ledger, refresh
        self.sizes, self.speeds = statistics.sizes, statistics.speeds
        # What each site said last, and when.
        self._last_status: dict[int, tuple[float, SiteSums]] = {}
        # When sites may be asked again that have changed since they were asked.
        self._news: dict[int, float] = {}

    @property
    def sites(self) -> StaleStatistics:
        """The sites, each as it was when it was asked last."""
        return self

    def __len__(self) -> int:
        """Return the number of sites."""
        return len(self.sizes)

    def __getitem__(self, site: int) -> SiteSums:
        """Return what `site` said last; it is asked if that is too long ago."""
        asked, status = self._last_status.get(site, (-math.inf, None))
        if status is None or self._ledger.now >= asked + self._refresh:
            self._news.pop(site, None)
            status = self._statistics.sites[site].freeze()
            self._last_status[site] = self._ledger.now, status
        return status

    def note_change(self, site: int) -> None:
        """Note that `site` changes now, of which its status does not tell."""
        if site in self._last_status and site not in self._news:
            # What it said may be older than that by now: then it may be asked at once.
            self._news[site] = max(self._last_status[site][0] + self._refresh, self._ledger.now)

    def next_news(self) -> float:
        """Return when a site that has changed since it was asked may be asked again, in s, or infinity."""
        return min(self._news.values(), default=math.inf)

    def pass_news(self) -> None:
        """Forget the changes of which sites may tell from now on."""
        now = self._ledger.now
        self._news = {site: time for site, time in self._news.items() if time > now}
