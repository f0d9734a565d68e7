"""Whether nodes can hold a job: the twins of the functions in `echelon.model.machines.capacity`."""

from __future__ import annotations

import math

from echelon.engine.compiled.nodes.state import NOW
from echelon.libraries.kernel import kernel
from echelon.model.machines.capacity import SLACK


@kernel
def weight(job, cores, memory):
    """Return what a node with so many cores and so much memory free counts for `job`, >= 0.

    A node that can hold all tasks of a sequential job counts 1, and so does one that can hold its share of a
    job that names its nodes; for any other job it counts as many tasks as it can hold. The job can be placed
    if and only if the weights of all nodes add up to its need.
    """
    holds = cores
    if job.memory > 0.0:
        tasks = math.floor(min(memory / job.memory * SLACK, 2.0**53))
        holds = max(0, min(cores, int(tasks)))
    if job.sequential or job.nodes > 0:
        return 1 if holds >= job.most else 0
    return min(holds, job.most) if job.most > 0 else holds


@kernel
def enough(st, job, room):
    """Return whether the nodes of a room can hold `job`. Cost: O(nodes)."""
    total = 0
    for node in range(len(st.nodes)):
        total += weight(job, st.cores[room, node], st.memory[room, node])
        if total >= job.need:
            return True
    return False


@kernel
def fits(st, job):
    """Return whether `job` can be placed now. Cost: O(1) if nothing counts but the number of cores."""
    if job.size > st.machine[0].free:
        return False
    return job.plain != 0 or enough(st, job, NOW)
