"""One measurement in a process of its own, so that its peak memory is its own: prints one line of JSON.

``python measure.py SOURCE PROCESSORS load`` or ``... SIMULATOR POLICY``. A call is repeated at least
`LEAST` times and until `ENOUGH` seconds are spent; one that takes longer than `ENOUGH` is not repeated.
"""

from __future__ import annotations

import json
import resource
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from programs import fingerprint, simulator

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST, MOST, ENOUGH = 3, 15, 4.0


def repeated(call: Callable[[], Any]) -> tuple[list[float], Any]:
    """Return the seconds of each call of `call`, and what the last one returned."""
    seconds: list[float] = []
    while not seconds or (
        len(seconds) < MOST and max(seconds) <= ENOUGH and (len(seconds) < LEAST or sum(seconds) < ENOUGH)
    ):
        result = None  # let go of the last result first: it would count as memory
        began = perf_counter()
        result = call()
        seconds.append(perf_counter() - began)
    return seconds, result


def peak_megabytes() -> float:
    """Return the largest memory this process has held, in 10^6 bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def measure(source: str, processors: int, *what: str) -> dict[str, Any]:
    """Return what is found of one program on one workload; seconds, megabytes and counts."""
    from echelon.model import Instance
    from echelon.workloads import read_workload

    if what == ("load",):
        read_workload("kth-sp2")  # the reader's kernel is loaded
        seconds, workload = repeated(lambda: read_workload(source))
        return {"jobs": len(workload), "seconds": seconds, "peak_mb": peak_megabytes()}
    workload = read_workload(source)
    of_seconds, instance = repeated(lambda: Instance.of(workload, processors))
    seconds, (starts, counts) = repeated(simulator(what[0], what[1], instance))
    return {
        "jobs": len(instance),
        "instance_seconds": of_seconds,
        "seconds": seconds,
        "peak_mb": peak_megabytes(),
        "counts": dict(counts),
        "mean_wait": float((starts - instance.submit_time).mean()),
        "starts": fingerprint(starts),
    }


if __name__ == "__main__":
    source, processors, *what = sys.argv[1:]
    print(json.dumps(measure(source, int(processors), *what)))
