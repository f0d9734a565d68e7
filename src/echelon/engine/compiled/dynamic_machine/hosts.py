"""Hosts: nodes of several cores in kernels: which processors of which of them a job takes, and their memory.

The twin of `echelon.policies.placement.node_search` and `echelon.model.machines.capacity`.
"""

from __future__ import annotations

import math

from echelon.engine.compiled.dynamic_machine.processors import bits_between, count_bits, lowest_bits
from echelon.engine.compiled.dynamic_machine.state import FIRST, LATER, NOW, PICKED, PLACES, WORST
from echelon.libraries.kernel import kernel
from echelon.model.machines.capacity import SLACK


@kernel
def choose(st, row, j, size):
    """Return the row of what a job would take now of enough processors in a row, or -1 if it has no room."""
    if st.bonds[j].lowest:
        return row
    return PICKED if pick(st, row, j, size, NOW) else -1


@kernel
def weight(ask, cores, memory):
    """Return what a host with so many cores and so much memory free counts for a job, >= 0.

    One that can hold all tasks of a sequential job counts 1, and so does one that can hold its share of a job
    that names its nodes; for any other job it counts as many tasks as it can hold. The job can be placed if
    and only if the weights of all hosts add up to its need.
    """
    fit = cores
    if ask.memory > 0.0:
        tasks = math.floor(min(memory / ask.memory * SLACK, 2.0**53))
        fit = max(0, min(cores, int(tasks)))
    if ask.sequential or ask.hosts > 0:
        return 1 if fit >= ask.most else 0
    return min(fit, ask.most) if ask.most > 0 else fit


@kernel
def holds(st, row, j, room):
    """Return whether a job can be placed on the processors of a row, which are enough, with such memory."""
    return st.bonds[j].plain or weigh(st, row, j, room) >= st.bonds[j].need


@kernel
def weigh(st, row, j, room):
    """Note what each host counts for a job that may take processors of a row; return the sum."""
    words, ask, total = st.words[row], st.bonds[j], 0
    for h in range(len(st.hosts)):
        host = st.hosts[h]
        host.cores = count_in(words, host)
        host.weight = weight(ask, host.cores, _memory(host, room))
        total += host.weight
    return total


@kernel
def _memory(host, room):
    if room == NOW:
        return host.now
    return host.later if room == LATER else host.beside


@kernel
def count_in(words, host):
    """Return how many processors of a host are in a row."""
    first, last, total = int(host.first), int(host.stop) - 1, 0
    for w in range(first >> PLACES, (last >> PLACES) + 1):
        total += count_bits(words[w] & bits_between(first, last, w))
    return total


@kernel
def pick(st, row, j, size, room):
    """Pick the processors that a job would take of a row; return whether there is room for it."""
    ask, fit = st.bonds[j], st.machine[0].fit
    if weigh(st, row, j, room) < ask.need:
        return False
    picked = st.words[PICKED]
    picked[:] = 0
    left, chosen, cores = size, 0, -1
    while left > 0:
        if fit != FIRST:
            cores = _next_cores(st, cores)
        for h in range(len(st.hosts)):
            host = st.hosts[h]
            if host.weight == 0 or (fit != FIRST and host.cores != cores):
                continue
            share = min(left, host.weight)
            if ask.sequential:
                share = left
            elif ask.hosts > 0:
                # The first ones take what is left over.
                share = size // ask.hosts + (1 if chosen < size % ask.hosts else 0)
            add_lowest(st, row, host, share, PICKED)
            left -= share
            chosen += 1
            if left == 0:
                break
    return True


@kernel
def _next_cores(st, before):
    """Return the next number of free cores after `before`, -1 at first, in the order of the search."""
    next_cores = -1
    for h in range(len(st.hosts)):
        cores = st.hosts[h].cores
        if st.hosts[h].weight == 0:
            continue
        if st.machine[0].fit == WORST:
            if (before < 0 or cores < before) and cores > next_cores:
                next_cores = cores
        elif cores > before and (next_cores < 0 or cores < next_cores):
            next_cores = cores
    return next_cores


@kernel
def add_lowest(st, row, host, count, to):
    """Add the lowest processors of a host in one row to another row, so many."""
    words, target = st.words[row], st.words[to]
    first, last = int(host.first), int(host.stop) - 1
    w = first >> PLACES
    while count > 0:
        bits = lowest_bits(words[w] & bits_between(first, last, w), count)
        target[w] |= bits
        count -= count_bits(bits)
        w += 1


@kernel
def take_memory(st, row, each):
    """Let the tasks of the attempt in this row of the log take so much memory each."""
    for k in range(_list_hosts(st, row)):
        host = st.hosts[st.hosts[k].listed]
        host.jobs += 1
        host.now -= host.count * each


@kernel
def give_memory_back(st, row, each):
    """Let the memory be free again that the attempt in this row of the log took."""
    for k in range(_list_hosts(st, row)):
        host = st.hosts[st.hosts[k].listed]
        host.jobs -= 1
        host.now += host.count * each
        if host.jobs == 0:
            # Sums of fractions of bytes need not come back to nothing by themselves.
            host.now = host.memory


@kernel
def return_memory(st, row, each):
    """Count what the attempt in this row of the log took as free when the head starts."""
    for k in range(_list_hosts(st, row)):
        host = st.hosts[st.hosts[k].listed]
        host.later += host.count * each


@kernel
def _list_hosts(st, row):
    """List the hosts of the attempt in this row of the log, and count its processors; return how many."""
    last = st.attempts[row + 1].first if row + 1 < st.machine[0].attempts else st.machine[0].intervals
    n, h = 0, -1
    for k in range(st.attempts[row].first, last):
        low, high = int(st.intervals[k].low), int(st.intervals[k].high)
        while low <= high:
            if h != st.nodes[low].host:
                h = int(st.nodes[low].host)
                st.hosts[n].listed, st.hosts[h].count = h, 0
                n += 1
            stop = min(high + 1, int(st.hosts[h].stop))
            st.hosts[h].count += stop - low
            low = stop
    return n
