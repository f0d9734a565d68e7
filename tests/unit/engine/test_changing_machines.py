"""Machines that fail, jobs that are canceled or have deadlines: the worked cases, on each shape."""

from __future__ import annotations

import math

import pytest
from tests.unit.engine.changing import SHAPES, attempts_of, run, statuses

from echelon.availability import CheckpointRule, Requeueing

F4 = [(0, 100, 2, 100), (1, 50, 4, 50), (2, 90, 2, 90)]
DOWN = (50, 150, [3])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["none", "easy", "conservative"])
def test_a_job_that_loses_a_node_begins_again(shape, spec):
    """F1: both nodes are needed, so the job starts again when the second is back; all is lost."""
    schedule = run(shape, spec, 2, [(0, 100, 2)], (40, 60, [1]))
    assert attempts_of(schedule) == [(1, 0, 40, "requeued"), (1, 60, 160, "completed")]
    assert (schedule.attempts.work.tolist(), schedule.attempts.overhead.tolist()) == ([0, 100], [0, 0])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_checkpoint_saves_work(shape):
    """F2: 30 s were safe at 35 s; 10 s of restart, 70 s of work and two checkpoints follow."""
    schedule = run(shape, "easy", 2, [(0, 100, 2)], (40, 60, [1]), checkpoint=CheckpointRule(30.0, 5.0, 10.0))
    assert attempts_of(schedule) == [(1, 0, 40, "requeued"), (1, 60, 150, "completed")]
    assert schedule.attempts.work.tolist() == pytest.approx([30, 70])
    assert schedule.attempts.overhead.tolist() == pytest.approx([5, 20])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["none", "easy", "conservative"])
def test_a_job_beside_a_failed_node_goes_on(shape, spec):
    """F3: the third node is down; the job on the other two is not hit."""
    schedule = run(shape, spec, 3, [(0, 100, 2), (20, 10, 1)], (10, 50, [2]))
    assert attempts_of(schedule) == [(1, 0, 100, "completed"), (2, 50, 60, "completed")]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["easy", "conservative", "selective", "relaxed", "plan"])
def test_a_head_that_nobody_can_plan_delays_nobody(shape, spec):
    """F4u: nobody knows when the fourth node returns, so job 3 starts again at 100, before the head."""
    schedule = run(shape, spec, 4, F4, DOWN)
    assert attempts_of(schedule) == [
        (1, 0, 100, "completed"), (2, 190, 240, "completed"), (3, 2, 50, "requeued"),
        (3, 100, 190, "completed"),
    ]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spec", ["easy", "conservative", "selective", "plan"])
@pytest.mark.parametrize("repair", ["known", 100.0, 30.0])
def test_a_head_that_can_be_planned_is_not_delayed(shape, spec, repair):
    """F4k: with the true end of the repair, or estimates that are renewed, the head starts at 150."""
    schedule = run(shape, spec, 4, F4, DOWN, repair=repair)
    assert attempts_of(schedule) == [
        (1, 0, 100, "completed"), (2, 150, 200, "completed"), (3, 2, 50, "requeued"),
        (3, 200, 290, "completed"),
    ]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_a_job_that_ends_as_its_node_fails_has_ended(shape):
    """F6: ENDs come before failures; the next job waits for the repair."""
    schedule = run(shape, "easy", 1, [(0, 50, 1), (0, 10, 1)], (50, 70, [0]))
    assert attempts_of(schedule) == [(1, 0, 50, "completed"), (2, 70, 80, "completed")]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_waiting_job_leaves_when_it_would_miss_its_deadline(shape):
    """R4: job 2 needs 50 s until 120, so it leaves at 70; where the node is free at 70, it starts."""
    limits = {"deadline": [-1, 120]}
    schedule = run(shape, "easy", 1, [(0, 100, 1), (1, 50, 1)], columns=limits)
    assert attempts_of(schedule) == [(1, 0, 100, "completed")]
    assert statuses(schedule)[1] == {"a deadline that they could no longer meet": 1}
    schedule = run(shape, "easy", 1, [(0, 70, 1), (1, 50, 1)], columns=limits)
    assert attempts_of(schedule) == [(1, 0, 70, "completed"), (2, 70, 120, "completed")]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_job_that_accepts_less_time_is_killed_at_its_deadline(shape):
    """Its minimum time lets it start at 90; it is cut at 120, which is no kill at its limit."""
    limits = {"deadline": [-1, 120], "minimum_time": [-1, 20]}
    schedule = run(shape, "easy", 1, [(0, 90, 1), (1, 50, 1)], columns=limits)
    assert attempts_of(schedule)[1] == (2, 90, 120, "deadline")
    assert statuses(schedule)[0] == {1: "COMPLETED", 2: "DEADLINE"}
    assert not schedule.instance.killed.any()


def test_a_job_that_accepts_less_time_is_planned_until_its_deadline():
    """From 40 on job 3 is planned with 50 s, which is over before the head could start at 90."""
    jobs = [(0, 90, 1), (1, 200, 2), (2, 80, 1), (40, 5, 2)]
    schedule = run("counted", "easy", 2, jobs, columns={"deadline": [-1, -1, 90, -1],
                                                        "minimum_time": [-1, -1, 20, -1]})  # fmt: skip
    assert attempts_of(schedule)[2] == (3, 2, 82, "completed")
    schedule = run("counted", "easy", 2, [*jobs[:2], (2, 100, 1), jobs[3]],
                   columns={"deadline": [-1, -1, 90, -1], "minimum_time": [-1, -1, 20, -1]})  # fmt: skip
    assert attempts_of(schedule)[2] == (3, 2, 90, "deadline")


@pytest.mark.parametrize("shape", SHAPES)
def test_canceled_jobs(shape):
    """Job 1 runs when it is canceled, job 2 waits, job 3 is canceled before it is submitted."""
    jobs = [(0, 90, 1), (1, 50, 1), (2, 5, 1), (3, 6, 1)]
    schedule = run(shape, "easy", 1, jobs, columns={"cancel_time": [40, 30, 1, -1]})
    assert attempts_of(schedule) == [(1, 0, 40, "stopped"), (4, 40, 46, "completed")]
    assert statuses(schedule) == (
        {1: "CANCELED_RUNNING", 4: "COMPLETED"}, {"a cancellation before they started": 2}
    )  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_jobs_that_wait_for_a_canceled_job_are_released(shape):
    """Job 2 waits for the end of job 1 and 3 s more; job 4 for job 3, which never joins."""
    jobs = [(0, 90, 1), (0, 5, 1), (50, 7, 1), (0, 8, 1)]
    columns = {"cancel_time": [40, -1, 20, -1], "preceding_job": [-1, 1, -1, 3], "think_time": [-1, 3, -1, 0]}
    schedule = run(shape, "easy", 1, jobs, columns=columns)
    assert attempts_of(schedule) == [
        (1, 0, 40, "stopped"), (2, 48, 53, "completed"), (4, 40, 48, "completed")
    ]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("rule", "third", "status"),
    [
        (Requeueing("kill"), [(3, 2, 50, "failed")], "FAILED_NODE"),
        (Requeueing(most=0), [(3, 2, 50, "failed")], "FAILED_NODE"),
        (Requeueing(most=1), [(3, 2, 50, "requeued"), (3, 100, 190, "completed")], "COMPLETED"),
        (Requeueing(delay=70), [(3, 2, 50, "requeued"), (3, 120, 210, "completed")], "COMPLETED"),
    ],
)
def test_what_becomes_of_a_job_that_loses_a_node(shape, rule, third, status):
    """Job 3 is not run again, at once, or after a delay; the head waits for what is back at 150."""
    schedule = run(shape, "easy", 4, F4, DOWN, requeueing=rule)
    assert [attempt for attempt in attempts_of(schedule) if attempt[0] == 3] == third
    assert statuses(schedule)[0][3] == status


@pytest.mark.parametrize("shape", SHAPES)
def test_slurm_requeues_after_121_seconds(shape):
    """A job that is hit at 10 s is eligible at 131 s."""
    schedule = run(shape, "easy", 1, [(0, 20, 1)], (10, 11, [0]), requeueing=Requeueing("slurm"))
    assert attempts_of(schedule) == [(1, 0, 10, "requeued"), (1, 131, 151, "completed")]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("order", "starts"), [("keep", [(1, 20), (2, 30)]), ("back", [(2, 20), (1, 25)])])
def test_the_place_in_the_queue_of_a_requeued_job(shape, order, starts):
    """It keeps its place before a job that was submitted later, or comes behind it."""
    jobs = [(0, 10, 1), (5, 5, 1)]
    schedule = run(shape, "none", 1, jobs, (8, 20, [0]), requeueing=Requeueing(order=order))
    found = [(job, start) for job, start, _, why in attempts_of(schedule) if why == "completed"]
    assert sorted(found, key=lambda one: one[1]) == starts


@pytest.mark.parametrize("shape", SHAPES)
def test_a_node_of_several_outages_is_back_when_the_last_ends(shape):
    """Three overlap; one of no length kills at 100 and is over at once."""
    down = (10, 50, [0]), (15, 80, [0]), (20, 30, [0]), (90, 90, [0])
    schedule = run(shape, "easy", 1, [(0, 20, 1)], *down)
    assert attempts_of(schedule) == [
        (1, 0, 10, "requeued"), (1, 80, 90, "requeued"), (1, 90, 110, "completed")
    ]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_jobs_that_nothing_is_left_for_are_counted(shape):
    """One of four nodes never returns: the job that needs all four is unfinished."""
    schedule = run(shape, "easy", 4, F4, (50, math.inf, [3]))
    assert statuses(schedule) == ({1: "COMPLETED", 3: "COMPLETED"}, {"no processors left to run on": 1})


def test_which_processors_each_attempt_held():
    """Jobs take the lowest-numbered processors that are free and not down."""
    held = run("counted", "easy", 4, F4, (50, 150, [2])).numbered
    rows = [(int(held.job[row]), held.start[row], held.nodes_of(row).tolist()) for row in range(len(held))]
    assert rows == [(0, 0, [0, 1]), (1, 190, [0, 1, 2, 3]), (2, 2, [2, 3]), (2, 100, [0, 1])]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("per", "last"), [("attempt", (1, 60, 160, "completed")), ("job", (1, 60, 120, "killed"))]
)
def test_what_the_requested_time_limits(shape, per, last):
    """Each attempt may take 100 s, or both together: 40 s were used when the node failed."""
    schedule = run(shape, "easy", 2, [(0, 100, 2)], (40, 60, [1]), estimates="kill", limit_per=per)
    assert attempts_of(schedule) == [(1, 0, 40, "requeued"), last]
    assert statuses(schedule)[0] == {1: "COMPLETED" if per == "attempt" else "KILLED"}


@pytest.mark.parametrize("shape", SHAPES)
def test_checkpoints_without_failures(shape):
    """Run times and planned times grow by three checkpoints; the job has the same work."""
    schedule = run(shape, "easy", 2, [(0, 100, 2), (1, 10, 2)], checkpoint=CheckpointRule(30.0, 5.0, 10.0))
    assert attempts_of(schedule) == [(1, 0, 115, "completed"), (2, 115, 125, "completed")]
    assert schedule.instance.run_time.tolist() == pytest.approx([100, 10])
    assert schedule.attempts.overhead.tolist() == pytest.approx([15, 0])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_suspended_job_loses_what_it_did_before(shape):
    """Round-robin suspends job 1 every 10 s; the failure at 35 s takes all that it did in two turns."""
    schedule = run(shape, "round-robin:quantum=10", 1, [(0, 30, 1), (0, 30, 1)], (35, 35, [0]))
    found = [attempt for attempt in attempts_of(schedule) if attempt[3] in {"requeued", "completed"}]
    work = schedule.attempts.work
    done = [work[schedule.attempts.job == job].sum() for job in (0, 1)]
    assert (len(found), done) == (3, [30, 30])


@pytest.mark.parametrize("shape", ["counted", "nodes", "grid"])
def test_a_rule_that_wakes_up_waits_while_nothing_can_start(shape):
    """Both rows need the node that never returns: turns of 7 s stop until the next failure, at 1e7 s."""
    outages = (10, math.inf, [0]), (10_000_000, 10_000_001, [1])
    schedule = run(shape, "round-robin:quantum=7", 2, [(0, 5, 1), (20, 30, 2), (21, 30, 2)], *outages)
    assert attempts_of(schedule) == [(1, 0, 5, "completed")]
    assert statuses(schedule)[1] == {"no processors left to run on": 2}
    assert schedule.counts["passes"] < 20
