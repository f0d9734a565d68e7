"""What the report on the thesis draws: runs by core, as its figures do, and the global experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.irmasim.data import INCREASE
from echelon.reproduce.irmasim.setups import TRACES
from echelon.reproduce.machinery.picture import Curves, Gantt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reproduce.irmasim.experiments import Evidence, Experiments, GlobalExperiment
    from echelon.reproduce.irmasim.observed_run import ObservedRun
    from echelon.reproduce.machinery.picture import Picture

_FIRST_JOB_IN = {"E1a": 0, "E1b": 1}
"""The node in which the thesis' run has job 1; of the runs at random one like it is drawn."""


def pictures(evidence: Evidence) -> list[Picture]:
    """Return all pictures, those by core in the thesis' order."""
    return [*_by_core(evidence.small), *_sizes(evidence.whole)]


def _by_core(experiments: Experiments) -> Iterator[Gantt]:
    for name in ("E1a", "E1b"):
        yield _gantt(name, TRACES[name].figure, choose_drawn(experiments.random[name], _FIRST_JOB_IN[name]))
    yield _gantt("E1c", "first come first served", experiments.random["E1c"][0])
    yield _gantt("E1c smallest first", TRACES["E1c"].figure, experiments.random["E1c smallest first"][0])
    for name, run in experiments.runs.items():
        yield _gantt(name, TRACES[name].figure if name in TRACES else "without contention", run)


def choose_drawn(runs: list[ObservedRun], node: int) -> ObservedRun:
    """Return the first run with job 1 in this node; if there is none, the first."""
    return next((run for run in runs if run.nodes(1) == (node,)), runs[0])


def _gantt(name: str, figure: str, run: ObservedRun) -> Gantt:
    title = TRACES.get(name, TRACES[name.split()[0]]).title
    return Gantt(f"cores-{name.lower().replace(' ', '-')}", f"{name}, {title.lower()}: {figure}", run.result)


def _sizes(whole: GlobalExperiment) -> Iterator[Curves]:
    shares = sorted(whole.by_share)
    means = [float(whole.by_share[share].longer.mean()) for share in shares]
    yield Curves(
        "global-by-compute-share",
        "The global experiment on our mixes: increase of the makespan by contention",
        "compute share of MPI jobs",
        "longer makespan, %",
        shares,
        {"mean over seeds": means, "the thesis' one run": [float(INCREASE)] * len(shares)},
    )
