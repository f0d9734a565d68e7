"""What no run may break where nodes are closed at times, whatever the calendar, the jobs and the policy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.availability import Changes
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.system_model import NodeLevelMachine
from echelon.errors import InputError
from echelon.execution import Execution
from echelon.model import Cluster, Core, Hardware, Instance, Node, Processor, Workload
from echelon.model.machines.outages import OutageKind, Outages
from echelon.model.machines.reservations import Reservation
from echelon.policies import Reserve, Start, placement_named, policy
from echelon.testing import check_calendar

ALWAYS = -math.inf
SIMPLE = "fcfs", "first-fit"
PROTECTING = "easy", "easy:fit=best-fit", "easy:shortest-first", "easy:reservations=2", "plan"
PROMISING = {"conservative": 0.0, "selective": 0.0, "slack": 1.0, "slack:factor=0.3": 0.3, "relaxed": 0.5}
"""Rules that keep what they promise, and how much later a job may start by its expected wait."""
PREEMPTIVE = "srtf", "round-robin:quantum=7", "preemptive-priority"
NEWS = st.sampled_from([ALWAYS, 0, 20, 40])
REPAIRS = st.sampled_from(["known", "unknown", 7.0])
CHECK = examples(60)


@st.composite
def calendars(draw, nodes):
    """Return up to four drains, maintenances and reservations of some of these nodes, all known at once."""
    rows, kept = [], []
    for number in range(draw(st.integers(1, 4))):
        start, length = draw(st.integers(0, 60)), draw(st.integers(1, 40))
        some = tuple(sorted(draw(st.sets(st.integers(0, nodes - 1), min_size=1))))
        kind = draw(st.sampled_from(["drain", "maintenance", "users", "named"]))
        if kind in ("users", "named"):
            users = ("2",) if kind == "users" else ()
            flex = draw(st.booleans())
            kept.append(Reservation(f"r{number}", start, start + length, some, users=users, flex=flex))
        else:
            rows.append((start, start + length, some, OutageKind[kind.upper()], ALWAYS, 0))
    return Changes(Outages.of(rows), tuple(kept))


@st.composite
def scenarios(draw, spec):
    """Return a scenario of up to ten jobs on up to five processors, or nodes of one core."""
    nodes = draw(st.integers(1, 5))
    jobs = draw(
        st.lists(
            st.tuples(
                st.integers(0, 30), st.integers(1, 30), st.integers(0, 20), st.integers(1, nodes),
                st.integers(1, 2),
            ),
            min_size=1, max_size=10,
        )
    )  # fmt: skip
    changes = draw(calendars(nodes))
    submit, run, more, size, user = zip(*sorted(jobs), strict=True)
    asked = [short + extra for short, extra in zip(run, more, strict=True)]
    table = Workload.from_columns(
        submit_time=submit, run_time=run, processors=size, requested_time=asked, user=user
    )
    chosen = policy(draw(st.sampled_from(spec)))
    if draw(st.booleans()):
        return Scenario(Instance.of(table, nodes), chosen, changes=changes)
    node = Node((Processor((Core(1.0),)),))
    instance = Instance.of(table, Hardware((Cluster((node,) * nodes),), name="small"))
    rules = NodeRules(placement_named("first-fit"), Execution(fixed=True))
    return Scenario(instance, chosen, system_model=NodeLevelMachine(rules), changes=changes)


@st.composite
def surprises(draw, spec):
    """Return a scenario of `scenarios` in which not all is known: late news, own reservations, long runs."""
    scenario = draw(scenarios(spec))
    changes, instance = scenario.changes, scenario.instance
    table = changes.outages
    rows = [
        (start, end, table.nodes_of(row), draw(st.sampled_from([*OutageKind])), draw(NEWS), 0)
        for row, (start, end) in enumerate(zip(table.start, table.end, strict=True))
    ]
    flags = ("flex", "overrun", "ignore_jobs")
    kept = tuple(
        replace(one, announced=draw(NEWS), **{flag: draw(st.booleans()) for flag in flags})
        for one in changes.reservations
    )
    names = tuple(one.name for one in kept)
    code = draw(st.lists(st.integers(0, len(names)), min_size=len(instance), max_size=len(instance)))
    jobs = instance.workload.with_columns(reservation=[number or -1 for number in code])
    jobs = replace(jobs, names={**jobs.names, "reservation": names})
    estimates = draw(st.sampled_from(["raise", "kill", "request"]))
    conflict = draw(st.sampled_from(["kill", "wait"]))
    hardware = instance.hardware or instance.processors
    return replace(
        scenario,
        instance=Instance.of(jobs, hardware, estimates=estimates),
        changes=Changes(Outages.of(rows), kept, conflict=conflict, repair=draw(REPAIRS)),
    )


@dataclass(frozen=True)
class Watched:
    """A scheduler that says, around each start out of turn, when the head could start at the earliest."""

    inner: object
    changes: Changes
    found: list

    @property
    def name(self):
        return self.inner.name

    def decide(self, view):
        for decision in self.inner.decide(view):
            overtakes = isinstance(decision, Start) and decision.job != view.queue[0]
            head = view.queue[0]
            before = self.earliest(head, view) if overtakes else 0.0
            yield decision
            if overtakes:
                self.found.append((head.job_id, before, self.earliest(head, view)))

    def earliest(self, job, view):
        """Return the first whole second from which enough nodes are free and open to `job` for its time."""
        held = view._cluster.resource.held
        free_from = [view.now] * view.processors
        for end, position, _ in view.running:
            for node in held[position]:
                free_from[node] = end
        last = max([*free_from, *self.changes.outages.end, *(one.end for one in self.changes.reservations)])
        for time in range(int(view.now), int(last) + 1):
            able = [node for node, since in enumerate(free_from)
                    if since <= time and self.is_open(node, job, time)]  # fmt: skip
            if len(able) >= job.processors:
                return time
        return math.inf

    def is_open(self, node, job, start):
        """Return whether a node is open to `job` from `start` for its planned time."""
        table, end = self.changes.outages, start + job.planned_time
        for row in range(len(table)):
            if node not in table.nodes_of(row):
                continue
            drains = table.kind[row] == OutageKind.DRAIN
            begun = start >= table.start[row] if drains else end > table.start[row]
            if begun and start < table.end[row]:
                return False
        return not any(
            node in one.nodes and start < one.end and one.start < end and str(job.user) not in one.users
            for one in self.changes.reservations
        )


@dataclass(frozen=True)
class Noted:
    """A scheduler of which the first reservation of each job is kept, by position."""

    inner: object
    first: dict

    @property
    def name(self):
        return self.inner.name

    def decide(self, view):
        for decision in self.inner.decide(view):
            yield decision
            if isinstance(decision, Reserve):
                self.first.setdefault(decision.job.position, decision.time)


@CHECK
@given(scenario=scenarios([*SIMPLE, *PROTECTING, *PROMISING, *PREEMPTIVE]))
def test_no_job_holds_nodes_that_are_closed_to_it(scenario):
    """Drained, maintained and reserved nodes stay empty, and all jobs run: every calendar ends."""
    schedule = reference.simulate(scenario)
    check_calendar(schedule, scenario.changes).require()


@CHECK
@given(scenario=surprises([*SIMPLE, *PROTECTING, *PROMISING, *PREEMPTIVE]))
def test_whatever_becomes_known_too_late(scenario):
    """No job holds nodes that are down or closed to it, and each is counted once, with what became of it."""
    try:
        schedule = reference.simulate(scenario)
    except InputError as refused:
        # No job ever started.
        if "no job is left" in str(refused):
            return
        raise
    check_calendar(schedule, scenario.changes).require()
    gone = sum(dropped.count for dropped in schedule.instance.dropped)
    assert len(schedule.status) + gone == len(scenario.instance)


@CHECK
@given(scenario=scenarios(PROTECTING))
def test_no_candidate_moves_the_head(scenario):
    """Found by trying every second: a job that overtakes leaves the head's earliest start as it was."""
    found = []
    watched = Watched(scenario.policy.scheduler, scenario.changes, found)
    seen = replace(scenario, policy=replace(scenario.policy, scheduler=watched))
    assert reference.simulate(seen).start_time.tolist() == reference.simulate(scenario).start_time.tolist()
    assert all(after <= before for _, before, after in found), found


@CHECK
@given(scenario=scenarios([*PROMISING]))
def test_jobs_start_as_promised(scenario):
    """Nobody starts later than first reserved, or than its slack allows: the whole calendar is known."""
    first, late = {}, PROMISING[scenario.policy.name]
    scheduler = Noted(scenario.policy.scheduler, first)
    noted = replace(scenario, policy=replace(scenario.policy, scheduler=scheduler))
    schedule = reference.simulate(noted)
    for position, promised in first.items():
        submitted = schedule.instance.submit_time[position]
        assert schedule.start_time[position] <= promised + late * (promised - submitted)
