"""Stealing: each site runs its large jobs, then its small ones, then waiting jobs of smaller sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.policies.decentralized.contract import StartAt
from echelon.policies.decentralized.sets import JobSets
from echelon.policies.decentralized.site_protocol import SiteProtocol
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.decentralized.contract import ProtocolView

SetsOrder = Literal["AHB", "ABH", "HAB", "HBA", "BAH", "BHA"]
"""The order in which a site considers its sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stealing(SiteProtocol):
    """A site with idle processors runs its large jobs, then small ones, then steals from smaller sites.

    Jobs are partitioned by size into sets A, B and H of each site, see
    `echelon.policies.decentralized.sets.JobSets`. A site with idle processors considers the waiting jobs of
    its A, then of its H, then of its B. It may start jobs only from the first nonempty set: if none of these
    fits now, the site waits. If all three are empty, it steals from A, H and B of the next smaller site, then
    of the one before, and so on.

    Parameters
    ----------
    threshold : float, default 50
        The boundary between A and B, in percent of a site's processors, 0 to 100. 0 puts every job into A,
        100 into B; 50 is the published algorithm.
    fit : {"first-fit", "best-fit"}, default "first-fit"
        A site starts the first job of its list that fits, by submit time, or the largest that fits.
    sets : {"AHB", "ABH", "HAB", "HBA", "BAH", "BHA"}, default "AHB"
        The order in which a site considers its sets, and those of the sites it steals from.
    at_threshold : {"B", "A"}, default "B"
        The set of a job exactly at the threshold.
    steals : {"what-fits", "first-list"}, default "what-fits"
        Whether a thief skips lists of its victims without a job that fits now, or may steal only from the
        first nonempty list.
    latency : float, default 0
        Seconds from the time at which a site takes a job from its home to the job's start, >= 0. The site
        holds the processors meanwhile.
    refresh : float, default 0
        Seconds between publications of the waiting jobs, >= 0. A site knows the jobs of smaller sites as of
        the last publication, and its own A and B at once. 0: all sites know all jobs at once.

    Raises
    ------
    InputError
        If `threshold` is not from 0 to 100, or `latency` or `refresh` not from 0 to 10^9 s.
    UnknownNameError
        If another parameter is unknown.

    Notes
    -----
    Sites take turns, the lowest first, each starting all jobs that it can, until no site can start a job: a
    stolen job may have blocked its home. Ties: sites by size, then by their place in the file, jobs by submit
    time, then position, also among the largest. A job's home is the site whose A or B it is in; the home in
    the log is ignored. Cost: O(sites x queue) per start. Source: Schwiegelshohn, Tchernykh and Yahyapour,
    IPDPS 2008, as algorithm 2 of Quezada Pina, CICESE 2012, repaired where it cannot be run as printed.
    """

    threshold: float = 50.0
    fit: Literal["first-fit", "best-fit"] = "first-fit"
    sets: SetsOrder = "AHB"
    at_threshold: Literal["B", "A"] = "B"
    steals: Literal["what-fits", "first-list"] = "what-fits"

    name: ClassVar[str] = "stealing"
    source: ClassVar[str] = "Schwiegelshohn et al., IPDPS 2008; Quezada Pina, CICESE 2012, algorithm 2"
    bare_word: ClassVar[str] = "threshold"

    def __post_init__(self) -> None:
        SiteProtocol.__post_init__(self)
        if not 0 <= self.threshold <= 100:
            raise InputError(
                f"must be a percentage from 0 to 100, got {self.threshold:g}", field="stealing, threshold"
            )
        for word, value, names in (
            ("fit", self.fit, ("first-fit", "best-fit")),
            ("sets", self.sets, get_args(SetsOrder)),
            ("at-threshold", self.at_threshold, ("A", "B")),
            ("steals", self.steals, ("what-fits", "first-list")),
        ):
            if value not in names:
                raise UnknownNameError(f"rule of stealing for {word}", value, names)

    def job_sets(self, sizes: Sequence[int]) -> JobSets:
        """Return the sets of sites of these `sizes`, ascending."""
        return JobSets(sizes, self.threshold, self.at_threshold)

    def homes(self, sizes: IntColumn, size: IntColumn, submitted: IntColumn) -> IntColumn:
        """Return the smallest site that can hold each job: its A or B holds the job."""
        order = np.argsort(sizes, kind="stable")
        return order[self.job_sets(sizes[order].tolist()).home(size)]

    def decide(self, view: ProtocolView) -> Iterator[StartAt]:
        """Yield the starts of this instant."""
        sites = sites_by_size(view.sizes)
        job_sets = self.job_sets([view.sizes[site] for site in sites])
        started = True
        while started:
            started = False
            for rank, site in enumerate(sites):
                while (job := self._next(site, rank, job_sets, view)) is not None:
                    yield StartAt(job, site)
                    started = True

    def _next(self, site: int, rank: int, job_sets: JobSets, view: ProtocolView) -> Job | None:
        """Return the job that `site`, in that place by size, starts next, if any."""
        free, waiting = view.free(site), view.known(site)
        fits = {job.position for job in waiting if job.processors <= free and view.fits(job, site)}
        if not fits:
            # This is the usual case, in which their sets do not matter.
            return None
        # No set is kept from being empty by a job that the site can never hold.
        waiting = [job for job in waiting if view.can_hold(job, site)]
        for jobs in self._lists(rank, waiting, job_sets):
            if jobs:
                return self._choose_job(jobs, fits)
        for victim in reversed(range(rank)):
            for jobs in self._lists(victim, waiting, job_sets):
                job = self._choose_job(jobs, fits)
                if job is not None or (jobs and self.steals == "first-list"):
                    return job
        return None

    def _lists(self, rank: int, waiting: Sequence[Job], job_sets: JobSets) -> Iterator[list[Job]]:
        """Yield the jobs `waiting` in each set of the site in that place by size, in the order of sets."""
        for name in self.sets:
            sizes = job_sets.interval(name, rank)
            yield [job for job in waiting if job.processors in sizes]

    def _choose_job(self, jobs: Sequence[Job], fits: Container[int]) -> Job | None:
        """Return the one of `jobs` that a site starts for which those at the positions `fits` fit, if any."""
        fitting = (job for job in jobs if job.position in fits)
        if self.fit == "first-fit":
            return next(fitting, None)
        return max(fitting, key=lambda job: job.processors, default=None)
