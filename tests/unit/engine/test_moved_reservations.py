"""When reservations of waiting jobs move forward or get shorter, and how deadlines meet other events."""

from __future__ import annotations

import pytest
from tests.unit.engine import closed_nodes
from tests.unit.engine.changing import SHAPES, attempts_of, run, statuses
from tests.unit.engine.closed_nodes import outages, times, workload

from echelon.availability import Changes, CheckpointRule, Requeueing

in_every_shape = pytest.mark.parametrize("shape", SHAPES)
on_closed_nodes = pytest.mark.parametrize("shape", closed_nodes.SHAPES)


@in_every_shape
def test_nodes_that_come_back_take_no_reservation_away(shape):
    """At 15 job 2 is first in the queue, but job 1 keeps the reservation that it has had since 14."""
    jobs = [(14, 1, 2), (15, 1, 4)]
    schedule = run(shape, "conservative:largest-first", 5, jobs, (14, 15, [0, 1, 3, 4]), repair="known")
    assert attempts_of(schedule) == [(1, 15, 16, "completed"), (2, 16, 17, "completed")]


@in_every_shape
@pytest.mark.parametrize("repair", ["unknown", "known", 200.0, 7.0])
def test_a_node_that_comes_back_early_serves_others(shape, repair):
    """Job 3 moves to 50, when the third node is back, and job 4 takes it at 60, beside what job 2 keeps."""
    jobs = [(0, 100, 2), (5, 30, 2), (20, 10, 1), (60, 60, 1)]
    schedule = run(shape, "conservative", 3, jobs, (10, 50, [2]), repair=repair)
    assert [row[:3] for row in attempts_of(schedule)] == [
        (1, 0, 100), (2, 100, 130), (3, 50, 60), (4, 60, 120),
    ]  # fmt: skip


@in_every_shape
def test_a_canceled_job_makes_room_for_reserved_ones(shape):
    """Job 2 is reserved from 21 on, and starts at 20, when job 1 is canceled."""
    schedule = run(shape, "conservative", 2, [(0, 21, 2), (0, 1, 2)], columns={"cancel_time": [20, -1]})
    assert attempts_of(schedule) == [(1, 0, 20, "stopped"), (2, 20, 21, "completed")]


@on_closed_nodes
def test_an_evicted_job_makes_room_for_reserved_ones(shape):
    """Maintenance of the second node evicts job 1 at 30, so the first is free for job 2, reserved from 31."""
    jobs, changes = workload((0, 31, 2), (0, 1, 1)), Changes(outages(("maintenance", 30, 31, (2,), 10)))
    found = closed_nodes.run(shape, 2, jobs, changes, "conservative")
    assert found == {1: (0, 30, "EVICTED"), 2: (30, 31, "COMPLETED")}


@on_closed_nodes
@pytest.mark.parametrize("kind", ["maintenance", "drain"])
def test_reservations_move_forward_when_nodes_are_open_again(shape, kind):
    """At 54 job 4, reserved from 55 on, is in the way of job 2; it starts, and at 55 job 2 moves there."""
    jobs = workload((0, 54, 1, 56), (0, 1, 3), (24, 30, 1, 31), (24, 1, 1))
    changes = Changes(outages((kind, 0, 55, (3,))))
    assert times(shape, 3, jobs, changes, "conservative") == [(0, 54), (55, 56), (24, 54), (54, 55)]


@in_every_shape
def test_a_job_whose_deadline_comes_nearer_keeps_its_reservation(shape):
    """Job 3 is planned with ever less, and still moves before job 4 when job 1 ends early."""
    jobs = [(70, 80, 5, 240), (80, 80, 2), (80, 40, 5, 120), (90, 30, 2)]
    columns = {"deadline": [-1, -1, 250, -1], "minimum_time": [-1, -1, 25, -1]}
    schedule = run(shape, "conservative", 8, jobs, columns=columns)
    assert [row[:3] for row in attempts_of(schedule)] == [
        (1, 70, 150), (2, 80, 160), (3, 150, 190), (4, 160, 190),
    ]  # fmt: skip


@in_every_shape
@pytest.mark.parametrize("failure", [(), ((20, 30, [0]),)])
def test_a_job_that_is_cut_at_its_deadline_has_ended(shape, failure):
    """That it is canceled in the same instant, or its node fails, changes nothing."""
    columns = {"deadline": [20], "minimum_time": [2], "cancel_time": [20]}
    schedule = run(shape, "easy", 1, [(0, 21, 1)], *failure, columns=columns)
    assert attempts_of(schedule) == [(1, 0, 20, "deadline")]
    assert statuses(schedule)[0] == {1: "DEADLINE"}


@in_every_shape
@pytest.mark.parametrize("spec", ["fcfs", "easy", "conservative"])
def test_a_requeued_job_that_would_miss_its_deadline_leaves(shape, spec):
    """The latest start of job 1, at 20, passes while it runs; at 25 it loses its nodes for good."""
    jobs, failures = [(4, 10, 2, 30), (26, 5, 2)], [(13, 18, [0, 1]), (25, 28, [0, 1])]
    schedule = run(shape, spec, 2, jobs, *failures, columns={"deadline": [50, -1]})
    assert attempts_of(schedule) == [
        (1, 4, 13, "requeued"), (1, 18, 25, "requeued"), (2, 28, 33, "completed"),
    ]  # fmt: skip
    assert statuses(schedule)[0] == {1: "DEADLINE", 2: "COMPLETED"}


@in_every_shape
@pytest.mark.parametrize(("canceled", "status"), [(9, "CANCELED_WAITING"), (11, "DEADLINE")])
def test_the_latest_start_of_a_later_attempt(shape, canceled, status):
    """With its restart job 1 needs 10 s until 20, so it leaves at 10, unless it is canceled before."""
    columns = {"deadline": [20, -1], "cancel_time": [canceled, -1]}
    saving = {"checkpoint": CheckpointRule(3.0, 0.0, 2.0), "requeueing": Requeueing(delay=1.0)}
    jobs, failure = [(2, 8, 2), (30, 1, 2)], (5, 16, [1])
    schedule = run(shape, "easy", 2, jobs, failure, columns=columns, **saving)
    assert attempts_of(schedule) == [(1, 2, 5, "requeued"), (2, 30, 31, "completed")]
    assert statuses(schedule)[0] == {1: status, 2: "COMPLETED"}
