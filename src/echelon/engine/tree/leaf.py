"""Leaf: a site of a tree that runs jobs, as the sites above it know it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.system import System
from echelon.engine.tree.views.member import Member
from echelon.model import Forecast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.views.statistics import SiteStatistics
    from echelon.model import Job


class Leaf(System, Member):
    """A site that runs jobs: a `System` that may stand in a tree, where it is a `Member` of the site above.

    Attributes
    ----------
    blur : float
        Largest difference of ENDs of one instant, in spacings of float64 numbers: 0 if ENDs are exact.
    speed : float
        Speed of a core, relative to the machine of the run times.
    has_queue : bool
        Whether jobs may wait here.
    predicts_starts : bool
        Whether it knows when waiting jobs would start under any local policy.
    counts_its_jobs : bool
        Whether it updates the statistics above it by itself when jobs leave.
    above : list of (SiteStatistics, int)
        The statistics of the inner sites above it, each with the place of its branch there.
    above_waits : sequence of callable () -> int
        The number of jobs that wait at each inner site above it.
    """

    blur = 0.0
    speed = 1.0
    has_queue = True
    predicts_starts = False
    counts_its_jobs = False
    above: list[tuple[SiteStatistics, int]]
    above_waits: Sequence[Callable[[], int]] = ()

    on_start: Sequence[Callable[[Job, int], None]] = ()
    """Called at every start, with the job and the index of the leaf."""

    on_end: Sequence[Callable[[Job], None]] = ()
    """Called at every END here, with the job."""

    on_change: Callable[[], None] | None = None
    """If set, the controller above decides what starts here, and is called when something else changes."""

    on_lost: Callable[[Job], None] | None = None
    """If set, called when a job that ran here must wait again: it waits at the controller above."""

    on_resource: Sequence[Callable[[int], None]] = ()
    """Called when nodes go down or come back, or are closed or open to others; with the leaf's index."""

    def has_waiting(self, job: Job) -> bool:
        """Return whether `job` waits here, rather than at an inner site above."""
        raise NotImplementedError

    def start(self, delay: float) -> None:
        """Start the job that has just joined: it holds what it needs now, and begins in `delay` seconds."""
        raise NotImplementedError

    def tell_end(self, job: Job, start: float, end: float) -> None:
        """Tell those above that `job` has ended here; both times in seconds."""
        if not self.counts_its_jobs:
            for statistics, branch in self.above:
                statistics.note_end(job, branch, start, end)
        for ended in self.on_end:
            ended(job)

    def waits_above(self) -> bool:
        """Return whether jobs wait at an inner site above: `above_waits` says so."""
        return any(waits() for waits in self.above_waits)

    def withdraw(self, job: Job) -> None:
        """Remove waiting `job`, which runs elsewhere or nowhere."""
        raise NotImplementedError

    def forecast(self, job: Job) -> Forecast:
        """See `Member.forecast`; a job that is never known to have room waits forever."""
        plan = self.planned_schedule(job)
        start, end = next((one.start, one.end) for one in plan if one.job.position == job.position)
        run = end - start if start < math.inf else self.execution_time(job)
        return Forecast(start - self.ledger.now, run)

    def enter(self, job: Job) -> None:
        """Take over `job`, of which observers know."""
        raise NotImplementedError
