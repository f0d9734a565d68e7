"""Model: a named way to make jobs by chance, and the workload it makes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.model.instance import BYTES_PER_KB
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.applications import Applications
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demands
    from echelon.model.jobs.dependencies import Dependencies
    from echelon.workloads.synthetic.parameter import Parameter

DEFAULT_JOBS = 10_000
"""Default number of jobs of a workload."""

MOST_JOBS = 50_000_000
"""Jobs one workload may have; more would not fit into memory."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """What a model draws, in the order of submission.

    Parameters
    ----------
    submit_time, run_time : ndarray of float, shape (n_jobs,)
        In whole seconds, unless there are demands or the model says otherwise.
    processors : ndarray of int, shape (n_jobs,)
        Sizes.
    queue : ndarray of int, shape (n_jobs,)
        0 interactive, 1 batch, -1 without distinction.
    requested_time : ndarray of float, shape (n_jobs,), optional
        In seconds. Default: none is known.
    demands : Demands, optional
        What the jobs' tasks ask for. Sizes then are requested, not allocated, processors.
    programs : Programs, optional
        What the jobs run, and for whom. Sizes then are requested processors, too.
    more : mapping of str to column, default empty
        Further columns of the workload, by name; not with demands or programs, nor are the next two.
    names : mapping of str to tuple of str, default empty
        Names behind their codes.
    dependencies : Dependencies, optional
        Which jobs wait for which. Default: none does.
    """

    submit_time: FloatColumn
    run_time: FloatColumn
    processors: IntColumn
    queue: IntColumn
    requested_time: FloatColumn | None = None
    demands: Demands | None = None
    programs: Programs | None = None
    more: Mapping[str, FloatColumn | IntColumn] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dependencies: Dependencies | None = None


@dataclass(frozen=True, slots=True)
class Programs:
    """The parallel programs that jobs run, and for whom.

    Parameters
    ----------
    applications : Applications
        One a job.
    executable, user : ndarray of int, shape (n_jobs,)
        Codes of the executables and of the users.
    failed : ndarray of bool, shape (n_jobs,)
        Which jobs break off before their time.
    names : mapping of str to tuple of str
        Of both kinds of codes.
    """

    applications: Applications
    executable: IntColumn
    user: IntColumn
    failed: NDArray[np.bool_]
    names: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Model:
    """One model of workloads.

    Parameters
    ----------
    name : str
        Kebab-case, as typed: ``lublin``.
    summary : str
        One sentence: what the jobs are like.
    source : str
        The paper, or why there is none.
    parameters : tuple of Parameter
        All that can be set.
    draw : callable (values: Mapping[str, float], jobs: int, seed: int) -> Jobs
        Draws the jobs; every parameter has a value within its bounds.
    machine : callable (values) -> int
        Processors of the machine that these values describe.
    scaled : callable (processors: int) -> dict[str, float]
        The parameters that make the jobs those of a machine of another size.
    can_be_fitted : bool, default True
        Whether a log has everything that the parameters describe.
    jobs : int, default `DEFAULT_JOBS`
        Number of jobs that it draws by default.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    draw: Callable[[Mapping[str, float], int, int], Jobs]
    machine: Callable[[Mapping[str, float]], int]
    scaled: Callable[[int], dict[str, float]]
    can_be_fitted: bool = True
    jobs: int = DEFAULT_JOBS

    takes_parameters: ClassVar[bool] = False


def draw_workload(model: Model, values: Mapping[str, float], *, jobs: int, seed: int) -> Workload:
    """Return `jobs` jobs of `model` as a workload whose header tells model, parameters and seed."""
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"must be between 1 and {MOST_JOBS}, got {jobs}", field="jobs")
    sample = model.draw(values, jobs, seed)
    workload = Workload.from_columns(
        name=model.name,
        header=_header(model, values, jobs=jobs, seed=seed),
        submit_time=sample.submit_time,
        run_time=sample.run_time,
        **_columns(sample),
    )
    if sample.programs is not None:
        return replace(workload, applications=sample.programs.applications, names=sample.programs.names)
    if sample.demands is not None and sample.requested_time is not None:
        return replace(workload, demands=sample.demands)
    return replace(workload, names=sample.names, dependencies=sample.dependencies)


def _columns(sample: Jobs) -> Mapping[str, FloatColumn | IntColumn]:
    """Return the columns apart from times; jobs of programs have the memory of their tasks."""
    asked = {"requested_processors": sample.processors}
    if (programs := sample.programs) is not None:
        memory = np.array([one.memory for one in programs.applications.catalog])[programs.applications.index]
        return asked | {
            "requested_time": sample.run_time if sample.requested_time is None else sample.requested_time,
            "requested_memory": memory / BYTES_PER_KB,
            "status": np.where(programs.failed, 0, 1),
            "user": programs.user,
            "executable": programs.executable,
        }
    if sample.demands is not None and sample.requested_time is not None:
        memory = sample.demands.largest / BYTES_PER_KB
        return asked | {"requested_time": sample.requested_time, "requested_memory": memory}
    completed = np.ones(len(sample.queue), dtype=np.int64)
    own = {"allocated_processors": sample.processors, "status": completed, "queue": sample.queue}
    return own | dict(sample.more)


def draw_submissions(mean_gap: float, jobs: int, random: np.random.Generator) -> FloatColumn:
    """Return Poisson arrivals from second 0 on, to the millisecond; all at second 0 if the gap is 0."""
    gaps = random.exponential(mean_gap, jobs) if mean_gap else np.zeros(jobs)
    submit: FloatColumn = np.round(np.cumsum(gaps) - gaps[0], 3)
    return submit


def _header(model: Model, values: Mapping[str, float], *, jobs: int, seed: int) -> Header:
    size = str(model.machine(values))
    longest = [value for name, value in values.items() if name.endswith("longest_run")]
    changed = [one for one in model.parameters if values[one.name] != one.default]
    settings = (
        ", ".join(f"{one.name}={one.text(values[one.name])}" for one in changed) or "all at their defaults"
    )
    lines: list[tuple[str | None, str]] = [
        ("Version", "2.2"),
        ("Computer", f"synthetic workload, model {model.name}"),
        ("Acknowledge", model.source),
        ("MaxJobs", str(jobs)),
        ("MaxRecords", str(jobs)),
        *(() if "node_cores" in values else (("MaxNodes", size),)),
        ("MaxProcs", size),
        *(("MaxRuntime", str(math.floor(max(longest)))) for _ in longest[:1]),
        ("Note", f"generated by echelon: model {model.name}, seed {seed}, {jobs} jobs"),
        ("Note", f"parameters: {settings}"),
        ("Note", "second 0 is midnight of the model's day"),
    ]
    return Header(tuple(lines))
