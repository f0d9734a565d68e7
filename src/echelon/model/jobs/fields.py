"""The 18 fields of a job, as the Standard Workload Format names and measures them.

One table for everything that needs it: columns of a `Workload`, readers and writers of every format,
the generated reference pages.

Source: Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers",
JSSPP 1999, and the Parallel Workloads Archive's definition of SWF version 2.2.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Field(NamedTuple):
    """One field: its name here, its kind of number, its unit and its meaning."""

    name: str
    kind: Literal["float", "int"]
    unit: str
    meaning: str


FIELDS: tuple[Field, ...] = (
    Field("job_id", "int", "", "number of the job in its log; not an index, as gaps and repeats occur"),
    Field("submit_time", "float", "s", "time of submission, since the log's start"),
    Field("wait_time", "float", "s", "time from submission to start, in the log"),
    Field("run_time", "float", "s", "wall-clock time from start to end, in the log"),
    Field("allocated_processors", "int", "processors", "processors that the job had"),
    Field("average_cpu_time", "float", "s", "user and system time, mean over the processors"),
    Field("used_memory", "float", "KB", "memory used, mean per processor"),
    Field("requested_processors", "int", "processors", "processors that the user requested"),
    Field("requested_time", "float", "s", "the user's estimate of the run time"),
    Field("requested_memory", "float", "KB", "memory that the user requested, per processor"),
    Field(
        "status",
        "int",
        "",
        "0 failed, 1 completed, 2 to 4 parts of a checkpointed job, 5 cancelled; other values as in the log",
    ),
    Field("user", "int", "", "code of the user"),
    Field("group", "int", "", "code of the group"),
    Field("executable", "int", "", "code of the application"),
    Field("queue", "int", "", "code of the queue; 0 is interactive by convention"),
    Field("partition", "int", "", "code of the partition"),
    Field("preceding_job", "int", "", "job_id of the job that must end before this one can start"),
    Field("think_time", "float", "s", "time from the preceding job's end to this job's submission"),
)
"""In the order of the format's columns 1 to 18. Everywhere -1 means unknown."""

ACCOUNTING_FIELDS: tuple[Field, ...] = (
    Field("ineligible_time", "float", "s", "time from submission in the log to joining the queue"),
    Field("gpus", "int", "", "GPUs that the job had, or requested if it never started"),
    Field("account", "int", "", "code of the account charged"),
    Field("cancel_time", "float", "s", "time at which its user cancels the job, waiting or running"),
    Field("deadline", "float", "s", "time by which the job must end, or it leaves the queue"),
    Field("minimum_time", "float", "s", "shortest limit that the job accepts to meet its deadline"),
    Field("due_time", "float", "s", "time by which the job should end; nothing enforces it"),
    Field("reservation", "int", "", "code of the advance reservation that the job runs in"),
    Field("node_count", "int", "", "nodes that the job had, or requested if it never started"),
    Field("state", "int", "", "code of what became of the job, in the words of the batch system"),
)
"""Further columns of a batch system's accounting, if any; no format except our own tables has them."""

ACCOUNTING_NAMES: tuple[str, ...] = tuple(field.name for field in ACCOUNTING_FIELDS)

FIELD_NAMES: tuple[str, ...] = tuple(field.name for field in FIELDS)
UNKNOWN = -1

LARGEST = 2**53
"""Largest magnitude of counts, codes and times: up to here float64 tells whole numbers apart."""
