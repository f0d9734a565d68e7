"""Giving the jobs of a log tasks with demands, by stated assumptions."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.instance import BYTES_PER_KB
from echelon.model.jobs.demands import Demands
from echelon.workloads.synthetic.parameter import Parameter, settle_values
from echelon.workloads.synthetic.spec import parse_spec
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

KINDS = ("mpi", "sequential", "by-size")

PARAMETERS = (
    Parameter("speed", "operations/s", 1e9, "of the core on which a job ran", above=0, most=1e30),
    Parameter(
        "ipc", "1", 1.0, "instructions per cycle: operations are run time x speed / ipc", above=0, most=1e6
    ),
    Parameter("cores", "cores", 0, "by-size: jobs of at most this many processors are sequential", 0, 2**53),
    Parameter("memory", "KB", 0.0, "per processor, where the log has none", 0, 1e18),
    Parameter("volume", "B/s", 0.0, "moved between memory and each task per second of run time", 0, 1e30),
    Parameter("comm", "B", 0.0, "exchanged by each pair of an MPI job's tasks on different nodes", 0, 1e30),
    Parameter("compute", "1", 1.0, "share of its time in which an MPI job computes", 0, 1),
)
"""What is assumed of every job, as typed after the kind: ``mpi:speed=2e9,comm=1e6``."""


def with_tasks(workload: Workload, spec: str = "mpi") -> Workload:
    """Return the jobs with demands: one task per processor, all equal, as long as the log's run time.

    Parameters
    ----------
    workload : Workload
        In any order; every job needs a run time > 0 and a size (`keep_runnable` leaves the others out).
        Demands that it has are replaced.
    spec : str, default ``"mpi"``
        What kind of jobs they are: ``mpi`` (tasks anywhere), ``sequential`` (all tasks in one node) or
        ``by-size`` (sequential up to ``cores`` processors); and what is assumed, by the names of
        `PARAMETERS`: ``"by-size:cores=16,memory=2e6"``.

    Returns
    -------
    Workload
        Each task does run time x speed / ipc operations. Its memory is the log's, requested or else used, in
        KB a processor, or what is assumed. The record in the header tells every assumption.

    Raises
    ------
    UnknownNameError
        If there is no such kind or setting.
    InputError
        If a setting is out of its bounds, ``by-size`` comes without ``cores``, or a job has no run time or no
        size.

    Notes
    -----
    Sequential jobs do not communicate. Cost: O(n).
    """
    kind, values = kind_and_values(spec)
    _refuse_unfit(workload)
    demands = _demands(workload, kind, values)
    message = ", ".join(f"{name} {value:.15g}" for name, value in values.items() if name != "cores")
    kinds = f"{kind} of {values['cores']:.15g} cores" if kind == "by-size" else kind
    return record_transform(
        replace(workload, demands=demands), f"tasks assumed: {kinds}, one task per processor, {message}"
    )


def kind_and_values(spec: str) -> tuple[str, dict[str, float]]:
    """Return the kind of jobs that a spec names and what is assumed of them; errors as of `with_tasks`."""
    kind, settings = parse_spec(spec)
    if kind not in KINDS:
        raise UnknownNameError("kind of jobs", kind, KINDS)
    values = settle_values(kind, PARAMETERS, settings)
    if kind == "by-size" and values["cores"] < 1:
        raise InputError("needs the cores of a node: by-size:cores=16", field="tasks")
    return kind, values


def _refuse_unfit(workload: Workload) -> None:
    for what, fit in (("run time > 0", workload.run_time > 0), ("size", workload.processors > 0)):
        unfit = np.flatnonzero(~fit)
        if len(unfit):
            raise InputError(
                f"{len(unfit)} of {len(workload)} jobs have no {what}, which tasks need (first: job "
                f"{workload.label(int(unfit[0]))}); leave them out with --drop-invalid",
                file=workload.name,
            )


def _demands(workload: Workload, kind: str, values: Mapping[str, float]) -> Demands:
    n, size, run = len(workload), workload.processors, workload.run_time
    sequential = np.full(n, kind == "sequential") | ((kind == "by-size") & (size <= values["cores"]))
    operations = run * values["speed"] / values["ipc"]
    if n and not math.isfinite(float(operations.max())):
        raise InputError(
            f"operations are too large for floating-point numbers: {operations.max()}", field="speed"
        )
    return Demands(
        sequential=sequential,
        nodes=np.zeros(n, dtype=np.int64),
        tasks_per_node=np.zeros(n, dtype=np.int64),
        communication_volume=np.where(sequential, 0.0, values["comm"]),
        compute_share=np.where(sequential, 1.0, values["compute"]),
        first_group=np.arange(n + 1),
        tasks=size.copy(),
        operations=operations,
        memory=_memory(workload, values["memory"]) * BYTES_PER_KB,
        memory_volume=run * values["volume"],
    )


def _memory(workload: Workload, otherwise: float) -> FloatColumn:
    requested, used = (workload.float_column(f"{kind}_memory") for kind in ("requested", "used"))
    return np.where(requested > 0, requested, np.where(used > 0, used, otherwise))
