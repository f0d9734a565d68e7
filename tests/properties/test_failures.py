"""Failure processes and traces, for drawn settings: what is down when, whatever the horizon and the file."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.availability.laws import Constant, Exponential, Weibull
from echelon.availability.machine_nodes import MachineNodes
from echelon.availability.merging import merge_outages, node_intervals
from echelon.availability.processes import FailureProcess, draw_failures
from echelon.availability.traces import parse_trace, place_trace
from echelon.model.machines.outages import OutageKind, Outages

MACHINE = MachineNodes((4, 1, 3), ("x/a", "x/b", "c"), ("x",))
HORIZON = 1000.0


@st.composite
def processes(draw):
    of = draw(st.sampled_from(["node", "machine", "site", "link"]))
    law = draw(st.sampled_from([Exponential(150.0), Weibull(0.5, 90.0), Constant(130.0)]))
    burst = draw(st.sampled_from([1.0, 2.5])) if of in ("node", "machine") else 1.0
    return FailureProcess(law, of, draw(st.sampled_from(["new", "stationary"])), burst)


def down_at(outages, instants):
    """Return which (site, node) is down at each instant, shape (instants, rows), as a set for each."""
    one = node_intervals(outages)
    keys = list(zip(one.site.tolist(), one.node.tolist(), strict=True))
    masks = (one.start[None, :] <= instants[:, None]) & (one.end[None, :] > instants[:, None])
    return [{keys[row] for row in np.flatnonzero(mask).tolist()} for mask in masks]


@given(processes(), st.sampled_from([Constant(20.0), Exponential(60.0)]), st.integers(0, 50))
@examples(90)
def test_a_longer_horizon_changes_nothing_before(process, repair, seed):
    """At every instant before the horizon the same nodes are down with a horizon three times as far."""
    short, long = (
        draw_failures(process, repair, MACHINE, horizon=horizon, seed=seed)
        for horizon in (HORIZON, 3 * HORIZON)
    )
    assert short.start.max(initial=0.0) < HORIZON
    instants = np.linspace(0.0, HORIZON, 400, endpoint=False)
    assert down_at(short, instants) == down_at(long, instants)


@given(processes(), st.integers(0, 50))
@examples(60)
def test_outages_of_a_node_are_apart(process, seed):
    """After one outage of a node the next begins strictly later, and every node is one of its site."""
    one = node_intervals(draw_failures(process, Exponential(60.0), MACHINE, horizon=HORIZON, seed=seed))
    assert (one.node < np.array(MACHINE.counts)[one.site]).all()
    order = np.lexsort((one.start, one.node, one.site))
    same = (np.diff(one.node[order]) == 0) & (np.diff(one.site[order]) == 0)
    assert (one.start[order][1:] > one.end[order][:-1])[same].all()


ROWS = st.lists(
    st.tuples(
        st.integers(0, 60),
        st.integers(0, 30),
        st.integers(1, 4),
        st.integers(0, 3),
        st.sampled_from(list(OutageKind)),
    ),
    min_size=1,
    max_size=12,
)


@given(ROWS)
@examples(90)
def test_a_file_of_outages_is_read_as_it_was_written(rows):
    """Random rows written as our own file are the union of the same outages on the machine."""
    lines = [
        f"{first}-{min(4, first + more)},{start},{start + length},{kind.name.lower()}"
        for start, length, first, more, kind in rows
    ]
    found = place_trace(
        parse_trace("\n".join(["node,down,up,kind", *lines, ""]).encode(), "file"), MachineNodes((4,))
    ).outages
    expected = merge_outages(
        Outages.of(
            (start, start + length, range(first - 1, min(4, first + more)), kind, -np.inf, 0)
            for start, length, first, more, kind in rows
        )
    )
    for name in ("site", "start", "end", "kind", "announced", "first", "node"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
