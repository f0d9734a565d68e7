"""Shaking moves each submit time a little, by a stream of its own."""

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Workload
from echelon.model.streams import record_streams, stream
from echelon.workloads import transform


def log(count=2000):
    """Return jobs one every 40 s, from 1000 s on."""
    return Workload.from_columns(
        submit_time=1000.0 + 40.0 * np.arange(count), run_time=[60] * count, processors=[2] * count
    )


def test_submit_times_move_by_whole_seconds_up_to_the_bound_either_way():
    """Of 2,000 jobs all differences from -7 to 7 come up, each about as often, and no other."""
    moved = transform.shake(log(), 7, seed=3).submit_time - log().submit_time
    values, counts = np.unique(moved, return_counts=True)
    assert values.tolist() == list(range(-7, 8))
    # 2,000 / 15 = 133.3 of each, with a standard deviation of 11.2.
    assert (np.abs(counts - 2000 / 15) < 5 * 11.2).all()


def test_the_numbers_are_those_of_its_stream():
    """The formula max(0, s + u), u of the stream "shake" under the seed, job by job."""
    early = log(50).with_columns(submit_time=np.arange(50.0))
    with record_streams() as names:
        shaken = transform.shake(early, 30, seed=5)
    noise = stream(5, "shake").integers(-30, 31, 50)
    assert shaken.submit_time.tolist() == np.maximum(np.arange(50) + noise, 0).tolist()
    assert names == {"shake"}


def test_seeds_give_other_copies_and_the_same_seed_the_same():
    """A copy is named by its seed alone."""
    one, again, other = (transform.shake(log(), 30, seed=seed).submit_time for seed in (1, 1, 2))
    assert (one == again).all()
    assert (one != other).mean() > 0.9


def test_all_but_submit_times_stays_and_the_header_says_what_was_done():
    """Rows, run times and sizes are those of the log; jobs without a submit time keep none."""
    some = log(10).with_columns(submit_time=[5.0, -1.0, *range(20, 28)])
    shaken = transform.shake(some, 4, seed=0)
    assert shaken.submit_time[1] == -1
    assert (shaken.job_id == some.job_id).all()
    assert (shaken.run_time == some.run_time).all()
    assert transform.transformations(shaken) == ("submit times shifted at random by up to 4 s, seed 0",)


@pytest.mark.parametrize("seconds", [0, -5, 2.5, True])
def test_bounds_that_are_none_are_refused(seconds):
    """The bound is a whole number of seconds, at least one."""
    with pytest.raises(InputError, match="whole number of seconds >= 1"):
        transform.shake(log(3), seconds)
