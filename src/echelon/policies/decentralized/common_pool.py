"""Common pool: one queue for all sites, each of which starts the jobs that fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.decentralized.one_site import first_fits
from echelon.policies.decentralized.site_protocol import SiteProtocol
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.decentralized.contract import ProtocolView, StartAt


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonPool(SiteProtocol):
    """List scheduling from one pool of all waiting jobs.

    At each instant every site, the lowest first, goes through the pool by submit time, then position, and
    starts each job that fits its free processors.

    Parameters
    ----------
    latency : float, default 0
        Seconds from the time at which a site takes a job from its home to the job's start, >= 0. The site
        holds the processors meanwhile.
    refresh : float, default 0
        Seconds between publications of the pool, >= 0. A site sees the jobs submitted elsewhere as of the
        last publication, and its own at once. 0: all sites see all jobs at once.

    Raises
    ------
    InputError
        If `latency` or `refresh` is not from 0 to 10^9 s.

    Notes
    -----
    Ties: sites by size, then by their place in the file, jobs by submit time, then position. A job's home is
    the site that its partition names, else the smallest that can hold it. Cost: O(sites x queue) per instant.
    Source: "List Common Pool" of Quezada Pina, CICESE 2012, section 5, which does not define it further.
    """

    name: ClassVar[str] = "common-pool"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, chapter 5"

    def decide(self, view: ProtocolView) -> Iterator[StartAt]:
        """Yield the starts of this instant."""
        for site in sites_by_size(view.sizes):
            yield from first_fits(site, view.known(site), view)
