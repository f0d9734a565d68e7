"""Snapshot: the present state of one cluster, as its monitors show it, for estimators that simulate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Nodes, running jobs and waiting jobs of one cluster.

    Jobs are numbered: first the `running` jobs, then the waiting jobs in queue order; the job to be forecast
    is last.

    Parameters
    ----------
    now : float
        Time of the snapshot, in seconds.
    processors : FloatColumn, shape (n_nodes,)
        Processors of each node for parallel tasks, without those that its owner takes and the contract keeps.
    power : FloatColumn, shape (n_nodes,)
        Relative power P.
    memory : FloatColumn, shape (n_nodes,)
        Bytes that further tasks may take now, >= 0.
    link : FloatColumn, shape (n_nodes,)
        Capacity of each node's link for parallel tasks, without local traffic, in bytes a second, > 0.
    ceiling : FloatColumn, shape (n_nodes,)
        Limit of their demand on it by the contract, in bytes a second.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks there now.
    mpl : int
        Largest number of tasks in a node, by the contract.
    running : int
        Number of running jobs.
    left : FloatColumn, shape (n_jobs,)
        Remaining share of each job's work, 0 to 1.
    compute_time, communication_time : FloatColumn, shape (n_jobs,)
        T^p and T^c of the whole job on dedicated nodes, in seconds.
    size : IntColumn, shape (n_jobs,)
        Nodes that each job needs in this cluster.
    task_memory, task_bandwidth : FloatColumn, shape (n_jobs,)
        Memory of each task, in bytes, and its demand on its node's link, in bytes a second (0 for a single
        task).
    first_node : IntColumn, shape (running + 1,)
        Start of each running job's nodes in `nodes`; the last entry is their number.
    nodes : IntColumn
        Nodes of the running jobs, ascending for each job.
    overtake : bool
        Whether any waiting job that fits starts (first-fit); otherwise the first that does not fit blocks.
    slowdown : FloatColumn, shape (n_jobs, mpl) or (0, 0)
        T / (T^p + T^c) of each job by the largest number of tasks in one of its nodes (column m - 1 for m);
        empty: by SP and SC.
    by_use : bool, default False
        Whether tasks share processors by use, not by count.
    """

    now: float
    processors: FloatColumn
    power: FloatColumn
    memory: FloatColumn
    link: FloatColumn
    ceiling: FloatColumn
    tasks: IntColumn
    mpl: int
    running: int
    left: FloatColumn
    compute_time: FloatColumn
    communication_time: FloatColumn
    size: IntColumn
    task_memory: FloatColumn
    task_bandwidth: FloatColumn
    first_node: IntColumn
    nodes: IntColumn
    overtake: bool
    slowdown: FloatColumn
    by_use: bool = False
