"""A whole job in one process: read a log, simulate EASY, write the table of jobs as Parquet."""

from __future__ import annotations

import json
import sys
from time import perf_counter

from measure import peak_megabytes


def main(source: str, processors: str, target: str) -> None:
    """Do it once and print one line of JSON: seconds of each part and peak megabytes."""
    import echelon as ec

    clock = [perf_counter()]
    workload = ec.read_workload(source)
    clock.append(perf_counter())
    result = ec.simulate(workload, processors=int(processors), policy="easy", engine="compiled")
    clock.append(perf_counter())
    result.jobs.write_parquet(target)
    clock.append(perf_counter())
    parts = dict(zip(("read", "simulate", "write"), (b - a for a, b in zip(clock, clock[1:])), strict=True))  # noqa: B905, RUF007
    print(json.dumps({"jobs": len(result.instance), "parts": parts, "peak_mb": peak_megabytes()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
