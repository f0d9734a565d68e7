"""The execution time that a metascheduler estimates for a CPU-bound job on a loaded machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job
    from echelon.policies.immediate.contract import ImmediateView


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
