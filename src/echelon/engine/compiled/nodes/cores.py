"""Cores and memory of nodes, taken by jobs and given back: the twins of what `Nodes` does."""

from __future__ import annotations

from echelon.engine.compiled.nodes.search import gather
from echelon.engine.compiled.nodes.state import CANDIDATE, NOW
from echelon.libraries.kernel import kernel


@kernel
def take(st, jobs, j, n_picks):
    """Give a job the cores picked."""
    job = jobs[j]
    slot = job.slot
    for k in range(n_picks):
        run, count = st.runs[st.picks[k].run], st.picks[k].count
        last = run.first + run.idle - 1
        for i in range(count):
            st.held[slot + i] = st.table[last - i].idle
        run.idle -= count
        slot += count
    n_nodes = gather(st, n_picks, CANDIDATE)
    for k in range(n_nodes):
        node, count = st.assignments[CANDIDATE, k].node, st.assignments[CANDIDATE, k].count
        memory = count * job.memory
        st.cores[NOW, node] -= count
        st.memory[NOW, node] -= memory
        st.nodes[node].jobs += 1
        p = _new_piece(st)
        piece = st.pieces[p]
        piece.node, piece.count, piece.memory, piece.next = node, count, memory, job.first_piece
        job.first_piece = p
    st.machine[0].free -= job.size


@kernel
def _new_piece(st):
    p = st.machine[0].spare_piece
    if p >= 0:
        st.machine[0].spare_piece = st.pieces[p].next
        return p
    p = st.machine[0].pieces
    st.machine[0].pieces += 1
    return p


@kernel
def give_back_in(st, job, p, count):
    """Free so many cores of a piece of `job`, and the memory of their tasks; return whether all are free."""
    piece = st.pieces[p]
    node, memory = piece.node, count * job.memory
    st.machine[0].free += count
    st.cores[NOW, node] += count
    st.memory[NOW, node] += memory
    piece.count -= count
    piece.memory -= memory
    if piece.count > 0:
        return False
    st.nodes[node].jobs -= 1
    if st.nodes[node].jobs == 0:
        # Sums of fractions of bytes need not come back to nothing by themselves.
        st.memory[NOW, node] = st.nodes[node].memory
    return True


@kernel
def give_all_back(st, job):
    """Free what `job` still holds in each of its nodes."""
    p = job.first_piece
    while p >= 0:
        following = st.pieces[p].next
        give_back_in(st, job, p, st.pieces[p].count)
        st.pieces[p].next = st.machine[0].spare_piece
        st.machine[0].spare_piece = p
        p = following
    job.first_piece = -1


@kernel
def make_idle(st, first, stop):
    """Put the cores held[first:stop] among the idle ones of their runs."""
    while first < stop:
        r = st.table[st.held[first]].run
        last = first
        while last < stop and st.table[st.held[last]].run == r:
            last += 1
        _merge(st, st.runs[r], first, last)
        first = last


@kernel
def _merge(st, run, first, stop):
    """Merge the cores held[first:stop], ascending, into the idle ones of `run`, which descend."""
    old = run.first + run.idle - 1
    to = old + stop - first
    run.idle += stop - first
    while first < stop:
        if old >= run.first and st.table[old].idle < st.held[first]:
            st.table[to].idle = st.table[old].idle
            old -= 1
        else:
            st.table[to].idle = st.held[first]
            first += 1
        to -= 1
