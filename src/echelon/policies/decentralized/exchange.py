"""Exchange and common pool: sites apply one algorithm to their own jobs, then to all that they know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.decentralized.one_site import easy, fcfs, first_fits
from echelon.policies.decentralized.site_protocol import SiteProtocol
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.decentralized.contract import ProtocolView, StartAt


_ALGORITHMS = {"fcfs": fcfs, "easy": easy, "list": first_fits}
_TAKES = ("without-local-start", "always")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange(SiteProtocol):
    """Local jobs first; jobs that cannot start at home now are offered to all sites through a global queue.

    At each instant every site, the lowest first, applies the algorithm to its local queue: the jobs submitted
    there at this instant. The rest moves to the global queue, which all sites see at the same instant. Then
    every site that has started no local job, the lowest first, applies the algorithm to the global queue.

    Parameters
    ----------
    algorithm : {"easy", "fcfs", "list"}, default "easy"
        ``fcfs``: in strict order. ``easy``: later jobs may overtake the first that does not fit now, if they
        are not planned to delay it at this site. ``list``: repeatedly the first job that fits. A job larger
        than the site is skipped.
    takes : {"without-local-start", "always"}, default "without-local-start"
        The sites that use the global queue: those that have started no local job at this instant, as in the
        printed algorithm, or all, as in its description for sites with idle processors.
    latency : float, default 0
        Seconds from the time at which a site takes a job from its home to the job's start, >= 0. The site
        holds the processors meanwhile.
    refresh : float, default 0
        Seconds between publications of the global queue, >= 0. A site sees the jobs of other sites there as
        of the last publication, and its own at once. 0: all sites see all jobs at once.

    Raises
    ------
    UnknownNameError
        If `algorithm` or `takes` is unknown.
    InputError
        If `latency` or `refresh` is not from 0 to 10^9 s.

    Notes
    -----
    Ties: sites by size, then by their place in the file, jobs by submit time, then position. A job's home is
    the site that its partition names, else the smallest that can hold it. Cost: O(sites x queue) per instant.
    Source: Grimme, Lepping and Papaspyrou 2007, as algorithm 1 of Quezada Pina, CICESE 2012, section 3.2.2.1.
    """

    algorithm: Literal["easy", "fcfs", "list"] = "easy"
    takes: Literal["without-local-start", "always"] = "without-local-start"

    name: ClassVar[str] = "exchange"
    source: ClassVar[str] = "Grimme et al. 2007; Quezada Pina, CICESE 2012, algorithm 1"
    bare_word: ClassVar[str] = "algorithm"

    def __post_init__(self) -> None:
        SiteProtocol.__post_init__(self)
        if self.algorithm not in _ALGORITHMS:
            raise UnknownNameError("algorithm of exchange", self.algorithm, _ALGORITHMS)
        if self.takes not in _TAKES:
            raise UnknownNameError("rule of exchange for takes", self.takes, _TAKES)

    def decide(self, view: ProtocolView) -> Iterator[StartAt]:
        """Yield the starts of this instant."""
        apply, sites = _ALGORITHMS[self.algorithm], sites_by_size(view.sizes)
        started = set()
        for site in sites:
            for start in apply(site, [job for job in view.arrived if view.home(job) == site], view):
                started.add(site)
                yield start
        for site in sites:
            if self.takes == "always" or site not in started:
                yield from apply(site, view.known(site), view)


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
