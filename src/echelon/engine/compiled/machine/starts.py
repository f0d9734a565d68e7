"""Starting jobs, in kernels: out of the queue, onto processors, into the list of running jobs."""

from __future__ import annotations

from echelon.engine.compiled.machine.reorder import account
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.engine.compiled.structures.chain import HEAD, fits, take
from echelon.libraries.kernel import kernel


@kernel
def take_processors(st, jobs, now, job):
    """Start `job`, which has left the queue; `settle` does the rest of it."""
    size = jobs[job].size
    st.machine[0].free -= size
    jobs[job].start = now
    jobs[job].planned_end = now + jobs[job].planned
    st.starting[st.machine[0].n_starting] = job
    st.machine[0].n_starting += 1
    if st.machine[0].accounting:
        account(st.orders, st.traits, st.accounts, now, job, size)


@kernel
def settle(st, jobs):
    """Enter the jobs started since the last call among the running ones and their ENDs among the events.

    Apart from `take_processors` so that the code of both lists stands in one place.
    """
    machine = st.machine[0]
    for k in range(machine.n_starting):
        job = st.starting[k]
        add(st.running, jobs[job].planned_end, job, jobs[job].size, jobs[job].planned)
        heap.push(st.ends, machine.n_ends, jobs[job].start + jobs[job].run, machine.dispatched, job)
        machine.n_ends += 1
        machine.dispatched += 1
    machine.n_starting = 0


@kernel
def start(st, jobs, now, job):
    """Start `job` out of the queue."""
    remove(st.queue, jobs[job].key, job)
    if st.machine[0].own_order:
        remove(st.candidates, jobs[job].candidate, job)
    take_processors(st, jobs, now, job)


@kernel
def is_behind(jobs, rank, key, other):
    """Return whether a job comes after another, with this key, in queue order."""
    return jobs[rank].key > key or (jobs[rank].key == key and rank > other)


@kernel
def sort_into_queue_order(jobs, ranks):
    """Sort a few jobs into queue order, mostly sorted already, by insertion."""
    for k in range(1, len(ranks)):
        rank = ranks[k]
        i = k
        while i > 0 and is_behind(jobs, ranks[i - 1], jobs[rank].key, rank):
            ranks[i] = ranks[i - 1]
            i -= 1
        ranks[i] = rank


@kernel
def start_beside(st, jobs, now, n):
    """Start, one after the other, those of ``st.scratch[:n]`` that fit into the profile now."""
    for k in range(n):
        free = st.machine[0].free
        if free == 0:
            break
        st.machine[0].examined += 1
        job = st.scratch[k]
        size, planned = jobs[job].size, jobs[job].planned
        if size <= free and fits(st.machine[0], st.profile, size, now + planned):
            end = take(st.machine[0], st.profile, HEAD, now + planned, size)
            st.profile[end].uses += 1
            st.places[job].end = end
            start(st, jobs, now, job)
