"""SiteStatistics: counts and sums of the jobs at each of several sites, which brokers read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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

    def ended(self, job: Job, site: int, start: float, end: float) -> None:
        """Note that `job` has ended at `site`; both times in seconds."""
        self.sites[site].past.append(Planned(job, start, end))
        self.leave(job, site)
