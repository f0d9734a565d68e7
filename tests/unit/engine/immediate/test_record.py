"""What is recorded of copies on machines that fail: the work that lasts, and what checkpoints took."""

from __future__ import annotations

import pytest
from tests.unit.engine.immediate.platforms import instance, run

from echelon.availability import Changes, CheckpointRule
from echelon.metrics import measure, per_site
from echelon.metrics.columns.attempt_times import attempt_times
from echelon.metrics.columns.job_values import switch_time
from echelon.model import EndReason, OutageKind, Outages

ALWAYS = float("-inf")


def failing(checkpoint=None):
    """Return two copies of 100 s on machines that fail at 50 and 70 s; the first is back at 80 s."""
    rows = [(50, 500, (0,), OutageKind.FAIL, ALWAYS, 1), (70, 80, (0,), OutageKind.FAIL, ALWAYS, 0)]
    changes = Changes(Outages.of(rows), checkpoint=checkpoint)
    return run(instance((0, 100, 1), on=((1, 1.0), (1, 1.0))), spec="wqr", changes=changes)


def test_work_of_copies_that_checkpoints_saved():
    """Of the copy that is lost last 60 s of work are safe, at 5 s for each 30 s; the other's work is not."""
    found = failing(CheckpointRule(30.0, cost=5.0, restart=10.0)).attempts
    assert found.reason.tolist() == [EndReason.REQUEUED, EndReason.REQUEUED, EndReason.COMPLETED]
    assert found.end.tolist() == pytest.approx([50, 70, 80 + 10 + 40 + 5])
    assert found.work.tolist() == pytest.approx([0, 60, 40])
    assert found.overhead.tolist() == pytest.approx([0, 10, 15])


def test_work_of_copies_without_checkpoints():
    """Only the copy that completes does work that lasts; one restart, though three copies were sent."""
    found = failing()
    assert attempt_times(found.attempts).useful.tolist() == pytest.approx([0, 0, 100])
    assert measure(found)["restarts"] == 1


def test_a_spare_copy_does_no_work_that_lasts():
    """Both copies run until 100 s, the machines being up: half of the time held is no goodput, none lost."""
    rows = [(200, 300, (0,), OutageKind.FAIL, ALWAYS, 1)]
    given = instance((0, 100, 1), (150, 100, 1), on=((1, 1.0), (1, 1.0)))
    found = measure(run(given, spec="wqr", changes=Changes(Outages.of(rows))))
    assert found["lost_node_seconds"] == 50
    assert found["goodput"] == pytest.approx(200 / (2 * 250))


def test_copies_use_what_they_had_of_their_own_machines():
    """A copy at half the speed is lost at 50 s, the other one completes at 100 s: 125 of 150."""
    rows = [(50, 500, (0,), OutageKind.FAIL, ALWAYS, 1)]
    found = run(instance((0, 100, 1), on=((1, 1.0), (1, 0.5))), spec="wqr", changes=Changes(Outages.of(rows)))
    metrics = measure(found)
    assert metrics["utilization"] == pytest.approx(125 / 150)
    assert metrics["goodput"] == pytest.approx(100 / 150)
    assert metrics["lost_node_seconds"] == pytest.approx(25)
    assert metrics["waste_share"] == pytest.approx(25 / 125)
    assert per_site(found)["utilization"].to_list() == pytest.approx([1.0, 0.5])


def test_a_job_that_lost_all_copies_ran_from_its_next_one():
    """Without machines from 70 to 80 s, 100 s of work begin again at 80 s: no switch was ever paid."""
    found = failing()
    assert found.run_time.tolist() == [100]
    assert switch_time(found).tolist() == [0]
    assert measure(found)["mean_wait"] == 10
    assert measure(found)["utilization"] == pytest.approx((50 + 70 + 100) / (2 * 180))
