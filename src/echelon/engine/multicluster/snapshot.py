"""Snapshot: one cluster at a moment, as its monitors show it, for estimators that simulate it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Nodes, running jobs and waiting jobs of one cluster.

    Jobs are numbered: first the `running` ones, then those that wait, in queue order, the one that is asked
    about last.

    Parameters
    ----------
    now : float
        The moment, in seconds.
    processors : FloatColumn, shape (n_nodes,)
        That parallel tasks may use of each node, what its owner takes now and the contract keeps left out.
    power : FloatColumn, shape (n_nodes,)
        Relative power P.
    memory : FloatColumn, shape (n_nodes,)
        Bytes that further tasks may take now, >= 0.
    link : FloatColumn, shape (n_nodes,)
        What each node's link carries for parallel tasks, local traffic left out, in bytes a second, > 0.
    ceiling : FloatColumn, shape (n_nodes,)
        Limit of their demand on it by the contract, in bytes a second.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks there now.
    mpl : int
        Largest number of tasks in a node, by the contract.
    running : int
        Number of running jobs.
    left : FloatColumn, shape (n_jobs,)
        Share of each job's work that is left, 0 to 1.
    compute_time, communication_time : FloatColumn, shape (n_jobs,)
        T^p and T^c of the whole job on dedicated nodes, in seconds.
    size : IntColumn, shape (n_jobs,)
        Nodes each needs, in this cluster.
    task_memory, task_bandwidth : FloatColumn, shape (n_jobs,)
        Of each of its tasks, in bytes, and in bytes a second on its node's link (0 if it has one task).
    first_node : IntColumn, shape (running + 1,)
        Where the nodes of each running job begin in `nodes`; the last is their number.
    nodes : IntColumn
        Nodes of the running jobs, ascending in each.
    overtake : bool
        Whether any waiting job that fits starts (first-fit); otherwise the first that does not fit blocks.
    slowdown : FloatColumn, shape (n_jobs, mpl) or (0, 0)
        T / (T^p + T^c) of each job by the most tasks in one of its nodes (column m - 1 for m); empty: by SP
        and SC.
    by_use : bool, default False
        Whether tasks share processors by what they use, not by their count.
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
