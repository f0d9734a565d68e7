"""StaleStatistics: what is known of sites whose status is asked for only now and then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.ledger import Ledger
    from echelon.engine.tree.statistics import Member, SiteStatistics
    from echelon.model import Forecast, Job
    from echelon.policies import Planned


class Status(NamedTuple):
    """What a site said when it was asked."""

    asked: float
    jobs: int
    size_sum: int
    time_sum: float
    area_sum: float
    free: int
    past: tuple[Planned, ...]
    member: Member


class _Column:
    """One number of each site, as it was when the site was asked last."""

    def __init__(self, statistics: StaleStatistics, name: str) -> None:
        self._statistics, self._name = statistics, name

    def __getitem__(self, site: int) -> object:
        return getattr(self._statistics.status(site), self._name)


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
        self._known: list[Status | None] = [None] * len(statistics.sizes)
        # When sites may be asked again that have changed since they were asked.
        self._news: dict[int, float] = {}
        self.jobs, self.size_sum = _Column(self, "jobs"), _Column(self, "size_sum")
        self.time_sum, self.area_sum = _Column(self, "time_sum"), _Column(self, "area_sum")
        self.past = _Column(self, "past")
        self.members: Sequence[Member] = [StaleMember(self, site) for site in range(len(self._known))]

    def status(self, site: int) -> Status:
        """Return what `site` said last; it is asked if that is too long ago."""
        known, now, truth = self._known[site], self._ledger.now, self._statistics
        if known is None or now >= known.asked + self._refresh:
            self._news.pop(site, None)
            known = self._known[site] = Status(
                now,
                truth.jobs[site],
                truth.size_sum[site],
                truth.time_sum[site],
                truth.area_sum[site],
                truth.free(site),
                tuple(truth.past[site]),
                truth.members[site].frozen(),
            )
        return known

    def changed(self, site: int) -> None:
        """Note that `site` changes now, of which its status does not tell."""
        known = self._known[site]
        if known is not None and site not in self._news:
            self._news[site] = known.asked + self._refresh

    def next_news(self) -> float:
        """Return when a site that has changed since it was asked may be asked again, in s, or infinity."""
        return min(self._news.values(), default=math.inf)

    def pass_news(self) -> None:
        """Forget the changes of which sites may tell from now on."""
        now = self._ledger.now
        self._news = {site: time for site, time in self._news.items() if time > now}

    def free(self, site: int) -> int:
        """See `SiteStatistics.free`."""
        return self.status(site).free

    def planned_schedule(self, site: int, job: Job | None) -> list[Planned]:
        """See `SiteStatistics.planned_schedule`."""
        return self.status(site).member.planned_schedule(job)


class StaleMember:
    """Implements `echelon.engine.tree.statistics.Member`, by what the site said last.

    Parameters
    ----------
    statistics : StaleStatistics
        Where that is kept.
    site : int
        Its place there.
    """

    def __init__(self, statistics: StaleStatistics, site: int) -> None:
        self._statistics, self._site = statistics, site
        self.processors, self.speed = statistics.sizes[site], statistics.speeds[site]

    @property
    def _known(self) -> Member:
        return self._statistics.status(self._site).member

    @property
    def free(self) -> int:
        """See `Member.free`."""
        return self._statistics.free(self._site)

    @property
    def waiting(self) -> Sequence[Job]:
        """See `Member.waiting`."""
        return self._known.waiting

    @property
    def running_jobs(self) -> int:
        """See `Member.running_jobs`."""
        return self._known.running_jobs

    @property
    def running_now(self) -> Sequence[Job]:
        """See `Member.running_now`."""
        return self._known.running_now

    def starts_at_once(self, job: Job) -> bool:
        """See `Member.starts_at_once`."""
        return self._known.starts_at_once(job)

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`."""
        return self._known.forecast(job)

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Member.planned_schedule`."""
        return self._known.planned_schedule(job)

    def load(self) -> float:
        """See `Member.load`."""
        return self._known.load()

    def estimated_load(self) -> float:
        """See `Member.estimated_load`."""
        return self._known.estimated_load()

    def cpu_time(self, job: Job) -> float | None:
        """See `Member.cpu_time`."""
        return self._known.cpu_time(job)

    def execution_time(self, job: Job) -> float:
        """See `Member.execution_time`."""
        return self._known.execution_time(job)

    def ready_time(self) -> float:
        """See `Member.ready_time`."""
        return self._known.ready_time()

    def occupied(self, job: Job) -> int:
        """See `Member.occupied`."""
        return self._known.occupied(job)

    def memory_use(self) -> float:
        """See `Member.memory_use`."""
        return self._known.memory_use()

    def fullest_node(self) -> int:
        """See `Member.fullest_node`."""
        return self._known.fullest_node()

    def frozen(self) -> Member:
        """See `Member.frozen`."""
        return self._known
