"""What it costs that jobs wait for others to end: ``python benchmarks/dependencies.py``.

Prints the table of docs/explanation/engines.md: 100,000 jobs of the Lublin model on 256 processors, none of
which waits, or some for others drawn from a seed, without think times. What is timed is the simulation alone,
from `Instance` to `Schedule`, in processor time: the median of some runs, the reference engine once, on the
first jobs only.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

import machine
import numpy as np

import echelon as ec
from echelon.engine import compiled, reference
from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.testing.dependent_jobs import with_edges

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model import Schedule

    Engine = Callable[[Scenario], Schedule]

PROCESSORS = 256
REACH, CHAINS = 1000, 100
"""Jobs before a job among which those are that it waits for; chains that go side by side."""


def waiting(instance: Instance, kind: str) -> Instance:
    """Return `instance` with dependencies of a kind."""
    rng, job = np.random.default_rng(1), np.arange(len(instance))
    if kind == "chains":
        return with_edges(instance, job[:-CHAINS], job[CHAINS:])
    share, edges = {"no job": (0.0, 1), "one in ten": (0.1, 1), "every job, for three": (1.0, 3)}[kind]
    after = np.repeat(job[1:][rng.random(len(job) - 1) < share], edges)
    before = after - 1 - (rng.random(len(after)) * np.minimum(after, REACH)).astype(np.int64)
    return with_edges(instance, before, after)


def rate(engine: Engine, instance: Instance, spec: str, runs: int) -> float:
    """Return jobs a second of processor time."""
    scenario, seconds = Scenario(instance, policy(spec)), []
    for _ in range(runs):
        began = process_time()
        engine(scenario)
        seconds.append(process_time() - began)
    return len(instance) / median(seconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--few", type=int, default=20_000, help="jobs for the reference engine")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    whole = Instance.of(ec.generate("lublin", options.jobs, processors=PROCESSORS, seed=1), PROCESSORS)
    few = Instance.of(ec.generate("lublin", options.few, processors=PROCESSORS, seed=1), PROCESSORS)
    print(f"Measured on: {machine.description()}; {machine.busy():.1f} processes running.\n")
    print("| which jobs wait | `easy`, jobs/s | `conservative`, jobs/s | `easy`, reference engine, jobs/s |")
    print("| --- | --- | --- | --- |")
    for kind in ("no job", "one in ten", "chains", "every job, for three"):
        instance, reduced = waiting(whole, kind), waiting(few, kind)
        rate(compiled.simulate, reduced, "easy", 1)  # kernels are loaded
        figures = (
            *(rate(compiled.simulate, instance, spec, options.runs) for spec in ("easy", "conservative")),
            rate(reference.simulate, reduced, "easy", 1),
        )
        print(f"| {kind} | {' | '.join(f'{figure:,.0f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
