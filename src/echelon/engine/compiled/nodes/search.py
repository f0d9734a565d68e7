"""The node searches over arrays: the twin of `echelon.policies.placement.node_search`."""

from __future__ import annotations

from echelon.engine.compiled.nodes.capacity import enough, weight
from echelon.engine.compiled.nodes.state import FIRST, WORST
from echelon.libraries.kernel import kernel


@kernel
def search(st, job, room, planned):
    """Choose cores of a room for `job`, as picks; return how many picks, 0 if it cannot be placed.

    If `planned`, it is not known which cores will be idle: all count as such, as many as the room gives.
    """
    st.machine[0].searches += 1
    if not enough(st, job, room):
        return 0
    if st.machine[0].fit == FIRST and not (job.sequential or job.nodes > 0):
        return _first_cores(st, job, room, planned)
    n_nodes = _list_in_order(st, job, room, planned)
    if st.machine[0].fit != FIRST:
        _sort_by_cores(st, room, n_nodes)
    n, left = 0, job.size
    for k in range(n_nodes):
        node = st.nodes[k].sequence
        if job.sequential:
            share = left
        elif job.nodes > 0:
            # The first ones take what is left over.
            share = job.size // job.nodes + (1 if k < job.size % job.nodes else 0)
        else:
            share = min(left, weight(job, st.cores[room, node], st.memory[room, node]))
        n = _fill(st, node, share, planned, n)
        left -= share
        if left == 0:
            break
    return n


@kernel
def _first_cores(st, job, room, planned):
    """Pick the first cores of the resource order, no more of a node than it holds."""
    for node in range(len(st.nodes)):
        st.nodes[node].tally = weight(job, st.cores[room, node], st.memory[room, node])
    n, left = 0, job.size
    for r in range(len(st.runs)):
        run = st.runs[r]
        node = st.nodes[run.node]
        count = min(left, node.tally, run.length if planned else run.idle)
        if count > 0:
            st.picks[n].run, st.picks[n].count = r, count
            n += 1
            node.tally -= count
            left -= count
            if left == 0:
                break
    for k in range(len(st.nodes)):
        st.nodes[k].tally = 0
    return n


@kernel
def _list_in_order(st, job, room, planned):
    """List the nodes that count for `job` in the resource order: by the first of their idle cores."""
    n = 0
    if planned or st.machine[0].whole:
        for k in range(len(st.nodes)):
            node = st.nodes[k].ranked
            if weight(job, st.cores[room, node], st.memory[room, node]) > 0:
                st.nodes[n].sequence = node
                n += 1
        return n
    for r in range(len(st.runs)):
        node = st.runs[r].node
        if (
            st.runs[r].idle > 0
            and st.nodes[node].tally == 0
            and weight(job, st.cores[room, node], st.memory[room, node]) > 0
        ):
            st.nodes[node].tally = 1
            st.nodes[n].sequence = node
            n += 1
    for k in range(n):
        st.nodes[st.nodes[k].sequence].tally = 0
    return n


@kernel
def _sort_by_cores(st, room, n_nodes):
    """Sort the nodes listed by the cores they give, the fewest first, or the most; ties stay in order."""
    low, high = st.cores[room, st.nodes[0].sequence], 0
    for k in range(n_nodes):
        cores = st.cores[room, st.nodes[k].sequence]
        low, high = min(low, cores), max(high, cores)
    worst = st.machine[0].fit == WORST
    counts = st.counts
    for k in range(high - low + 2):
        counts[k] = 0
    for k in range(n_nodes):
        cores = st.cores[room, st.nodes[k].sequence]
        counts[(high - cores if worst else cores - low) + 1] += 1
    for k in range(high - low + 1):
        counts[k + 1] += counts[k]
    for k in range(n_nodes):
        node = st.nodes[k].sequence
        cores = st.cores[room, node]
        at = high - cores if worst else cores - low
        st.nodes[counts[at]].sorted = node
        counts[at] += 1
    for k in range(n_nodes):
        st.nodes[k].sequence = st.nodes[k].sorted


@kernel
def _fill(st, node, share, planned, n):
    """Pick so many cores of a node, after `n` picks; return how many there are then."""
    for k in range(st.nodes[node].first_run, st.nodes[node].stop_run):
        r = st.node_runs[k]
        count = min(share, st.runs[r].length if planned else st.runs[r].idle)
        if count > 0:
            st.picks[n].run, st.picks[n].count = r, count
            n += 1
            share -= count
    return n


@kernel
def gather(st, n_picks, row):
    """Note in a row how many cores were picked of each node; return of how many nodes."""
    n = 0
    for k in range(n_picks):
        node = st.runs[st.picks[k].run].node
        if st.nodes[node].tally == 0:
            st.assignments[row, n].node = node
            n += 1
        st.nodes[node].tally += st.picks[k].count
    for k in range(n):
        node = st.nodes[st.assignments[row, k].node]
        st.assignments[row, k].count = node.tally
        node.tally = 0
    return n
