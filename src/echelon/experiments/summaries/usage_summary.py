"""What a log says of its machine: processors in use at once and waits, by partition, queue, account, too."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.metrics.columns.steps import step_function
from echelon.model.jobs.columns import code_names
from echelon.model.jobs.fields import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn

STATUS_WORDS = {0: "failed", 1: "completed", 5: "canceled"}
"""Words for the status of jobs in the Standard Workload Format; others are shown as numbers."""

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

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain values for JSON; times in seconds."""
        return asdict(self)


def peak_of(workload: Workload, jobs: NDArray[np.bool_] | None = None) -> Peak | None:
    """Return the most processors that jobs used at once, from their starts and ends in the log.

    Parameters
    ----------
    workload : Workload
        Any.
    jobs : ndarray of bool, shape (n_jobs,), optional
        Which jobs count. Default: all.

    Returns
    -------
    Peak or None
        A lower bound of the machine's size: jobs whose start, run time or size is unknown do not count. None
        if there is no other.

    Notes
    -----
    Ties: jobs that start when others end use what these leave. Cost: O(n log n).
    """
    wait, run, size = workload.float_column("wait_time"), workload.run_time, workload.processors
    known = (wait >= 0) & (run > 0) & (size > 0) & (workload.submit_time >= 0)
    known = known if jobs is None else known & jobs
    if not known.any():
        return None
    # Sums of times with fractions may differ in the last digit from the end that they mean.
    start = np.round(workload.submit_time + wait, 6)[known]
    end = np.round(start + run[known], 6)
    steps = step_function(start, end, size[known])
    place = int(np.argmax(steps.value))
    return Peak(int(steps.value[place]), float(steps.time[place]))


def waits_in_log(workload: Workload, jobs: NDArray[np.bool_] | None = None) -> WaitSummary | None:
    """Return how long jobs waited in the log; None if it records no wait. Cost: O(n)."""
    wait = workload.float_column("wait_time")
    known: FloatColumn = wait[(wait >= 0) if jobs is None else (wait >= 0) & jobs]
    if not len(known):
        return None
    return WaitSummary(len(known), float(known.mean()), float(np.median(known)), float(known.max()))


def groups_in_log(workload: Workload) -> dict[str, tuple[GroupSummary, ...]]:
    """Return the groups of each of `KINDS` of which the log has at least two, those with most work first.

    Notes
    -----
    Ties: groups of equal work are in the order of their codes. Cost: O(n) for each group.
    """
    found = {}
    for kind in KINDS:
        codes, names = _codes(workload, kind)
        if len(np.unique(codes[codes >= 0])) > 1:
            found[kind] = _groups(workload, codes, names)
    return found


def _codes(workload: Workload, kind: str) -> tuple[IntColumn, dict[int, str | None]]:
    column = "status" if kind == "state" and "state" not in workload.accounting else kind
    codes = workload.int_column(column)
    different = np.unique(codes).tolist()
    names = dict(zip(different, code_names(workload, column, different), strict=True))
    return codes, names | STATUS_WORDS if column == "status" else names


def _groups(workload: Workload, codes: IntColumn, names: dict[int, str | None]) -> tuple[GroupSummary, ...]:
    area = workload.run_time.clip(min=0) * workload.processors.clip(min=0)
    whole = float(area.sum()) or 1.0
    groups = []
    for code in np.unique(codes).tolist():
        jobs = codes == code
        name = None if code == UNKNOWN else names[code]
        share = float(area[jobs].sum()) / whole
        groups.append(
            GroupSummary(name, int(jobs.sum()), share, peak_of(workload, jobs), waits_in_log(workload, jobs))
        )
    return tuple(sorted(groups, key=lambda group: -group.area_share))
