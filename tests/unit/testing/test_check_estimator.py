"""check_estimator: it passes what is right and names what is wrong."""

from __future__ import annotations

import itertools

import pytest

from echelon.errors import PolicyError, UnknownNameError
from echelon.policies import ESTIMATORS
from echelon.testing import check_estimator


class Fixed:
    """An estimator that says the same of every job."""

    name = "fixed"

    def __init__(self, says):
        self.says = says

    def memory(self):
        return self

    def predict(self, job):
        return self.says(job)

    def learn(self, job, run_time):
        pass


def failed(given):
    """Return the names of the required findings that failed."""
    checked = check_estimator(given)
    return [finding.name for finding in checked.findings if finding.required and not finding.passed]


@pytest.mark.parametrize("words", [kind.name for kind in ESTIMATORS if kind.name != "exact"])
def test_built_in_estimators_pass(words):
    """Every built-in rule that a run's own instance can take keeps the rules."""
    assert check_estimator(words).passed
    assert check_estimator(words).require().name == words


def test_no_number():
    """What predicts nonsense fails at once, with job and place."""
    checked = check_estimator(Fixed(lambda job: "soon"))
    assert [finding.name for finding in checked.findings] == ["predictions"]
    assert "is predicted to run 'soon' s" in checked.findings[0].sentence
    with pytest.raises(PolicyError, match=r"estimator fixed.*fails the check 'predictions'"):
        checked.require()


def test_a_memory_that_lasts():
    """What remembers an earlier run is found out."""
    counter = itertools.count(1)
    assert failed(Fixed(lambda job: float(next(counter)))) == ["fresh memory", "job numbers"]


def test_numbers_of_jobs():
    """What minds a job's number is found out."""
    assert failed(Fixed(lambda job: 1.0 + job.job_id)) == ["job numbers"]


def test_an_unused_estimator_gets_a_note():
    """One that never predicts is no error, but told."""
    checked = check_estimator(Fixed(lambda job: None))
    assert checked.passed
    assert checked.findings[-1].sentence.startswith("0 of")


def test_unknown_words():
    """A wrong name is an error of its own."""
    with pytest.raises(UnknownNameError):
        check_estimator("avarage")
