"""A mix of sequential and MPI jobs whose tasks ask for operations, memory and communication.

For experiments on a cluster seen to its cores. The thesis that added MPI jobs to IRMASim ran a random mix of
this kind and prints none of its ranges: all of them here are our choice, made for its machine of 30 nodes of
16 cores and 125 MB/s. If its mean core does 3.4e9 operations a second, about 60 % of the cores are busy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.demands import Demands
from echelon.model.streams import stream
from echelon.workloads.synthetic.model import Jobs, Model, draw_submissions
from echelon.workloads.synthetic.parameter import Parameter, check_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

NAME = "irmasim-mix"
OPERATIONS_PER_SECOND = 1e9
"""Of the core on which run times and requests are stated, as workload.json has them."""

_KINDS = 4
"""Groups of equal tasks that an MPI job of unequal ones has at most."""

_NODE_CORES, _MACHINE, _MOST_TASKS = 16, 480, 64

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("machine", "processors", _MACHINE, "cores of the machine", 1, 2**40),
    Parameter("node_cores", "processors", _NODE_CORES, "most tasks of a sequential job", 1, 2**40),
    Parameter("most_tasks", "processors", _MOST_TASKS, "most tasks of an MPI job", 1, 2**40),
    Parameter("mean_gap", "s", 0.25, "mean time between submissions; 0: all at second 0", 0, 1e9),
    Parameter("mpi", "1", 0.5, "probability of an MPI job", 0, 1),
    Parameter("unequal", "1", 0.25, "probability that an MPI job's tasks differ", 0, 1),
    Parameter("least_operations", "operations", 1e9, "lower bound for a task", above=0, most=1e24),
    Parameter("most_operations", "operations", 2e10, "upper bound for a task; uniform", above=0, most=1e24),
    Parameter("least_memory", "B", 1e8, "lower bound of a task's memory", 0, 1e18),
    Parameter("most_memory", "B", 1e9, "upper bound of a task's memory; uniform", 0, 1e18),
    Parameter("least_volume", "B/operation", 0.05, "lower bound of the memory volume", above=0, most=1e6),
    Parameter(
        "most_volume", "B/operation", 5.0, "upper bound of the memory volume; log-uniform", above=0, most=1e6
    ),
    Parameter(
        "least_comm", "B", 1e6, "lower bound of the data that a pair of tasks exchanges", above=0, most=1e18
    ),
    Parameter(
        "most_comm",
        "B",
        1e8,
        "upper bound of the data that a pair exchanges; log-uniform",
        above=0,
        most=1e18,
    ),
    Parameter("least_compute", "1", 0.7, "lower bound of the compute share of an MPI job", 0, 1),
    Parameter("most_compute", "1", 1.0, "upper bound of the compute share; uniform", 0, 1),
    Parameter(
        "most_request", "1", 3.0, "upper bound of requested time over run time; uniform from 1", 1, 1e6
    ),
)
_RANGES = ("operations", "memory", "volume", "comm", "compute")


def draw(values: Mapping[str, float], jobs: int, seed: int) -> Jobs:
    """Return `jobs` jobs with demands; each quantity has a stream of its own. Cost: O(groups)."""
    _check(values)
    mpi = _random(seed, "kinds").random(jobs) < values["mpi"]
    sizes = _sizes(values, mpi, _random(seed, "sizes"))
    unequal = mpi & (_random(seed, "unequal").random(jobs) < values["unequal"])
    counts = np.where(unequal, np.minimum(sizes, _KINDS), 1)
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    operations = np.floor(_uniform(values, "operations", int(first[-1]), seed))
    operations = np.maximum(operations, values["least_operations"])
    demands = Demands(
        sequential=~mpi,
        nodes=np.zeros(jobs, dtype=np.int64),
        tasks_per_node=np.zeros(jobs, dtype=np.int64),
        communication_volume=np.where(mpi, np.floor(_log_uniform(values, "comm", jobs, seed)), 0.0),
        compute_share=np.where(mpi, _uniform(values, "compute", jobs, seed), 1.0),
        first_group=first,
        tasks=_share_out_tasks(sizes, counts, first),
        operations=operations,
        memory=np.floor(_uniform(values, "memory", int(first[-1]), seed)),
        memory_volume=np.floor(operations * _log_uniform(values, "volume", int(first[-1]), seed)),
    )
    run = demands.longest / OPERATIONS_PER_SECOND
    request = np.ceil(run * _random(seed, "requests").uniform(1, values["most_request"], jobs))
    submit = draw_submissions(values["mean_gap"], jobs, _random(seed, "arrivals"))
    return Jobs(submit, run, sizes, np.full(jobs, -1), requested_time=request, demands=demands)


def _check(values: Mapping[str, float]) -> None:
    for name in _RANGES:
        least, most = values[f"least_{name}"], values[f"most_{name}"]
        if least > most:
            raise InputError(
                f"least_{name} must be at most most_{name}={most:g}, got {least:g}", field="parameters"
            )
    check_whole(values, "machine", "node_cores", "most_tasks")
    if max(values["node_cores"], values["most_tasks"]) > values["machine"]:
        raise InputError(
            f"node_cores and most_tasks must be at most machine={values['machine']:g}, got "
            f"{values['node_cores']:g} and {values['most_tasks']:g}",
            field="parameters",
        )


def _random(seed: int, what: str) -> np.random.Generator:
    return stream(seed, f"{NAME}/{what}")


def _sizes(values: Mapping[str, float], mpi: NDArray[np.bool_], random: np.random.Generator) -> IntColumn:
    """Return sizes: uniform from 1 to a node of sequential jobs, from 2 on of MPI jobs."""
    least = np.where(mpi, min(2, int(values["most_tasks"])), 1)
    most = np.where(mpi, int(values["most_tasks"]), int(values["node_cores"]))
    return random.integers(least, most, endpoint=True)


def _uniform(values: Mapping[str, float], name: str, n: int, seed: int) -> FloatColumn:
    return _random(seed, name).uniform(values[f"least_{name}"], values[f"most_{name}"], n)


def _log_uniform(values: Mapping[str, float], name: str, n: int, seed: int) -> FloatColumn:
    least, most = np.log(values[f"least_{name}"]), np.log(values[f"most_{name}"])
    return np.exp(_random(seed, name).uniform(least, most, n))


def _share_out_tasks(sizes: IntColumn, counts: IntColumn, first: IntColumn) -> IntColumn:
    """Return the tasks of each group: as equal as can be, the first groups the larger."""
    place = np.arange(first[-1]) - np.repeat(first[:-1], counts)
    size, count = np.repeat(sizes, counts), np.repeat(counts, counts)
    return size // count + (place < size % count)


MODEL = Model(
    name=NAME,
    summary="Sequential and MPI jobs whose tasks need operations, memory and communication.",
    source="baseline, no paper: like the random mix of IRMASim's extension, whose ranges are not published",
    parameters=PARAMETERS,
    draw=draw,
    machine=lambda values: int(values["machine"]),
    scaled=lambda processors: {
        "machine": processors,
        "node_cores": min(_NODE_CORES, processors),
        "most_tasks": min(_MOST_TASKS, processors),
    },
    can_be_fitted=False,
)
