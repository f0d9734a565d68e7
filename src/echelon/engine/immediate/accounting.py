"""Accounting of metaschedulers: CPU times of applications, and jobs that started or ended recently.

Both can be kept without a simulation, by a portal that dispatches real jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.policies.immediate.load_estimate import estimated_load

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn
    from echelon.model.machines.monitoring import Ended

OLD_WEIGHT = 0.75
"""Of the moving average, against 0.25 of the new observation."""


class CpuTimes:
    """Moving averages of CPU times, by application and site (tcm_ij).

    Parameters
    ----------
    prior : callable (application, site) -> float or None, optional
        Mean before the first observation, in seconds. Default: none.

    Notes
    -----
    tcm <- 0.75 tcm + 0.25 tn; the first observation without an earlier mean is the mean. **Source**:
    Rodrigues et al., about 2014, equation 2.

    Examples
    --------
    >>> times = CpuTimes()
    >>> times.observe("linpack", "a", 60)
    >>> times.observe("linpack", "a", 80)
    >>> times.mean("linpack", "a")
    65.0
    """

    def __init__(self, prior: Callable[[Hashable, Hashable], float | None] | None = None) -> None:
        self._prior = prior
        self._means: dict[tuple[Hashable, Hashable], float] = {}

    def mean(self, application: Hashable, site: Hashable) -> float | None:
        """Return the moving average of `application` at `site`, in seconds; None if unknown."""
        mean = self._means.get((application, site))
        return self._prior(application, site) if mean is None and self._prior is not None else mean

    def observe(self, application: Hashable, site: Hashable, seconds: float) -> None:
        """Record that a job of `application` has ended at `site` with this CPU time per process."""
        mean = self.mean(application, site)
        new = seconds if mean is None else OLD_WEIGHT * mean + (1 - OLD_WEIGHT) * seconds
        self._means[application, site] = float(new)


def warm_prior(
    instance: Instance, work: FloatColumn, speeds: Sequence[float]
) -> Callable[[Hashable, Hashable], float | None]:
    """Return the mean CPU times after earlier runs of a workload's own jobs.

    The mean is over the jobs of an application at a site.

    Parameters
    ----------
    instance : Instance
        The jobs.
    work : FloatColumn, shape (n_jobs,)
        CPU time of each job on a core of speed 1, in seconds.
    speeds : sequence of float
        Of the sites.
    """
    application = instance.workload.int_column("executable")[instance.kept]
    codes, place = np.unique(application, return_inverse=True)
    means = np.bincount(place, weights=work) / np.bincount(place)
    mean_of: dict[Hashable, float] = dict(zip(codes.tolist(), means.tolist(), strict=True))
    speed_of: dict[Hashable, float] = dict(enumerate(speeds))

    def prior(application: Hashable, site: Hashable) -> float | None:
        return mean_of[application] / speed_of[site]

    return prior


class RecentJobs:
    """Jobs that have started or ended at one site too recently for its load average to reflect.

    Parameters
    ----------
    window : float
        Window of the load average, in seconds.
    ended_share : {"ran", "full", "none"}, default "ran"
        How ended jobs are subtracted; see `echelon.model.machines.monitoring.Ended`.
    """

    def __init__(self, window: float, ended_share: Ended = "ran") -> None:
        self._window, self._ended_share = window, ended_share
        # Jobs of equal times are one entry, so that many jobs of one instant cost no more than one.
        self._started: dict[float, int] = {}
        self._ended: dict[tuple[float, float], int] = {}

    def note_start(self, now: float, processes: int) -> None:
        """Record that a job with `processes` processes starts now."""
        self._started[now] = self._started.get(now, 0) + processes

    def note_end(self, start: float, now: float, processes: int) -> None:
        """Record that a job that started at `start` ends now."""
        if start in self._started:
            self._started[start] -= processes
            if not self._started[start]:
                del self._started[start]
        self._ended[start, now] = self._ended.get((start, now), 0) + processes
        self._forget(now)

    def estimated_load(self, published: float, now: float) -> float:
        """Return the site's load, corrected for these jobs; see `estimated_load`."""
        self._forget(now)
        if not (self._started or self._ended):
            return published
        return estimated_load(
            published,
            self._started.items(),
            ((start, end, count) for (start, end), count in self._ended.items()),
            now=now,
            window=self._window,
            ended_share=self._ended_share,
        )

    def _forget(self, now: float) -> None:
        """Drop the jobs that the average reflects by now: entries are in the order of time."""
        begin = now - self._window
        while self._started and (start := next(iter(self._started))) < begin:
            del self._started[start]
        while self._ended and (times := next(iter(self._ended)))[1] < begin:
            del self._ended[times]
