"""The shadow of a blocked job, over arrays: the twin of `echelon.engine.nodes.shadows.shadow`.

For a plain head, which asks only for a number of cores, numbers are enough: a job on cores that the head does
not need leaves room for the head in any nodes, and no other job fits into the cores that the head leaves
over.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.nodes.capacity import fits, weight
from echelon.engine.compiled.nodes.search import gather, search
from echelon.engine.compiled.nodes.state import CANDIDATE, HEAD, LEFT, NOW, THEN
from echelon.libraries.kernel import kernel

NO_SHADOW = -np.inf


@kernel
def find_shadow(st, jobs, now):
    """Find the head's shadow time, and what it leaves over then."""
    head = jobs[st.machine[0].head]
    if head.plain:
        _count(st, head, now)
    else:
        _look(st, jobs, head, now)


@kernel
def _count(st, head, now):
    running, need = st.running, head.size
    free, shadow = st.machine[0].free, now
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        if free + block.sum_size < need:
            free += block.sum_size
            continue
        for i in range(block.count):
            # Every job whose planned end is not later than the shadow time counts, ties included.
            if free >= need and block.key[i] > shadow:
                st.machine[0].shadow, st.machine[0].extra = shadow, free - need
                return
            free += block.size[i]
            shadow = block.key[i]
    st.machine[0].shadow, st.machine[0].extra = shadow, free - need


@kernel
def _look(st, jobs, head, now):
    total = 0
    for node in range(len(st.nodes)):
        st.cores[THEN, node], st.memory[THEN, node] = st.cores[NOW, node], st.memory[NOW, node]
        total += weight(head, st.cores[NOW, node], st.memory[NOW, node])
    st.machine[0].weight, st.machine[0].head_nodes = total, 0
    st.machine[0].shadow = _run_until_room(st, jobs, head, now)
    _place_head(st, head)


@kernel
def _run_until_room(st, jobs, head, now):
    """Let running jobs end as planned until there is room for the head; return that time."""
    shadow, running, any_gone = now, st.running, False
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            if any_gone and block.key[i] > shadow and st.machine[0].weight >= head.need:
                return shadow
            p = jobs[block.id[i]].first_piece
            while p >= 0:
                piece = st.pieces[p]
                _change(st, head, piece.node, piece.count, piece.memory)
                p = piece.next
            shadow, any_gone = max(block.key[i], shadow), True
    return shadow


@kernel
def _change(st, head, node, cores, memory):
    """Let a node have so much more at the shadow time."""
    before = weight(head, st.cores[THEN, node], st.memory[THEN, node])
    st.cores[THEN, node] += cores
    st.memory[THEN, node] += memory
    st.machine[0].weight += weight(head, st.cores[THEN, node], st.memory[THEN, node]) - before


@kernel
def _place_head(st, head):
    """Find the nodes of the head at its shadow time; without room for it, it keeps its previous nodes."""
    if st.machine[0].weight >= head.need:
        n_picks = search(st, head, THEN, True)
        st.machine[0].head_nodes = gather(st, n_picks, HEAD)


@kernel
def admit(st, jobs, now, j):
    """Return the picks with which a waiting job may start now; 0 if it may not.

    Under EASY one behind the head must not delay it; what it uses up beside a plain head is noted.
    """
    job = jobs[j]
    if not fits(st, job):
        return 0
    free_to_go = st.machine[0].shadow == NO_SHADOW or now + job.planned <= st.machine[0].shadow
    counted = not free_to_go and jobs[st.machine[0].head].plain != 0
    if counted:
        if job.size > st.machine[0].extra:
            return 0
        st.machine[0].extra -= job.size
    n_picks = search(st, job, NOW, False)
    if free_to_go or counted:
        return n_picks
    return _pick_beside_head(st, jobs[st.machine[0].head], job, n_picks)


@kernel
def _pick_beside_head(st, head, job, n_picks):
    """Return these picks if they leave room for the head, else others that do; 0 if there are none."""
    if _leaves_room(st, head, job, n_picks):
        return n_picks
    n_picks = _pick_in_leftover(st, head, job)
    # A head that is to be spread evenly may want more room than it takes.
    return n_picks if n_picks > 0 and _leaves_room(st, head, job, n_picks) else 0


@kernel
def _leaves_room(st, head, job, n_picks):
    n_nodes, total = gather(st, n_picks, CANDIDATE), st.machine[0].weight
    for k in range(n_nodes):
        node, count = st.assignments[CANDIDATE, k].node, st.assignments[CANDIDATE, k].count
        cores, memory = st.cores[THEN, node], st.memory[THEN, node]
        total += weight(head, cores - count, memory - count * job.memory) - weight(head, cores, memory)
    return total >= head.need


@kernel
def _pick_in_leftover(st, head, job):
    """Return picks for `job` in the cores that the head leaves over in its nodes, 0 if there are none."""
    n_nodes = len(st.nodes)
    for node in range(n_nodes):
        st.cores[LEFT, node], st.memory[LEFT, node] = st.cores[THEN, node], st.memory[THEN, node]
    for k in range(st.machine[0].head_nodes):
        node, count = st.assignments[HEAD, k].node, st.assignments[HEAD, k].count
        st.cores[LEFT, node] -= count
        st.memory[LEFT, node] -= count * head.memory
    for node in range(n_nodes):
        st.cores[LEFT, node] = min(st.cores[NOW, node], st.cores[LEFT, node])
        st.memory[LEFT, node] = min(st.memory[NOW, node], st.memory[LEFT, node])
    n_picks = search(st, job, LEFT, True)
    if n_picks == 0:
        return 0
    n_where = gather(st, n_picks, CANDIDATE)
    for node in range(n_nodes):
        st.cores[LEFT, node], st.memory[LEFT, node] = 0, 0.0
    for k in range(n_where):
        node = st.assignments[CANDIDATE, k].node
        st.cores[LEFT, node], st.memory[LEFT, node] = st.assignments[CANDIDATE, k].count, st.memory[NOW, node]
    if job.sequential:
        return search(st, job, LEFT, False)
    # How the job is spread has been decided; it takes all that is left to choose from.
    nodes, most, need = job.nodes, job.most, job.need
    job.nodes, job.most, job.need = 0, 0, job.size
    n_picks = search(st, job, LEFT, False)
    job.nodes, job.most, job.need = nodes, most, need
    return n_picks


@kernel
def use_up(st, jobs, now, j):
    """Subtract a job that has just started from the free cores at the shadow time."""
    head = jobs[st.machine[0].head]
    if head.plain or not now + jobs[j].planned > st.machine[0].shadow:
        return
    p = jobs[j].first_piece
    while p >= 0:
        piece = st.pieces[p]
        _change(st, head, piece.node, -piece.count, -piece.memory)
        p = piece.next
    _place_head(st, head)
