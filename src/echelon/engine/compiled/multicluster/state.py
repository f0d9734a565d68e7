"""State: everything the queue prediction of one cluster keeps, as records.

Jobs are numbered in the snapshot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NODE_TYPE = np.dtype(
    [
        ("power", np.float64),
        ("processors", np.float64),
        ("link", np.float64),
        ("ceiling", np.float64),
        ("tasks", np.int64),
        ("memory", np.float64),  # free
        ("demand", np.float64),  # of its tasks on its link
        ("next_gamma", np.float64),  # effective power for one task more
        ("load", np.float64),  # scratch: what its tasks are assigned of its link
        ("first", np.int64),  # of the list of its tasks, by job, -1 without
        ("full", np.int64),  # whether the demand on its link may exceed its capacity
        ("touched", np.int64),  # whether its tasks have changed at this instant
    ],
    align=True,
)
"""One record a node."""

JOB_TYPE = np.dtype(
    [
        ("compute", np.float64),
        ("communication", np.float64),
        ("size", np.int64),
        ("memory", np.float64),  # of each task
        ("bandwidth", np.float64),  # of each task
        ("left", np.float64),  # share of its work, at `since`
        ("since", np.float64),
        ("duration", np.float64),  # of all of it at the present speed
        ("due", np.float64),
        ("slowest", np.float64),  # least of what its nodes give; by use its SP, the most of its nodes
        ("again", np.int64),  # whether `slowest` is only known to be no less
        ("share", np.float64),  # of its bandwidth that it is assigned
        ("assigned", np.float64),  # scratch: the same while it is computed
        ("first", np.int64),  # its tasks are tasks[first:first + size]
        ("able", np.int64),  # nodes that had room for a task of it when it did not fit
        ("freed", np.int64),  # places that ENDs had freed until then
        ("is_dirty", np.int64),  # whether its speed may have changed at this instant
        ("start", np.float64),
        ("end", np.float64),
    ],
    align=True,
)
"""One record a job."""

TASK_TYPE = np.dtype([("node", np.int64), ("job", np.int64), ("next", np.int64)], align=True)
"""One task of a job; `next` is the next one in its node, -1 behind the last."""

CLUSTER_TYPE = np.dtype(
    [
        ("now", np.float64),
        ("mpl", np.int64),
        ("running", np.int64),
        ("overtake", np.int64),
        ("n_active", np.int64),
        ("n_waiting", np.int64),
        ("n_touched", np.int64),
        ("n_dirty", np.int64),
        ("n_tasks", np.int64),
        ("n_full", np.int64),
        ("scaled", np.int64),  # whether some job is assigned less than it needs
        ("freed", np.int64),  # places that ENDs have freed
        ("by_use", np.int64),  # whether tasks share processors by what they use
    ],
    align=True,
)
"""The numbers of the cluster."""


class State(NamedTuple):
    """The data that change during the queue prediction."""

    cluster: Any  # CLUSTER_TYPE[1]
    nodes: Any  # NODE_TYPE[n_nodes]
    jobs: Any  # JOB_TYPE[n_jobs]
    tasks: Any  # TASK_TYPE[...]
    slowdown: Any  # float64[n_jobs, mpl], or [0, 0]
    gives: Any  # float64[n_nodes]: effective power; by a table -1 times the tasks there; by use the level
    uses: Any  # float64[mpl]: scratch
    by_node: Any  # int64[2, n_nodes]: lists, see ABLE and TOUCHED
    by_job: Any  # int64[3, n_jobs]: lists, see ACTIVE ...


def sample() -> tuple[State, bool]:
    """Return arguments of the types that the kernel of a queue prediction takes."""
    state = State(
        np.zeros(1, CLUSTER_TYPE),
        np.zeros(1, NODE_TYPE),
        np.zeros(1, JOB_TYPE),
        np.zeros(1, TASK_TYPE),
        np.zeros((1, 1)),
        np.zeros(1),
        np.zeros(1),
        np.zeros((2, 1), dtype=np.int64),
        np.zeros((3, 1), dtype=np.int64),
    )
    return state, False


ABLE, TOUCHED = 0, 1
ACTIVE, WAITING, STIRRED = 0, 1, 2
