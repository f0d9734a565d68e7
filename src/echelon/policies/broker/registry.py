"""The metaschedulers by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.broker.strategy import Strategy
    from echelon.policies.immediate.batch import BatchMode
    from echelon.policies.immediate.fpltf import DynamicFPLTF
    from echelon.policies.immediate.strategy import ImmediateStrategy
    from echelon.policies.immediate.wqr import WorkQueueWithReplication

    BuiltInDispatcher: TypeAlias = BatchMode | DynamicFPLTF | WorkQueueWithReplication

STRATEGIES: Rules[type[Strategy]] = Rules(
    __package__,
    {
        "random": "random.Random",
        "round-robin": "round_robin.RoundRobin",
        "first-site": "first_site.FirstSite",
        "home": "home.HomeSite",
        "ml": "job_counts.MinimumLoad",
        "mlp": "job_counts.MinimumLoadPerProcessor",
        "mpl": "parallel_load.MinimumParallelLoad",
        "least-memory": "shared_nodes.LeastMemory",
        "least-mpl": "shared_nodes.LeastFullNode",
        "lbal-s": "load_balance.LoadBalanceBySize",
        "lbal-t": "load_balance.LoadBalanceByTime",
        "lbal-w": "load_balance.LoadBalanceByWork",
        "mlb": "parallel_load.MinimumLowerBound",
        "mct": "completion.MinimumCompletionTime",
        "mst": "completion.MinimumStartTime",
        "mwt": "mean_times.MinimumWaitingTime",
        "mwwt-s": "mean_times.MinimumSizeWeightedWait",
        "mwwt-t": "mean_times.MinimumTimeWeightedWait",
        "mwwt-w": "mean_times.MinimumWorkWeightedWait",
        "mta": "mean_times.MinimumTurnaround",
        "mwta-s": "mean_times.MinimumSizeWeightedTurnaround",
        "mwct-w": "mean_times.MinimumWorkWeightedCompletion",
        "tat": "turnaround.TurnaroundTime",
        "ptt": "turnaround.WeightedTurnaroundTime",
        "first-fit": "free_processors.FirstFitSite",
        "max-ar": "free_processors.MostAvailable",
    },
)
"""Brokers for any platform, in the order in which tables show them: by what they need to know."""

IMMEDIATE_STRATEGIES: Rules[type[ImmediateStrategy]] = Rules(
    "echelon.policies.immediate",
    {
        "cpu-load": "cpu_load.LeastCpuLoad",
        "lottery": "lottery.Lottery",
        "lottery-load": "lottery_load.LotteryWithLoad",
        "wall-time": "wall_time.EstimatedWallTime",
        "met": "met.MinimumExecutionTime",
        "olb": "olb.OpportunisticLoadBalancing",
    },
)
"""Brokers for machines without queues only: those of the SINAPAD study, then those that plan."""

DISPATCHERS: Rules[type[BuiltInDispatcher]] = Rules(
    "echelon.policies.immediate",
    {
        "min-min": "min_min.MinMin",
        "max-min": "max_min.MaxMin",
        "sufferage": "sufferage.Sufferage",
        "fpltf": "fpltf.DynamicFPLTF",
        "wqr": "wqr.WorkQueueWithReplication",
    },
)
"""Rules for machines without queues that let jobs wait, or replicate them."""
