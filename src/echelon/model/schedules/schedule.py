"""Schedule: when each job of an instance started and ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.machines.capacity import MOST_PROCESSORS
from echelon.model.machines.outages import NO_OUTAGES
from echelon.model.schedules.attempts import Attempts
from echelon.model.schedules.status import JobStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.machines.outages import Outages
    from echelon.model.machines.reservations import Reservation
    from echelon.model.schedules.experience import Experience
    from echelon.model.schedules.forecasts import Forecasts, OwnerDelays, TaskPlaces
    from echelon.model.schedules.holdings import Holdings, Sleeps
    from echelon.model.schedules.numbered_holdings import NumberedHoldings


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Start times of an instance's jobs, and on a grid their sites, as an engine computed them.

    Parameters
    ----------
    instance : Instance
        The jobs and the machine.
    start_time : FloatColumn, shape (n_jobs,)
        In seconds, in the instance's order; nan of a job without an attempt.
    counts : mapping of str to int, default empty
        Work the engine counted: ``events``, ``passes``, ``examined`` jobs, ``segments`` of the profile.
        Independent of the machine it ran on; the two engines count different work.
    predicted_time : FloatColumn, shape (n_jobs,), optional
        What an estimator had the scheduler plan with when each job was submitted, in seconds. Default: none
        learned, so all were planned with the instance's planned times.
    recorded : Attempts, optional
        When and where each job held processors, and why it lost them, if some job was preempted or paid a
        switch, may have run as several copies, or never started. Default: every job held its processors once,
        from its start to its end; `attempts` has that, too.
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
        What estimators were taught of every job on shared nodes when it ended, in their order.
    cpu_time : FloatColumn, shape (n_jobs,), optional
        Computing time of each process of each job at its site, in seconds, without waiting for a core; only
        on time-shared machines.
    status : ndarray of int8, shape (n_jobs,), optional
        What became of each job, see `echelon.model.JobStatus`, if some did not complete. Default: all
        completed, or were cut at their requested times.
    outages : Outages, default none
        What went down during the run, as it happened.
    reservations : tuple of Reservation, default empty
        Advance reservations, as they were kept.
    numbered : NumberedHoldings, optional
        Which numbered processors each job held, where a machine of counted processors changes. Default: the
        processors were only counted, or `holdings` and `places` say it.
    first_reserved : FloatColumn, shape (n_jobs,), optional
        The first start that was reserved for each job, in seconds, nan if none was; where something changes
        and the policy keeps reservations from cycle to cycle.

    Raises
    ------
    InputError
        If there is not one start a job; if a start is not finite though no attempts are recorded: the job was
        never started; if recorded attempts are of other jobs, or begin at other times; if a job of a grid
        that has started has no site, or one that is too small for it.
    """

    instance: Instance
    start_time: FloatColumn
    counts: Mapping[str, int] = field(default_factory=dict)
    predicted_time: FloatColumn | None = None
    recorded: Attempts | None = None
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
    cpu_time: FloatColumn | None = None
    status: NDArray[np.int8] | None = None
    outages: Outages = NO_OUTAGES
    reservations: tuple[Reservation, ...] = ()
    numbered: NumberedHoldings | None = None
    first_reserved: FloatColumn | None = None

    def __post_init__(self) -> None:
        if len(self.start_time) != len(self.instance):
            raise InputError(
                f"a schedule needs one start a job, got {len(self.start_time)} for {len(self.instance)} jobs"
            )
        self._check_starts()
        self.start_time.flags.writeable = False
        self._check_sites()

    def _check_starts(self) -> None:
        if self.recorded is None:
            never = ~np.isfinite(self.start_time)
            if never.any():
                raise InputError(f"job {self.instance.label(int(never.argmax()))} was never started")
            return
        if self.recorded.n_jobs != len(self.instance):
            raise InputError(
                "recorded attempts must be of the schedule's jobs, "
                f"got those of {self.recorded.n_jobs} for {len(self.instance)} jobs"
            )
        first = self.recorded.first_start()
        other = (first != self.start_time) & ~(np.isnan(first) & np.isnan(self.start_time))
        if other.any():
            job = int(other.argmax())
            raise InputError(
                f"job {self.instance.label(job)} starts at {self.start_time[job]:.15g} s, "
                f"but its first recorded attempt at {first[job]:.15g} s"
            )

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
            # Clusters may run a job together: of these only the nodes of each task tell.
            sizes = platform.sizes
            if platform.clusters:
                shared = [leaf for inner in platform.tree.inner() for leaf in inner.clusters()]
                sizes[shared] = MOST_PROCESSORS
            wrong |= self.instance.size > sizes[np.where(wrong, 0, self.site)]
        wrong &= np.isfinite(self.start_time)
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
    def attempts(self) -> Attempts:
        """Each time a job held processors: where, when and why it ended. Cost: O(n) if none are recorded."""
        if self.recorded is not None:
            return self.recorded
        return Attempts.one_each(self.start_time, self.end_time, site=self.site, killed=self.instance.killed)

    @property
    def interrupted(self) -> bool:
        """Whether attempts are recorded that are no copies: a preemption, a switch, no start.

        Then a job's end is not its start plus its run time.
        """
        return self.recorded is not None and (self.recorded.suspends or not self.recorded.copies)

    @property
    def segments(self) -> Attempts | None:
        """The attempts if some job was preempted or paid a switch, copies of a job as one; None elsewhere."""
        return self.recorded.one_after_another() if self.recorded is not None and self.interrupted else None

    @property
    def replicas(self) -> Attempts | None:
        """The attempts if jobs may run as several copies, of those that were not preempted; else None."""
        copies = self.recorded is not None and self.recorded.copies
        return self.recorded.side_by_side() if self.recorded is not None and copies else None

    @property
    def end_time(self) -> FloatColumn:
        """Start plus run time, or the last attempt's end, in seconds, shape (n_jobs,)."""
        if self.end is not None:
            return self.end
        if self.recorded is not None:
            return self.recorded.last_end()
        return self.start_time + self.instance.run_time

    @property
    def tells_attempts(self) -> bool:
        """Whether it is recorded what became of jobs, or what their attempts left: something changed."""
        return self.status is not None or (self.recorded is not None and self.recorded.work is not None)

    @property
    def run_time(self) -> FloatColumn:
        """How long each job ran, in seconds, shape (n_jobs,): the work of a job that completed.

        Of one that did not complete all the time for which it held its processors; where that is none, the
        run time that it would have had.
        """
        planned = self.instance.run_time
        if self.status is None:
            return planned
        held = self.held_time
        cut = (self.status != JobStatus.COMPLETED) & (held > 0)
        if self.end is None or self.recorded is None or self.recorded.work is None or self.recorded.copies:
            return np.where(cut, held, planned)
        # Where places have speeds, the work that each attempt did is what the job took there.
        work = np.bincount(self.recorded.job, self.recorded.work, len(planned))
        return np.where(cut, held, np.where(work > 0, work, planned))

    @property
    def held_time(self) -> FloatColumn:
        """Time for which each job held its processors, all attempts together, in seconds, shape (n_jobs,)."""
        return self.instance.run_time if self.recorded is None else self.recorded.held_time()

    @property
    def holding(self) -> tuple[IntColumn, FloatColumn, FloatColumn]:
        """Job (position), start and end of every attempt."""
        attempts = self.attempts
        return attempts.job, attempts.start, attempts.end

    @property
    def response_time(self) -> FloatColumn:
        """First start minus submit time, in seconds, shape (n_jobs,)."""
        return self.start_time - self.instance.submit_time

    @property
    def suspended_time(self) -> FloatColumn:
        """Time from first start to end without processors, in seconds, shape (n_jobs,)."""
        if (segments := self.segments) is None:
            return np.zeros(len(self.instance))
        return np.maximum(0.0, self.end_time - self.start_time - segments.held_time())

    @property
    def wait_time(self) -> FloatColumn:
        """All time in the queue, suspensions included, in seconds, shape (n_jobs,)."""
        return self.response_time + self.suspended_time if self.interrupted else self.response_time

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
