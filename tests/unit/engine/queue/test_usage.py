"""Processor time of users, half forgotten with a half-life."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.queue.usage import Account, Usage
from echelon.model import Job


def job(user, processors=1):
    """Return a job of `user`."""
    return Job(0, 1, 0.0, processors, 1.0, user=user)


def test_use_counts_half_after_a_half_life():
    """Ten processors for ten seconds, without decay, are 100; with decay, later, half of what they were."""
    account = Account(0.0, 0.0, 10)
    assert account.at(10.0, 0.0) == 100.0
    rested = Account(100.0, 10.0, 0)
    assert rested.at(60.0, math.log(2) / 50.0) == pytest.approx(50.0, rel=1e-15)


def test_shares_of_two_users():
    """No user has a share before the first run; then shares are parts of all time used so far."""
    usage = Usage()
    assert usage.share(5.0, 1, math.inf) == 0.0
    usage.change(0.0, job(1), 3)
    usage.change(0.0, job(2), 1)
    assert usage.share(10.0, 1, math.inf) == 0.75
    usage.change(10.0, job(1), -3)
    assert usage.share(40.0, 1, math.inf) == 30 / 70
    assert usage.share(40.0, 9, math.inf) == 0.0


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 20), st.integers(1, 20), st.integers(1, 5)), min_size=1
    ),
    st.sampled_from((5.0, 30.0, 1e4)),
)
def test_shares_are_integrals(runs, half_life):
    """Each share is the integral of held processors times 2^(-age / half-life), by user over all."""
    now = 45.0
    changes = sorted(
        [(float(begin), user, size) for user, begin, _, size in runs]
        + [(float(begin + length), user, -size) for user, begin, length, size in runs]
    )
    usage = Usage()
    for time, user, by in changes:
        usage.change(time, job(user), by)
    step = 0.01
    times = np.arange(step / 2, now, step)
    weight = 2 ** (-(now - times) / half_life) * step
    used = np.zeros(4)
    for user, begin, length, size in runs:
        used[user] += size * weight[(times >= begin) & (times < begin + length)].sum()
    for user in range(4):
        assert usage.share(now, user, half_life) == pytest.approx(used[user] / used.sum(), rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("half_life", [0.0, -5.0, math.nan])
def test_a_half_life_must_be_a_time(half_life):
    """A value that is not a time > 0 is refused, whatever the caller."""
    with pytest.raises(ValueError, match="half_life must be > 0 s"):
        Usage().share(5.0, 1, half_life)
