"""How long studies of many short runs take, results stored: ``python benchmarks/studies.py``.

Prints the table of docs/how-to/studies-at-scale.md: runs of 5,000 jobs under EASY in five variants, each a
folder of four files, by one worker and by two. Seconds of the wall clock depend on who else is on the
machine, those of the processor less so; both are shown. Names of folders do not depend on either.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import machine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.experiments.study.run.case import Case

JOBS, RUNS, PART, PROCESSORS = 5_000, 10_000, 5_000, 128
LOADS = (1.0, 1.1)
POLICIES = (
    *("easy", "easy:shortest-first", "easy:largest-first"),
    *("easy:candidates=shortest-first", "easy:fit=best-fit"),
)
TARGET_SECONDS, TARGET_SPEEDUP = 90.0, 1.7


class Measured(NamedTuple):
    """What one study took.

    Attributes
    ----------
    runs, workers : int
        How many runs, by how many workers.
    seconds : float
        Of the wall clock, from the call to its return: workers started and ended, everything written.
    processor_seconds : float
        Of all processes together.
    engine_seconds : float
        Of the wall clock in engines.
    overhead : float
        Seconds of a worker beside the engine, a run.
    size : int
        Bytes of all files.
    keys : frozenset of str
        Of the runs.
    """

    runs: int
    workers: int
    seconds: float
    processor_seconds: float
    engine_seconds: float
    overhead: float
    size: int
    keys: frozenset[str]


def cases(runs: int, jobs: int = JOBS) -> list[Case]:
    """Return so many cases: every policy at every load, on one drawn workload after the other."""
    from echelon.experiments.study.run.case import Case

    each = len(LOADS) * len(POLICIES)
    return [
        Case(
            {
                "workload": f"lublin:jobs={jobs},seed={k // each}",
                "processors": PROCESSORS,
                "load": LOADS[k // len(POLICIES) % len(LOADS)],
                "policy": POLICIES[k % len(POLICIES)],
            },
            {"workload": str(k // each), "load": str(k // len(POLICIES) % 2), "policy": POLICIES[k % 5]},
        )
        for k in range(runs)
    ]


def measured(
    runs: int, workers: int, folder: Path, *, jobs: int = JOBS, executor: str = "processes"
) -> Measured:
    """Run a study into a new folder and return what it took."""
    from echelon import run_study

    before = _processor_seconds()
    done = run_study(cases(runs, jobs), folder, executor=executor, workers=workers)
    used = _processor_seconds() - before
    if done.count("done") != runs:
        raise RuntimeError(f"{runs - done.count('done')} of {runs} runs were not made")
    return Measured(
        runs,
        workers,
        done.seconds,
        used,
        sum(outcome.engine_seconds for outcome in done.outcomes),
        done.overhead,
        sum(path.stat().st_size for path in folder.glob("runs/*/*/*")),
        frozenset(outcome.key for outcome in done.outcomes),
    )


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def table(found: Iterable[Measured]) -> Iterable[str]:
    """Yield a table of what studies took."""
    yield "| runs | workers | seconds | runs/s | ms a run | ms of processor | ms in engine | overhead | MB |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for one in found:
        each = 1e3 / one.runs
        yield (
            f"| {one.runs:,} | {one.workers} | {one.seconds:.1f} | {one.runs / one.seconds:.0f} "
            f"| {each * one.seconds:.1f} | {each * one.processor_seconds:.1f} "
            f"| {each * one.engine_seconds:.1f} | {1e3 * one.overhead:.1f} | {one.size / 1e6:,.0f} |"
        )


def main() -> None:
    """Print the table: one worker and two on a part of the runs, then all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of the whole study, default {RUNS:,}")
    parser.add_argument("--part", type=int, default=PART, help="runs to compare one and two workers by")
    parser.add_argument("--workers", type=int, default=2, help="of the whole study, default 2")
    options = parser.parse_args()
    print(machine.description())
    with tempfile.TemporaryDirectory() as place:
        # The first study loads, or compiles, what the others find in the cache of kernels.
        measured(2, 1, Path(place) / "warm")
        one, two = (measured(options.part, workers, Path(place) / str(workers)) for workers in (1, 2))
        found = [one, two]
        if options.runs:
            found.append(measured(options.runs, options.workers, Path(place) / "all"))
    if one.keys != two.keys:
        raise RuntimeError("one and two workers made different runs")
    print(*table(found), "", sep="\n")
    print(
        f"Two workers against one: {one.seconds / two.seconds:.2f} times as fast (target {TARGET_SPEEDUP})."
    )
    if options.runs:
        seconds = found[-1].seconds
        print(f"{options.runs:,} runs in {seconds:.0f} s (target {TARGET_SECONDS:.0f} s for {RUNS:,}).")


if __name__ == "__main__":
    main()
