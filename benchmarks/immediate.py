"""How long runs on time-shared machines take: ``python benchmarks/immediate.py``.

Prints the table of docs/explanation/time-shared-machines.md: a stream of jobs on machines of 1 to 4 cores
and four speeds, by who chooses and by the number of machines. Seconds are of the processor, not of the wall
clock, so that others on the machine count less.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import machine
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.contract import Scenario

JOBS = 100_000
SITES = (10, 100)
LOAD = 0.7
"""Work that comes over what all machines can do."""
MEAN = 60.0
"""Mean work of a job, in seconds at speed 1."""
CASES = (("random", "full"), ("mlp", "full"), ("wall-time", "full"), ("wqr", "full"), ("mlp", "log"))
"""Who chooses, and how much of a core jobs ask for."""


class Ran(NamedTuple):
    """The result of one run."""

    jobs: int
    seconds: float


def scenario(spec: str, cpu_use: str, sites: int, jobs: int) -> Scenario:
    """Return exponential jobs of one process that come by a Poisson process, of 50 applications."""
    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.rules import ImmediateRules
    from echelon.engine.system_model import tree_of_sites
    from echelon.model import Instance, Platform, Site, TimeSharedMachine, Workload
    from echelon.policies import broker_named, policy

    platform = Platform(
        tuple(Site(f"site-{k}", TimeSharedMachine(1 + k // 4 % 4, 0.5 ** (k % 4))) for k in range(sites))
    )
    capacity = sum(machine.processors * machine.speed for machine in platform.time_shared)
    rng = np.random.default_rng(0)
    work = rng.exponential(MEAN, jobs)
    workload = Workload.from_columns(
        submit_time=np.cumsum(rng.exponential(MEAN / (LOAD * capacity), jobs)),
        run_time=work,
        requested_time=2 * work,
        processors=np.ones(jobs, dtype=np.int64),
        average_cpu_time=work * rng.uniform(0.2, 1.0, jobs),
        executable=rng.integers(1, 50, jobs),
    )
    return Scenario(
        Instance.of(workload, platform),
        policy("fcfs"),
        system_model=tree_of_sites(broker_named(spec), rules=ImmediateRules(cpu_use=cpu_use)),  # type: ignore[arg-type]
    )


def ran(spec: str, cpu_use: str, sites: int, jobs: int) -> Ran:
    """Run it."""
    from echelon.engine.reference import simulate

    asked = scenario(spec, cpu_use, sites, jobs)
    began = process_time()
    schedule = simulate(asked)
    return Ran(len(schedule.start_time), process_time() - began)


def table(jobs: int) -> Iterable[str]:
    """Yield the table of jobs a second."""
    yield f"| who chooses | CPU use | {' | '.join(f'{sites} machines' for sites in SITES)} |"
    yield "|---|---|" + "---|" * len(SITES)
    for spec, cpu_use in CASES:
        found = [ran(spec, cpu_use, sites, jobs) for sites in SITES]
        yield f"| {spec} | {cpu_use} | {' | '.join(f'{run.jobs / run.seconds:,.0f}' for run in found)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=JOBS, help="of each run")
    options = parser.parse_args()
    print(machine.description())
    for line in table(options.jobs):
        print(line)


if __name__ == "__main__":
    main()
