"""check_estimator: it passes what is right and names what is wrong."""

from __future__ import annotations

import itertools
from functools import partial
from importlib import import_module

import pytest

from echelon.errors import PolicyError, UnknownNameError
from echelon.model import Forecast
from echelon.policies import ESTIMATORS
from echelon.testing import check_estimator
from echelon.testing.workloads import crowd


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


@pytest.fixture
def small_crowds(monkeypatch):
    """Have estimators checked on crowds of 40 jobs in place of 100."""
    for name in ("workloads", "checks.check_forecaster"):
        module = import_module(f"echelon.testing.{name}")
        monkeypatch.setattr(module, "crowd", partial(crowd, n_jobs=40))


@pytest.mark.slow
@pytest.mark.usefixtures("small_crowds")
@pytest.mark.parametrize("spec", [kind.name for kind in ESTIMATORS if kind.name != "exact"])
def test_built_in_estimators_pass(spec):
    """Every built-in rule that a run's own instance can take keeps the rules."""
    checked = check_estimator(spec)
    assert checked.passed
    assert checked.require().name == spec


def test_no_number():
    """What predicts nonsense fails at once, with job and place."""
    checked = check_estimator(Fixed(lambda job: "soon"))
    assert [finding.name for finding in checked.findings] == ["predictions"]
    assert "is predicted to run 'soon' s" in checked.findings[0].sentence
    with pytest.raises(PolicyError, match=r"estimator fixed.*fails the check 'predictions'"):
        checked.require()


@pytest.mark.slow
def test_a_memory_that_lasts():
    """What remembers an earlier run is found out."""
    counter = itertools.count(1)
    assert failed(Fixed(lambda job: float(next(counter)))) == ["fresh memory", "job numbers"]


@pytest.mark.slow
def test_numbers_of_jobs():
    """What minds a job's number is found out."""
    assert failed(Fixed(lambda job: 1.0 + job.job_id)) == ["job numbers"]


@pytest.mark.slow
def test_an_unused_estimator_gets_a_note():
    """One that never predicts is no error, but told."""
    checked = check_estimator(Fixed(lambda job: None))
    assert checked.passed
    assert checked.findings[-1].sentence.startswith("0 of")


def test_unknown_specs():
    """A wrong name is an error of its own."""
    with pytest.raises(UnknownNameError):
        check_estimator("avarage")


class Forecasting:
    """An estimator for clusters alone that says what a function of (job, view) says."""

    name = "forecasting"

    def __init__(self, says):
        self.says = says

    def forecaster(self, past):
        return self

    def forecast(self, job, view):
        return self.says(job, view)

    def learn(self, experience, job, said):
        assert experience.run > 0
        assert experience.wait >= 0
        assert said is None or said.run >= 0


@pytest.mark.slow
def test_forecasters_are_checked():
    """What simulates the queue passes, also if it has nothing for one machine."""
    checked = check_estimator(Forecasting(lambda job, view: view.simulate(job)))
    assert checked.passed
    assert [finding.name for finding in checked.findings] == [
        "forecasts", "fresh forecaster", "called twice", "job numbers of forecasts"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "says", [(1.0, 2.0), Forecast(-1.0, 2.0), Forecast(1.0, float("nan")), Forecast(1.0, "2"), 5, "never"]
)
def test_what_is_no_forecast(says):
    """Anything but Forecast(wait, run) of times is refused with the job."""
    checked = check_estimator(Forecasting(lambda job, view: says))
    assert [finding.passed for finding in checked.findings] == [False]
    assert "expected Forecast(wait, run)" in checked.findings[0].sentence


def test_a_forecaster_that_lasts():
    """What counts its questions is found out."""
    counter = itertools.count(1)
    forecasting = Forecasting(lambda job, view: Forecast(float(next(counter)), 1.0))
    assert failed(forecasting) == ["fresh forecaster", "called twice", "job numbers of forecasts"]


def test_forecasts_by_number():
    """What minds a job's number is found out."""
    forecasting = Forecasting(lambda job, view: Forecast(0.0, float(job.job_id)))
    assert failed(forecasting) == ["job numbers of forecasts"]


def test_a_forecaster_that_fails():
    """Its error is named with the call that failed."""
    checked = check_estimator(Forecasting(lambda job, view: 1 / 0))
    assert "makes forecast(job, view) fail with ZeroDivisionError" in checked.findings[0].sentence
