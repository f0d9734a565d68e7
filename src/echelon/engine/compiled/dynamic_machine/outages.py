"""Outages: processors that fail and are repaired, in kernels, and when schedulers believe they return.

A processor that several failures cover returns with the last; it is believed to return when the last of them
is believed to end.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine import closures
from echelon.engine.compiled.dynamic_machine.attempts import fail
from echelon.engine.compiled.dynamic_machine.processors import come_up, go_down, holder_of, is_held
from echelon.engine.compiled.dynamic_machine.slides import next_slide, slide, take_fixed
from echelon.engine.compiled.dynamic_machine.state import BEGINS, BLINK, ENDS, ESTIMATED, FAIL, KNOWN, UP
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.libraries.kernel import kernel


@kernel
def next_change(st):
    """Return when capacity next changes, or is next known to stay down; infinity if never again."""
    machine = st.machine[0]
    time = st.events[machine.event].time if machine.event < len(st.events) else np.inf
    time = min(time, next_slide(st))
    return min(time, st.late[0].time) if machine.n_late > 0 else time


@kernel
def change_capacity(st, jobs, submissions, now):
    """CHANGE: what closes ends, processors come up, others fail, what closes begins; later repairs."""
    machine = st.machine[0]
    take_fixed(st, jobs, submissions, now, ENDS)
    while machine.event < len(st.events) and st.events[machine.event].time <= now:
        event = st.events[machine.event]
        machine.event += 1
        machine.events += 1
        machine.changed = True
        if event.what == ENDS:
            closures.end(st, jobs, submissions, now, st.place[event.row])
        elif event.what == BEGINS:
            closures.begin(st, jobs, submissions, now, st.place[event.row])
        elif event.what <= BLINK:
            _change(st, jobs, submissions, now, event)
    while machine.n_late > 0 and st.late[0].time <= now:
        row = st.late[0].job
        heap.drop_first(st.late, machine.n_late)
        machine.n_late -= 1
        if st.failures[row].end > now:
            _put_off(st, len(jobs), row, now)
    take_fixed(st, jobs, submissions, now, BEGINS)
    slide(st, jobs, submissions, now)


@kernel
def _change(st, jobs, submissions, now, event):
    """Let the processors of a failure come up, or fail, perhaps for no time."""
    failure = st.failures[event.row]
    if event.what == UP:
        _end(st, event.row)
    elif event.what == FAIL:
        _begin(st, event.row, now)
    for k in range(failure.first, failure.stop):
        x = st.failing[k]
        if event.what == UP:
            _repair(st, len(jobs), x)
            continue
        if is_held(st, x):
            fail(st, jobs, submissions, now, holder_of(st, x))
        if event.what == FAIL:
            _break(st, len(jobs), x, failure)


@kernel
def _begin(st, row, now):
    """Count a failure among those that last."""
    machine = st.machine[0]
    st.failures[row].place = machine.n_lasting
    st.lasting[machine.n_lasting] = row
    machine.n_lasting += 1
    _expect(st, row, now)


@kernel
def _end(st, row):
    """Count a failure no longer among those that last."""
    machine, place = st.machine[0], st.failures[row].place
    machine.n_lasting -= 1
    last = st.lasting[machine.n_lasting]
    st.lasting[place], st.failures[last].place = last, place


@kernel
def _expect(st, row, now):
    """Note when a failure is believed to end, later than now; see `Outage.expected_end`."""
    machine, failure = st.machine[0], st.failures[row]
    if machine.knowledge == KNOWN:
        failure.expected = failure.end
    elif machine.knowledge == ESTIMATED:
        times = max(1, int((now - failure.start) / machine.repair))
        while failure.start + times * machine.repair <= now:
            times += 1
        failure.expected = failure.start + times * machine.repair
        if failure.expected < failure.end:
            heap.push(st.late, machine.n_late, failure.expected, row, row)
            machine.n_late += 1
    else:
        failure.expected = np.inf


@kernel
def _break(st, n_jobs, x, failure):
    """Let processor `x` be down, because of one more failure."""
    node = st.nodes[x]
    node.cover += 1
    if node.cover == 1:
        go_down(st, x)
        node.until = np.inf
        _believe(st, n_jobs, x, failure.expected)
    elif failure.expected > node.until:
        _believe(st, n_jobs, x, failure.expected)


@kernel
def _repair(st, n_jobs, x):
    """Let one failure of processor `x` be over; it is up if that was the last."""
    node = st.nodes[x]
    node.cover -= 1
    if node.cover == 0:
        _believe(st, n_jobs, x, np.inf)
        come_up(st, x)
    else:
        _believe(st, n_jobs, x, _latest(st, x))


@kernel
def _put_off(st, n_jobs, row, now):
    """Believe in another repair time of a failure that should have ended by now."""
    _expect(st, row, now)
    st.machine[0].changed = True
    failure = st.failures[row]
    for k in range(failure.first, failure.stop):
        x = st.failing[k]
        _believe(st, n_jobs, x, failure.expected if st.nodes[x].cover == 1 else _latest(st, x))


@kernel
def _latest(st, x):
    """Return when the last of the failures that cover processor `x` is believed to end."""
    latest = -np.inf
    for place in range(st.machine[0].n_lasting):
        failure = st.failures[st.lasting[place]]
        if failure.expected > latest:
            for k in range(failure.first, failure.stop):
                if st.failing[k] == x:
                    latest = failure.expected
    return latest


@kernel
def _believe(st, n_jobs, x, until):
    """Let schedulers believe that processor `x` returns then; they know of no return at infinity."""
    node = st.nodes[x]
    if node.until < np.inf:
        remove(st.running, node.until, n_jobs + x)
    if until < np.inf:
        add(st.running, until, n_jobs + x, 1, 0.0)
    node.until = until
