"""MWT, MWWT, MTA and related brokers: the least mean wait or turnaround in the sites' planned schedules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import UnknownNameError
from echelon.policies.broker.contract import GridState, Information
from echelon.policies.broker.strategy import Strategy

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView, Planned

_JOBS = ("present", "assigned")


@dataclass(frozen=True, slots=True)
class _LeastMean(Strategy):
    """Choose the site where a mean over its jobs, including the arriving job, is least.

    The mean is infinite if a job there is never known to have room, because something is down. Of two such
    sites that of the smaller share of such jobs is better, then that of the least sum over all others, by
    the number of all.

    Parameters
    ----------
    grid_state : {"planned", "actual"}, default "planned"
        The state of the grid that the broker sees.
    jobs : {"present", "assigned"}, default "present"
        The jobs of the mean: those waiting or running at the site, or all that were ever assigned to it.
    """

    grid_state: GridState = "planned"
    jobs: Literal["present", "assigned"] = "present"

    information: ClassVar[Information] = Information.SCHEDULES

    def __post_init__(self) -> None:
        Strategy.__post_init__(self)
        if self.jobs not in _JOBS:
            raise UnknownNameError(f"jobs of {self.name}", self.jobs, _JOBS)

    def value(self, job: Job, site: int, view: GridView) -> float:
        """Return the mean over the site's jobs, summed over ended, running and waiting jobs in this order."""
        lost, mean = self._mean(job, site, view)
        return math.inf if lost else mean

    def if_endless(self, job: Job, site: int, view: GridView) -> tuple[float, float]:
        """Return the share of jobs that are never known to have room, then the mean over the others."""
        return self._mean(job, site, view)

    def _mean(self, job: Job, site: int, view: GridView) -> tuple[float, float]:
        """Return the share of jobs that are never known to have room, and the mean over the others."""
        plan = view.schedule(site, job)
        past = view.past(site) if self.jobs == "assigned" else ()
        total, lost = 0.0, 0
        for planned in (*past, *plan):
            if planned.start < math.inf:
                total += self.term(planned)
            else:
                lost += 1
        count = len(past) + len(plan)
        return lost / count, total / count

    def term(self, planned: Planned) -> float:
        """Return what one job adds to the sum."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class MinimumWaitingTime(_LeastMean):
    """Choose the site of least mean wait: min (sum of t_w^k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: Quezada Pina, CICESE 2012, eq. 9.
    """

    name: ClassVar[str] = "mwt"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 9"

    def term(self, planned: Planned) -> float:
        """Return the wait, in seconds."""
        return planned.start - planned.job.submit_time


@dataclass(frozen=True, slots=True)
class MinimumSizeWeightedWait(_LeastMean):
    """Choose the site of least mean wait weighted by size: min (sum of t_w^k size_k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: Quezada Pina, CICESE 2012, eq. 10.
    """

    name: ClassVar[str] = "mwwt-s"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, eq. 10"

    def term(self, planned: Planned) -> float:
        """Return the wait times the size, in processor-seconds."""
        return (planned.start - planned.job.submit_time) * planned.job.processors


@dataclass(frozen=True, slots=True)
class MinimumTimeWeightedWait(_LeastMean):
    """Choose the site of least mean wait weighted by planned time: min (sum of t_w^k p'_k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: Quezada Pina, CICESE 2012, 3.2.1.9.
    """

    name: ClassVar[str] = "mwwt-t"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.9"

    def term(self, planned: Planned) -> float:
        """Return the wait times the planned time, in square seconds."""
        return (planned.start - planned.job.submit_time) * planned.job.planned_time


@dataclass(frozen=True, slots=True)
class MinimumWorkWeightedWait(_LeastMean):
    """Choose the site of least mean wait weighted by work: min (sum of t_w^k size_k p'_k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: Quezada Pina, CICESE 2012, 3.2.1.9.
    """

    name: ClassVar[str] = "mwwt-w"
    source: ClassVar[str] = "Quezada Pina, CICESE 2012, 3.2.1.9"

    def term(self, planned: Planned) -> float:
        """Return the wait times the planned area, in processor-seconds times seconds."""
        area = planned.job.processors * planned.job.planned_time
        return (planned.start - planned.job.submit_time) * area


@dataclass(frozen=True, slots=True)
class MinimumTurnaround(_LeastMean):
    """Choose the site of least mean turnaround: min (sum of C_k - r_k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: the rule MTA of tGSF, CICESE 2012, as
    a mean over the site's jobs.
    """

    name: ClassVar[str] = "mta"
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def term(self, planned: Planned) -> float:
        """Return the turnaround, in seconds."""
        return planned.end - planned.job.submit_time


@dataclass(frozen=True, slots=True)
class MinimumSizeWeightedTurnaround(_LeastMean):
    """Choose the site of least mean turnaround weighted by size: min (sum of (C_k - r_k) size_k) / n_i.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: the rule MWTAS of tGSF, CICESE 2012,
    as a mean over the site's jobs.
    """

    name: ClassVar[str] = "mwta-s"
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def term(self, planned: Planned) -> float:
        """Return the turnaround times the size, in processor-seconds."""
        return (planned.end - planned.job.submit_time) * planned.job.processors


@dataclass(frozen=True, slots=True)
class MinimumWorkWeightedCompletion(_LeastMean):
    """Choose the site of least mean completion weighted by work: min (sum of C_k size_k p'_k) / n_i.

    Completion times are measured on the log's clock.

    Notes
    -----
    Ties: the lowest site. Cost: one schedule an allowed site. Source: the rule MWCTS of tGSF, CICESE 2012,
    as a mean over the site's jobs.
    """

    name: ClassVar[str] = "mwct-w"
    source: ClassVar[str] = "tGSF, CICESE 2012"

    def term(self, planned: Planned) -> float:
        """Return the completion times the planned area, in processor-seconds times seconds."""
        return planned.end * (planned.job.processors * planned.job.planned_time)
