"""What holds of every run on a machine that changes: each core is busy, idle or down, and no job is lost."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine import compiled, reference
from echelon.model import JobStatus

sys.path.insert(0, str(Path(__file__).parents[1] / "differential"))
from random_changes import POLICIES, draw, found, planned_case, scenario_of

ENGINES = {"reference": reference.simulate, "compiled": compiled.simulate}
FEATURES = ("fail", "drain", "maintenance", "booking")
CHECK = examples(60)


def stays_of(outcome):
    """Return (job, start, end, nodes) of all attempts."""
    return [
        (job, start, end, nodes)
        for job, (stays, held) in enumerate(zip(outcome.stays, outcome.held, strict=True))
        for (start, end, _), nodes in zip(stays, held, strict=True)
    ]


def outcomes(seed, features=FEATURES):
    """Return a random case, and what each engine that runs it makes of it."""
    case = draw(seed, features, tuple(POLICIES), wild=True)
    runs = {
        name: found(case, simulate)
        for name, simulate in ENGINES.items()
        if name == "reference" or compiled.supports(scenario_of(case)) is None
    }
    return case, {name: one for name, one in runs.items() if one is not None}


@CHECK
@given(seed=st.integers(0, 2**32 - 1))
def test_busy_idle_and_down_are_the_capacity(seed):
    """At every instant a core is held by one job at most, and never while its node is down."""
    case, runs = outcomes(seed)
    for outcome in runs.values():
        stays = stays_of(outcome)
        for now in {start for _, start, _, _ in stays} | {one.start for one in case.calendar.shuts}:
            busy = Counter(node for _, start, end, nodes in stays if start <= now < end for node in nodes)
            down = {
                node
                for one in case.calendar.shuts
                if one.kind == "fail" and one.start <= now < one.end
                for node in one.nodes
            }
            idle = {
                node: count - busy[node] for node, count in enumerate(case.calendar.cores) if node not in down
            }
            lost = sum(case.calendar.cores[node] for node in down)
            assert min(idle.values(), default=0) >= 0
            assert sum(busy.values()) + sum(idle.values()) + lost == sum(case.calendar.cores)


@CHECK
@given(seed=st.integers(0, 2**32 - 1))
def test_no_job_starts_where_it_may_not(seed):
    """No attempt starts on drained nodes, nor into maintenance or reservations of others that are known."""
    case, runs = outcomes(seed)
    tasks = planned_case(case, "raise").tasks
    for outcome in runs.values():
        for job, start, end, nodes in stays_of(outcome):
            for one in case.calendar.shuts:
                if one.kind == "drain" and set(nodes) & one.nodes:
                    assert not one.start <= start < one.end
                if one.kind == "maintenance" and set(nodes) & one.nodes and start >= one.announced:
                    assert end <= one.start or start >= one.end
            for one in case.calendar.bookings:
                barred = set(nodes) & one.nodes and not one.admits(tasks[job]) and start >= one.announced
                assert not barred or end <= one.start or start >= one.end
                if one.named_by(tasks[job]):
                    assert set(nodes) <= one.nodes
                    assert one.flex or (one.start <= start and (end <= one.end or one.overrun))


@pytest.mark.parametrize("features", [FEATURES, ("cancel", "deadline"), (*FEATURES, "cancel", "deadline")])
@CHECK
@given(seed=st.integers(0, 2**32 - 1))
def test_no_job_is_lost(features, seed):
    """Each job has a status, and the reason of its last attempt fits it."""
    last = {
        "completed": {"completed"},
        "killed": {"killed"},
        "deadline": {"requeued", "deadline"},
        "failed_node": {"failed"},
        "canceled_running": {"stopped"},
        "evicted": {"evicted"},
    }
    _, runs = outcomes(seed, features)
    for outcome in runs.values():
        for status, stays in zip(outcome.status, outcome.stays, strict=True):
            assert JobStatus[status.upper()] is not None
            reasons = [reason for *_, reason in stays]
            assert set(reasons[:-1]) <= {"requeued"}
            assert set(reasons[-1:]) <= last.get(status, {"requeued"})
            assert reasons or status not in last or status == "deadline"
