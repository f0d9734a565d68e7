"""StaleStatistics: what is known of sites whose status is asked for only now and then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.engine.ledger.ledger import Ledger
    from echelon.engine.tree.views.statistics import SiteStatistics, SiteSums


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
        self._known: dict[int, tuple[float, SiteSums]] = {}
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
        asked, status = self._known.get(site, (-math.inf, None))
        if status is None or self._ledger.now >= asked + self._refresh:
            self._news.pop(site, None)
            status = self._statistics.sites[site].freeze()
            self._known[site] = self._ledger.now, status
        return status

    def changed(self, site: int) -> None:
        """Note that `site` changes now, of which its status does not tell."""
        if site in self._known and site not in self._news:
            # What it said may be older than that by now: then it may be asked at once.
            self._news[site] = max(self._known[site][0] + self._refresh, self._ledger.now)

    def next_news(self) -> float:
        """Return when a site that has changed since it was asked may be asked again, in s, or infinity."""
        return min(self._news.values(), default=math.inf)

    def pass_news(self) -> None:
        """Forget the changes of which sites may tell from now on."""
        now = self._ledger.now
        self._news = {site: time for site, time in self._news.items() if time > now}
