"""The columns of ``jobs.csv`` and ``jobs.parquet``: one table for files, reference page and tests."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One column of a run's table of jobs: its name, its unit, its meaning, and when it is there."""

    name: str
    unit: str
    meaning: str
    only: str = ""


COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "the log's number of the job, or its label where the log's names are no numbers"),
    Column("submit_time", "s", "when the job was submitted, on the log's clock"),
    Column("start_time", "s", "when it started in this simulation"),
    Column("end_time", "s", "when it ended in this simulation: start_time + run_time"),
    Column("run_time", "s", "how long it ran; with `--estimates kill` at most its request"),
    Column("requested_time", "s", "the user's estimate of the run time, as in the log; -1 if unknown"),
    Column("processors", "processors", "how many it held from start to end"),
    Column("wait_time", "s", "start_time - submit_time"),
    Column("turnaround_time", "s", "end_time - submit_time, also called response or flow time"),
    Column("bounded_slowdown", "1", "max(1, turnaround_time / max(run_time, 10 s))"),
    Column("site", "", "where it ran; one machine is one site, `cluster`"),
    Column("status", "", "`completed`, or `killed` if it was cut at its request"),
    Column("user", "", "the user's name where the log has one, else the code; empty if unknown"),
    Column(
        "planned_time",
        "s",
        "what the scheduler planned with when the job was submitted",
        "with an `--estimator` other than request",
    ),
    Column("killed_at", "s", "when it was cut; empty if it was not", "with `--estimates kill`"),
    Column("queue", "", "the queue's name where the log has one, else the code", "if the log has queues"),
)
"""In the order of the files, one row a simulated job. Unit ``"1"`` is a ratio, an empty one no quantity."""
