"""One scheduling cycle on nodes, over arrays: the twins of the rules `none`, `first-fit` and `easy`."""

from __future__ import annotations

from echelon.engine.compiled.nodes.capacity import fits
from echelon.engine.compiled.nodes.cores import take
from echelon.engine.compiled.nodes.shadow import NO_SHADOW, admit, find_shadow, use_up
from echelon.engine.compiled.nodes.state import EASY, NONE
from echelon.engine.compiled.nodes.tasks import settle
from echelon.engine.compiled.structures.blocked_list import remove, remove_at
from echelon.libraries.kernel import kernel


@kernel
def decide(st, jobs, now, first_new, last_new):
    """Run one cycle; the jobs that arrived since the last one are ``st.arrivals[first_new:last_new]``."""
    st.machine[0].cycles += 1
    if st.queue.totals[0].entries == 0 or _nothing_changed(st, jobs, now, first_new, last_new):
        return
    st.machine[0].changed = 0
    _from_head(st, jobs, now)
    # The shadow time counts on the jobs just started.
    settle(st, jobs)
    if st.machine[0].kind != NONE and st.queue.totals[0].entries > 1 and st.machine[0].free > 0:
        _backfill(st, jobs, now)
        settle(st, jobs)


@kernel
def _nothing_changed(st, jobs, now, first_new, last_new):
    """Complete the cycle early if jobs only arrived behind a blocked head and no job can start.

    A job refused by the last cycle would be refused again: nothing was freed, and only time has advanced.
    """
    head = st.machine[0].head
    if st.machine[0].changed or head < 0 or st.queue.blocks[st.queue.order[0]].id[0] != head:
        return False
    kind = st.machine[0].kind
    if kind == NONE or st.machine[0].free == 0:
        return True
    for k in range(first_new, last_new):
        job = jobs[st.arrivals[k]]
        if fits(st, job):
            in_time = kind != EASY or st.machine[0].shadow == NO_SHADOW
            if in_time or not jobs[head].plain:
                return False
            if now + job.planned <= st.machine[0].shadow or job.size <= st.machine[0].extra:
                return False
    return True


@kernel
def _start(st, jobs, now, j, n_picks):
    """Start a job, which has left the queue, on the cores picked; `settle` does the rest of it."""
    take(st, jobs, j, n_picks)
    jobs[j].start = now
    jobs[j].planned_end = now + jobs[j].planned
    st.starting[st.machine[0].n_starting] = j
    st.machine[0].n_starting += 1


@kernel
def _from_head(st, jobs, now):
    """Start jobs from the head while they fit, and remember the one that does not."""
    queue = st.queue
    st.machine[0].head = -1
    st.machine[0].shadow = NO_SHADOW
    while queue.totals[0].entries > 0:
        j = queue.blocks[queue.order[0]].id[0]
        n_picks = admit(st, jobs, now, j)
        if n_picks == 0:
            st.machine[0].head = j
            return
        remove_at(queue, 0, 0)
        if st.machine[0].own_order:
            remove(st.candidates, jobs[j].candidate, j)
        _start(st, jobs, now, j, n_picks)


@kernel
def _backfill(st, jobs, now):
    """Walk the jobs behind the head and start those that may."""
    head, easy = st.machine[0].head, st.machine[0].kind == EASY
    if easy:
        find_shadow(st, jobs, now)
    counted = easy and jobs[head].plain
    walk = st.candidates if st.machine[0].own_order else st.queue
    place = 0
    while place < walk.totals[0].blocks and st.machine[0].free > 0:
        block = walk.blocks[walk.order[place]]
        st.machine[0].examined += 1
        # Rounding keeps order: if the shortest does not end by the shadow time, none here does.
        if block.min_size > st.machine[0].free or (
            counted
            and block.min_size > st.machine[0].extra
            and now + block.min_duration > st.machine[0].shadow
        ):
            place += 1
            continue
        if not _backfill_from(st, jobs, now, walk, place):
            place += 1


@kernel
def _backfill_from(st, jobs, now, walk, place):
    """Start those of one block of candidates that may; return whether that block is gone."""
    head, easy = st.machine[0].head, st.machine[0].kind == EASY
    block = walk.blocks[walk.order[place]]
    i = 0
    while i < block.count and st.machine[0].free > 0:
        st.machine[0].examined += 1
        j, n_picks = block.id[i], 0
        if j != head and block.size[i] <= st.machine[0].free:
            n_picks = admit(st, jobs, now, j)
        if n_picks == 0:
            i += 1
            continue
        emptied = remove_at(walk, place, i)
        if st.machine[0].own_order:
            remove(st.queue, jobs[j].key, j)
        _start(st, jobs, now, j, n_picks)
        if easy and not jobs[head].plain:
            use_up(st, jobs, now, j)
            # In other nodes, one that was refused before could find room now.
            st.machine[0].changed = 1
        if emptied:
            return True
    return False
