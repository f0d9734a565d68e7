"""The metaschedulers by name: the lines to add a new one to."""

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
from echelon.policies.broker.strategy import Strategy
from echelon.policies.broker.turnaround import TurnaroundTime, WeightedTurnaroundTime
from echelon.policies.immediate.batch import BatchMode
from echelon.policies.immediate.cpu_load import LeastCpuLoad
from echelon.policies.immediate.fpltf import DynamicFPLTF
from echelon.policies.immediate.lottery import Lottery
from echelon.policies.immediate.lottery_load import LotteryWithLoad
from echelon.policies.immediate.max_min import MaxMin
from echelon.policies.immediate.met import MinimumExecutionTime
from echelon.policies.immediate.min_min import MinMin
from echelon.policies.immediate.olb import OpportunisticLoadBalancing
from echelon.policies.immediate.strategy import ImmediateStrategy
from echelon.policies.immediate.sufferage import Sufferage
from echelon.policies.immediate.wall_time import EstimatedWallTime
from echelon.policies.immediate.wqr import WorkQueueWithReplication

STRATEGIES: tuple[type[Strategy], ...] = (
    Random,
    RoundRobin,
    FirstSite,
    HomeSite,
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
"""Brokers for any platform, in the order in which tables show them: by what they need to know."""

IMMEDIATE_STRATEGIES: tuple[type[ImmediateStrategy], ...] = (
    LeastCpuLoad,
    Lottery,
    LotteryWithLoad,
    EstimatedWallTime,
    MinimumExecutionTime,
    OpportunisticLoadBalancing,
)
"""Brokers for machines without queues only: those of the SINAPAD study, then those that plan."""

DISPATCHERS: tuple[type[BatchMode | DynamicFPLTF | WorkQueueWithReplication], ...] = (
    MinMin,
    MaxMin,
    Sufferage,
    DynamicFPLTF,
    WorkQueueWithReplication,
)
"""Rules for machines without queues that let jobs wait, or replicate them."""
