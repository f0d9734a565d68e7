"""The figures by which workloads are compared: how often, how large, how long, how much in all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Workload


class Character(NamedTuple):
    """Figures of a workload; times in seconds, 0 where no job tells."""

    jobs: int
    processors: int
    mean_gap: float
    jobs_per_day: float
    mean_size: float
    serial_share: float
    power_of_2_share: float
    mean_run_time: float
    median_run_time: float
    mean_log_run_time: float
    load: float


def character(workload: Workload, processors: int | None = None) -> Character:
    """Return the figures of the jobs that have a submit time, a run time and a size.

    Parameters
    ----------
    workload : Workload
        In any order.
    processors : int, optional
        Of the machine. Default: the header's MaxProcs, else the largest size.

    Returns
    -------
    Character
        The mean gap is the time from the first to the last submission over the number of gaps; the load is
        the work (run time times size) over processors times that time. A power of 2 is a size of 1, 2, 4 ...

    Notes
    -----
    Cost: O(n).
    """
    is_complete = (workload.submit_time >= 0) & (workload.run_time > 0) & (workload.processors > 0)
    submit, run, size = (
        workload.submit_time[is_complete],
        workload.run_time[is_complete],
        workload.processors[is_complete],
    )
    machine = processors or workload.header.max_procs or int(size.max(initial=1))
    if not len(run):
        return Character(0, machine, *[0.0] * 9)
    span = float(np.ptp(submit))
    gap = span / max(1, len(run) - 1)
    return Character(
        jobs=len(run),
        processors=machine,
        mean_gap=gap,
        jobs_per_day=86400.0 / gap if gap else 0.0,
        mean_size=float(size.mean()),
        serial_share=float((size == 1).mean()),
        power_of_2_share=float(((size & (size - 1)) == 0).mean()),
        mean_run_time=float(run.mean()),
        median_run_time=float(np.median(run)),
        mean_log_run_time=float(np.log(run).mean()),
        load=float((run * size).sum()) / (machine * span) if span else 0.0,
    )
