"""Speed: how long a study of estimators and a large multicluster take, and what a decision costs."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from echelon.platforms import read_platform
from echelon.reproduce.machinery.listing import Listing, listing
from echelon.reproduce.multicluster.accuracy import SPECS, Times, setup_of
from echelon.reproduce.multicluster.evidence import SIX
from echelon.reproduce.multicluster.setups import LARGE, Setup, part_of, simulate_setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from echelon.experiments import Result
    from echelon.reproduce.machinery.experiments import Step
    from echelon.reproduce.machinery.listing import Row

JOBS = 20_000
CLUSTERS = (2, 5, 10, 20, 50)
JOBS_A_CLUSTER = 40
LOADS = (0.5, 2.0, 8.0)
JOBS_IN_QUEUES = 1_000
"""Of each of two clusters, by load: with more than about 400 at once some wait."""
NODE_SECONDS = 166.6
"""Mean nodes x seconds of an application on dedicated nodes."""


def gap_for(nodes: int, load: float) -> float:
    """Return the mean seconds between arrivals that keep so many nodes busy at this load."""
    return NODE_SECONDS / (nodes * load)


def large_setup(clusters: int, jobs: int, load: float) -> Setup:
    """Return a run on the first clusters of the large preset: TAT by corrected SDPN."""
    name = part_of(LARGE, clusters)
    return Setup(name, jobs=jobs, gap=gap_for(200 * clusters, load), estimator="corrected")


def time_setup(setup: Setup) -> tuple[Result, float]:
    """Run a setup, and return the wall-clock seconds that took, kernels being there."""
    began = perf_counter()
    result = simulate_setup(setup, 0)
    return result, perf_counter() - began


@listing(
    "six",
    "Six estimators asked about every job, one cluster of 16 nodes",
    ("Load", "Jobs", "Seconds", *(f"{name}, ms" for name in SIX)),
    "Milliseconds are means of one forecast.",
)
def six_listing(jobs: int) -> Iterator[Row]:
    """Return how long one run of E1 takes with all six estimators, by load."""
    for load in ("dedicated", "shared", "high load"):
        setup = setup_of(load, jobs)._replace(watch=tuple(SPECS[name] for name in SIX[1:]))
        result, seconds = time_setup(setup)
        means = (1000 * float(np.nanmean(forecast.seconds)) for forecast in result.schedule.forecasts)
        yield (load, float(jobs), seconds, *means)


@listing(
    "decisions",
    "TAT by corrected SDPN on clusters of 200 nodes: cost of a decision",
    ("Clusters", "Jobs", "Load", "Seconds", "ms a job", "Forecasts a job", "Mean wait, s", "In queue"),
    "Load is the work on dedicated nodes that arrives over what the nodes can do. In queue: the mean of "
    "one cluster, by Little's law.",
)
def decisions_listing(
    clusters: tuple[int, ...] = CLUSTERS,
    loads: tuple[float, ...] = LOADS,
    *,
    jobs_in_queues: int = JOBS_IN_QUEUES,
    jobs: int | None = JOBS,
) -> Iterable[Row]:
    """Return the cost of TAT's decisions by clusters, by load, and of one large run if `jobs` says so."""
    cases = [(count, JOBS_A_CLUSTER * count, 1.0) for count in clusters]
    cases += [(2, 2 * jobs_in_queues, load) for load in loads]
    if jobs:
        cases.append((len(read_platform(LARGE)), jobs, 1.0))
    return (_decision_row(*case) for case in cases)


def _decision_row(clusters: int, jobs: int, load: float) -> Row:
    result, seconds = time_setup(large_setup(clusters, jobs, load))
    schedule = result.schedule
    wait = Times.of(schedule).wait
    lasted = float(schedule.start_time.max() - schedule.instance.submit_time.min())
    return (
        str(clusters),
        float(jobs),
        load,
        seconds,
        1000 * seconds / jobs,
        schedule.counts["forecasts"] / jobs,
        float(wait.mean()),
        float(wait.sum()) / max(lasted, 1e-9) / clusters,
    )


def speed_listings(step: Step | None = None, *, quick: bool = False) -> list[Listing]:
    """Return what is timed; quick: a small part."""
    simulate_setup(large_setup(2, 10, 1.0), 0)
    if step:
        step("six estimators")
    six = six_listing(100 if quick else 700)
    if step:
        step("TAT on clusters of 200 nodes")
    if quick:
        return [six, decisions_listing((2, 5), (1.0,), jobs_in_queues=100, jobs=None)]
    return [six, decisions_listing()]
