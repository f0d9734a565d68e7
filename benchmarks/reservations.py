"""What reservations cost: ``python benchmarks/reservations.py``.

Conservative backfilling in the compiled engine: logs, and generated workloads that offer a machine more than
it can do, so that the more jobs there are, the longer is the queue. What is timed is the simulation alone,
from `Instance` to `Schedule`, in processor time: the least of some runs. Beside it stands what is counted, by
job: waiting jobs examined, and boundaries of the availability profile read or changed.
"""

from __future__ import annotations

import argparse
from time import process_time

import machine
from traces import TRACES, Generated, generate

from echelon.engine.compiled import simulate
from echelon.engine.contract import Scenario
from echelon.model import Instance
from echelon.policies import policy
from echelon.workloads import find, read_workload

LOGS = ("kth-sp2", "sdsc-sp2", "hpc2n", "sdsc-blue", "ricc")
OVERLOADED = (2_500, 5_000, 10_000, 20_000)
"""Jobs of the overloaded workloads: each queue is about twice as long as the one before."""


def row(title: str, instance: Instance, runs: int) -> str:
    """Return the row of a workload."""
    scenario, seconds = Scenario(instance, policy("conservative")), []
    for _ in range(runs):
        began = process_time()
        counts = simulate(scenario).counts
        seconds.append(process_time() - began)
        if seconds[0] > 10:
            break
    jobs = len(instance)
    examined, segments = (counts[name] / jobs for name in ("examined", "segments"))
    return f"| {title} | {jobs:,} | {jobs / min(seconds):,.0f} | {examined:,.1f} | {segments:,.1f} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small logs and short queues only")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    traces = {trace.name: trace for trace in TRACES}
    # What only a first run does is not timed.
    simulate(Scenario(Instance.of(generate(Generated(100, 1.3, seed=2), 256), 256), policy("conservative")))
    print(f"Measured on: {machine.description()}; {machine.busy():.1f} processes running.\n")
    print("| workload | jobs | jobs/s | examined a job | boundaries a job |")
    print("| --- | --- | --- | --- | --- |")
    for jobs in OVERLOADED[:2] if options.quick else OVERLOADED:
        how = Generated(jobs, 1.3, seed=2)
        print(row("overloaded", Instance.of(generate(how, 256), 256), options.runs), flush=True)
    for name in LOGS[:2] if options.quick else LOGS:
        trace = traces[name]
        if find(name) is None:
            print(f"| {trace.title} is in no folder of ECHELON_DATA | | | | |")
            continue
        print(row(trace.title, Instance.of(read_workload(name), trace.processors), options.runs), flush=True)


if __name__ == "__main__":
    main()
