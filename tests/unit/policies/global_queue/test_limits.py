"""Limits of queues and the rates they look at, by hand."""

from __future__ import annotations

import math

import pytest

from echelon.engine.tree.queues.global_queue_view import Rate
from echelon.errors import InputError, UnknownNameError
from echelon.policies.global_queue import QueueState, queue_limit


def accepts(limit, waiting, *, starts=False, arrivals=math.nan, services=math.nan, wait=0.0, running=0):
    """Return whether a queue in this state takes one more."""
    state = QueueState(waiting, lambda: starts, arrivals, services, lambda: wait, running)
    return queue_limit(limit).accepts(state)


def test_a_number_of_jobs():
    """Fewer than so many may wait; 0 takes what starts at once, and no second one beside it."""
    assert accepts(2, 1)
    assert not accepts("2", 2)
    assert accepts("unlimited", 10**6)
    assert accepts(0, 0, starts=True)
    assert not accepts(0, 0)
    assert not accepts(0, 1, starts=True)


def test_a_number_of_jobs_held():
    """Those that run in the cluster count, too; there must be room for one at least."""
    assert accepts("held:3", 1, running=1)
    assert not accepts("held:3", 1, running=2)
    assert not accepts("held:3", 0, running=4, starts=True)
    assert queue_limit("held:3").spec == "held:3"
    with pytest.raises(InputError, match="whole number >= 1"):
        queue_limit("held:0")
    for spec in ("held:", "held:x"):
        with pytest.raises(InputError, match=r"single colons|must be a whole number, got 'x'"):
            queue_limit(spec)
    with pytest.raises(UnknownNameError, match="no queue limit is named 'kept'"):
        queue_limit("kept:3")


@pytest.mark.parametrize(("wait", "taken"), [(3.9, True), (4.0, False), (4.1, False)])
def test_a_predicted_occupation(wait, taken):
    """Rho = lambda Tw / n (equation 4.9): with half a job a second and two waiting, a wait of 4 s is 1."""
    assert accepts("stable:predicted", 2, arrivals=0.5, wait=wait) is taken


def test_an_occupation():
    """Rho = lambda / mu (equation 4.6) must be below 1."""
    assert accepts("stable", 3, arrivals=0.5, services=0.6)
    assert not accepts("stable", 3, arrivals=0.5, services=0.5)
    assert not accepts("stable", 3, arrivals=math.inf, services=0.5)


@pytest.mark.parametrize("limit", ["stable", "stable:predicted"])
def test_an_empty_queue_takes_one(limit):
    """Else a cluster that has refused once would forever; so does one without rates."""
    assert accepts(limit, 0, arrivals=math.inf, services=0.1, wait=1e9)
    assert accepts(limit, 5)


def test_rates_are_of_late():
    """The newest interval weighs 2 / 11: after 10 s and 21 s the mean is 12 s."""
    rate = Rate()
    assert math.isnan(rate.value)
    rate.note(5.0)
    assert math.isnan(rate.value)
    rate.note(15.0)
    assert rate.value == 0.1
    rate.note(36.0)
    assert rate.value == pytest.approx(1 / 12)


def test_all_at_once_is_infinitely_often():
    """Two events at one time."""
    rate = Rate()
    rate.note(5.0)
    rate.note(5.0)
    assert rate.value == math.inf


@pytest.mark.parametrize("limit", ["-1", -1, True, 1.5])
def test_no_number_of_jobs(limit):
    """A limit is a whole number >= 0."""
    with pytest.raises(InputError, match="must be"):
        queue_limit(limit)


def test_an_unknown_limit():
    """The limits are listed."""
    with pytest.raises(UnknownNameError, match="stable"):
        queue_limit("stabel")


def test_an_unknown_limit_names_what_stands_for_one():
    """A number is a limit, too, and so is a rule with a parameter."""
    with pytest.raises(UnknownNameError) as refused:
        queue_limit("lots")
    known = "known are: a number, at-most, held, stable, stable:predicted, unlimited."
    assert str(refused.value) == f"no queue limit is named 'lots'; {known}"


def test_an_unknown_limit_of_a_file_names_those_of_the_file(tmp_path):
    """What stands for a limit elsewhere is not in the file."""
    file = tmp_path / "own.py"
    file.write_text("")
    with pytest.raises(UnknownNameError, match=r"is named 'lots'; there is none\.$"):
        queue_limit(f"{file}:lots")
