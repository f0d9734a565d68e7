"""A schedule on sites of all kinds, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from echelon.model import (
    Attempts,
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Holdings,
    Instance,
    Node,
    OwnerDelays,
    Platform,
    Processor,
    Schedule,
    SharedCluster,
    Site,
    SocialContract,
    TaskGroup,
    TaskPlaces,
    TimeSharedMachine,
    Workload,
    Workstation,
)

IDS = [11, 12, 13, 14, 15, 16]


def mixed_platform() -> Platform:
    """Return processors, nodes that draw power, a slow time-shared machine and two shared nodes."""
    core = Core(1e9, dynamic_power=5)
    nodes = Hardware((Cluster((Node((Processor((core, core), static_power=10),)),) * 2),))
    lab = SharedCluster((Workstation(),) * 2, SocialContract(mpl=2))
    sites = (
        Site("north/count", 5),
        Site("north/nodes", nodes),
        Site("south/desk", TimeSharedMachine(1, 0.5)),
        Site("south/lab", lab),
    )
    return Platform(sites, "mixed")


def mixed_schedule(*, copies: bool = False) -> Schedule:
    """Return six jobs, all submitted at 0; with copies, 13 also ran at "count" until it ended.

    ====  =====  =========  ========  ================================
    job   tasks  site       time, s   what else
    ====  =====  =========  ========  ================================
    11    4      count      0 to 100
    12    2      nodes      0 to 50   one core of each node
    13    1      desk       0 to 80   computed 40 s beside 14
    14    1      desk       0 to 80   computed 40 s beside 13
    15    2      lab        0 to 60   alone it had taken 40 s
    16    4      nodes      60 to 90  all cores
    ====  =====  =========  ========  ================================
    """
    platform = mixed_platform()
    alone = [100.0, 50.0, 20.0, 20.0, 40.0, 30.0]
    size, start = [4, 2, 1, 1, 2, 4], np.array([0.0, 0, 0, 0, 0, 60])
    end, site = np.array([100.0, 50, 80, 80, 60, 90]), np.array([0, 1, 2, 2, 3, 1])
    workload = Workload.from_columns(name="six", submit_time=[0] * 6, run_time=alone, processors=size)
    demands = Demands.of(tuple(Demand((TaskGroup(n, r * 1e9),)) for n, r in zip(size, alone, strict=True)))
    instance = replace(Instance.of(replace(workload, demands=demands), platform), run_time=end - start)
    recorded = None
    if copies:
        recorded = Attempts(
            6,
            job=np.array([0, 1, 2, 2, 3, 4, 5]),
            site=np.array([0, 1, 2, 0, 2, 3, 1]),
            start=np.array([0.0, 0, 0, 0, 0, 0, 60]),
            end=np.array([100.0, 50, 80, 80, 80, 60, 90]),
            reason=np.array([0, 0, 0, 3, 0, 0, 0], dtype=np.int8),
            copies=True,
            cpu_time=np.array([100.0, 50, 40, 80, 40, 60, 30]),
        )
    return Schedule(
        instance,
        start,
        site=site,
        end=end,
        recorded=recorded,
        cpu_time=np.array([np.nan, np.nan, 40, 40, np.nan, np.nan]),
        places=TaskPlaces(np.array([4, 4]), np.array([3, 3]), np.array([0, 1])),
        owner_delays=OwnerDelays(
            np.array([3, 3]), np.array([0, 1]), np.array([30.0, 0.0]), np.array([45.0, 0.0])
        ),
        holdings=_holdings(),
    )


def _holdings() -> Holdings:
    times = np.array([0.0, 0, 60, 60]), np.array([50.0, 50, 90, 90])
    return Holdings(
        job=np.array([1, 1, 5, 5]),
        group=np.zeros(4, dtype=np.int64),
        processor=np.array([0, 1, 0, 1]),
        tasks=np.array([1, 1, 2, 2]),
        first_core=np.array([0, 1, 2, 4, 6]),
        cores=np.array([0, 2, 0, 1, 2, 3]),
        start=times[0],
        begin=times[0].copy(),
        end=times[1],
        release=times[1].copy(),
        level=np.zeros(4, dtype=np.int64),
        speed=np.full(4, 1e9),
        bandwidth=np.zeros(4),
    )


def schedule_of_nodes() -> Schedule:
    """Return the jobs 12 and 16 on two sites with nodes, one a site: 12 in the first, 16 in the second."""
    core = Core(1e9, dynamic_power=5)
    nodes = Hardware((Cluster((Node((Processor((core,) * 4),)),)),))
    platform = Platform((Site("a", nodes), Site("b", nodes)), "grid of nodes")
    workload = Workload.from_columns(submit_time=[0, 0], run_time=[50, 30], processors=[2, 4])
    demands = Demands.of((Demand((TaskGroup(2, 50e9),)), Demand((TaskGroup(4, 30e9),))))
    instance = Instance.of(replace(workload, demands=demands), platform)
    start, end = np.array([0.0, 10.0]), np.array([50.0, 40.0])
    holdings = Holdings(
        job=np.array([0, 1]),
        group=np.zeros(2, dtype=np.int64),
        processor=np.array([0, 1]),
        tasks=np.array([2, 4]),
        first_core=np.array([0, 2, 6]),
        cores=np.array([0, 1, 4, 5, 6, 7]),
        start=start.copy(),
        begin=start.copy(),
        end=end.copy(),
        release=end.copy(),
        level=np.zeros(2, dtype=np.int64),
        speed=np.full(2, 1e9),
        bandwidth=np.zeros(2),
    )
    return Schedule(instance, start, site=np.array([0, 1]), end=end, holdings=holdings)
