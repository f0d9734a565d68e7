"""SiteScreen: a site filter with what it may know of the sites of one controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import PolicyError
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.tree.views.broker_view import BrokerView
    from echelon.model import Job
    from echelon.policies.broker.site_filter import SiteFilter


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
