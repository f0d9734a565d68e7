"""The worked cases of machines that change: by the program that goes by seconds, and by the engines.

Each is played as it is printed, with a processor a node, and on nodes of two cores with jobs twice as large.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from echelon.engine import compiled, reference

sys.path.insert(0, str(Path(__file__).parent))
from changing_calendar import FOREVER, Booking, Calendar, Rules, Shut, Task
from changing_machine import Machine
from random_changes import Case, expected, found, scenario_of

ALL = ("none", "first-fit", "easy", "conservative")
LATE = ((50, 50), (60, 30), (60, 61), (61, FOREVER))
"""Jobs that are submitted, and canceled, when their reservation is over."""


def case(nodes, tasks, *changes, **rules):
    """Return a case of jobs as (submit, run, size[, limit[, further fields]])."""
    shuts = tuple(one for one in changes if isinstance(one, Shut))
    bookings = tuple(one for one in changes if isinstance(one, Booking))
    calendar = Calendar((1,) * nodes, shuts, bookings, Rules(**rules))
    return Case(calendar, tuple(task(number, *row) for number, row in enumerate(tasks)))


def task(number, submit, run, size, *more):
    limit = more[0] if more else run
    return Task(number, submit, run, size, limit, **dict(*more[1:]))


def shut(kind, start, end, *nodes):
    """Return an outage of nodes that are numbered from 1."""
    return Shut(kind, start, end, frozenset(node - 1 for node in nodes))


F1 = (2, [(0, 100, 2)], shut("fail", 40, 60, 2))
F4 = (4, [(0, 100, 2), (1, 50, 4), (2, 90, 2)], shut("fail", 50, 150, 4))
# The third job takes two nodes: the case is printed with three, but only two are free beside the first job.
R1 = (4, [(0, 60, 2), (1, 50, 4), (2, 10, 2, 95)], shut("maintenance", 100, 200, 1, 2, 3, 4))
BOOKED = Booking("r1", 50, 100, frozenset((0, 1, 2)), users=frozenset("1"))
INSIDE = {"user": "1", "names": "r1"}
TEN_MINUTES = (1, [(0, 600, 1)], shut("fail", 300, 600, 1))

CASES = {
    "F1": (case(*F1), ALL, [[(0, 40), (60, 160)]]),
    "F2": (case(*F1, interval=30, cost=5, restart=10), ALL, [[(0, 40), (60, 150)]]),
    "F3": (
        case(3, [(0, 100, 2), (20, 10, 1)], shut("fail", 10, 50, 3)),
        ALL,
        [[(0, 100)], [(50, 60)]],
    ),
    "F4u": (case(*F4), ("easy",), [[(0, 100)], [(190, 240)], [(2, 50), (100, 190)]]),
    "F4k": (case(*F4, repair="known"), ("easy",), [[(0, 100)], [(150, 200)], [(2, 50), (200, 290)]]),
    "F5": (
        case(2, [(0, 100, 2), (10, 20, 1), (10, 20, 2)], shut("drain", 10, 200, 2)),
        ALL,
        [[(0, 100)], [(100, 120)], [(200, 220)]],
    ),
    "F6": (
        case(1, [(0, 50, 1), (0, 10, 1)], shut("fail", 50, 70, 1)),
        ALL,
        [[(0, 50)], [(70, 80)]],
    ),
    "R1e": (case(*R1), ("easy", "conservative"), [[(0, 60)], [(200, 250)], [(2, 12)]]),
    "R1n": (case(*R1), ("none",), [[(0, 60)], [(200, 250)], [(250, 260)]]),
    "R2": (
        case(
            4,
            [(0, 60, 2, 60, {"user": "2"}), (0, 50, 3, 50, {"user": "2"}), (10, 30, 3, 40, INSIDE)],
            BOOKED,
        ),
        ("easy",),
        [[(100, 160)], [(0, 50)], [(50, 80)]],
    ),
    "R3": (
        case(
            4,
            [(0, 40, 2), (1, 30, 4), (2, 100, 1), (3, 30, 2, 35)],
            shut("maintenance", 60, 80, 1, 2, 3),
        ),
        ("easy", "conservative"),
        [[(0, 40)], [(80, 110)], [(110, 210)], [(3, 33)]],
    ),
    "R4": (case(1, [(0, 100, 1), (1, 50, 1, 50, {"deadline": 120})]), ALL, [[(0, 100)], []]),
    "begins again": (case(*TEN_MINUTES), ALL, [[(0, 300), (600, 1200)]]),
    "goes on": (case(*TEN_MINUTES, interval=60, cost=1), ALL, [[(0, 300), (600, 965)]]),
}

PLAYED = [(name, backfill) for name, row in CASES.items() for backfill in row[1]]


def on_nodes(one):
    """Return the case on nodes of two cores, with jobs of twice the size."""
    cores = tuple(2 * count for count in one.calendar.cores)
    tasks = tuple(replace(task, size=2 * task.size) for task in one.tasks)
    return replace(one, calendar=replace(one.calendar, cores=cores), tasks=tasks, flat=False)


@cache
def a_case(name, backfill, shape):
    """Return a case under a policy on processors or on nodes, and what the program by seconds makes of it."""
    played = replace(CASES[name][0], backfill=backfill)
    played = played if shape == "processors" else on_nodes(played)
    return played, expected(played)


def times(outcome):
    return [[(start, end) for start, end, _ in one] for one in outcome.stays]


@pytest.mark.parametrize("shape", ["processors", "nodes"])
@pytest.mark.parametrize(("name", "backfill"), PLAYED)
def test_the_program_by_seconds(name, backfill, shape):
    """It gives the printed times of each case under each policy to which they apply."""
    _, played = a_case(name, backfill, shape)
    assert times(played) == CASES[name][2]


@pytest.mark.parametrize("shape", ["processors", "nodes"])
@pytest.mark.parametrize(("name", "backfill"), PLAYED)
def test_the_engines(name, backfill, shape):
    """Each engine that runs a case gives the printed times, for the printed reasons."""
    played, by_seconds = a_case(name, backfill, shape)
    outcome = found(played, reference.simulate)
    assert times(outcome) == CASES[name][2]
    assert outcome == by_seconds
    if compiled.supports(scenario_of(played)) is None:
        assert found(played, compiled.simulate) == by_seconds


@pytest.mark.parametrize(("name", "backfill"), [one for one in PLAYED if one[1] != "conservative"])
def test_kernels_run_the_cases_on_nodes(name, backfill):
    """Kernels run a case on nodes if they do on processors, but for promises of starts."""
    played = replace(CASES[name][0], backfill=backfill)
    on_processors = compiled.supports(scenario_of(played))
    assert compiled.supports(scenario_of(on_nodes(played))) == on_processors


def test_a_job_leaves_when_it_can_no_longer_meet_its_deadline():
    """R4: the second job leaves at 70, at which it could still have started, and not before."""
    played = CASES["R4"][0]
    machine, left = Machine(played.calendar, played.tasks, "easy"), []
    leave = machine.leave
    machine.leave = lambda gone, status: (
        left.append((gone.number, machine.now, status)),
        leave(gone, status),
    )
    machine.outcome()
    assert left == [(1, 70, "deadline")]


@pytest.mark.parametrize("backfill", ALL)
def test_a_job_is_held_only_when_it_joins(backfill):
    """Of jobs whose reservation is over by then, those that were canceled before were not held."""
    jobs = [(0, 5, 1), *((when, 10, 1, 10, {"names": "r1", "cancel": cancel}) for when, cancel in LATE)]
    played = replace(case(2, jobs, Booking("r1", 10, 20, frozenset((0, 1)))), backfill=backfill)
    assert expected(played).status == ("completed", *("canceled_waiting",) * 2, *("held",) * 2)
    assert found(played, reference.simulate) == expected(played)
    if compiled.supports(scenario_of(played)) is None:
        assert found(played, compiled.simulate) == expected(played)
