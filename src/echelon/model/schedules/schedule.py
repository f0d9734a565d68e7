"""Schedule: when each job of an instance started and ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.experience import Experience
    from echelon.model.schedules.forecasts import Forecasts, OwnerDelays, TaskPlaces
    from echelon.model.schedules.holdings import Holdings, Sleeps
    from echelon.model.schedules.replicas import Replicas
    from echelon.model.schedules.segments import Segments


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Start times of an instance's jobs, and on a grid their sites, as an engine computed them.

    Parameters
    ----------
    instance : Instance
        The jobs and the machine.
    start_time : FloatColumn, shape (n_jobs,)
        In seconds, in the instance's order.
    counts : mapping of str to int, default empty
        Work the engine counted: ``events``, ``passes``, ``examined`` jobs, ``segments`` of the profile.
        Independent of the machine it ran on; the two engines count different work.
    predicted_time : FloatColumn, shape (n_jobs,), optional
        What an estimator had the scheduler plan with when each job was submitted, in seconds. Default: none
        learned, so all were planned with the instance's planned times.
    segments : Segments, optional
        When each job held its processors, if some job was preempted or paid a switch. Without them every
        job holds its processors from its start for its run time.
    site : IntColumn, shape (n_jobs,), optional
        Place in the instance's platform of the site where each job ran; needed if it has a platform.
    home_site : IntColumn, shape (n_jobs,), optional
        Place of the site at which each job was submitted, -1 if unknown. Default: the instance's.
    end : FloatColumn, shape (n_jobs,), optional
        When each job ended, in seconds, if its speed depended on its place and on other jobs there. The
        instance's run times are then end minus start. Default: start plus run time.
    holdings : Holdings, optional
        Which cores each job's tasks held; only on hardware.
    sleeps : Sleeps, optional
        When nodes were switched off, if they can be.
    places : TaskPlaces, optional
        The node of every task; only on a multicluster. A job with tasks in several sites counts as of the one
        with most of them.
    delivered : FloatColumn, shape (n_jobs,), optional
        When each job was dispatched to its cluster, in seconds; only on a multicluster.
    forecasts : tuple of Forecasts, default empty
        The estimators' forecasts of every job then.
    owner_delays : OwnerDelays, optional
        What parallel tasks cost the owners of the nodes.
    experiences : tuple of Experience, optional
        What estimators were taught of every job when it ended; only on a multicluster.
    replicas : Replicas, optional
        Every copy of every job that ran, if jobs may be replicated.
    cpu_time : FloatColumn, shape (n_jobs,), optional
        Computing time of each process of each job at its site, in seconds, without waiting for a core; only
        on time-shared machines.

    Raises
    ------
    InputError
        If there is not one start a job, or a start is not finite: the job was never started; if segments
        are no segments of these jobs; if a job of a grid has no site, or one that is too small for it.
    """

    instance: Instance
    start_time: FloatColumn
    counts: Mapping[str, int] = field(default_factory=dict)
    predicted_time: FloatColumn | None = None
    segments: Segments | None = None
    site: IntColumn | None = None
    home_site: IntColumn | None = None
    end: FloatColumn | None = None
    holdings: Holdings | None = None
    sleeps: Sleeps | None = None
    places: TaskPlaces | None = None
    delivered: FloatColumn | None = None
    forecasts: tuple[Forecasts, ...] = ()
    owner_delays: OwnerDelays | None = None
    experiences: tuple[Experience, ...] | None = None
    replicas: Replicas | None = None
    cpu_time: FloatColumn | None = None

    def __post_init__(self) -> None:
        if len(self.start_time) != len(self.instance):
            raise InputError(
                f"a schedule needs one start a job, got {len(self.start_time)} for {len(self.instance)} jobs"
            )
        if not np.isfinite(self.start_time).all():
            first = int(np.flatnonzero(~np.isfinite(self.start_time))[0])
            raise InputError(f"job {self.instance.label(first)} was never started")
        self.start_time.flags.writeable = False
        if self.segments is not None and not np.array_equal(
            np.unique(self.segments.job), np.arange(len(self.instance))
        ):
            raise InputError("segments must be of the schedule's jobs, at least one of each")
        self._check_sites()

    def _check_sites(self) -> None:
        platform = self.instance.platform
        if platform is None:
            if self.site is not None:
                raise InputError("a schedule on one machine has no sites, got some")
            return
        if self.site is None or len(self.site) != len(self.instance):
            got = "none" if self.site is None else str(len(self.site))
            raise InputError(f"a schedule on a grid needs one site a job, got {got}")
        wrong = (self.site < 0) | (self.site >= len(platform))
        if self.places is None:
            wrong |= self.instance.size > platform.sizes[np.where(wrong, 0, self.site)]
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise InputError(f"job {self.instance.label(first)} ran at no site that can hold it")
        self.site.flags.writeable = False
        if self.home_site is None:
            object.__setattr__(self, "home_site", self.instance.home_site)

    @property
    def planned_time(self) -> FloatColumn:
        """Planned time of each job at its submission, in seconds, shape (n_jobs,)."""
        return self.instance.planned_time if self.predicted_time is None else self.predicted_time

    @property
    def end_time(self) -> FloatColumn:
        """Start plus run time, or the last segment's end, in seconds, shape (n_jobs,)."""
        if self.end is not None:
            return self.end
        if self.segments is not None:
            return self.segments.last_end()
        return self.start_time + self.instance.run_time

    @property
    def held_time(self) -> FloatColumn:
        """Time for which each job held its processors, in seconds, shape (n_jobs,)."""
        if self.segments is None:
            return self.instance.run_time
        return self.segments.held_time(len(self.instance))

    @property
    def holding(self) -> tuple[IntColumn, FloatColumn, FloatColumn]:
        """Job (position), start and end of every interval in which a job held its processors."""
        if self.segments is None:
            return np.arange(len(self.instance)), self.start_time, self.end_time
        return self.segments.job, self.segments.start, self.segments.end

    @property
    def response_time(self) -> FloatColumn:
        """First start minus submit time, in seconds, shape (n_jobs,)."""
        return self.start_time - self.instance.submit_time

    @property
    def suspended_time(self) -> FloatColumn:
        """Time from first start to end without processors, in seconds, shape (n_jobs,)."""
        if self.segments is None:
            return np.zeros(len(self.instance))
        return np.maximum(0.0, self.end_time - self.start_time - self.held_time)

    @property
    def wait_time(self) -> FloatColumn:
        """All time in the queue, suspensions included, in seconds, shape (n_jobs,)."""
        return self.response_time if self.segments is None else self.response_time + self.suspended_time

    @property
    def peak_processors(self) -> int:
        """The largest number of processors in use at once.

        Ties: at equal times ends come before starts. Cost: O(n log n).
        """
        job, start, end = self.holding
        size = self.instance.size[job]
        times = np.concatenate((end, start))
        change = np.concatenate((-size, size))
        kind = np.repeat((0, 1), len(job))
        return int(np.cumsum(change[np.lexsort((kind, times))]).max(initial=0))
