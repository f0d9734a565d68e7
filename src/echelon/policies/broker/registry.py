"""The strategies of brokers by name: the lines to add a new one to."""

from echelon.policies.broker.completion import MinimumCompletionTime, MinimumStartTime
from echelon.policies.broker.first_site import FirstSite
from echelon.policies.broker.free_processors import FirstFitSite, MostAvailable
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
from echelon.policies.broker.strategy import Strategy
from echelon.policies.broker.turnaround import TurnaroundTime, WeightedTurnaroundTime

STRATEGIES: tuple[type[Strategy], ...] = (
    Random,
    RoundRobin,
    FirstSite,
    MinimumLoad,
    MinimumLoadPerProcessor,
    MinimumParallelLoad,
    LeastMemory,
    LeastFullNode,
    LoadBalanceBySize,
    LoadBalanceByTime,
    LoadBalanceByWork,
    MinimumLowerBound,
    MinimumCompletionTime,
    MinimumStartTime,
    MinimumWaitingTime,
    MinimumSizeWeightedWait,
    MinimumTimeWeightedWait,
    MinimumWorkWeightedWait,
    MinimumTurnaround,
    MinimumSizeWeightedTurnaround,
    MinimumWorkWeightedCompletion,
    TurnaroundTime,
    WeightedTurnaroundTime,
    FirstFitSite,
    MostAvailable,
)
"""In the order in which tables show them: by what they need to know."""
