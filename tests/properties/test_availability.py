"""Properties of runs on machines that change: nothing is lost, and no processor is counted twice."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.metrics.changed_machines import listed

from budgets import examples
from echelon.engine.contract import Scenario
from echelon.experiments import Result
from echelon.metrics import Measured, busy_processors, measure
from echelon.model import EndReason, OutageKind, Reservation
from echelon.policies import policy
from echelon.reports.result_report import run_tables

PROCESSORS = 4

job = st.tuples(st.integers(0, 60), st.integers(1, 40), st.integers(1, PROCESSORS))
nodes = st.sets(st.integers(0, PROCESSORS - 1), min_size=1).map(lambda found: tuple(sorted(found)))


@st.composite
def calendars(draw):
    """Draw a schedule by first-fit under random outages and reservations."""
    outages = [
        (start, start + length, which, kind)
        for start, length, which, kind in draw(
            st.lists(
                st.tuples(st.integers(0, 120), st.integers(0, 60), nodes, st.sampled_from(OutageKind)),
                max_size=5,
            )
        )
    ]
    reservations = [
        Reservation(f"r{place}", start, start + length, which)
        for place, (start, length, which) in enumerate(
            draw(st.lists(st.tuples(st.integers(0, 120), st.integers(1, 60), nodes), max_size=2))
        )
    ]
    jobs = sorted(draw(st.lists(job, min_size=1, max_size=8)))
    return listed(jobs, processors=PROCESSORS, outages=outages, reservations=reservations)


def states(schedule, time):
    """Return for each processor what it is in at a time between events: "busy", "down" or "idle"."""
    held = schedule.numbered
    found = ["idle"] * PROCESSORS
    for row in range(len(schedule.outages)):
        if schedule.outages.start[row] <= time < schedule.outages.end[row]:
            for node in schedule.outages.nodes_of(row):
                found[node] = "down"
    for row in range(len(held)):
        if held.start[row] <= time < held.end[row]:
            for node in held.nodes_of(row):
                found[node] = "busy"
    return found


@examples(100)
@given(calendars())
def test_busy_idle_and_down_are_all_there_is(schedule):
    """At every instant each processor is in one of three states, as metrics and pages count them."""
    measured = Measured(schedule)
    down, busy = measured.down, busy_processors(schedule)
    # Every event is at a whole second.
    times = np.arange(down.low, down.high) + 0.5
    counted = [states(schedule, time) for time in times]
    assert down.steps.at(times).tolist() == [one.count("down") for one in counted]
    assert busy.at(times).tolist() == [one.count("busy") for one in counted]
    found = measure(measured)
    installed = PROCESSORS * len(times)
    assert np.isclose(found["utilization"], sum(one.count("busy") for one in counted) / installed)
    if "availability" in found:
        assert np.isclose(1 - found["availability"], sum(one.count("down") for one in counted) / installed)
        result = Result(Scenario(schedule.instance, policy("fcfs")), schedule, "reference", 0.1)
        shown = run_tables(result, {"processors": PROCESSORS})
        assert shown.down.at(times).tolist() == [one.count("down") for one in counted]


@examples(60)
@given(calendars())
def test_held_time_is_useful_lost_or_overhead(schedule):
    """What jobs held is what lasts and what was lost, and goodput and waste tell it apart."""
    measured, found = Measured(schedule), measure(schedule)
    times, attempts = measured.attempts, schedule.attempts
    assert np.allclose(times.useful + times.lost + times.overhead, attempts.end - attempts.start)
    taken = attempts.ended_by(EndReason.REQUEUED)
    size = schedule.instance.size[attempts.job]
    assert found.get("lost_node_seconds", 0) == (size * (attempts.end - attempts.start))[taken].sum()
    assert np.isclose(found["goodput"] + found["waste_share"] * found["utilization"], found["utilization"])
    assert (measured.wait >= 0).all()
    assert np.allclose(measured.turnaround, measured.wait + schedule.held_time)


@examples(60)
@given(calendars())
def test_a_reservation_is_used_or_unused(schedule):
    """What jobs held of each reservation, second by second, and the rest."""
    uses, held = Measured(schedule).closures, schedule.numbered
    for place, one in enumerate(schedule.reservations):
        used = sum(
            len(set(held.nodes_of(row).tolist()) & set(one.nodes))
            * max(0, min(held.end[row], one.end) - max(held.start[row], one.start))
            for row in range(len(held))
        )
        assert uses.used[place] == used
        assert uses.total[place] == len(one.nodes) * (one.end - one.start)
    assert (uses.idle_before >= 0).all()
