"""Which applications a workload's jobs run, in a few figures each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.applications import Applications
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True, slots=True)
class ApplicationSummary:
    """One application and the jobs that run it.

    Parameters
    ----------
    name : str
        May be empty.
    library : str
        Message-passing library; empty: any.
    requires : tuple of str
        Further software.
    jobs : int
        How many run it.
    least_tasks, most_tasks : int
        Of these jobs; -1 if unknown.
    mean_run_time : float
        Of these jobs, in seconds.
    compute_share : float
        Share of the time in which it computes.
    memory : float
        Of a task, in bytes.
    bandwidth : float
        That a task needs, in bytes a second.
    """

    name: str
    library: str
    requires: tuple[str, ...]
    jobs: int
    least_tasks: int
    most_tasks: int
    mean_run_time: float
    compute_share: float
    memory: float
    bandwidth: float

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON."""
        return asdict(self)


def application_summary(workload: Workload) -> tuple[ApplicationSummary, ...]:
    """Return the applications that jobs run, by name and library; none if unknown. Cost: O(n log n)."""
    applications = workload.applications
    if applications is None or not len(workload):
        return ()
    order = np.argsort(applications.index, kind="stable")
    used, first = np.unique(applications.index[order], return_index=True)
    summaries = [
        _one(workload, applications, int(place), jobs)
        for place, jobs in zip(used, np.split(order, first[1:]), strict=True)
    ]
    return tuple(sorted(summaries, key=lambda one: (one.name, one.library)))


def _one(workload: Workload, applications: Applications, place: int, jobs: IntColumn) -> ApplicationSummary:
    application, tasks = applications.catalog[place], workload.processors[jobs]
    return ApplicationSummary(
        name=application.name,
        library=application.library,
        requires=application.requires,
        jobs=len(jobs),
        least_tasks=int(tasks.min()),
        most_tasks=int(tasks.max()),
        mean_run_time=float(workload.run_time[jobs].mean()),
        compute_share=application.compute_share,
        memory=application.memory,
        bandwidth=application.bandwidth,
    )
