"""The calendar of numbered processors is that of nodes of one core each, of which the first are taken."""

from __future__ import annotations

import math
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.nodes.nodes import Nodes
from echelon.engine.nodes.numbered_processors import NumberedProcessors
from echelon.engine.nodes.processor_profile import ProcessorSet
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.resources.closures import Closure, Closures
from echelon.execution import Execution
from echelon.model import Cluster, Core, Hardware, Job, Node, Processor
from echelon.policies import Running, placement_named

PROCESSORS = 6
JOBS = 4
SOME = st.sets(st.integers(0, PROCESSORS - 1), min_size=1).map(lambda some: tuple(sorted(some)))
POSITIONS = st.frozensets(st.integers(0, 3 * JOBS))


@st.composite
def closures(draw):
    """Return up to three drains, maintenances and reservations, some of them unknown."""
    found = []
    for number in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, 30))
        named = draw(st.one_of(st.just(frozenset()), POSITIONS))
        known = draw(st.sampled_from([-math.inf, -math.inf, start]))
        found.append(
            Closure(
                start, start + draw(st.integers(1, 15)), draw(SOME), known, number,
                drains=draw(st.booleans()), may_use=named | draw(POSITIONS), named_by=named,
                flex=draw(st.booleans()),
            )
        )  # fmt: skip
    return Closures(found, PROCESSORS) if found else None


def resources(calendar):
    """Return the same machine twice: processors with numbers, and nodes of one core."""
    node = Node((Processor((Core(1.0),)),))
    hardware = Hardware((Cluster((node,) * PROCESSORS),))
    rules = NodeRules(placement_named("first-fit"), Execution(fixed=True))
    both = NumberedProcessors(PROCESSORS), Nodes(hardware, rules, seed=0, begin=0.0)
    for one in both:
        one.closures = calendar
    return both


@examples(150)
@given(st.data())
def test_a_calendar_of_sets_says_what_one_of_counts_says(data):
    """Earliest starts, places, what is left beside a head, and conflicts, after any reservations."""
    both = resources(data.draw(closures()))
    running = []
    for position in range(data.draw(st.integers(0, JOBS))):
        job = Job(position, position + 1, 0.0, data.draw(st.integers(1, 2)), 10.0)
        if both[0].free < job.processors:
            break
        for one in both:
            one.closures, calendar = None, one.closures
            one.take(job, one.room(job, 0.0), 0.0)
            one.closures = calendar
        running.append(Running(float(data.draw(st.integers(0, 20))), position, job))
    cluster = SimpleNamespace(
        now=0.0, holders=sorted(running), as_left=lambda job: job, policy=SimpleNamespace(name="any")
    )
    calendars = [one.profile(cluster) for one in both]
    for position in range(JOBS, JOBS + data.draw(st.integers(1, 8))):
        size, planned = data.draw(st.integers(1, PROCESSORS)), float(data.draw(st.integers(1, 20)))
        job = Job(position, position + 1, 0.0, size, planned)
        start, other = (one.earliest_for(job) for one in calendars)
        assert start == other
        if start == math.inf:
            continue
        where, there = (one.place(job, start) for one in calendars)
        assert dict(where) == dict(there)
        if both[0].closures is not None:
            beside = [one.place_beside(Job(40, 41, 0.0, 1, 9.0), job, start) for one in calendars]
            assert (beside[0] and dict(beside[0])) == (beside[1] and dict(beside[1]))
        held = [one.hold(job, start) for one in calendars]
        assert dict(held[0]) == dict(held[1])
        faults = [one.conflict(job, held[0], start, start + 1.0) for one in calendars]
        assert faults[0] is not None
        assert faults[0] == faults[1]
        if data.draw(st.booleans()):
            calendars[0].give_where(job, ProcessorSet.of(held[1]), start, start + planned)
            calendars[1].give_where(job, held[1], start, start + planned)
