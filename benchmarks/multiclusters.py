"""How long forecasts take on multiclusters of 200 nodes each: ``python benchmarks/multiclusters.py``.

Prints the tables of docs/explanation/time-shared-nodes.md: a prediction for a full cluster by the length of
its queue, and whole runs in which the broker compares forecasts of every cluster, by their number. Seconds
are of the processor, not of the wall clock, so that others on the machine count less.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import machine
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.forecasting.snapshot import Snapshot

NODES, MPL, RUNNING = 200, 4, 60
WAITING = (0, 5, 10, 20, 100)
CLUSTERS = (5, 20, 50)
JOBS_A_CLUSTER = 40
LOAD = 1.0
"""Dedicated node-seconds of all jobs over those that the nodes have while they are submitted."""
PICTURES = 10
KINDS: dict[str, dict[str, bool]] = {
    "roomy": {"crowded": False},
    "short of memory and links": {"crowded": True},
    "with a table of slowdowns": {"crowded": False, "table": True},
}


class Ran(NamedTuple):
    """The result of one run."""

    clusters: int
    jobs: int
    forecasts: int
    seconds: float


def snapshots(waiting: int, **kind: bool) -> list[Snapshot]:
    """Return snapshots of full clusters in which so many jobs wait before the one asked about."""
    from echelon.testing.snapshots import random_snapshot

    return [
        random_snapshot(seed, nodes=NODES, mpl=MPL, running=RUNNING, waiting=waiting + 1, **kind)
        for seed in range(PICTURES)
    ]


def microseconds(predict_queue: Callable[[Snapshot], Any], asked: list[Snapshot], turns: int) -> float:
    """Return the time of one queue prediction: that of the best turn over all snapshots."""
    return 1e6 * min(_seconds(predict_queue, asked) for _ in range(turns)) / len(asked)


def _seconds(predict_queue: Callable[[Snapshot], Any], asked: list[Snapshot]) -> float:
    began = process_time()
    for snapshot in asked:
        predict_queue(snapshot)
    return process_time() - began


def scenario(clusters: int, estimator: str, jobs: int | None = None) -> Scenario:
    """Return jobs of up to 128 nodes, a third of which talk, under TAT with this estimator."""
    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.system_model import tree_of_sites
    from echelon.model import Application, Applications, Instance, Workload
    from echelon.platforms import platform_named
    from echelon.policies import broker_named, estimator_named, policy
    from echelon.policies.global_queue.registry import global_queue, queue_limit

    whole = platform_named("multicluster-50x200")
    platform = replace(whole, sites=whole.sites[:clusters])
    rng, n_jobs = np.random.default_rng(1), JOBS_A_CLUSTER * clusters if jobs is None else jobs
    size = 2 ** rng.integers(0, 8, n_jobs)
    run_time = rng.lognormal(7, 1, n_jobs).clip(60, 2e4).round()
    span = (size * run_time).sum() / (clusters * NODES) / LOAD
    catalog = (
        Application("computes", 1.0, 2.0**27),
        Application("mixed", 0.8, 2.0**28, 2e6),
        Application("talks", 0.5, 2.0**27, 2e7),
    )
    workload = replace(
        Workload.from_columns(
            submit_time=np.sort(rng.uniform(0, span, n_jobs)).round(), run_time=run_time, processors=size
        ),
        applications=Applications(catalog, rng.integers(0, len(catalog), n_jobs)),
    )
    return Scenario(
        Instance.of(workload, platform),
        policy("fcfs"),
        system_model=tree_of_sites(
            broker_named("tat"), rules=MulticlusterRules(global_queue("fcfs"), queue_limit("unlimited"))
        ),
        estimator=estimator_named(estimator),
    )


def ran(clusters: int, estimator: str = "corrected:of=sdpn", jobs: int | None = None) -> Ran:
    """Run it with the projections in kernels."""
    from echelon.engine.compiled.multicluster.simulate import simulate

    asked = scenario(clusters, estimator, jobs)
    began = process_time()
    schedule = simulate(asked)
    seconds = process_time() - began
    return Ran(clusters, len(schedule.start_time), int(schedule.counts["forecasts"]), seconds)


def by_queue() -> Iterable[str]:
    """Yield the table of projections."""
    from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled
    from echelon.engine.multicluster.forecasting.queue_prediction import predict_queue

    yield "| waiting | " + " | ".join(KINDS) + " | roomy, in Python |"
    yield "|---|" + "---|" * (len(KINDS) + 1)
    for waiting in WAITING:
        asked = [snapshots(waiting, **kind) for kind in KINDS.values()]
        figures = [microseconds(predict_queue_compiled, each, 50) for each in asked]
        figures.append(microseconds(predict_queue, asked[0], 1))
        yield f"| {waiting} | " + " | ".join(f"{figure:,.0f}" for figure in figures) + " |"


def by_clusters(most: int) -> Iterable[str]:
    """Yield the table of runs."""
    yield "| clusters | jobs | processor seconds | ms a job | µs a forecast |"
    yield "|---|---|---|---|---|"
    for clusters in CLUSTERS:
        if clusters <= most:
            found = ran(clusters)
            each, asked = 1e3 * found.seconds / found.jobs, 1e6 * found.seconds / found.forecasts
            yield f"| {clusters} | {found.jobs:,} | {found.seconds:.1f} | {each:.1f} | {asked:.0f} |"


def main() -> None:
    """Print both tables."""
    from echelon.libraries.calls import entry_of

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=max(CLUSTERS), help="of the clusters of the runs")
    parser.add_argument("--jobs", type=int, help="one run of so many jobs on 50 clusters, and nothing else")
    options = parser.parse_args()
    entry_of("projection").load()
    print(machine.description())
    if options.jobs:
        found = ran(max(CLUSTERS), jobs=options.jobs)
        print(f"{found.jobs:,} jobs, {found.forecasts:,} forecasts, {found.seconds:.0f} processor seconds")
        return
    for line in (*by_queue(), "", *by_clusters(options.most)):
        print(line)


if __name__ == "__main__":
    main()
