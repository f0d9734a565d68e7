"""Setups: what is simulated on a multicluster, in which world jobs run there, and what is measured of it.

`fit` tells where the numbers of a world, which estimators do not know, are from.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.execution import format_time_shared
from echelon.execution.time_shared import TimeShared
from echelon.experiments.simulation import run_scenario
from echelon.model import Instance, Platform, SharedCluster, Site, SocialContract, Workstation
from echelon.model.schedules.features import there
from echelon.platforms import read_platform
from echelon.policies import broker_named, estimator_named, policy_named
from echelon.policies.coallocation import co_allocation_named
from echelon.policies.estimators.forecast import ForecastingEstimator
from echelon.policies.global_queue import global_queue, queue_limit
from echelon.reproduce.machinery.experiments import measure_by_seed
from echelon.reproduce.multicluster.evidence import MEASURES
from echelon.workloads import read_workload
from echelon.workloads.local_users import local_users_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments import Result
    from echelon.experiments.processes import Processes
    from echelon.model import Applications, Experience, Workload
    from echelon.policies.coallocation import CoAllocation
    from echelon.reproduce.machinery.experiments import FloatTable, Progress

BURST = 20.0
"""Mean length of the spells in which an owner is busy, in s; ours, as the thesis gives none."""

PERIOD = 60.0
"""Owners that move are at other nodes after so many seconds; ours, as the thesis gives none."""

E1_DECISIONS = {"dedicated": 3.48, "shared": 8.95, "high load": 9.05}
"""Seconds that SDPN took for one prediction under each load of E1 (table 3.11)."""

DECISION = 9.0
"""Seconds that a choice by prediction takes where nodes are shared (table 3.11: 8.95 and 9.05)."""


class World(NamedTuple):
    """How fast jobs run, what contracts allow, how long predictions take, and what a limit of a queue counts.

    Attributes
    ----------
    name : str
        For tables.
    execution : TimeShared
        How fast jobs run.
    contract : float
        Share of a node's memory that parallel tasks may hold together.
    decides : bool
        Whether a choice by prediction takes the seconds of table 3.11 and not none.
    held : bool
        Whether the limit of a queue counts the jobs that run in the cluster, too.
    """

    name: str
    execution: TimeShared
    contract: float
    decides: bool
    held: bool

    @property
    def spec(self) -> str:
        """How fast jobs run, as the spec for ``--execution``."""
        return format_time_shared(self.execution)


FITTED = World(
    "fitted to all its printed values",
    TimeShared(cpu="use", interference=0.4, noise=0.0125, profile=0.31, owners=2.25),
    contract=1.0,
    decides=True,
    held=True,
)
"""The world of the study."""

ONE_SLOPE = World(
    "set by one slope", TimeShared(interference=6.0, noise=0.0125), contract=0.65, decides=False, held=False
)
"""The world of earlier versions: interference so that SDPN's slope of run times under sharing is 0.23."""

BARE = World("as SDPN believes", TimeShared(), contract=0.65, decides=False, held=False)
"""One in which jobs run by the equations of SDPN."""


Case = TypeVar("Case")

LARGE = "multicluster-50x200"
PREDICTIVE = ("tat", "ptt")
"""Brokers that ask for a forecast of each cluster."""

UNEQUAL = "16 unequal nodes"
"""A cluster of ours, on which compute power and links tell estimators apart."""


class Setup(NamedTuple):
    """One setup on one platform, to be run with several seeds.

    Attributes
    ----------
    platform : str
        What `platform_of` takes.
    jobs, gap : int, float
        NAS applications drawn at random, and the mean seconds between their arrivals.
    most_tasks : int
        Applications with more tasks are left out.
    queue : int
        The number of the queue that jobs are submitted to, for estimators by history.
    broker, estimator, policy, global_queue, limit, co_allocate, owners : str
        Words of ``echelon run``.
    two_phase : bool
        Whether waiting jobs may be co-allocated.
    world : World
        In which jobs run.
    decision : float, optional
        Seconds for each choice of a cluster; default: as the world has it for brokers that predict.
    watch : tuple of str
        Further estimators that are asked.
    """

    platform: str
    jobs: int = 60
    gap: float = 6.0
    most_tasks: int = 8
    queue: int = 2
    broker: str = "tat"
    estimator: str = "sdpn"
    policy: str = "fcfs"
    global_queue: str = "fcfs"
    limit: str = "unlimited"
    co_allocate: str = "none"
    two_phase: bool = False
    owners: str = "none"
    world: World = FITTED
    decision: float | None = None
    watch: tuple[str, ...] = ()


def owners_spec(
    percent: int, *, spread: Literal["uniform", "grouped"] = "uniform", moving: bool = False
) -> str:
    """Return the spec of the thesis' owners at so many nodes, fixed ones or redrawn each `PERIOD`."""
    if not percent:
        return "none"
    spec = f"xwin-internet:share={percent / 100:g}:spread={spread}:burst={BURST:g}"
    return f"{spec}:period={PERIOD:g}" if moving else spec


def simulate_setup(
    setup: Setup, seed: int, past: Sequence[Experience] = (), *, co_allocation: CoAllocation | None = None
) -> Result:
    """Run a setup with one seed: of its jobs, owners and noise; parameters as of `scenario_of`."""
    return run_scenario(scenario_of(setup, seed, past, co_allocation=co_allocation))


def scenario_of(
    setup: Setup, seed: int, past: Sequence[Experience] = (), *, co_allocation: CoAllocation | None = None
) -> Scenario:
    """Return what is run of a setup: the seed draws jobs, owners and noise; estimators know `past` before.

    A co-allocation replaces the one that the setup names.
    """
    rules = MulticlusterRules(
        global_queue=global_queue(setup.global_queue),
        limit=queue_limit(limit_of(setup)),
        co_allocation=co_allocation or co_allocation_named(setup.co_allocate),
        two_phase=setup.two_phase,
        local_users=local_users_named(setup.owners),
        execution=setup.world.execution,
        watched=tuple(map(_forecasting_estimator, setup.watch)),
        past=past,
        decision_time=decision_of(setup),
    )
    # Jobs too large for every cluster are there for a co-allocation alone.
    spanning = rules.co_allocation is not None
    platform = platform_of(setup.platform, setup.world.contract)
    instance = Instance.of(jobs_of(setup, seed), platform, spanning=spanning)
    return Scenario(
        instance,
        policy_named(setup.policy),
        seed=seed,
        estimator=estimator_named(setup.estimator),
        system_model=tree_of_sites(broker_named(setup.broker), rules=rules),
    )


def decision_of(setup: Setup) -> float:
    """Return the seconds that each choice of a cluster takes; those that do not predict take none."""
    if setup.decision is not None:
        return setup.decision
    predicts = setup.broker.partition(":")[0] in PREDICTIVE
    return DECISION if setup.world.decides and predicts else 0.0


def limit_of(setup: Setup) -> str:
    """Return the specification of the limit of the local queues, by what it counts in this world."""
    if setup.limit.startswith("waiting:"):
        return setup.limit.removeprefix("waiting:")
    counts = setup.world.held and setup.limit.isdecimal() and setup.limit != "0"
    return f"held:{setup.limit}" if counts else setup.limit


def _forecasting_estimator(spec: str) -> ForecastingEstimator:
    estimator = estimator_named(spec)
    assert isinstance(estimator, ForecastingEstimator)
    return estimator


@cache
def platform_of(name: str, contract: float | None = None) -> Platform:
    """Return a preset, `UNEQUAL`, or what `part_of` names; tasks may hold the share `contract` of memory."""
    if name == UNEQUAL:
        platform = unequal_cluster()
    else:
        whole, _, count = name.partition(" to ")
        platform = read_platform(whole)
        platform = Platform(platform.sites[: int(count)], name) if count else platform
    return platform if contract is None else _allow_memory(platform, contract)


def _allow_memory(platform: Platform, memory: float) -> Platform:
    sites = [
        Site(name, replace(cluster, contract=replace(cluster.contract, memory=memory)))
        for name, cluster in zip(platform.names, platform.clusters, strict=True)
    ]
    return Platform(tuple(sites), platform.name)


def part_of(preset: str, clusters: int) -> str:
    """Return the name of the platform of the first clusters of a preset."""
    return f"{preset} to {clusters}"


def unequal_cluster() -> Platform:
    """Return 16 nodes of which half have half the power and a tenth of the bandwidth of the others."""
    fast = Workstation(memory=1e9, bandwidth=125e6)
    slow = Workstation(power=0.5, memory=1e9, bandwidth=12.5e6)
    contract = SocialContract(mpl=4, memory=0.65)
    return Platform((Site("cluster", SharedCluster((fast,) * 8 + (slow,) * 8, contract)),), UNEQUAL)


def jobs_of(setup: Setup, seed: int) -> Workload:
    """Return the jobs of a setup: those of a seed are the same whatever decides on them."""
    workload = _draw_jobs(setup.jobs, setup.gap, setup.most_tasks, seed)
    return workload.with_columns(queue=np.full(len(workload), setup.queue))


@cache
def _draw_jobs(jobs: int, gap: float, most_tasks: int, seed: int) -> Workload:
    return read_workload(f"nas:jobs={jobs},gap={gap:g},machine={most_tasks},seed={seed}")


def applications_of(instance: Instance) -> Applications:
    """Return the application of every job of a setup's run, in order."""
    return there(instance.workload.applications).take(instance.kept)


def measures_of(result: Result) -> list[float]:
    """Return `MEASURES` of a run; nan for those it does not have."""
    metrics = result.metrics
    return [float(metrics.get(name, np.nan)) for name in MEASURES]


def measure_setups(
    setups: Mapping[Case, Setup], seeds: int, processes: Processes, progress: Progress | None = None
) -> dict[Case, FloatTable]:
    """Return `MEASURES` of every setup by seed, shape (n_seeds, 6)."""
    return measure_by_seed(setups, seeds, _measure_setup, processes, progress=progress)


def _measure_setup(setup: Setup, seed: int) -> list[float]:
    return measures_of(simulate_setup(setup, seed))
