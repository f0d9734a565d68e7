"""The choice of a broker among the sites that a filter leaves; failures are reported as those of the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.tree.views.broker_view import BrokerView
    from echelon.model import Job
    from echelon.policies import Broker, GridView
    from echelon.policies.broker.site_filter import SiteFilter


def choose_site(broker: Broker, job: Job, view: GridView, allowed: Sequence[int], *, expected: str) -> int:
    """Return the site that `broker` chooses for `job` among those allowed.

    Parameters
    ----------
    broker : Broker
        The broker; it may be a user's own.
    job : Job
        The job that arrives, or waits to be dispatched.
    view : GridView
        The broker's view.
    allowed : sequence of int
        Sites it may choose.
    expected : str
        Describes these sites, for messages.

    Raises
    ------
    PolicyError
        If it fails, or chooses another.
    """

    def error(rule: str) -> PolicyError:
        return PolicyError(broker.name, time=view.now, job_id=job.job_id, broken_rule=rule)

    with Guard(lambda failure: error(f"makes the broker fail with {failure}")):
        site: object = broker.choose(job, view)
    # A user's broker may choose anything, and may have changed its view.
    if not isinstance(site, int | np.integer) or site not in allowed:
        raise error(f"was assigned to {site!r:.40}; expected {expected}")
    return int(site)


def one_of(sites: Sequence[int]) -> str:
    """Return `sites` as text for messages: all of them, or the first and last of many."""
    if isinstance(sites, range):
        return f"one of the sites {sites[0]} to {sites[-1]}"
    shown = [str(site) for site in sites]
    if len(shown) > 8:
        shown = [*shown[:4], "...", *shown[-2:]]
    return f"one of the sites {', '.join(shown)}"


class SiteScreen:
    """Leaves out sites below an inner site before its broker or its global queue chooses.

    Parameters
    ----------
    rule : SiteFilter
        The filter.
    view : BrokerView
        What it sees.
    """

    def __init__(self, rule: SiteFilter, view: BrokerView) -> None:
        self._rule, self._view = rule, view

    def passes(self, job: Job, site: int, now: float) -> bool:
        """Return whether `job` may be sent to `site` now, at `now`, in seconds."""
        self._view.now = now

        def error(failure: str) -> PolicyError:
            rule = f"makes the site filter fail with {failure}"
            return PolicyError(self._rule.name, time=now, job_id=job.job_id, broken_rule=rule)

        with Guard(error):
            return bool(self._rule.passes(job, site, self._view))

    def among(self, job: Job, sites: Sequence[int], now: float) -> Sequence[int]:
        """Return those of `sites` that pass; all of them if none does."""
        return [site for site in sites if self.passes(job, site, now)] or sites
