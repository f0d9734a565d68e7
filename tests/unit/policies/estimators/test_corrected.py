"""The correction of systematic errors: what it does, and when it does nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import Forecast
from echelon.policies.estimators import Corrected, estimator_named, format_estimator
from echelon.policies.estimators.line import deviation

from .views import Line, ended, job


@dataclass
class Told(Line):
    """A cluster whose simulation says what it is told."""

    says: Forecast | None = None

    def simulate(self, job, slowdown=None):
        return self.says


def pairs_of(rule, estimates, reals):
    """Return what a forecaster says of jobs in turn and what came of each, waits and runs."""
    forecaster, waits, runs = rule.forecaster([]), [], []
    for position, (estimate, real) in enumerate(zip(estimates, reals, strict=True)):
        one = job(position)
        said = forecaster.forecast(one, Told(says=Forecast(*estimate)))
        forecaster.learn(ended(wait=real[0], run=real[1]), one, said)
        waits.append((said.wait, real[0]))
        runs.append((said.run, real[1]))
    return waits, runs


REALS = [(100.0 + 37 * k % 90, 50.0 + 23 * k % 70) for k in range(30)]


def test_a_tenth_becomes_right():
    """Waits forecast as a tenth are right once the window is full; runs, right before, stay as they are."""
    estimates = [(0.1 * wait, run) for wait, run in REALS]
    waits, runs = pairs_of(Corrected(window=10), estimates, REALS)
    assert deviation(waits[:10]) == pytest.approx(0.9)
    assert deviation(waits[10:]) == pytest.approx(0.0, abs=1e-12)
    assert deviation(runs) == pytest.approx(0.0, abs=1e-12)


def test_scatter_is_left_alone():
    """Estimates that are half or twice the time have no line: nothing is divided."""
    estimates = [(wait * (0.5, 2.0)[k % 2], run) for k, (wait, run) in enumerate(REALS)]
    waits, _ = pairs_of(Corrected(window=10), estimates, REALS)
    assert [said for said, _ in waits] == [estimate[0] for estimate in estimates]


def test_each_condition_alone_holds_it_back():
    """Errors of +-20 % about a tenth pass 0.9 and 0.2; a stricter demand on either stops the correction."""
    estimates = [(0.1 * wait * (0.85, 1.15)[k % 2], run) for k, (wait, run) in enumerate(REALS)]
    for rule, corrected in (
        (Corrected(window=10), True),
        (Corrected(window=10, ra=0.99), False),
        (Corrected(window=10, spread=0.1), False),
    ):
        waits, _ = pairs_of(rule, estimates, REALS)
        assert (waits[-1][0] > 5 * estimates[-1][0]) is corrected


def test_jobs_that_did_not_wait():
    """Forecast and real waits of 0 s tell nothing; forecasts of waits that did not come are scatter."""
    estimates = [(0.1 * wait if k % 2 else 0.0, run) for k, (wait, run) in enumerate(REALS)]
    reals = [(wait if k % 2 else 0.0, run) for k, (wait, run) in enumerate(REALS)]
    waits, _ = pairs_of(Corrected(window=10), estimates, reals)
    assert deviation(waits[20:]) == pytest.approx(0.0, abs=1e-12)
    estimates = [(0.1 * wait, run) for wait, run in REALS]
    waits, _ = pairs_of(Corrected(window=10), estimates, reals)
    assert [said for said, _ in waits] == [estimate[0] for estimate in estimates]


def test_an_error_that_ends_is_forgotten():
    """When the estimator gets right, the window forgets in time that it was not."""
    estimates = [(wait * (0.1 if k < 12 else 1.0), run) for k, (wait, run) in enumerate(REALS)]
    waits, _ = pairs_of(Corrected(window=5), estimates, REALS)
    assert waits[6] == pytest.approx((REALS[6][0], REALS[6][0]))
    assert deviation(waits[18:]) == pytest.approx(0.0, abs=1e-12)


def test_of_many_clusters_it_learns_of_the_one():
    """A job asked about for three clusters counts with what was said of the one that it joined."""
    forecaster = Corrected(window=2).forecaster([])
    for position in range(2):
        said = [
            forecaster.forecast(job(position), Told(site=site, says=Forecast(wait, 10.0)))
            for site, wait in ((0, 77.0), (1, 5.0), (2, 99.0))
        ]
        forecaster.learn(ended(wait=50.0, run=10.0), job(position), said[1])
    assert forecaster.forecast(job(9), Told(says=Forecast(5.0, 10.0))) == pytest.approx((50.0, 10.0))


def test_nothing_said_is_nothing_learned():
    """A job that it never spoke of, or spoke otherwise of, changes no line."""
    forecaster = Corrected(window=2).forecaster([])
    for position in range(4):
        forecaster.learn(ended(wait=50.0), job(position), None)
        forecaster.forecast(job(position), Told(says=Forecast(5.0, 10.0)))
        forecaster.learn(ended(wait=50.0), job(position), Forecast(1.0, 1.0))
    assert forecaster.forecast(job(9), Told(says=Forecast(5.0, 10.0))) == (5.0, 10.0)
    assert forecaster.forecast(job(9, processors=5), Line()) is None


def test_requests_on_one_machine():
    """Requests that are always ten times the run time are divided by ten."""
    memory = estimator_named("corrected:of=request:window=3").memory()
    for position, run in enumerate((10.0, 40.0, 25.0)):
        one = job(position, planned_time=10 * run)
        assert memory.predict(one) is None
        memory.learn(one, run)
    assert memory.predict(job(9, planned_time=300.0)) == pytest.approx(30)


def test_specs_and_back():
    """The estimator inside keeps its own parameters, and the spec leads back."""
    for spec in (
        "corrected",
        "corrected:of=hybrid:window=50",
        "corrected:of=ibl(radius=0.5, most=3):ra=0.8",
        "corrected:of=corrected(of=average(alpha=0.25), window=5)",
    ):
        assert format_estimator(estimator_named(spec)) == spec
    assert estimator_named("corrected(of=average:alpha=0.25)") == Corrected("average(alpha=0.25)")
    assert format_estimator(estimator_named("corrected(of=sdpn, window=20)")) == "corrected"


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("corrected:of=spdn", UnknownNameError, "sdpn"),
        ("corrected:of=exact", InputError, "nothing to learn"),
        ("corrected:of=ibl(radius=-1)", InputError, "at least 0"),
        ("corrected:of=ibl(", InputError, "parenthesis"),
        ("corrected:window=1", InputError, "at least 2"),
        ("corrected:ra=2", InputError, "from 0 to 1"),
        ("corrected:spread=-1", InputError, "at least 0"),
    ],
)
def test_wrong_specs(spec, error, said):
    """Each is refused in a sentence."""
    with pytest.raises(error, match=said):
        estimator_named(spec)


ONLY_FORECASTS = """
class Own:
    name = "own"
    def forecaster(self, past):
        return self
    def forecast(self, job, view):
        return view.simulate(job)
    def learn(self, experience, job, said):
        pass

class Plain:
    name = "plain"
    def memory(self):
        return self
    def predict(self, job):
        return 5.0
    def learn(self, job, run_time):
        pass
"""


def test_estimators_of_ones_own_inside(tmp_path):
    """One from a file stands in parentheses; what it cannot answer is said."""
    file = tmp_path / "mine.py"
    file.write_text(ONLY_FORECASTS)
    own = estimator_named(f"corrected(of={file}:Own, window=5)")
    assert own.forecaster([]).forecast(job(), Line()) == (0, 20)
    assert estimator_named(format_estimator(own)) == own
    with pytest.raises(InputError, match="multiclusters only"):
        own.memory()
    with pytest.raises(InputError, match="multiclusters need"):
        estimator_named(f"corrected(of={file}:Plain)").forecaster([])
