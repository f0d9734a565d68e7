"""The workloads that are measured: real logs, and two generated ones that any machine can make.

This module imports no heavy library when loaded: the program that starts the measurements must stay
small, because a child process counts its parent's memory as its own peak.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Workload


@dataclass(frozen=True, slots=True)
class Generated:
    """How a generated trace is drawn; see `generate`."""

    jobs: int
    offered_load: float
    seed: int


@dataclass(frozen=True, slots=True)
class Trace:
    """One workload and the machine it runs on: `source` is a data set's name, or how to generate it."""

    name: str
    title: str
    processors: int
    source: str | Generated
    quick: bool = False  # whether `--quick` measures it


TRACES = (
    Trace("kth-sp2", "KTH-SP2", 100, "kth-sp2", quick=True),
    Trace("sdsc-sp2", "SDSC-SP2", 128, "sdsc-sp2", quick=True),
    Trace("hpc2n", "HPC2N", 240, "hpc2n"),
    Trace("sdsc-blue", "SDSC-BLUE", 1152, "sdsc-blue"),
    Trace("ricc", "RICC", 8192, "ricc"),
    Trace("million", "generated", 256, Generated(1_000_000, 0.8, seed=1)),
    Trace("overloaded", "overloaded", 256, Generated(20_000, 1.3, seed=2), quick=True),
)

MEDIAN_RUN_TIME = 400.0
"""Of a generated job, in seconds."""
RUN_TIME_SIGMA = 1.5
"""Spread of the logarithm of run times: 95 % lie between 20 s and 2 hours."""
MOST_REQUESTED = 5.0
"""A job requests 1 to so many times its run time."""


def generate(how: Generated, processors: int) -> Workload:
    """Return `how.jobs` jobs that offer `how.offered_load` to a machine of `processors` processors.

    Sizes are powers of two from 1 to a quarter of the machine, each as likely. Run times are lognormal,
    in whole seconds, at least 1. Requested times are the run time times a factor drawn uniformly from
    1 to `MOST_REQUESTED`. Arrivals are Poisson: exponential gaps, scaled as a whole so that the sum of
    run time x size is exactly the offered load times what the machine can do until the last arrival,
    then cut to whole seconds. All four are independent. The same seed gives the same jobs.
    """
    import numpy as np

    from echelon.model import Workload

    rng = np.random.default_rng(how.seed)
    size = 2 ** rng.integers(0, int(np.log2(processors)) - 1, how.jobs)
    run_time = np.maximum(1, np.round(rng.lognormal(np.log(MEDIAN_RUN_TIME), RUN_TIME_SIGMA, how.jobs)))
    requested = np.ceil(run_time * rng.uniform(1, MOST_REQUESTED, how.jobs))
    gaps = rng.exponential(1.0, how.jobs)
    span = (run_time * size).sum() / (processors * how.offered_load)
    submit_time = np.floor(np.cumsum(gaps) * (span / gaps.sum()))
    return Workload.from_columns(
        submit_time=submit_time,
        run_time=run_time,
        requested_time=requested,
        processors=size,
        allocated_processors=size,
    )


def main(task: str, name: str, path: str = "") -> None:
    """Write the generated trace `name` to `path`, or find the data set `name`; print its path as JSON."""
    if task == "write":
        from echelon.workloads import write_workload

        trace = next(trace for trace in TRACES if trace.name == name)
        assert isinstance(trace.source, Generated)
        write_workload(generate(trace.source, trace.processors), Path(path))
        print(json.dumps({"path": path}))
    else:
        from echelon.workloads import find

        found = find(name)
        print(json.dumps({"path": None if found is None else str(found)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
