"""Beside the head on hosts, in kernels: whether a job leaves it room, and what it leaves over.

The twin of `echelon.engine.nodes.shadows.shadow` and `echelon.engine.nodes.shadows.calendar_shadow`. What is
free when the head starts are numbers of processors of each host, though the row `THEN` has single ones.
"""

from __future__ import annotations

from echelon.engine.compiled.dynamic_machine.closures import keep_open
from echelon.engine.compiled.dynamic_machine.hosts import add_lowest, count_in, pick, weight
from echelon.engine.compiled.dynamic_machine.processors import count_bits, lowest_bits
from echelon.engine.compiled.dynamic_machine.state import AT, BESIDE, FREE, LATER, PICKED, SPARE, THEN
from echelon.libraries.kernel import kernel


@kernel
def fits_beside(st, jobs, j, row, now):
    """Pick what a job takes that may run beyond the head's start; return whether it does not move that.

    It takes what it would from `row`, else what the head leaves over in its hosts.
    """
    if row != PICKED:
        _pick_lowest(st, row, jobs[j].size)
    if not _leaves_room(st, jobs, j):
        _find_spare(st, jobs)
        keep_open(st, SPARE, j, now, now + jobs[j].planned, now)
        # A head that must be spread evenly may need more room than it takes.
        if not pick(st, SPARE, j, jobs[j].size, BESIDE) or not _leaves_room(st, jobs, j):
            return False
    _use_up(st, j)
    return True


@kernel
def _pick_lowest(st, row, size):
    words, picked, left = st.words[row], st.words[PICKED], size
    for w in range(len(picked)):
        picked[w] = lowest_bits(words[w], left)
        left -= count_bits(picked[w])


@kernel
def _leaves_room(st, jobs, j):
    """Return whether the head can be placed at its start beside what is picked."""
    head, each, total = st.bonds[st.machine[0].head], st.bonds[j].memory, 0
    at, picked = st.words[AT], st.words[PICKED]
    if head.plain:
        for w in range(len(at)):
            total += count_bits(at[w] & ~picked[w])
        return total >= jobs[st.machine[0].head].size
    for h in range(len(st.hosts)):
        host = st.hosts[h]
        cores, picks = count_in(at, host), count_in(picked, host)
        # All of a host is open to the head then, or nothing.
        total += weight(head, max(0, cores - picks), host.later - picks * each)
    return total >= head.need


@kernel
def _find_spare(st, jobs):
    """Find the processors and the memory that the head leaves over: as many, of those that are free now."""
    head = st.machine[0].head
    each = st.bonds[head].memory
    pick(st, AT, head, jobs[head].size, LATER)
    spare = st.words[SPARE]
    spare[:] = 0
    for h in range(len(st.hosts)):
        host = st.hosts[h]
        picks = count_in(st.words[PICKED], host)
        left = min(count_in(st.words[FREE], host), count_in(st.words[THEN], host) - picks)
        host.beside = min(host.now, max(0.0, host.later - picks * each))
        add_lowest(st, FREE, host, max(0, left), SPARE)


@kernel
def _use_up(st, j):
    """Let what is picked be gone when the head starts."""
    machine, each = st.machine[0], st.bonds[j].memory
    at, then, picked = st.words[AT], st.words[THEN], st.words[PICKED]
    for w in range(len(at)):
        machine.extra -= count_bits(at[w] & picked[w])
        at[w] &= ~picked[w]
        then[w] &= ~picked[w]
    if each > 0.0:
        for h in range(len(st.hosts)):
            st.hosts[h].later -= count_in(picked, st.hosts[h]) * each
