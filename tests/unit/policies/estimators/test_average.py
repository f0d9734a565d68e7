"""Exponential averaging, worked by hand."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Job
from echelon.policies import Average


def job(position, user, request):
    """Return a job of which only user and request matter."""
    return Job(position, position, 0.0, 1, request, user=user)


def test_the_formula_by_hand():
    """From a request of 100 s, run times of 20 s and 40 s give 60 s and then 50 s."""
    memory = Average(alpha=0.5).memory()
    assert memory.predict(job(0, 7, 100)) is None
    memory.learn(job(0, 7, 100), 20)
    assert memory.predict(job(1, 7, 999)) == 60
    memory.learn(job(1, 7, 999), 40)
    assert memory.predict(job(2, 7, 999)) == 50


def test_users_are_apart():
    """What one user's jobs took says nothing of another's; unknown users are one."""
    memory = Average().memory()
    memory.learn(job(0, 1, 100), 20)
    assert memory.predict(job(1, 2, 100)) is None
    memory.learn(job(2, -1, 10), 20)
    assert memory.predict(job(3, -1, 100)) == 15


@pytest.mark.parametrize(("alpha", "expected"), [(0, 100), (0.25, 77.5), (1, 10)])
def test_alpha_weighs_the_newest(alpha, expected):
    """With 1 only the last run time counts, with 0 only the first request."""
    memory = Average(alpha).memory()
    memory.learn(job(0, 1, 100), 10)
    assert memory.predict(job(1, 1, 50)) == expected


def test_each_memory_is_fresh():
    """What one run has learned, the next does not know."""
    average = Average()
    average.memory().learn(job(0, 1, 100), 10)
    assert average.memory().predict(job(1, 1, 100)) is None


@pytest.mark.parametrize("alpha", [-0.1, 1.5, float("nan")])
def test_alpha_out_of_range(alpha):
    """An alpha outside 0 to 1 is refused."""
    with pytest.raises(InputError, match="from 0 to 1"):
        Average(alpha)
