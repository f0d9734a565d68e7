"""TreeQueueView: the global queue as its rule sees it, the jobs that wait in it, and recent rates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.tree.broker_choice import choose_site
from echelon.policies.global_queue.limit import QueueState

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from echelon.engine.tree.broker_choice import SiteScreen
    from echelon.engine.tree.views.broker_view import BrokerView
    from echelon.engine.tree.views.statistics import SiteSums
    from echelon.model import Forecast, Job
    from echelon.policies import Broker
    from echelon.policies.global_queue.limit import QueueLimit


LATELY = 10
"""Events over which rates are averaged, exponentially: the newest interval weighs 2 / (10 + 1)."""


class Rate:
    """An exponential moving average of the intervals between events, as a rate.

    Notes
    -----
    **Source**: M-CISNE thesis, section 4.5.1, updates rates at each event; the average is our choice.
    """

    def __init__(self) -> None:
        self._last = math.nan
        self._interval = math.nan

    def note(self, now: float) -> None:
        """Count an event at `now`, in seconds."""
        interval, self._last = now - self._last, now
        if math.isnan(interval):
            return
        weight = 1.0 if math.isnan(self._interval) else 2.0 / (LATELY + 1)
        before = 0.0 if weight == 1.0 else self._interval
        self._interval = weight * interval + (1.0 - weight) * before

    @property
    def value(self) -> float:
        """Events a second; nan before there were two, infinity if all came at once."""
        return math.inf if self._interval == 0 else 1.0 / self._interval


class TreeQueueView:
    """Implements `echelon.policies.global_queue.contract.GlobalQueueView`.

    Parameters
    ----------
    statistics : sequence of SiteSums
        What is known of the sites below.
    able : sequence of sequence of int
        Sites that can hold each job, the lowest first, by position.
    broker : Broker
        Chooses among sites.
    view : BrokerView
        What the broker sees.
    limit : QueueLimit
        Limit of each site's queue.
    screen : SiteScreen, optional
        Leaves sites out; default: none.
    joined, left, sent : list of Rate, and set of int, optional
        See below; default: new ones.

    Attributes
    ----------
    jobs : dict of int to Job
        The waiting jobs by position, in the order of their arrival.
    joined, left : list of Rate
        Rates of the jobs that enter the queue of each site, and of those that leave it for processors.
    sent : set of int
        Sites that have got a job and not decided since: what runs there is not known before they have.
    """

    def __init__(
        self,
        statistics: Sequence[SiteSums],
        able: Sequence[Sequence[int]],
        broker: Broker,
        *,
        view: BrokerView,
        limit: QueueLimit,
        screen: SiteScreen | None = None,
        joined: list[Rate] | None = None,
        left: list[Rate] | None = None,
        sent: set[int] | None = None,
    ) -> None:
        self._sites, self._able, self._broker = statistics, able, broker
        self._view, self._limit, self._screen = view, limit, screen
        self.joined = [Rate() for _ in range(len(statistics))] if joined is None else joined
        self.left = [Rate() for _ in range(len(statistics))] if left is None else left
        self.sent: set[int] = set() if sent is None else sent
        self._now = 0.0
        self.version = 0
        self.notes: MutableMapping[int, tuple[int, int]] = {}
        self.jobs: dict[int, Job] = {}

    @property
    def now(self) -> float:
        """See `GlobalQueueView.now`."""
        return self._now

    def begin(self, now: float) -> None:
        """Note that it is `now`, in seconds."""
        self._now = self._view.now = now

    def note_sent(self, site: int) -> None:
        """Note that a job has been sent to `site`."""
        self._view.last_site = site

    @property
    def is_screened(self) -> bool:
        """Whether sites may be left out."""
        return self._screen is not None

    @property
    def queue(self) -> Sequence[Job]:
        """See `GlobalQueueView.queue`."""
        return tuple(self.jobs.values())

    @property
    def sites(self) -> int:
        """See `GlobalQueueView.sites`."""
        return len(self._sites)

    def able(self, job: Job) -> Sequence[int]:
        """See `GlobalQueueView.able`."""
        return self._view.serving(job, self._able[job.position])

    def can_hold(self, job: Job) -> Sequence[int]:
        """Return the sites that can hold `job`, in service or not: a rule may have chosen one before."""
        return self._able[job.position]

    def accepts(self, job: Job, site: int) -> bool:
        """See `GlobalQueueView.accepts`; a site that is left out takes no job.

        Where sites may be left out, one that has got a job takes no other before it has decided on it.
        """
        if self._screen is not None and not self._passes(self._screen, job, site):
            return False
        member = self._sites[site].member
        state = QueueState(
            len(member.waiting),
            lambda: self.fits(job, site),
            self.joined[site].value,
            self.left[site].value,
            lambda: self.forecast(job, site).wait,
            member.running_jobs,
        )
        return self._limit.accepts(state)

    def _passes(self, screen: SiteScreen, job: Job, site: int) -> bool:
        return site not in self.sent and screen.passes(job, site, self._now)

    def fits(self, job: Job, site: int) -> bool:
        """See `GlobalQueueView.fits`."""
        return self._sites[site].member.starts_at_once(job)

    def choose(self, job: Job, sites: Sequence[int]) -> int:
        """See `GlobalQueueView.choose`; an exception inside the broker is reported as the broker's.

        It chooses among the sites that are not left out, or, if all are, among all.
        """
        if self._screen is not None:
            sites = [site for site in sites if self._passes(self._screen, job, site)] or sites
        self._view.allowed = tuple(sites)
        expected = f"one of the sites {', '.join(map(str, sites))}, which can hold it and take it now"
        return choose_site(self._broker, job, self._view, sites, expected=expected)

    def forecast(self, job: Job, site: int) -> Forecast:
        """See `GlobalQueueView.forecast`."""
        return self._sites[site].member.forecast(job)

    def waiting(self, site: int) -> Sequence[Job]:
        """See `GlobalQueueView.waiting`."""
        return tuple(self._sites[site].member.waiting)
