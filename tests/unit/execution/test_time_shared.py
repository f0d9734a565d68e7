"""Algorithm 3.1 and the parameters of time-shared nodes."""

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.execution.time_shared import TimeShared, assigned_shares, availability


def shares(*jobs, capacity):
    """Return the shares of jobs given as {link: demand}."""
    first = np.cumsum([0, *(len(job) for job in jobs)])
    links = np.array([link for job in jobs for link in job], dtype=np.int64)
    demand = np.array([need for job in jobs for need in job.values()], dtype=float)
    return assigned_shares(first, links, demand, np.array(capacity, dtype=float)).tolist()


def test_a_full_link_scales_all_its_jobs():
    """80 and 40 on a link of 100 are assigned 66.7 and 33.3: SC = 1.2 for both."""
    assert shares({0: 80}, {0: 40}, capacity=[100]) == pytest.approx([1 / 1.2, 1 / 1.2])


def test_relieving_one_link_may_relieve_another():
    """The fullest link first: what its job gives up counts on the others, which then are not full."""
    assert shares({0: 100, 1: 100}, {1: 50}, capacity=[50, 110]) == pytest.approx([0.5, 1.0])


def test_a_job_may_be_scaled_by_several_links():
    """One link's relief may leave another saturated, which scales its jobs again."""
    assert shares({0: 100, 1: 100}, {1: 100}, capacity=[50, 100]) == pytest.approx([1 / 3, 2 / 3])


def test_a_dead_link_leaves_nothing():
    """Jobs on links of capacity 0 get no share, and the others theirs."""
    assert shares({0: 10}, {1: 10}, {0: 1, 1: 1}, {2: 0}, capacity=[0, 5, 0]) == [0.0, 0.5, 0.0, 1.0]


def test_who_needs_nothing_is_not_scaled():
    """A job whose task is beside others on a full link, but sends nothing, has all it needs."""
    assert shares({0: 20}, {0: 0}, capacity=[10]) == [0.5, 1.0]


def test_nothing_to_share():
    """No job, no link, or infinite links: no share is scaled."""
    assert shares(capacity=[]) == []
    assert shares({}, {}, capacity=[]) == [1.0, 1.0]
    assert shares({0: 1e12}, capacity=[np.inf]) == [1.0]


def test_tasks_share_processors_fairly():
    """Two tasks on three processors have one each, three on one and a half have a half."""
    assert availability(3, 2) == 1.0
    assert availability(1.5, 3) == 0.5


@pytest.mark.parametrize("name", ["interference", "noise", "paging", "profile", "owners"])
@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "much"])
def test_parameters_out_of_range_are_named(name, value):
    """Each parameter must be a finite number >= 0."""
    with pytest.raises(InputError, match=name):
        TimeShared(**{name: value})
