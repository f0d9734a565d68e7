"""What is odd in a workload: the facts a person wants to know before trusting a simulation of it.

Nothing here changes a job. Each kind is found by a few passes over columns, so a reader can afford them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.fields import FIELDS, UNKNOWN
from echelon.model.jobs.workload import Anomaly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from echelon.model import Header
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_USUAL_STATUSES = (-1, 0, 1, 5)
_SHOWN_VALUES = 8


class _Kind(NamedTuple):
    """A kind of anomaly, the jobs that show it, and the sentence without its count."""

    name: str
    jobs: NDArray[np.bool_]
    sentence: str


def find_anomalies(
    columns: Mapping[str, FloatColumn | IntColumn], header: Header, lines: NDArray[np.int32] | None = None
) -> tuple[Anomaly, ...]:
    """Return what is odd in these jobs, in a fixed order of kinds; kinds that do not occur are left out.

    Parameters
    ----------
    columns : mapping of str to column
        All 18 of `echelon.model.jobs.fields.FIELDS`.
    header : Header
        For the machine's size and the numbers of jobs it claims.
    lines : ndarray of int32, shape (n_jobs,), optional
        Each job's 1-based line in its file; without it no anomaly names a line.

    Notes
    -----
    Cost: O(n), and O(n log n) if job numbers do not rise throughout.
    """
    n_jobs = len(columns["job_id"])
    if not n_jobs:
        return ()
    anomalies = []
    for kind in (*_times(columns), *_sizes(columns, header), *_identities(columns)):
        if count := int(np.count_nonzero(kind.jobs)):
            first = None if lines is None else int(lines[int(np.argmax(kind.jobs))])
            anomalies.append(Anomaly(kind.name, count, f"{_jobs(count, n_jobs)} {kind.sentence}", first))
    return (*anomalies, *_start(columns["submit_time"]), *_claims(header, n_jobs))


def _times(columns: Mapping[str, FloatColumn | IntColumn]) -> Iterator[_Kind]:
    submit, wait, run = (columns[name] for name in ("submit_time", "wait_time", "run_time"))
    request = columns["requested_time"]
    earlier = np.zeros(len(submit), dtype=np.bool_)
    np.less(submit[1:], submit[:-1], out=earlier[1:])
    yield _Kind("unsorted", earlier, "submitted before the preceding line; the order of the file is kept")
    yield _Kind("negative-submit", submit < 0, "submitted at a negative time; a simulation drops them")
    yield _Kind("no-wait-time", wait < 0, "without a wait time")
    yield _Kind("no-run-time", run < 0, "without a run time (never ran); a simulation drops them")
    yield _Kind("zero-run-time", run == 0, "with run time 0; a simulation drops them")
    yield _Kind("no-requested-time", ~(request > 0), "without a requested time; the run time is used")
    above = (request > 0) & (run > request)
    yield _Kind(
        "run-above-request", above, "ran longer than requested; --estimates decides what a simulation does"
    )
    for spec in FIELDS:
        if spec.kind == "float":
            column = columns[spec.name]
            yield _Kind(
                f"fractional-{spec.name.replace('_', '-')}",
                column != np.trunc(column),
                f"with a fraction in {spec.name}",
            )


def _sizes(columns: Mapping[str, FloatColumn | IntColumn], header: Header) -> Iterator[_Kind]:
    allocated, requested = columns["allocated_processors"], columns["requested_processors"]
    unallocated, unrequested = allocated <= 0, requested <= 0
    yield _Kind(
        "no-size", unallocated & unrequested, "without a number of processors; a simulation drops them"
    )
    yield _Kind("size-as-requested", unallocated & ~unrequested, "with only a requested number of processors")
    yield _Kind(
        "size-as-allocated", ~unallocated & unrequested, "with only an allocated number of processors"
    )
    if header.max_procs is not None:
        size = np.where(unallocated, requested, allocated)
        yield _Kind(
            "oversized", size > header.max_procs, f"larger than the header's MaxProcs, {header.max_procs}"
        )


def _identities(columns: Mapping[str, FloatColumn | IntColumn]) -> Iterator[_Kind]:
    job_id, status = columns["job_id"], columns["status"]
    if (np.diff(job_id) <= 0).any():
        repeated = np.ones(len(job_id), dtype=np.bool_)
        repeated[np.unique(job_id, return_index=True)[1]] = False
        yield _Kind("repeated-job-number", repeated, "with the number of an earlier job")
    preceding = columns["preceding_job"]
    if (preceding != UNKNOWN).any():
        absent = (preceding != UNKNOWN) & ~np.isin(preceding, job_id)
        yield _Kind(
            "absent-predecessor", absent, "with a predecessor that is not in the file; considered ended"
        )
    burst = (status >= 2) & (status <= 4)
    yield _Kind("burst", burst, "with status 2, 3 or 4: parts of checkpointed jobs")
    unusual = ~burst & ~np.isin(status, _USUAL_STATUSES)
    if not unusual.any():
        return
    values = ", ".join(str(value) for value in np.unique(status[unusual])[:_SHOWN_VALUES].tolist())
    yield _Kind(
        "unusual-status", unusual, f"with a status that the format does not define (such as {values})"
    )


def _start(submit: FloatColumn | IntColumn) -> Iterator[Anomaly]:
    if (start := float(submit.min())) > 0:
        yield Anomaly("late-start", 1, f"the first submission is at {start:.15g} s, not at 0")


def _claims(header: Header, n_jobs: int) -> Iterator[Anomaly]:
    for label in ("MaxJobs", "MaxRecords"):
        claimed = header.integer(label)
        if claimed is not None and claimed != n_jobs:
            yield Anomaly(
                f"header-{label.lower()}",
                abs(claimed - n_jobs),
                f"the header's {label} is {claimed}, the file has {n_jobs} jobs",
            )


def _jobs(count: int, n_jobs: int) -> str:
    share = "all" if count == n_jobs else f"{count} of {n_jobs}"
    return f"{share} {'job' if n_jobs == 1 else 'jobs'}"
