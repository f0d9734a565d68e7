"""Occupation, in kernels: the tasks of jobs in nodes, and the nodes that a waiting job gets."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.multicluster.state import ABLE, ACTIVE, STIRRED, TOUCHED, WAITING
from echelon.engine.multicluster.sharing.node_choice import ROUNDING
from echelon.libraries.kernel import kernel


@kernel
def begin(st):
    """Enter the tasks of the running jobs; their nodes are in `tasks` already."""
    cluster = st.cluster[0]
    for j in range(cluster.running):
        job = st.jobs[j]
        for t in range(job.first, job.first + job.size):
            _enter(st, j, t)
            st.nodes[st.tasks[t].node].demand += job.bandwidth
        st.by_job[ACTIVE, j] = j
        mark_dirty(st, j)
    cluster.n_active = cluster.running
    cluster.n_waiting = len(st.jobs) - cluster.running
    for k in range(cluster.n_waiting):
        st.by_job[WAITING, k] = cluster.running + k
    for i in range(len(st.nodes)):
        _touch(st, i)
        node = st.nodes[i]
        node.next_gamma = node.power * min(1.0, node.processors / (node.tasks + 1))


@kernel
def mark_dirty(st, j):
    """Note that the speed of a job may have changed."""
    if not st.jobs[j].is_dirty:
        st.jobs[j].is_dirty = 1
        st.by_job[STIRRED, st.cluster[0].n_dirty] = j
        st.cluster[0].n_dirty += 1


@kernel
def _touch(st, i):
    if not st.nodes[i].touched:
        st.nodes[i].touched = 1
        st.by_node[TOUCHED, st.cluster[0].n_touched] = i
        st.cluster[0].n_touched += 1


@kernel
def _enter(st, j, t):
    """Enter a task in the list of its node, which is by job, so that sums have one order."""
    task = st.tasks[t]
    task.job = j
    node = st.nodes[task.node]
    before, after = -1, node.first
    while after >= 0 and st.tasks[after].job < j:
        before, after = after, st.tasks[after].next
    task.next = after
    if before < 0:
        node.first = t
    else:
        st.tasks[before].next = t


@kernel
def _leave(st, t):
    node = st.nodes[st.tasks[t].node]
    if node.first == t:
        node.first = st.tasks[t].next
        return
    before = node.first
    while st.tasks[before].next != t:
        before = st.tasks[before].next
    st.tasks[before].next = st.tasks[t].next


@kernel
def _take(st, i, job, sign):
    """Take the demand of a task from a node, or give it back (-1)."""
    node = st.nodes[i]
    node.tasks += sign
    node.memory -= sign * job.memory
    node.demand += sign * job.bandwidth
    node.next_gamma = node.power * min(1.0, node.processors / (node.tasks + 1))
    _touch(st, i)


@kernel
def place_waiting(st, now):
    """Start waiting jobs, in order; one that does not fit blocks the others, unless they may overtake."""
    cluster, waiting = st.cluster[0], st.by_job[WAITING]
    k, kept = 0, 0
    while k < cluster.n_waiting:
        j = waiting[k]
        if _finds_nodes(st, j):
            _start(st, j, now)
        elif cluster.overtake:
            waiting[kept] = j
            kept += 1
        else:
            break
        k += 1
    if k > kept:
        while k < cluster.n_waiting:
            waiting[kept] = waiting[k]
            kept += 1
            k += 1
        cluster.n_waiting = kept


@kernel
def _finds_nodes(st, j):
    """Return whether a job fits; its nodes are then the first so many that are able."""
    cluster, job, able = st.cluster[0], st.jobs[j], st.by_node[ABLE]
    # Only an END makes more nodes able, so it need not look before there may be enough.
    if job.able + cluster.freed - job.freed < job.size:
        return False
    memory = job.memory * ROUNDING if job.memory > 0 else -np.inf
    n = 0
    for i in range(len(st.nodes)):
        node = st.nodes[i]
        if (
            node.tasks < cluster.mpl
            and node.processors > 0
            and node.memory >= memory
            and (node.demand + job.bandwidth) * ROUNDING <= node.ceiling
        ):
            able[n] = i
            n += 1
    if n < job.size:
        job.able, job.freed = n, cluster.freed
        return False
    _put_best_first(st.nodes, able, n, job.size)
    return True


@kernel
def _put_best_first(nodes, able, n, size):
    """Put the best of the able nodes first, in no order: quickselect."""
    low, high = 0, n - 1
    while low < high and size < n:
        pivot = able[(low + high) >> 1]
        i, k = low, high
        while i <= k:
            while _is_better(nodes, able[i], pivot):
                i += 1
            while _is_better(nodes, pivot, able[k]):
                k -= 1
            if i <= k:
                able[i], able[k] = able[k], able[i]
                i += 1
                k -= 1
        if size - 1 <= k:
            high = k
        elif size - 1 >= i:
            low = i
        else:
            return


@kernel
def _is_better(nodes, a, b):
    """Return whether node a is taken before node b, as in `best_nodes`."""
    one, other = nodes[a], nodes[b]
    if one.tasks != other.tasks:
        return one.tasks < other.tasks
    if one.memory != other.memory:
        return one.memory > other.memory
    if one.next_gamma != other.next_gamma:
        return one.next_gamma > other.next_gamma
    return a < b


@kernel
def _start(st, j, now):
    cluster, job, active = st.cluster[0], st.jobs[j], st.by_job[ACTIVE]
    job.first = cluster.n_tasks
    cluster.n_tasks += job.size
    for k in range(job.size):
        i = st.by_node[ABLE, k]
        st.tasks[job.first + k].node = i
        _enter(st, j, job.first + k)
        _take(st, i, job, 1)
    job.start = job.since = now
    k = cluster.n_active
    while k > 0 and active[k - 1] > j:
        active[k] = active[k - 1]
        k -= 1
    active[k] = j
    cluster.n_active += 1
    mark_dirty(st, j)


@kernel
def free_nodes(st, job):
    """Let a job that has ended give back its nodes."""
    for t in range(job.first, job.first + job.size):
        _leave(st, t)
        _take(st, st.tasks[t].node, job, -1)
    st.cluster[0].freed += job.size
