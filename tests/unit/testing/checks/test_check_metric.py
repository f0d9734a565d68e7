"""check_metric finds the faults of a user's own metric."""

from __future__ import annotations

import itertools

import pytest

from echelon import metric
from echelon.errors import InputError
from echelon.testing import check_metric


def made(function):
    function.__doc__ = "What it is."
    return metric("mine", unit="1", source="none")(function)


def test_a_metric_that_is_right():
    """All required findings pass, and the note counts the schedules without a value."""
    found = check_metric(made(lambda jobs: jobs.wait[jobs.size > 10].mean())).require()
    assert found.passed
    assert found.name == "mine"
    assert [finding.name for finding in found.findings] == ["number", "same again", "value"]
    assert "of 16 schedules have no value" in found.findings[2].sentence
    assert not found.findings[2].passed


def test_a_metric_that_fails_on_one_job():
    """The first schedule on which it fails is named, and nothing further is looked at."""
    found = check_metric(made(lambda jobs: jobs.start[1] - jobs.start[0]))
    assert [finding.passed for finding in found.findings] == [False]
    assert "one-job: fails with IndexError" in found.findings[0].sentence
    with pytest.raises(InputError, match="metric 'mine': fails the check 'number'"):
        found.require()


def test_a_metric_that_changes():
    """Another number for the same schedule is found."""
    count = itertools.count()
    found = check_metric(made(lambda jobs: next(count)))
    assert [finding.passed for finding in found.findings] == [True, False, True]
    assert "0 first, then 16" in found.findings[1].sentence
