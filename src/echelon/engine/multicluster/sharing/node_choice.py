"""Node choice: the nodes with room for a task of a job in one cluster, and the best of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

ROUNDING = 1.0 - 1e-9
"""Tolerance as a share of the demand: sums that were added and subtracted are inexact."""


def rooms(
    need: tuple[float, float],
    *,
    tasks: IntColumn,
    mpl: int,
    processors: FloatColumn,
    memory: FloatColumn,
    demand: FloatColumn,
    ceiling: FloatColumn,
) -> NDArray[np.bool_]:
    """Return whether each node can take one more task.

    Parameters
    ----------
    need : tuple of float
        Memory of the task, in bytes, and bandwidth on the node's link, in bytes a second.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks there, which must be fewer than `mpl`.
    mpl : int
        Largest number of tasks in a node.
    processors : FloatColumn, shape (n_nodes,)
        Processors that parallel tasks may use; some must be left.
    memory : FloatColumn, shape (n_nodes,)
        Memory that a further task may take, in bytes.
    demand, ceiling : FloatColumn, shape (n_nodes,)
        Demand of the tasks there on the link, and its limit by the contract, in bytes a second.
    """
    of_memory, of_link = need
    room = (tasks < mpl) & (processors > 0)
    room &= (demand + of_link) * ROUNDING <= ceiling
    if of_memory > 0:
        room &= memory >= of_memory * ROUNDING
    return room


def best_nodes(
    size: int, *, room: NDArray[np.bool_], tasks: IntColumn, memory: FloatColumn, gamma: FloatColumn
) -> IntColumn | None:
    """Return the `size` best of the nodes with room, ascending, or None if there are fewer.

    Parameters
    ----------
    size : int
        Number of nodes, >= 1.
    room : array of bool, shape (n_nodes,)
        Whether each can take a task of the job.
    tasks : IntColumn, shape (n_nodes,)
        Parallel tasks there: the fewest first.
    memory : FloatColumn, shape (n_nodes,)
        Free memory: then the most.
    gamma : FloatColumn, shape (n_nodes,)
        Effective power for one task more: then the highest.

    Notes
    -----
    **Ties**: the lowest index. **Cost**: O(n log n). **Source**: the order is our choice; the M-CISNE thesis
    leaves the node selection policy open.
    """
    if np.count_nonzero(room) < size:
        return None
    return np.sort(rank_nodes(room=room, tasks=tasks, memory=memory, gamma=gamma)[:size])


def rank_nodes(
    *, room: NDArray[np.bool_], tasks: IntColumn, memory: FloatColumn, gamma: FloatColumn
) -> IntColumn:
    """Return the nodes with room, the best first; see `best_nodes`."""
    able = room.nonzero()[0]
    return able[np.lexsort((-gamma[able], -memory[able], tasks[able]))]
