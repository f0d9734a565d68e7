"""Setups: what is run in one repetition of the SINAPAD study, and what is measured of it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from echelon.experiments.scenario import scenario_of
from echelon.experiments.simulation import run_scenario
from echelon.model import Platform
from echelon.model.streams import stream
from echelon.platforms import read_platform
from echelon.reproduce.machinery.experiments import measure_by_seed
from echelon.workloads import read_workload

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import TypeVar

    from numpy.typing import NDArray

    from echelon.experiments.processes import Processes
    from echelon.model import Schedule, Workload
    from echelon.reproduce.machinery.experiments import FloatTable, Progress

    Case = TypeVar("Case", bound=Hashable)

Listed: TypeAlias = Literal["any", "fastest first", "slowest first"]
"""The order in which a metascheduler learns of the machines, which decides ties.

The study does not say in which OpenBus lists its components: ``any`` is another one in every repetition.
"""

SCENARIOS: Mapping[str, str] = {
    "RH": "none",
    "RBU": "low",
    "RBD": "low",
    "RBE": "low",
    "RAU": "high",
    "RAB": "high",
    "RAD": "high",
    "RAE": "high",
}
"""The rows of Table 1 with their heterogeneity; the second one that is named RBE is RAE here."""

SIMULTANEOUS, INTERLEAVED = "simultaneous", "every 20 s"
MODES: Mapping[str, float] = {SIMULTANEOUS: 0.0, INTERLEAVED: 20.0}
"""How jobs are submitted, and the seconds between them."""

POLICIES: Mapping[str, tuple[str, float]] = {
    "Random": ("random", 0.320),
    "CPULoad": ("cpu-load", 0.315),
    "Lottery": ("lottery", 0.372),
    "LotteryWithLoad": ("lottery-load", 0.831),
    "WallTime": ("wall-time", 0.774),
}
"""The five policies by short names: our spec, and the seconds that a decision took (Table 2)."""

SLOWEST = max(seconds for _, seconds in POLICIES.values())
"""Seconds of a decision that all policies are slowed down to where jobs are submitted at once."""

BASELINES: Mapping[str, str] = {
    "MET": "met",
    "OLB": "olb",
    "MCT": "mct",
    "Min-Min": "min-min",
    "Max-Min": "max-min",
    "Sufferage": "sufferage",
    "FPLTF": "fpltf",
    "WQR": "wqr",
}
"""What the study cites and does not run, by our specs."""

MEASURES = (
    "mean_execution",
    "std_execution",
    "mean_turnaround",
    "makespan",
    "replicated_share",
    "to_slowest",
)
EXECUTION, DEVIATION, TURNAROUND, MAKESPAN, REPLICATED, TO_SLOWEST = range(len(MEASURES))
"""Columns of what is measured of a run, times in seconds; the last is the share of jobs on machines of the
least speed that there is."""


class Setup(NamedTuple):
    """One case, but for the seed."""

    scenario: str
    interval: float
    broker: str
    decision: float = 0.0
    jobs: str = ""
    cpu_use: str = "full"
    monitoring: str = "linear"
    experience: str = "warm"
    listed: Listed = "any"


def study_setup(scenario: str, mode: str, policy: str) -> Setup:
    """Return a case of the study: equal decision times for jobs that come at once, else each policy's own."""
    spec, own = POLICIES[policy]
    return Setup(scenario, MODES[mode], spec, SLOWEST if mode == SIMULTANEOUS else own)


@cache
def preset(scenario: str) -> Platform:
    """Return the machines of a scenario, the fastest first."""
    return read_platform(f"sinapad-{scenario.lower()}")


def platform_of(scenario: str, listed: Listed, seed: int) -> Platform:
    """Return the machines of a scenario in the order in which a metascheduler learns of them."""
    platform = preset(scenario)
    order = np.arange(len(platform))
    if listed == "any":
        order = stream(seed, "sinapad/listed").permutation(len(platform))
    elif listed == "slowest first":
        order = order[::-1]
    return Platform(tuple(platform.sites[place] for place in order.tolist()), platform.name, platform.source)


def jobs_of(setup: Setup, seed: int) -> Workload:
    """Return the jobs of a setup: those of a seed are the same under every policy."""
    return _draw_jobs(f"sinapad:interval={setup.interval:g}:seed={seed}{setup.jobs}")


@lru_cache(maxsize=1000)
def _draw_jobs(spec: str) -> Workload:
    """Return the jobs of this spec: to draw them takes a quarter of the time of a run."""
    return read_workload(spec)


def schedule_of(setup: Setup, seed: int) -> Schedule:
    """Return what one repetition gives; the seed draws jobs, machines' order, phases and lots."""
    scenario = scenario_of(
        jobs_of(setup, seed),
        platform=platform_of(setup.scenario, setup.listed, seed),
        broker=setup.broker,
        decision_time=setup.decision,
        monitoring=setup.monitoring,
        experience=setup.experience,
        cpu_use=setup.cpu_use,
        seed=seed,
    )
    return run_scenario(scenario, engine="reference").schedule


def measures_of(schedule: Schedule) -> list[float]:
    """Return `MEASURES` of a run: as `echelon.metrics` has them, without all the others."""
    took, submit = schedule.end_time - schedule.start_time, schedule.instance.submit_time
    return [
        float(took.mean()),
        float(took.std()),
        float((schedule.end_time - submit).mean()),
        float(schedule.end_time.max() - submit.min()),
        _replication_of(schedule),
        _share_to_slowest(schedule),
    ]


def _speeds(platform: Platform) -> NDArray[np.float64]:
    return np.array([machine.speed for machine in platform.time_shared])


def _share_to_slowest(schedule: Schedule) -> float:
    sites, platform = schedule.site, schedule.instance.platform
    if sites is None or platform is None:
        return float("nan")
    speed = _speeds(platform)
    return float((speed[sites] == speed.min()).mean())


def _replication_of(schedule: Schedule) -> float:
    copies, platform = schedule.attempts, schedule.instance.platform
    if copies.cpu_time is None or platform is None:
        return 0.0
    speed = _speeds(platform)
    work = copies.cpu_time * speed[copies.site] * schedule.instance.size[copies.job]
    return float(work[~copies.finished].sum() / work.sum())


def measure_setups(
    setups: Mapping[Case, Setup], seeds: int, processes: Processes, progress: Progress | None = None
) -> dict[Case, FloatTable]:
    """Return `MEASURES` of every setup by seed, shape (n_seeds, 6).

    All setups of a seed meet the same jobs, phases and lots (common random numbers).
    """
    return measure_by_seed(setups, seeds, _measure_setup, processes, progress=progress, tasks_a_setup=4)


def _measure_setup(setup: Setup, seed: int) -> list[float]:
    return measures_of(schedule_of(setup, seed))
