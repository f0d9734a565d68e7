"""Strategies: the brokers that kernels know, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.policies.broker.completion import MinimumCompletionTime, MinimumStartTime
from echelon.policies.broker.first_site import FirstSite
from echelon.policies.broker.free_processors import FirstFitSite, MostAvailable
from echelon.policies.broker.home import HomeSite
from echelon.policies.broker.job_counts import MinimumLoad, MinimumLoadPerProcessor
from echelon.policies.broker.load_balance import LoadBalanceBySize, LoadBalanceByTime, LoadBalanceByWork
from echelon.policies.broker.mean_times import (
    MinimumSizeWeightedTurnaround,
    MinimumSizeWeightedWait,
    MinimumTimeWeightedWait,
    MinimumTurnaround,
    MinimumWaitingTime,
    MinimumWorkWeightedCompletion,
    MinimumWorkWeightedWait,
)
from echelon.policies.broker.parallel_load import MinimumLowerBound, MinimumParallelLoad
from echelon.policies.broker.random import Random
from echelon.policies.broker.round_robin import RoundRobin
from echelon.policies.broker.shared_nodes import LeastFullNode, LeastMemory

if TYPE_CHECKING:
    from echelon.policies.broker.contract import Broker

# Strategies of sums and counts, by number.
RANDOM, ROUND_ROBIN, ML, MLP, MPL, LBAL_S, LBAL_T, LBAL_W, MLB, FIRST_FIT, MAX_AR = range(11)
FIRST_SITE, HOME = 11, 12
SCHEDULES = 13
"""Strategies of schedules; which one is told by what they read off a schedule."""

# What is read off a schedule. ENDED: when the jobs there end. The rest is asked with the arriving job.
ENDED, ENDED_WITH_JOB, JOB_ENDED, JOB_STARTED = 0, 1, 2, 3
# And means, from MEANS on: of waits, turnarounds, completions, by the weight of a job.
WAIT, WAIT_SIZE, WAIT_TIME, WAIT_AREA, TURNAROUND, TURNAROUND_SIZE, COMPLETION_AREA = 4, 5, 6, 7, 8, 9, 10
MEANS = WAIT

_NUMBERS: dict[type, int] = {
    Random: RANDOM,
    RoundRobin: ROUND_ROBIN,
    MinimumLoad: ML,
    MinimumLoadPerProcessor: MLP,
    MinimumParallelLoad: MPL,
    LoadBalanceBySize: LBAL_S,
    LoadBalanceByTime: LBAL_T,
    LoadBalanceByWork: LBAL_W,
    MinimumLowerBound: MLB,
    FirstFitSite: FIRST_FIT,
    MostAvailable: MAX_AR,
    FirstSite: FIRST_SITE,
    HomeSite: HOME,
    # On a grid all sites are alike to those that look at shared nodes.
    LeastMemory: FIRST_SITE,
    LeastFullNode: FIRST_SITE,
}
_MEANS: dict[type, int] = {
    MinimumWaitingTime: WAIT,
    MinimumSizeWeightedWait: WAIT_SIZE,
    MinimumTimeWeightedWait: WAIT_TIME,
    MinimumWorkWeightedWait: WAIT_AREA,
    MinimumTurnaround: TURNAROUND,
    MinimumSizeWeightedTurnaround: TURNAROUND_SIZE,
    MinimumWorkWeightedCompletion: COMPLETION_AREA,
}
_COMPLETIONS = {"before": ENDED, "after": ENDED_WITH_JOB, "job": JOB_ENDED}


class Numbers(NamedTuple):
    """A broker as numbers: the fields of the same names of `GRID_TYPE`."""

    strategy: int
    reading: int = 0
    all_assigned: bool = False


def numbers_of(broker: Broker) -> Numbers | None:
    """Return `broker` as numbers, None if kernels do not know it."""
    if (number := _NUMBERS.get(type(broker))) is not None:
        return Numbers(number)
    if type(broker) is MinimumStartTime:
        return Numbers(SCHEDULES, JOB_STARTED)
    if type(broker) is MinimumCompletionTime:
        return Numbers(SCHEDULES, _COMPLETIONS[broker.of])
    if (mean := _MEANS.get(type(broker))) is not None:
        return Numbers(SCHEDULES, mean, getattr(broker, "jobs", "") == "assigned")
    return None
