"""Closures by hand: which nodes are open to a job in an interval, and when more may be."""

from __future__ import annotations

import math

import pytest

from echelon.engine.resources.closures import Closure, Closures, open_cores
from echelon.model import Job

ALWAYS = -math.inf


def job(position=0, planned=10.0):
    return Job(position, position + 1, 0.0, 1, planned)


def closure(start=50.0, end=80.0, nodes=(0, 1), number=0, **more):
    return Closure(start, end, nodes, more.pop("known", ALWAYS), number, **more)


def closed(closures, start, end, now=0.0, position=0):
    """Return the nodes of three that are closed to a job in [start, end)."""
    mask = Closures(closures, 3).mask_closed_to(job(position), start, end, now)
    return [] if mask is None else mask.nonzero()[0].tolist()


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(40, 50, []), (40, 51, [0, 1]), (60, 70, [0, 1]), (79, 99, [0, 1]), (80, 99, []), (0, 999, [0, 1])],
)
def test_maintenance_is_met_by_every_interval_that_overlaps_it(start, end, found):
    """An interval that ends as it begins, or begins as it ends, does not meet it."""
    assert closed([closure()], start, end) == found


@pytest.mark.parametrize(("start", "found"), [(49, []), (50, [0, 1]), (79, [0, 1]), (80, [])])
def test_a_drain_forbids_only_starts_inside_it(start, found):
    """A job may overlap its beginning, however long it takes."""
    assert closed([closure(drains=True)], start, start + 100) == found


def test_what_is_not_announced_is_not_known():
    """A closure announced at 20 counts from then on, whenever the job would start."""
    late = [closure(known=20.0)]
    assert closed(late, 60, 70, now=19.0) == []
    assert closed(late, 60, 70, now=20.0) == [0, 1]


def test_a_plan_that_looks_ahead_learns_nothing_on_its_way():
    """What is announced at 20 is not known at 30 to a plan made at 10."""
    plan = Closures([closure(known=20.0)], 3).as_seen_at(10.0)
    assert plan.mask_closed_to(job(), 60.0, 70.0, 30.0) is None
    assert plan.next_change(30.0) == math.inf


def test_a_job_with_access_by_its_user_may_be_anywhere():
    """A reservation that the job may use neither keeps it out nor in."""
    mine = [closure(may_use=frozenset({0}))]
    assert closed(mine, 0, 999) == []
    assert closed(mine, 0, 999, position=1) == [0, 1]


@pytest.mark.parametrize(
    ("start", "end", "flex", "found"),
    [
        (50, 80, False, [2]),
        (49, 60, False, [0, 1, 2]),
        (70, 81, False, [0, 1, 2]),
        (49, 81, True, [2]),
        (80, 90, True, [0, 1, 2]),
    ],
)
def test_a_job_that_names_a_reservation_runs_inside_it(start, end, flex, found):
    """Only on its nodes and inside its interval; with `flex` it may begin before and end after it."""
    named = closure(may_use=frozenset({0}), named_by=frozenset({0}), flex=flex)
    assert closed([named], start, end) == found


def test_a_job_may_use_each_reservation_of_the_name():
    """Of two that follow each other a job fits into either, but not across both."""
    mine = {"may_use": frozenset({0}), "named_by": frozenset({0})}
    both = [closure(**mine), closure(80.0, 90.0, (2,), 1, **mine)]
    assert closed(both, 60, 70) == [2]
    assert closed(both, 80, 90) == [0, 1]
    assert closed(both, 75, 85) == [0, 1, 2]


def test_a_job_that_names_a_reservation_elsewhere_never_starts_here():
    """All nodes are closed to it at all times."""
    other = Closures([], 3, elsewhere=frozenset({0}))
    found = other.mask_closed_to(job(), 0.0, 10.0, 0.0)
    assert found is not None
    assert found.all()
    assert other.mask_closed_to(job(1), 0.0, 10.0, 0.0) is None


def test_more_may_be_open_when_others_end_and_own_ones_begin():
    """Ends of closures that bar the job, and begins of its own reservations; known ones alone."""
    mine = closure(30.0, 90.0, (2,), 1, may_use=frozenset({0}), named_by=frozenset({0}))
    rows = [closure(), mine, closure(60.0, 95.0, (0,), 2, known=10.0), closure(70.0, math.inf, (1,), 3)]
    assert Closures(rows, 3).openings(job(), 0.0, 0.0) == [30.0, 80.0]
    assert Closures(rows, 3).openings(job(), 30.0, 10.0) == [80.0, 95.0]
    assert Closures(rows, 3).openings(job(1), 0.0, 0.0) == [80.0, 90.0]


def test_when_a_node_is_first_open_for_a_whole_job():
    """Between closures 15 s apart a job of 15 s fits, and one of 16 s does not; drains forbid only starts."""
    rows = [closure(0.0, 20.0), closure(35.0, 50.0, number=1), closure(50.0, 60.0, number=2, drains=True)]
    calendar = Closures(rows, 3)
    assert calendar.first_open(job(planned=15.0), 0, 5.0, 0.0) == 20
    assert calendar.first_open(job(planned=16.0), 0, 5.0, 0.0) == 60
    assert calendar.first_open(job(planned=16.0), 2, 5.0, 0.0) == 5
    assert Closures([closure(0.0, math.inf)], 3).first_open(job(), 0, 5.0, 0.0) == math.inf


def test_what_is_on_now():
    """Nodes of closures that have begun and are not over; and whose reservation is on."""
    calendar = Closures([closure(named_by=frozenset({4})), closure(70.0, 90.0, (2,), 1)], 3)
    assert calendar.mask_closed_now(49.0) is None
    assert calendar.mask_closed_now(50.0).tolist() == [True, True, False]
    assert calendar.mask_closed_now(75.0).tolist() == [True, True, True]
    assert calendar.first_now(50.0) == {4}
    assert not calendar.first_now(80.0)
    assert [calendar.next_change(time) for time in (0, 50, 70, 80, 90)] == [50, 70, 80, 90, math.inf]


def test_a_closure_that_moves_takes_the_place_of_the_one_before():
    """By its number; the others stay."""
    before = Closures([closure(), closure(60.0, 70.0, (2,), 1)], 3)
    after = before.replace(closure(100.0, 130.0))
    assert [(one.start, one.nodes) for one in after.all] == [(60.0, (2,)), (100.0, (0, 1))]


def test_closed_nodes_have_no_free_cores():
    """Without a mask the very same cores come back, not a copy: most calls have none."""
    cores = Closures([closure()], 3).mask_closed_now(50.0) * 0 + 4
    assert open_cores(cores, None) is cores
    mask = Closures([closure()], 3).mask_closed_now(50.0)
    assert open_cores(cores, mask).tolist() == [0, 0, 4]
