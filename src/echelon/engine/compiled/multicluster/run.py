"""Queue prediction in kernels, which recompute only what changes: `predict_queue`, to the last bit."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.multicluster.occupation import begin, free_nodes, mark_dirty, place_waiting
from echelon.engine.compiled.multicluster.shares import assign_shares
from echelon.engine.compiled.multicluster.state import ACTIVE, STIRRED, TOUCHED, sample
from echelon.engine.compiled.structures.rounding import next_above
from echelon.engine.multicluster.forecasting.queue_prediction import NEGLIGIBLE
from echelon.libraries.kernel import entry_kernel, kernel

_NEARLY_FULL = 1.0 - 1e-10
"""Links fuller than this by a running sum are looked at closely."""


@entry_kernel("projection", sample)
def run(st, to_the_end):
    """Simulate the cluster until its last job has ended, or to the end."""
    begin(st)
    instant, last = st.cluster[0].now, st.jobs[len(st.jobs) - 1]
    while instant < np.inf:
        place_waiting(st, instant)
        _pace(st, instant)
        instant = _next_end(st)
        _end_jobs(st, instant)
        if not to_the_end and not np.isnan(last.end):
            break


@kernel
def _pace(st, now):
    """Let every running job go on at the speed that the present occupation gives it."""
    cluster = st.cluster[0]
    for k in range(cluster.n_touched):
        _look_at(st, st.by_node[TOUCHED, k])
    cluster.n_touched = 0
    if len(st.slowdown) == 0 and (cluster.n_full > 0 or cluster.scaled):
        assign_shares(st)
    for k in range(cluster.n_dirty):
        j = st.by_job[STIRRED, k]
        st.jobs[j].is_dirty = 0
        _settle(st, j, now)
    cluster.n_dirty = 0


@kernel
def _look_at(st, i):
    """Work out what has changed in a node, and mark jobs dirty whose slowest node may be another now."""
    node = st.nodes[i]
    node.touched = 0
    full = node.demand > 0 and node.link / node.demand < _NEARLY_FULL
    st.cluster[0].n_full += full - node.full
    node.full = full
    before = st.gives[i]
    if st.cluster[0].by_use and len(st.slowdown) == 0:
        st.gives[i] = _level(st, node)
        if st.gives[i] != before:
            _mark_all_dirty(st, node)
        return
    now = _node_share(st, node)
    st.gives[i] = now
    t = node.first
    while t >= 0:
        job = st.jobs[st.tasks[t].job]
        if now < job.slowest:
            job.slowest = now
            mark_dirty(st, st.tasks[t].job)
        elif before == job.slowest and now > before:
            job.again = 1
            mark_dirty(st, st.tasks[t].job)
        t = st.tasks[t].next


@kernel
def _mark_all_dirty(st, node):
    """Let all jobs of a node find their slowest node again."""
    t = node.first
    while t >= 0:
        st.jobs[st.tasks[t].job].again = 1
        mark_dirty(st, st.tasks[t].job)
        t = st.tasks[t].next


@kernel
def _level(st, node):
    """Return the largest processor share of a task of the node, as in `fair_level`."""
    uses, n, t = st.uses, 0, node.first
    while t >= 0:
        job = st.jobs[st.tasks[t].job]
        use = job.compute / (job.compute + node.power * job.communication) if job.compute > 0 else 0.0
        k = n
        while k > 0 and uses[k - 1] > use:
            uses[k] = uses[k - 1]
            k -= 1
        uses[k] = use
        n += 1
        t = st.tasks[t].next
    if node.processors <= 0:
        return 0.0
    left = node.processors
    for k in range(n):
        if uses[k] * (n - k) > left:
            return left / (n - k)
        left -= uses[k]
    return np.inf


@kernel
def _node_share(st, node):
    if len(st.slowdown):
        return -1.0 * node.tasks
    return node.power * min(1.0, node.processors / max(node.tasks, 1))


@kernel
def _settle(st, j, now):
    """Note what is left of a job if its speed changes now."""
    job = st.jobs[j]
    by_use = st.cluster[0].by_use and len(st.slowdown) == 0
    if job.again:
        job.again = 0
        job.slowest = _processing_slowdown(st, job) if by_use else _slowest(st, job)
    if len(st.slowdown):
        duration = _by_table(st, j)
    elif by_use:
        duration = _execution_time(job, job.slowest)
    else:
        duration = _execution_time(job, 1.0 / job.slowest if job.slowest > 0 else np.inf)
    if duration != job.duration:
        if now > job.since:
            job.left = max(0.0, job.left - (now - job.since) / job.duration)
            job.since = now
        job.duration = duration
        job.due = job.since + (job.left * duration if job.left > 0 else 0.0)


@kernel
def _slowest(st, job):
    """Return the least share over a job's nodes, which is at least the known bound."""
    before, slowest = job.slowest, np.inf
    for t in range(job.first, job.first + job.size):
        slowest = min(slowest, st.gives[st.tasks[t].node])
        if slowest <= before:
            break
    return slowest


@kernel
def _processing_slowdown(st, job):
    """Return SP of a job whose tasks share processors by use: the most of its nodes, as `slowdown_by_use`."""
    most = -np.inf
    for t in range(job.first, job.first + job.size):
        i = st.tasks[t].node
        if st.gives[i] <= 0:
            return np.inf
        power = st.nodes[i].power
        here = 1.0 / power
        if job.compute > 0:
            here = max(here, 1.0 / (st.gives[i] * power) - job.communication / job.compute)
        most = max(most, here)
    return most


@kernel
def _execution_time(job, processing):
    """Return what all of a job takes by SP and SC."""
    if job.compute + job.communication == 0:
        return 0.0
    if processing == np.inf:
        return np.inf
    crossing = 1.0 / job.share if job.share > 0 else np.inf
    if processing == crossing:
        return (job.compute + job.communication) * processing
    return job.compute * processing + (job.communication * crossing if job.communication > 0 else 0.0)


@kernel
def _by_table(st, j):
    """Return what all of a job takes by the most tasks in one of its nodes."""
    job = st.jobs[j]
    fullest = min(int(-job.slowest), st.cluster[0].mpl)
    return (job.compute + job.communication) * st.slowdown[j, fullest - 1]


@kernel
def _next_end(st):
    """Return when the next of the running jobs ends, infinity if none ever does."""
    instant = np.inf
    for k in range(st.cluster[0].n_active):
        instant = min(instant, st.jobs[st.by_job[ACTIVE, k]].due)
    return instant


@kernel
def _end_jobs(st, instant):
    """Let all jobs that end at this instant give back their nodes."""
    cluster, active = st.cluster[0], st.by_job[ACTIVE]
    if instant == np.inf:
        return
    rounding = 4 * (next_above(abs(instant)) - abs(instant))
    kept = 0
    for k in range(cluster.n_active):
        job = st.jobs[active[k]]
        if job.due < np.inf and job.due - instant <= rounding + NEGLIGIBLE * job.duration:
            job.end = instant
            free_nodes(st, job)
        else:
            active[kept] = active[k]
            kept += 1
    cluster.n_active = kept
