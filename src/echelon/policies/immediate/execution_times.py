"""Execution times of a job at a machine: planned, of earlier jobs, or as estimated from them and the load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypeGuard, get_args

from echelon.errors import UnknownNameError

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.broker.contract import GridView
    from echelon.policies.immediate.contract import ImmediateView


Times: TypeAlias = Literal["planned", "history"]
"""The source of execution times for planning heuristics.

``planned``: the job's planned time over the machine's speed. ``history``: the mean CPU time of its
application there, 0 if it has never ended there.
"""

TIMES: tuple[str, ...] = get_args(Times)


def check_times(times: object, name: str) -> None:
    """Reject a word that is not one of `Times`."""
    if times not in TIMES:
        raise UnknownNameError(f"source of execution times of {name}, times", str(times), TIMES)


def execution_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return the execution time of `job` alone at `site`, in seconds; 0 if unknown."""
    if times == "planned":
        return view.execution_time(job, site)
    return view.cpu_time(job, site) or 0.0


def completion_time(job: Job, site: int, view: ImmediateView, times: Times) -> float:
    """Return the completion time of `job` at `site` after all jobs there, in seconds."""
    return view.ready_time(site) + execution_time(job, site, view, times)


def without_queues(view: GridView) -> TypeGuard[ImmediateView]:
    """Return whether `view` is of time-shared machines."""
    return hasattr(view, "ready_time")


def load_per_core(load: float, cores: int, processes: int = 1) -> float:
    r"""Return the load of each core once a new job runs there, cen_i.

    .. math:: cen_i = (ce_i + 1) / np_i

    Parameters
    ----------
    load : float
        Estimated load of the machine without the job, in processes (ce_i).
    cores : int
        Of the machine, >= 1 (np_i).
    processes : int, default 1
        Of the job: the 1 of the formula, which is for jobs of one process.

    Notes
    -----
    Source: Rodrigues et al., about 2014, eq. 5.
    """
    return (load + processes) / cores


def stretch_time(cpu_time: float, load: float) -> float:
    r"""Return the time of a job that competes for its core, tee_ij.

    .. math:: tee_{ij} = tcm_{ij} \max(1, cen_i)

    Parameters
    ----------
    cpu_time : float
        Mean CPU time of the application there, in seconds (tcm_ij).
    load : float
        Of each core, the job's own included, in processes (cen_i).

    Notes
    -----
    Source: Rodrigues et al., about 2014, eq. 4.
    """
    return cpu_time * load if load >= 1 else cpu_time


def estimated_time(job: Job, site: int, view: ImmediateView) -> float | None:
    """Return how long `job` is expected to run at `site` now, in seconds (tee_ij).

    None if its application has never ended there.
    """
    if (cpu_time := view.cpu_time(job, site)) is None:
        return None
    # A machine that is down is among the sites only if all are.
    cores = view.in_service[site] or view.sizes[site]
    return stretch_time(cpu_time, load_per_core(view.estimated_load(site), cores, job.processors))
