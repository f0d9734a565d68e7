"""What a log says of its machine: processors in use at once and waits, by partition, queue, account, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.steps import step_function
from echelon.model.jobs.columns import code_names
from echelon.model.jobs.fields import UNKNOWN

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn

STATUS_NAMES = {0: "failed", 1: "completed", 5: "canceled"}
"""Names for the status of jobs in the Standard Workload Format; others are shown as numbers."""

KINDS = ("partition", "queue", "account", "state")
"""What jobs are grouped by: columns of the log, a state being that of the accounting, else the status."""


@dataclass(frozen=True, slots=True)
class WaitSummary:
    """How long jobs waited in a log.

    Parameters
    ----------
    jobs : int
        Jobs whose wait the log records.
    mean, median, longest : float
        In seconds.
    """

    jobs: int
    mean: float
    median: float
    longest: float


@dataclass(frozen=True, slots=True)
class Peak:
    """The most processors in use at once in a log: a machine of fewer could not have run it.

    Parameters
    ----------
    processors : int
        How many.
    time : float
        When for the first time, in seconds of the log.
    """

    processors: int
    time: float


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """One partition, queue, account or state of a log.

    Parameters
    ----------
    name : str or None
        Its name, else its code; None for jobs of which it is unknown.
    jobs : int
        Its jobs.
    area_share : float
        Its share of the processor-seconds of all jobs, 0 to 1; 0 if there are none.
    peak : Peak or None
        The most processors that its jobs used at once; None if no start is known.
    waits : WaitSummary or None
        None if no wait is known.
    """

    name: str | None
    jobs: int
    area_share: float
    peak: Peak | None
    waits: WaitSummary | None


class _Jobs(NamedTuple):
    """What is summed up of jobs, or of some of them: columns of shape (n_jobs,), times in seconds."""

    submit: FloatColumn
    wait: FloatColumn
    run: FloatColumn
    size: IntColumn

    def some(self, places: IntColumn) -> _Jobs:
        return _Jobs(self.submit[places], self.wait[places], self.run[places], self.size[places])

    @property
    def area(self) -> float:
        return float((self.run.clip(min=0) * self.size.clip(min=0)).sum())

    def peak(self) -> Peak | None:
        complete = (self.wait >= 0) & (self.run > 0) & (self.size > 0) & (self.submit >= 0)
        if not complete.any():
            return None
        # Sums of times with fractions may differ in the last digit from the end that they mean.
        start = np.round(self.submit[complete] + self.wait[complete], 6)
        end = np.round(start + self.run[complete], 6)
        steps = step_function(start, end, self.size[complete])
        place = int(np.argmax(steps.value))
        return Peak(int(steps.value[place]), float(steps.time[place]))

    def waits(self) -> WaitSummary | None:
        waits = self.wait[self.wait >= 0]
        if not len(waits):
            return None
        return WaitSummary(len(waits), float(waits.mean()), float(np.median(waits)), float(waits.max()))


def _jobs_of(workload: Workload) -> _Jobs:
    wait = workload.float_column("wait_time")
    return _Jobs(workload.submit_time, wait, workload.run_time, workload.processors)


def peak_of(workload: Workload) -> Peak | None:
    """Return the most processors that jobs used at once, from their starts and ends in the log.

    Returns
    -------
    Peak or None
        A lower bound of the machine's size: jobs whose start, run time or size is unknown do not count. None
        if there is no other.

    Notes
    -----
    Ties: jobs that start when others end use what these leave. Cost: O(n log n).
    """
    return _jobs_of(workload).peak()


def waits_in_log(workload: Workload) -> WaitSummary | None:
    """Return how long jobs waited in the log; None if it records no wait. Cost: O(n)."""
    return _jobs_of(workload).waits()


def groups_in_log(workload: Workload) -> dict[str, tuple[GroupSummary, ...]]:
    """Return the groups of each of `KINDS` of which the log has at least two, those with most work first.

    Notes
    -----
    Ties: groups of equal work are in the order of their codes. Cost: O(n log n).
    """
    groups = {}
    for kind in KINDS:
        codes, names = _codes(workload, kind)
        if len(np.unique(codes[codes >= 0])) > 1:
            groups[kind] = _groups(workload, codes, names)
    return groups


def _codes(workload: Workload, kind: str) -> tuple[IntColumn, dict[int, str | None]]:
    column = "status" if kind == "state" and "state" not in workload.accounting else kind
    codes = workload.int_column(column)
    different = np.unique(codes).tolist()
    names = dict(zip(different, code_names(workload, column, different), strict=True))
    return codes, names | STATUS_NAMES if column == "status" else names


def _groups(workload: Workload, codes: IntColumn, names: dict[int, str | None]) -> tuple[GroupSummary, ...]:
    everything = _jobs_of(workload)
    whole = everything.area or 1.0
    different, first = np.unique(np.sort(codes), return_index=True)
    places = np.split(np.argsort(codes, kind="stable"), first[1:])
    groups = []
    for code, where in zip(different.tolist(), places, strict=True):
        jobs = everything.some(where)
        name = None if code == UNKNOWN else names[code]
        groups.append(GroupSummary(name, len(where), jobs.area / whole, jobs.peak(), jobs.waits()))
    return tuple(sorted(groups, key=lambda group: -group.area_share))
