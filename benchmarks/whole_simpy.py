"""The whole program that a student would write with SimPy: read a log, simulate EASY, write a row a job.

``python benchmarks/whole_simpy.py LOG PROCESSORS OUT.csv``. It imports nothing of ours, so that the time of
the process is that of the program; `naive_simpy` is its simulator. Jobs are taken as `echelon.simulate` takes
them by default: those that ran and fit, planned with the time asked for, or the run time if that is longer.
"""

from __future__ import annotations

import csv
import gzip
import sys
from typing import TYPE_CHECKING

from naive_simpy import Job, easy

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADS = (
    "job_id",
    "submit_time",
    "start_time",
    "end_time",
    "run_time",
    "requested_time",
    "processors",
    "wait_time",
)


def read(path: str, processors: int) -> Iterator[Job]:
    """Yield the jobs of a log in the Standard Workload Format that a machine of `processors` can run."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="latin-1") as log:
        for line in log:
            if line.startswith(";") or not line.strip():
                continue
            fields = line.split()
            run, asked = float(fields[3]), float(fields[8])
            size = int(fields[4]) if int(fields[4]) > 0 else int(fields[7])
            if run > 0 and 0 < size <= processors:
                yield Job(int(fields[0]), float(fields[1]), run, max(run, asked), size)


def write(jobs: list[Job], starts: dict[int, float], path: str) -> None:
    """Write a row a job, in the order of the log."""
    with open(path, "w", newline="", encoding="utf-8") as file:  # noqa: PTH123
        rows = csv.writer(file)
        rows.writerow(HEADS)
        for job in jobs:
            start = starts[job.number]
            rows.writerow(
                (
                    *(job.number, job.submit_time, start, start + job.run_time, job.run_time),
                    *(job.planned_time, job.size, start - job.submit_time),
                )
            )


def main(log: str, processors: str, target: str) -> None:
    """Do it all."""
    jobs = list(read(log, int(processors)))
    write(jobs, easy(jobs, int(processors)), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
