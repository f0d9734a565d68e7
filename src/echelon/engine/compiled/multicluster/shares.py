"""Assigned bandwidth (algorithm 3.1) in kernels: `assigned_shares`, from the lists of the nodes' tasks."""

from __future__ import annotations

from echelon.engine.compiled.multicluster.occupation import mark_dirty
from echelon.engine.compiled.multicluster.state import ABLE, ACTIVE
from echelon.execution.time_shared import SATURATED
from echelon.libraries.kernel import kernel


@kernel
def assign_shares(st):
    """Assign every running job its share of the bandwidth it needs; mark jobs with another share dirty."""
    active, n_active = st.by_job[ACTIVE], st.cluster[0].n_active
    for k in range(n_active):
        st.jobs[active[k]].assigned = 1.0
    n = _list_full(st)
    while n > 0:
        fullest, least, n = _fullest(st, n)
        if fullest >= 0:
            _relieve(st, fullest, least)
    st.cluster[0].scaled = 0
    for k in range(n_active):
        job = st.jobs[active[k]]
        if job.assigned != job.share:
            job.share = job.assigned
            mark_dirty(st, active[k])
        if job.share < 1.0:
            st.cluster[0].scaled = 1


@kernel
def _list_full(st):
    """List the nodes whose links may be saturated, ascending; return how many."""
    n = 0
    for i in range(len(st.nodes)):
        if st.nodes[i].full:
            st.by_node[ABLE, n] = i
            n += 1
    return n


@kernel
def _fullest(st, n):
    """Return the most saturated of the listed links, how far it is, and how many of them remain.

    Demands only fall, so one that is not saturated is listed no more; none left: -1.
    """
    listed, kept, fullest, least = st.by_node[ABLE], 0, -1, SATURATED
    for k in range(n):
        i = listed[k]
        load, t = 0.0, st.nodes[i].first
        while t >= 0:
            job = st.jobs[st.tasks[t].job]
            load += job.bandwidth * job.assigned
            t = st.tasks[t].next
        if load > 0 and st.nodes[i].link / load < SATURATED:
            listed[kept] = i
            kept += 1
            if st.nodes[i].link / load < least:
                fullest, least = i, st.nodes[i].link / load
    return fullest, least, kept


@kernel
def _relieve(st, i, degree):
    """Scale down the jobs on a saturated link."""
    t = st.nodes[i].first
    while t >= 0:
        job = st.jobs[st.tasks[t].job]
        if job.bandwidth > 0:
            job.assigned *= degree
        t = st.tasks[t].next
