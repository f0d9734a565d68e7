"""Grids under a broker: streams of jobs, what a decision costs by the number of sites, and a whole study.

``python grids.py STRATEGY SITES JOBS`` measures one cell and prints one line of JSON, ``python grids.py
study`` the two levels of the grid study.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING

from isolated import script

if TYPE_CHECKING:
    from echelon.model import Instance

SIZES = (32, 64, 64, 128, 128, 128, 256, 256)
"""Processors of the sites, over and over."""
LOAD = 0.7
STREAM_JOBS, STREAM_SITES = 1_000_000, 100
STREAMS = {"mpl": 200_000, "mct": 20_000}
"""Jobs a second, at least, by strategy, of the stream."""
DECISION_JOBS = 50_000
DECISIONS = ("random", "mpl", "lbal-w", "mct", "mst")
SITES = (2, 10, 100, 1000)
LIMIT = 120.0
STUDY_LIMIT = 600.0
STUDY_TARGET = "< 60 s on 2 cores"


@dataclass(frozen=True, slots=True)
class GridCell:
    """One strategy on one number of sites: jobs a second, or why there is no figure."""

    strategy: str
    sites: int
    jobs: int
    rate: float | None
    peak_mb: float | None
    reason: str = ""


def cells(*, quick: bool) -> list[GridCell]:
    """Measure all of them, each in a process of its own."""
    streams = [] if quick else [(name, STREAM_SITES, STREAM_JOBS) for name in STREAMS]
    decisions = [(name, m, DECISION_JOBS) for name in DECISIONS for m in (SITES[:2] if quick else SITES)]
    return [_cell(*what) for what in (*streams, *decisions)]


def _cell(strategy: str, sites: int, jobs: int) -> GridCell:
    print(f"{sites} sites, {strategy} ...", file=sys.stderr, flush=True)
    outcome = script("grids.py", strategy, str(sites), str(jobs), limit=LIMIT)
    if not outcome.found:
        return GridCell(strategy, sites, jobs, None, None, outcome.reason)
    rate = jobs / median(outcome.found["seconds"])
    return GridCell(strategy, sites, jobs, rate, outcome.found["peak_mb"])


@dataclass(frozen=True, slots=True)
class StudyCell:
    """The nine strategies of the grid study with both factors on Grid 1, or why there is no figure."""

    seconds: float | None
    runs: int = 0
    jobs: int = 0
    cores: int = 0
    reason: str = ""


def study(*, quick: bool) -> StudyCell | None:
    """Measure the two-level study on Grid 1, all 30 weeks, on all processors of this machine."""
    if quick:
        return None
    print("the grid study ...", file=sys.stderr, flush=True)
    outcome = script("grids.py", "study", limit=STUDY_LIMIT)
    return StudyCell(**outcome.found) if outcome.found else StudyCell(None, reason=outcome.reason)


def study_line(found: StudyCell | None) -> str:
    """Return the sentence on the study, empty if it was not measured."""
    if found is None:
        return ""
    what = "The grid study's two levels on Grid 1, nine strategies with a = 1 and 0.5"
    if found.seconds is None:
        return f"{what}: {found.reason or 'no figure'} (target {STUDY_TARGET}).\n"
    return (
        f"{what}, 30 weeks, the ten metrics of each: {found.runs} runs of {found.jobs:,} jobs in all in "
        f"{found.seconds:.0f} s on {found.cores} cores, kernels loaded and logs read (target "
        f"{STUDY_TARGET}).\n"
    )


def section(found: list[GridCell], whole: StudyCell | None = None) -> str:
    """Return the part of the page on grids."""
    streams = [cell for cell in found if cell.jobs == STREAM_JOBS]
    lines = [
        "## Grids under a broker\n",
        f"Sites with {', '.join(map(str, SIZES))} processors and so on, EASY at each; offered load {LOAD},",
        "planned times are run times. Drawn by `benchmarks/grids.py`.\n",
    ]
    if streams:
        lines += ["| strategy | sites | jobs | target | jobs/s | peak MB |", "|---|---|---|---|---|---|"]
        lines += [*map(_stream_row, streams), ""]
    sites = sorted({cell.sites for cell in found if cell.jobs == DECISION_JOBS})
    by_place = {(cell.strategy, cell.sites): cell for cell in found if cell.jobs == DECISION_JOBS}
    lines += [
        "Microseconds a job, all in all, by the number of sites:\n",
        f"| strategy | {' | '.join(map(str, sites))} |",
        f"|---|{'---|' * len(sites)}",
        *(
            f"| {name} | {' | '.join(_microseconds(by_place[name, m]) for m in sites)} |"
            for name in DECISIONS
        ),
    ]
    return "\n".join([*lines, *([f"\n{study_line(whole)}"] if whole else [])]).rstrip() + "\n"


def _stream_row(cell: GridCell) -> str:
    rate = cell.reason if cell.rate is None else f"{cell.rate:,.0f}"
    peak = "–" if cell.peak_mb is None else f"{cell.peak_mb:,.0f}"
    target = f"≥ {STREAMS[cell.strategy]:,} jobs/s"
    return f"| {cell.strategy} | {cell.sites} | {cell.jobs:,} | {target} | {rate} | {peak} |"


def _microseconds(cell: GridCell) -> str:
    return cell.reason if cell.rate is None else f"{1e6 / cell.rate:.1f}"


def stream(sites: int, jobs: int) -> Instance:
    """Return `jobs` jobs on a grid of `sites` sites; the same numbers give the same jobs.

    Sizes are powers of two from 1 to a quarter of the largest site, each as likely; run times are lognormal
    with median 400 s and sigma 1.5; arrivals are Poisson, scaled so that the offered load is `LOAD`.
    """
    import numpy as np

    from echelon.model import Instance, Platform, Workload

    rng = np.random.default_rng(1)
    platform = Platform.of_sizes(np.resize(SIZES, sites))
    size = 2 ** rng.integers(0, int(np.log2(platform.largest)) - 1, jobs)
    run_time = np.maximum(1, np.round(rng.lognormal(np.log(400.0), 1.5, jobs)))
    gaps = rng.exponential(1.0, jobs)
    span = (run_time * size).sum() / (platform.processors * LOAD)
    submit_time = np.floor(np.cumsum(gaps) * (span / gaps.sum()))
    workload = Workload.from_columns(submit_time=submit_time, run_time=run_time, processors=size)
    return Instance.of(workload, platform)


def run_study() -> StudyCell:
    """Run the two levels of the grid study on Grid 1 and return how long it took."""
    import os
    from time import perf_counter

    from echelon.libraries.calls import entry_of
    from echelon.reproduce.grid.setups import Laboratory
    from echelon.reproduce.grid.two_levels import two_levels
    from echelon.workloads import grid_workload

    grid = grid_workload("grid1")
    laboratory = Laboratory({"Grid 1": grid}, engine="compiled")
    for name in ("grid_by_sums", "grid_by_schedules", "machine"):
        entry_of(name).load()
    began = perf_counter()
    two_levels(laboratory, "Grid 1")
    seconds = perf_counter() - began
    jobs = len(grid.jobs) * (laboratory.runs // len(grid))
    return StudyCell(seconds, laboratory.runs, jobs, os.cpu_count() or 1)


def main() -> None:
    """Measure one cell, or the study."""
    if sys.argv[1:] == ["study"]:
        print(json.dumps(asdict(run_study())))
        return
    from measure import peak_megabytes, repeated

    from echelon.engine.compiled import simulate
    from echelon.engine.compiled.shapes import load_for
    from echelon.engine.contract import Scenario
    from echelon.engine.system_model import tree_of_sites
    from echelon.policies import broker_named, policy

    strategy, sites, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    scenario = Scenario(
        stream(sites, jobs), policy("easy"), system_model=tree_of_sites(broker_named(strategy))
    )
    load_for(scenario)
    seconds, _ = repeated(lambda: simulate(scenario))
    print(json.dumps({"seconds": seconds, "peak_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
