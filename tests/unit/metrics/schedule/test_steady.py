"""Metrics of a part of a run: without its beginning and end, and block by block."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.metrics import BLOCK_METRICS, STEADY_METRICS, block_metrics, steady_jobs, steady_metrics
from echelon.workloads import transform


@pytest.fixture(scope="module")
def run():
    """Run jobs of a model under EASY."""
    workload = ec.generate("lublin", jobs=300, seed=1, processors=64)
    return ec.simulate(workload, processors=64, policy="easy")


def five_jobs():
    """Five jobs of 10 s on 2 processors, one each second; the machine holds two at once."""
    return pl.DataFrame(
        {
            "submit_time": [0.0, 1.0, 2.0, 3.0, 4.0],
            "start_time": [0.0, 1.0, 10.0, 11.0, 20.0],
            "end_time": [10.0, 11.0, 20.0, 21.0, 30.0],
            "run_time": [10.0] * 5,
            "processors": [1] * 5,
            "user": ["a", "b", "a", None, "b"],
        }
    )


def test_without_anything_left_out_they_are_the_run_s_own(run):
    """With both shares 0 every metric has the value that the whole run has."""
    found = steady_metrics(run.jobs, processors=64)
    for name in STEADY_METRICS:
        if name in run.metrics:
            assert found[name] == pytest.approx(run.metrics[name], rel=1e-12), name


def test_a_preempted_run_keeps_its_times_in_the_queue():
    """Suspensions count as they do in the whole run."""
    workload = ec.generate("lublin", jobs=200, seed=2, processors=64)
    run = ec.simulate(transform.scale_load(workload, 20), processors=64, policy="round-robin:quantum=600")
    assert run.metrics["preemptions"] > 0
    found = steady_metrics(run.jobs, processors=64)
    for name in (
        "mean_wait",
        "max_wait",
        "mean_response",
        "mean_suspended_time",
        "mean_bounded_slowdown",
        "mean_turnaround",
    ):
        assert found[name] == pytest.approx(run.metrics[name], rel=1e-9), name


def test_by_hand():
    """Without the first and the last of five jobs: waits 1 - 1, 10 - 2 and 11 - 3 s; two processors full."""
    found = steady_metrics(five_jobs(), processors=2, warm_up=0.2, cool_down=0.2)
    assert (found["jobs"], found["mean_wait"], found["max_wait"]) == (3, 16 / 3, 8)
    assert found["utilization"] == 1.0
    assert "makespan" not in found


def test_jobs_are_left_out_by_submission_not_by_row():
    """A table in another order gives the same, and the rows marked are those of the middle."""
    turned = five_jobs().reverse()
    found = steady_metrics(turned, processors=2, warm_up=0.2, cool_down=0.2)
    assert found["mean_wait"] == 16 / 3
    submit = turned["submit_time"].to_numpy()
    assert steady_jobs(submit, warm_up=0.4).tolist() == [True, True, True, False, False]


def test_less_than_a_job_is_none():
    """A share of less than one job leaves out none."""
    assert steady_metrics(five_jobs(), processors=2, warm_up=0.19)["jobs"] == 5


def test_one_submission_has_no_span():
    """Where all jobs left were submitted at once the utilization is unknown."""
    found = steady_metrics(five_jobs(), processors=2, warm_up=0.4, cool_down=0.4)
    assert np.isnan(found["utilization"])


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ({"warm_up": -0.1}, "warm_up: must be a share"),
        ({"cool_down": 1.0}, "cool_down: must be a share"),
        ({"warm_up": 0.5, "cool_down": 0.5}, "got 0.5 and 0.5, expected a sum below 1"),
        ({"warm_up": float("nan")}, "warm_up"),
    ],
)
def test_shares_that_leave_nothing_are_refused(shares, said):
    """Shares outside 0 to 1, and those that leave no job, are refused."""
    with pytest.raises(InputError, match=said):
        steady_metrics(five_jobs(), processors=2, **shares)


def test_a_table_of_something_else_is_refused():
    """A table without times says which columns it lacks; one without jobs has none left."""
    with pytest.raises(InputError, match="missing: submit_time, end_time"):
        steady_metrics(five_jobs().drop("submit_time", "end_time"), processors=2)
    with pytest.raises(InputError, match="no job of 0 is left"):
        steady_metrics(five_jobs().clear(), processors=2)


def test_processors_may_be_a_number_of_numpy(run):
    """The size of a machine from an array gives the metrics of the same size."""
    assert steady_metrics(run.jobs, processors=np.int64(64)) == steady_metrics(run.jobs, processors=64)


def jobs():
    """Return seven jobs on 4 processors, submitted from 10 s on; blocks of 10 s begin at 10, 20 and 30 s."""
    return pl.DataFrame(
        {
            "submit_time": [10.0, 14.0, 20.0, 27.0, 29.0, 34.0, 41.0],
            "start_time": [10.0, 16.0, 24.0, 27.0, 30.0, 35.0, 41.0],
            "end_time": [16.0, 24.0, 30.0, 29.0, 36.0, 41.0, 45.0],
            "run_time": [6.0, 8.0, 6.0, 2.0, 6.0, 6.0, 4.0],
            "processors": [4, 2, 3, 1, 4, 2, 1],
            "user": ["a", "b", "a", "b", "a", "b", "a"],
        }
    )


def test_jobs_are_of_the_block_in_which_they_were_submitted():
    """Waits 0 and 2, then 4, 0 and 1, then 1: means 1, 5/3 and 1; the job of the rest at the end is out."""
    found = block_metrics(jobs(), processors=4, length=10.0)
    assert [block["jobs"] for block in found] == [2, 3, 1]
    assert [block["mean_wait"] for block in found] == pytest.approx([1.0, 5 / 3, 1.0])
    assert [block["mean_turnaround"] for block in found] == pytest.approx([8.0, (10 + 2 + 7) / 3, 7.0])
    assert [block["max_wait"] for block in found] == [2.0, 4.0, 1.0]


def test_utilization_is_of_the_time_of_a_block_by_whatever_job():
    """Held from 10 to 20: 6 s of 4 and 4 s of 2; to 30: 4 of 2, 6 of 3, 2 of 1; to 40: 6 of 4 and 5 of 2."""
    found = block_metrics(jobs(), processors=4, length=10.0)
    assert [block["utilization"] for block in found] == pytest.approx([32 / 40, 28 / 40, 34 / 40])


def test_blocks_begin_after_the_warm_up():
    """Without the first two of seven jobs blocks begin at 20 s: waits 4, 0 and 1, then 1."""
    found = block_metrics(jobs(), processors=4, length=10.0, warm_up=0.3)
    assert [block["mean_wait"] for block in found] == pytest.approx([5 / 3, 1.0])
    assert [block["utilization"] for block in found] == pytest.approx([28 / 40, 34 / 40])


def test_a_block_without_jobs_has_its_utilization_alone():
    """Nothing is submitted from 16 to 19 s: there is no mean wait, but two processors are held."""
    found = block_metrics(jobs(), processors=4, length=3.0)
    assert found[2] == {"jobs": 0, "utilization": pytest.approx(2 / 4)}
    assert set().union(*found) <= set(BLOCK_METRICS)


def test_the_order_of_rows_does_not_matter():
    """A table in another order has the same blocks."""
    mixed = jobs()[np.array([4, 0, 6, 2, 5, 1, 3])]
    first, second = (block_metrics(table, processors=4, length=10.0) for table in (jobs(), mixed))
    for one, other in zip(first, second, strict=True):
        assert one == pytest.approx(other)


@pytest.mark.parametrize("length", [0.0, -3.0, float("inf"), float("nan"), 32.0])
def test_lengths_that_give_no_block_are_refused(length):
    """A block is longer than nothing and fits between the first and the last submission, 31 s apart."""
    with pytest.raises(InputError, match="length of blocks"):
        block_metrics(jobs(), processors=4, length=length)
