"""The brokers that kernels know, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.compiled.grid.strategies import (
    COMPLETION_AREA,
    ENDED,
    ENDED_WITH_JOB,
    FIRST_FIT,
    FIRST_SITE,
    HOME,
    JOB_ENDED,
    JOB_STARTED,
    LBAL_S,
    LBAL_T,
    LBAL_W,
    MAX_AR,
    ML,
    MLB,
    MLP,
    MPL,
    RANDOM,
    ROUND_ROBIN,
    SCHEDULES,
    TURNAROUND,
    TURNAROUND_SIZE,
    WAIT,
    WAIT_AREA,
    WAIT_SIZE,
    WAIT_TIME,
)
from echelon.policies.broker.completion import MinimumCompletionTime, MinimumStartTime
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
from echelon.policies.broker.one_formula import (
    FirstFitSite,
    FirstSite,
    HomeSite,
    LeastFullNode,
    LeastMemory,
    MinimumLoad,
    MinimumLoadPerProcessor,
    MinimumLowerBound,
    MinimumParallelLoad,
    MostAvailable,
    Random,
    RoundRobin,
)

if TYPE_CHECKING:
    from echelon.policies.broker.contract import Broker

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
