"""Tickets, lotteries and the least estimated wall time: equations 1 and 3 to 5 by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.policies import broker_named
from echelon.policies.immediate.execution_times import load_per_core, stretch_time
from echelon.policies.immediate.lottery import draw_in_turn, owner, tickets

from .machines_by_hand import Machines, job


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([60.0, 120.0, 240.0, 480.0], [8, 4, 2, 1]),
        ([100.0, 100.0], [1, 1]),
        ([100.0, 40.0, 200.0 / 3], [1, 3, 2]),  # 2.5 and 1.5: halves go up
        ([100.0, 67.0], [1, 1]),  # 1.49
        ([60.0, None, 0.0], [1, 99, 99]),
        ([None, None], [99, 99]),
        ([1e-300, 1.0], [99, 1]),
        ([5e-324, 1e300], [99, 1]),
        ([60.0], [1]),
    ],
)
def test_tickets_by_hand(times, expected):
    """The slowest has one, the others as many as they are faster; unknown ones very many, never fewer."""
    assert tickets(times, 99) == expected


@given(st.lists(st.none() | st.floats(0, 1e12), min_size=1), st.integers(1, 10**9))
def test_everyone_has_a_ticket(times, unseen):
    """Whatever the times, a machine has from 1 to `unseen` tickets, and the slower never has more."""
    found = tickets(times, unseen)
    assert all(1 <= number <= unseen for number in found)
    known = sorted((time, -number) for time, number in zip(times, found, strict=True) if time)
    numbers = [-number for _, number in known]
    assert numbers == sorted(numbers, reverse=True)


def test_the_ticket_drawn_has_one_owner():
    """Tickets are numbered through the machines: of 8, 4, 2 and 1 the 9th is the second machine's."""
    drawn = [owner([8, 4, 2, 1], ticket / 15) for ticket in (0, 7.5, 8.01, 11.5, 12.01, 14.01, 14.999)]
    assert drawn == [0, 0, 1, 1, 2, 3, 3]
    assert owner([10**9] * 1000, math.nextafter(1, 0)) == 999


def test_draws_without_replacement():
    """Each machine drawn takes its tickets out; the first is that of a single draw."""
    numbers = [0.6, 0.0, 0.99]
    assert draw_in_turn([8, 4, 2], numbers.__getitem__) == [1, 0, 2]
    for u in np.linspace(0, 0.999, 50):
        assert draw_in_turn([3, 1, 7, 2], lambda turn, u=u: u)[0] == owner([3, 1, 7, 2], u)


@pytest.mark.parametrize(
    ("load", "cores", "per_core", "time"),
    [(0, 1, 1, 60), (3, 1, 4, 240), (0, 4, 0.25, 60), (3, 4, 1, 60), (7, 4, 2, 120), (-0.5, 1, 0.5, 60)],
)
def test_estimated_execution_time_by_hand(load, cores, per_core, time):
    """The new process counts in the load per core; up to one a core nobody competes (equations 4 and 5)."""
    assert load_per_core(load, cores) == per_core
    assert stretch_time(60.0, per_core) == time


def test_a_job_of_several_processes_brings_them_all():
    """Two processes on two cores with one there: 1.5 a core."""
    view = Machines((1.0,), sizes=(2,), estimated=(1.0,), cpu_times=(60.0,))
    assert broker_named("wall-time").value(job(size=2), 0, view) == 90.0


def test_wall_time_takes_the_least_estimated_time():
    """A loaded fast machine against an idle slow one: 60 x 4 against 120."""
    view = Machines((1.0, 0.5), estimated=(3.0, 0.0), cpu_times=(60.0, 120.0))
    assert broker_named("wall-time").choose(job(), view) == 1
    assert broker_named("lottery").tickets(job(), view) == [2, 1]
    assert broker_named("lottery-load").tickets(job(), view) == [1, 2]


def test_wall_time_tries_the_unknown_first():
    """Machines where the application never ended come first, in their order; ties go to the lowest."""
    rule = broker_named("wall-time")
    unknown = Machines((1.0,) * 3, estimated=(0.0, 9.0, 0.0), cpu_times=(60.0, None, None))
    assert rule.ranking(job(), unknown) == [1, 2, 0]
    equal = Machines((1.0,) * 3, estimated=(0.0,) * 3, cpu_times=(60.0,) * 3)
    assert rule.ranking(job(), equal) == [0, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "expected"),
    [("lottery", [8, 4, 2, 1]), ("lottery-load", [1, 2, 4, 8]), ("lottery:unseen=3", [3, 3, 2, 1])],
)
def test_frequencies_of_a_lottery(spec, expected):
    """Over 30,000 jobs machines are chosen as often as they have tickets (chi-square, fixed seed)."""
    numbers = tuple(np.random.default_rng(7).random(30_000))
    view = Machines(
        (1.0,) * 4,
        cpu_times=(60.0, 120.0, 240.0, 480.0),
        # 64, 16, 4 and 1 processes with the new one: 3840, 1920, 960 and 480 s.
        estimated=(63.0, 15.0, 3.0, 0.0),
        numbers=numbers,
    )
    rule = broker_named(spec)
    assert rule.tickets(job(), view) == expected
    chosen = np.bincount([rule.choose(job(k), view) for k in range(len(numbers))], minlength=4)
    share = np.array(expected) / sum(expected)
    assert scipy.stats.chisquare(chosen, share * len(numbers)).pvalue > 0.01
    # And it is no test that anything passes.
    assert scipy.stats.chisquare(chosen, np.full(4, len(numbers) / 4)).pvalue < 1e-6


def test_an_unknown_machine_is_nearly_always_drawn():
    """With a million tickets against 15 others the unknown one is drawn in all of 10,000 draws but few."""
    numbers = tuple(np.random.default_rng(1).random(10_000))
    view = Machines((1.0,) * 5, cpu_times=(60.0, 120.0, None, 240.0, 480.0), numbers=numbers)
    rule = broker_named("lottery")
    assert sum(rule.choose(job(k), view) == 2 for k in range(10_000)) >= 9_995


@pytest.mark.parametrize("spec", ["lottery:unseen=0", "lottery-load:unseen=-1", "lottery:unseen=9999999999"])
def test_impossible_numbers_of_tickets(spec):
    """A machine has at least one ticket, and not too many to count."""
    with pytest.raises(InputError, match="must be a whole number of tickets from 1 to 1000000000"):
        broker_named(spec)
