"""Metrics of the blocks of a run, worked by hand."""

import numpy as np
import polars as pl
import pytest

from echelon.errors import InputError
from echelon.metrics import BLOCK_METRICS, block_metrics


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
