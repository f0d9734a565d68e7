"""Project a picture by kernels: from its columns to records, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.compiled.multicluster.run import run
from echelon.engine.compiled.multicluster.state import (
    CLUSTER_TYPE,
    JOB_TYPE,
    NODE_TYPE,
    TASK_TYPE,
    State,
)
from echelon.engine.multicluster.projection import Projection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.multicluster.picture import Picture


def project_compiled(picture: Picture, *, to_the_end: bool = False) -> Projection:
    """Return what `echelon.engine.multicluster.projection.project` returns, to the last bit, sooner.

    Notes
    -----
    **Cost**: O(ENDs x (running jobs + tasks of the jobs whose nodes change) + placements x nodes), more
    where links saturate.
    """
    if not len(picture.left):
        return Projection(np.empty(0), np.empty(0))
    state = _state_of(picture)
    run(state, to_the_end)
    return Projection(state.jobs["start"].copy(), state.jobs["end"].copy())


def _state_of(picture: Picture) -> State:
    n_nodes, n_jobs = len(picture.power), len(picture.left)
    cluster = np.zeros(1, dtype=CLUSTER_TYPE)
    cluster[0] = (
        picture.now, picture.mpl, picture.running, picture.overtake,
        0, 0, 0, 0, len(picture.nodes), 0, 0, 0, picture.by_use,
    )  # fmt: skip
    return State(
        cluster,
        _nodes_of(picture),
        _jobs_of(picture),
        _tasks_of(picture),
        # A copy: kernels are compiled for arrays that may be written.
        np.array(picture.slowdown, dtype=np.float64, order="C"),
        np.full(n_nodes, np.nan),
        np.empty(picture.mpl),
        np.empty((2, n_nodes), dtype=np.int64),
        np.empty((3, n_jobs), dtype=np.int64),
    )


def _nodes_of(picture: Picture) -> NDArray[np.void]:
    nodes = np.zeros(len(picture.power), dtype=NODE_TYPE)
    nodes["power"], nodes["processors"] = picture.power, picture.processors
    nodes["link"], nodes["ceiling"] = picture.link, picture.ceiling
    nodes["tasks"], nodes["memory"] = picture.tasks, picture.memory
    nodes["first"] = -1
    return nodes


def _jobs_of(picture: Picture) -> NDArray[np.void]:
    jobs = np.zeros(len(picture.left), dtype=JOB_TYPE)
    jobs["compute"], jobs["communication"] = picture.compute_time, picture.communication_time
    jobs["size"], jobs["left"] = picture.size, picture.left
    jobs["memory"], jobs["bandwidth"] = picture.task_memory, picture.task_bandwidth
    jobs["first"][: picture.running] = picture.first_node[:-1]
    jobs["since"] = picture.now
    jobs["duration"] = jobs["start"] = jobs["end"] = np.nan
    jobs["slowest"], jobs["again"] = -np.inf, True
    jobs["share"] = 1.0
    jobs["able"] = len(picture.power)
    return jobs


def _tasks_of(picture: Picture) -> NDArray[np.void]:
    """Return the running tasks, and room for all that may be placed."""
    waiting = picture.size[picture.running :]
    more = int(waiting[waiting <= len(picture.power)].sum())
    tasks = np.empty(len(picture.nodes) + more, dtype=TASK_TYPE)
    tasks["node"][: len(picture.nodes)] = picture.nodes
    return tasks
