"""Metrics of whole schedules: pure functions of columns, one value a schedule.

None of them needs the jobs in any order, and none depends on it except by the last bit of a float sum.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model.jobs.columns import FloatColumn, IntColumn

DAY = 86_400.0
"""Seconds."""

_EXACT = 2.0**53
"""Below it every whole number is a float64."""


def total(column: FloatColumn) -> float:
    """Sum of a column of values >= 0; exactly rounded for whole numbers of any size.

    Cost: O(n), vectorized below 2**53; `math.fsum` above, where whole numbers would begin to round.
    """
    added = float(column.sum())
    return added if added < _EXACT else math.fsum(column.tolist())


def mean(column: FloatColumn) -> float:
    """Arithmetic mean of a column of values >= 0, in the column's unit."""
    return total(column) / len(column)


def weighted_mean(column: FloatColumn, weight: FloatColumn | IntColumn) -> float:
    """Mean of weight times value over the jobs, *not* divided by the sum of weights: sum(weight * x) / jobs.

    Parameters
    ----------
    column : FloatColumn, shape (n_jobs,)
        Values >= 0.
    weight : ndarray, shape (n_jobs,)
        Of each job, >= 0: processors, or work in processor-seconds.

    Returns
    -------
    float
        In the column's unit times the weight's.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, section 2.2 (WTA, WWT_s), where the divisor is the number of jobs.
    """
    return mean(column * weight)


def quantiles(column: FloatColumn, shares: Sequence[float]) -> list[float]:
    """Return the quantiles of a column, in its unit: the median is the one at share 0.5.

    Between two order statistics it interpolates linearly: the quantile at share p of n values is at the
    0-based rank p (n - 1) of the sorted ones. So the median of an even number is the mean of the middle two.

    Parameters
    ----------
    column : FloatColumn, shape (n,)
        At least one value.
    shares : sequence of float
        Each in [0, 1].

    Notes
    -----
    Cost: O(n) by partition; the column is not sorted.

    Source: definition 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
    Statistician 50(4), 1996; the default of numpy, R and spreadsheets.
    """
    ranks = [share * (len(column) - 1) for share in shares]
    around = sorted({place for rank in ranks for place in (math.floor(rank), math.ceil(rank))})
    parted = np.partition(column, around)
    return [_interpolate(parted, rank) for rank in ranks]


def _interpolate(parted: FloatColumn, rank: float) -> float:
    low, high = float(parted[math.floor(rank)]), float(parted[math.ceil(rank)])
    return low + (rank - math.floor(rank)) * (high - low)


def c_max(end: FloatColumn) -> float:
    """C_max: when the last job ends, in seconds on the workload's own clock: max(end).

    Source: the objective of scheduling theory: Graham, Lawler, Lenstra and Rinnooy Kan, "Optimization and
    approximation in deterministic sequencing and scheduling", Annals of Discrete Mathematics 5, 1979.
    """
    return float(end.max())


def makespan(submit: FloatColumn, end: FloatColumn) -> float:
    """Makespan: from the first submission to the last end, in seconds: max(end) - min(submit).

    Raises
    ------
    InputError
        If it is 0, which happens when times are so large that run times vanish in float64.

    Notes
    -----
    Source: Feitelson et al., "Theory and practice in parallel job scheduling", JSSPP 1997. Some texts call
    C_max the makespan; here each has its own name.
    """
    length = c_max(end) - float(submit.min())
    if not length > 0:
        raise InputError(
            f"the last job ends at {c_max(end):.17g} s, not after the first submission: times are too large "
            "for float64 to represent the run times; shift the workload to start near 0"
        )
    return length


def throughput_per_day(submit: FloatColumn, end: FloatColumn) -> float:
    """Throughput in jobs per day: 86400 * jobs / makespan.

    Source: Domínguez Medina, "Estudio de políticas de job scheduling mediante el simulador SST-Simulator",
    UOC 2015 (Schedlyzer), where the simulation starts with the first submission.
    """
    return DAY * len(end) / makespan(submit, end)


def grid_throughput(end: FloatColumn) -> float:
    """Throughput of the grid study, in jobs per second: jobs / C_max, the clock beginning at second 0.

    Raises
    ------
    InputError
        If C_max is not above 0.

    Notes
    -----
    Where the first job is not submitted at second 0 it is below `throughput_per_day`, and so is
    ``grid_utilization`` below ``utilization``: C_max counts the time before the first submission.

    Source: Quezada Pina, CICESE 2012, section 2.2 (Th).
    """
    last = c_max(end)
    if not last > 0:
        raise InputError(f"the last job ends at {last:.17g} s, jobs per second need a time above 0")
    return len(end) / last


def area(run: FloatColumn, size: IntColumn | FloatColumn) -> float:
    """Work of the jobs in processor-seconds: sum(run * size)."""
    return total(run * size)


def utilization(
    run: FloatColumn, size: IntColumn | FloatColumn, *, processors: int, makespan: float
) -> float:
    """Share of the processors' time that jobs held: sum(run * size) / (processors * makespan).

    Parameters
    ----------
    run : FloatColumn, shape (n_jobs,)
        In seconds.
    size : IntColumn or FloatColumn, shape (n_jobs,)
        Processors of each job; on nodes in the mean of its run, since a sequential job gives each core back
        as its task ends.
    processors : int
        Of the machine, >= 1.
    makespan : float
        In seconds, > 0.

    Returns
    -------
    float
        Dimensionless, 0 to 1 for a schedule that fits the machine.

    Notes
    -----
    Source: Feitelson et al., "Theory and practice in parallel job scheduling", JSSPP 1997.
    """
    return area(run, size) / (processors * makespan)


def switch_share(switch: FloatColumn, size: IntColumn, *, processors: int, makespan: float) -> float:
    """Share of the processors' time lost to context switches: sum(switch * size) / (processors * makespan).

    Useful work is in `utilization`; both together, and the idle rest, make 1.

    Parameters
    ----------
    switch : FloatColumn, shape (n_jobs,)
        Time in which each job held processors without progress, in seconds.
    size : IntColumn, shape (n_jobs,)
        Processors of each job.
    processors : int
        Of the machine, >= 1.
    makespan : float
        In seconds, > 0.

    Returns
    -------
    float
        Dimensionless, 0 to 1.
    """
    return area(switch, size) / (processors * makespan)


def idle_time(start: FloatColumn, end: FloatColumn) -> float:
    """Time in which no job at all runs between the first start and the last end, in seconds.

    Parameters
    ----------
    start, end : FloatColumn, shape (n_jobs,)
        In seconds; end >= start.

    Notes
    -----
    In words: go through the jobs by start and add each gap between a start and the latest end before it.
    Here: with the starts and the ends sorted each for itself, the k-th start comes after the (k-1)-th end
    just when all k - 1 earlier jobs are over, and that end is then the latest of theirs.

    Ties: the order of jobs that start together does not matter.

    Cost: O(n log n), two plain sorts.

    Source: Domínguez Medina, UOC 2015 (Schedlyzer's totalNOuserJob).
    """
    # Times of a schedule are almost in order, which a stable sort makes use of.
    gaps = np.sort(start, kind="stable")[1:] - np.sort(end, kind="stable")[:-1]
    return total(np.maximum(gaps, 0.0))


def busy_share(start: FloatColumn, end: FloatColumn, run: FloatColumn) -> float:
    """Schedlyzer's CPU utilization: sum(run) / (sum(run) + idle time).

    Parameters
    ----------
    start, end, run : FloatColumn, shape (n_jobs,)
        In seconds.

    Returns
    -------
    float
        Dimensionless, above 0 and at most 1.

    Notes
    -----
    The formula adds the run times of jobs that ran side by side, but counts idle time once, so it is near 1
    for any busy machine. It is neither the share of time in which some processor is busy, which is lower, nor
    does it say how full the machine was; that is `utilization`.

    Source: Domínguez Medina, UOC 2015.
    """
    busy = total(run)
    return busy / (busy + idle_time(start, end))


def lower_bound(
    submit: FloatColumn, run: FloatColumn, size: IntColumn | FloatColumn, *, processors: int
) -> float:
    """Lower bound of any C_max, in seconds: max(max(submit + run), sum(run * size) / processors).

    No job ends before its submission plus its run time, and `processors` processors cannot do more work
    than that many seconds a second from time 0 on.

    Source: Quezada Pina, CICESE 2012, section 2.2.
    """
    return max(float((submit + run).max()), area(run, size) / processors)


def competitive_ratio(end: FloatColumn, bound: float) -> float:
    """C_max over a lower bound of the best possible one; dimensionless, >= 1, 1 is provably optimal.

    Parameters
    ----------
    end : FloatColumn, shape (n_jobs,)
        In seconds.
    bound : float
        In seconds, > 0: see `lower_bound`.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, section 2.2 (rho).
    """
    return c_max(end) / bound
