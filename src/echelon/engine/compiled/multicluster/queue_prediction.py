"""Queue prediction by kernels: from the columns of a snapshot to records, and back."""

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
from echelon.engine.multicluster.forecasting.queue_prediction import QueuePrediction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.multicluster.forecasting.snapshot import Snapshot


def predict_queue_compiled(snapshot: Snapshot, *, to_the_end: bool = False) -> QueuePrediction:
    """Return the result of `predict_queue` of the reference engine, to the last bit.

    Notes
    -----
    **Cost**: O(ENDs x (running jobs + tasks of the jobs whose nodes change) + placements x nodes), more
    where links saturate.
    """
    if not len(snapshot.left):
        return QueuePrediction(np.empty(0), np.empty(0))
    state = _state_of(snapshot)
    run(state, to_the_end)
    return QueuePrediction(state.jobs["start"].copy(), state.jobs["end"].copy())


def _state_of(snapshot: Snapshot) -> State:
    n_nodes, n_jobs = len(snapshot.power), len(snapshot.left)
    cluster = np.zeros(1, dtype=CLUSTER_TYPE)
    cluster[0] = (
        snapshot.now, snapshot.mpl, snapshot.running, snapshot.overtake,
        0, 0, 0, 0, len(snapshot.nodes), 0, 0, 0, snapshot.by_use,
    )  # fmt: skip
    return State(
        cluster,
        _nodes_of(snapshot),
        _jobs_of(snapshot),
        _tasks_of(snapshot),
        # A copy: kernels are compiled for arrays that may be written.
        np.array(snapshot.slowdown, dtype=np.float64, order="C"),
        np.full(n_nodes, np.nan),
        np.empty(snapshot.mpl),
        np.empty((2, n_nodes), dtype=np.int64),
        np.empty((3, n_jobs), dtype=np.int64),
    )


def _nodes_of(snapshot: Snapshot) -> NDArray[np.void]:
    nodes = np.zeros(len(snapshot.power), dtype=NODE_TYPE)
    nodes["power"], nodes["processors"] = snapshot.power, snapshot.processors
    nodes["link"], nodes["ceiling"] = snapshot.link, snapshot.ceiling
    nodes["tasks"], nodes["memory"] = snapshot.tasks, snapshot.memory
    nodes["first"] = -1
    return nodes


def _jobs_of(snapshot: Snapshot) -> NDArray[np.void]:
    jobs = np.zeros(len(snapshot.left), dtype=JOB_TYPE)
    jobs["compute"], jobs["communication"] = snapshot.compute_time, snapshot.communication_time
    jobs["size"], jobs["left"] = snapshot.size, snapshot.left
    jobs["memory"], jobs["bandwidth"] = snapshot.task_memory, snapshot.task_bandwidth
    jobs["first"][: snapshot.running] = snapshot.first_node[:-1]
    jobs["since"] = snapshot.now
    jobs["duration"] = jobs["start"] = jobs["end"] = np.nan
    jobs["slowest"], jobs["again"] = -np.inf, True
    jobs["share"] = 1.0
    jobs["able"] = len(snapshot.power)
    return jobs


def _tasks_of(snapshot: Snapshot) -> NDArray[np.void]:
    """Return the running tasks, and room for all that may be placed."""
    waiting = snapshot.size[snapshot.running :]
    more = int(waiting[waiting <= len(snapshot.power)].sum())
    tasks = np.empty(len(snapshot.nodes) + more, dtype=TASK_TYPE)
    tasks["node"][: len(snapshot.nodes)] = snapshot.nodes
    return tasks
