"""The worked cases of failures, drains, maintenance and reservations, by the program that goes by seconds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from changing_calendar import Booking, Calendar, Rules, Shut, Task
from changing_machine import Machine


def tasks(*rows, **further):
    """Return jobs from (submit, run, size[, limit]); `further` are fields by the job's number from 1."""
    return [
        Task(
            number,
            row[0],
            row[1],
            row[2],
            row[3] if len(row) > 3 else row[1],
            **further.get(f"j{number + 1}", {}),
        )
        for number, row in enumerate(rows)
    ]


def stays(machine):
    """Return (start, end) of all attempts of each job."""
    return [[(stay.start, stay.end) for stay in one.stays] for one in machine.outcome()]


def fails(start, end, *nodes):
    return (Shut("fail", start, end, frozenset(nodes)),)


def down(kind, start, end, *nodes):
    return (Shut(kind, start, end, frozenset(nodes)),)


F1 = (2, fails(40, 60, 1), tasks((0, 100, 2)))
F4 = (4, fails(50, 150, 3), tasks((0, 100, 2, 100), (1, 50, 4, 50), (2, 90, 2, 90)))
# The third job takes two nodes: the case is printed with three, but beside the first job's two only two
# are free.
R1 = (4, down("maintenance", 100, 200, 0, 1, 2, 3), tasks((0, 60, 2, 60), (1, 50, 4, 50), (2, 10, 2, 95)))
ALL = ("none", "first_fit", "easy", "conservative")
CASES = {
    "F1": (*F1, Rules(), ALL, [[(0, 40), (60, 160)]]),
    "F2": (*F1, Rules(interval=30, cost=5, restart=10), ALL, [[(0, 40), (60, 150)]]),
    "F3": (3, fails(10, 50, 2), tasks((0, 100, 2), (20, 10, 1)), Rules(), ALL, [[(0, 100)], [(50, 60)]]),
    "F4u": (*F4, Rules(), ("easy",), [[(0, 100)], [(190, 240)], [(2, 50), (100, 190)]]),
    "F4k": (*F4, Rules(repair="known"), ("easy",), [[(0, 100)], [(150, 200)], [(2, 50), (200, 290)]]),
    "F5": (
        *(2, down("drain", 10, 200, 1), tasks((0, 100, 2), (10, 20, 1), (10, 20, 2)), Rules(), ALL),
        [[(0, 100)], [(100, 120)], [(200, 220)]],
    ),
    "F6": (1, fails(50, 70, 0), tasks((0, 50, 1), (0, 10, 1)), Rules(), ALL, [[(0, 50)], [(70, 80)]]),
    "R1e": (*R1, Rules(), ("easy", "conservative"), [[(0, 60)], [(200, 250)], [(2, 12)]]),
    "R1n": (*R1, Rules(), ("none",), [[(0, 60)], [(200, 250)], [(250, 260)]]),
    "R3": (
        4,
        down("maintenance", 60, 80, 0, 1, 2),
        tasks((0, 40, 2), (1, 30, 4), (2, 100, 1), (3, 30, 2, 35)),
        *(Rules(), ("easy", "conservative"), [[(0, 40)], [(80, 110)], [(110, 210)], [(3, 33)]]),
    ),
}


@pytest.mark.parametrize(
    ("case", "policy"), [(case, policy) for case, row in CASES.items() for policy in row[4]]
)
def test_worked_cases(case, policy):
    """The program gives the printed times of each case under each policy to which they apply."""
    nodes, shuts, jobs, rules, _, expected = CASES[case]
    assert stays(Machine(Calendar((1,) * nodes, shuts, (), rules), jobs, policy)) == expected


def test_a_reservation_for_a_user():
    """R2: a job that the reservation does not admit starts after it; one that names it runs in it."""
    booked = Booking("A", 50, 100, frozenset((0, 1, 2)), users=frozenset("A"))
    jobs = tasks(
        *((0, 60, 2, 60), (0, 50, 3, 50), (10, 30, 3, 40)),
        **{"j1": {"user": "B"}, "j2": {"user": "B"}, "j3": {"user": "A", "names": "A"}},
    )
    found = stays(Machine(Calendar((1,) * 4, (), (booked,)), jobs, "easy"))
    assert found == [[(100, 160)], [(0, 50)], [(50, 80)]]


def test_a_deadline():
    """R4: the second job leaves at 70, from which it could no longer end in time, and not before."""
    jobs = tasks((0, 100, 1), (1, 50, 1), j2={"deadline": 120})
    machine = Machine(Calendar((1,)), jobs, "easy")
    machine_left = []
    leave = machine.leave
    machine.leave = lambda task, status: (
        machine_left.append((task.number, machine.now, status)),
        leave(task, status),
    )
    assert stays(machine) == [[(0, 100)], []]
    assert machine_left == [(1, 70, "deadline")]
