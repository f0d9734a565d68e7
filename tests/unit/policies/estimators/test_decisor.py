"""The decisor, by hand: whom it believes, and how far it looks back."""

from __future__ import annotations

import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.policies.estimators import Decisor, estimator_named, format_estimator
from echelon.policies.estimators.decisor import Contest

from .views import Line, ended, job


def contest(most=50, bound=0.2):
    """Return a contest of two."""
    return Contest(Decisor("smith ibl", bound, most))


def test_the_least_deviation_wins():
    """Errors of 10 against 20 s put the second first; equal ones leave the order."""
    runs = contest()
    assert runs.ranking == [0, 1]
    runs.add((120.0, 110.0), 100.0)
    assert runs.ranking == [1, 0]
    runs.add((100.0, 110.0), 100.0)
    assert runs.ranking == [0, 1]


def test_who_says_nothing_is_last():
    """An estimator without predictions is believed only if there is no other."""
    runs = contest()
    runs.add((None, 900.0), 100.0)
    assert runs.ranking == [1, 0]


def test_it_looks_back_less_when_all_get_worse():
    """Above the bound zeta is halved down to 5, within it grows by one up to most."""
    runs = contest(most=40)
    seen = []
    for estimate in [100.0] * 2 + [200.0] * 5 + [100.0] * 9:
        runs.add((estimate, 400.0), 100.0)
        seen.append(runs.zeta)
    # The third job makes 0.33 of the time wrong, and so on; 0.2 again when one of the last five is wrong.
    assert seen == [40, 40, 20, 10, 5, 5, 5, 5, 5, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(("bound", "ranking"), [(0.2, [1, 0]), (float("inf"), [0, 1])])
def test_what_was_long_ago_is_forgotten(bound, ranking):
    """Of one that gets wrong, fourteen jobs are enough to change over; without a bound they are not."""
    runs = contest(bound=bound)
    for _ in range(50):
        runs.add((100.0, 300.0), 100.0)
    for _ in range(14):
        runs.add((20.0, 100.0), 100.0)
    assert runs.ranking == ranking


def test_waits_and_runs_of_different_estimators():
    """The wait of the one that is right on waits stands beside the run of the one that is right on runs."""
    rule = Decisor("hanzich sdpn")
    forecaster = rule.forecaster([])
    view = Line(tasks=3, waiting=(job(8), job(9)))
    # Hanzich says (60, 30), SDPN (40, 20).
    assert forecaster.forecast(job(0), view) == (60, 30)
    forecaster.learn(ended(wait=41.0, run=29.0), job(0), (60, 30))
    assert forecaster.forecast(job(1), view) == (40, 30)
    assert forecaster.forecast(job(2, processors=5), view) is None
    forecaster.learn(ended(wait=41.0, run=20.0), job(7), None)
    assert forecaster.forecast(job(3), view) == (40, 30)


def test_on_one_machine_the_best_plans():
    """The request stands in for who says nothing: smith has no job like this, the request is right."""
    memory = Decisor("smith request").memory()
    for position in range(3):
        memory.predict(job(position, user=position, planned_time=10.0))
        memory.learn(job(position, user=position), 10.0)
    memory.predict(job(3, user=2, planned_time=500.0))
    memory.learn(job(3, user=2), 12.0)
    assert memory.predict(job(4, user=2, planned_time=500.0)) == 11


def test_specs_and_back():
    """Names are separated by spaces, each with parameters of its own; the spec leads back."""
    for spec in ("decisor", "decisor:of=smith ibl(radius=0.5):bound=0.1", "decisor:most=9"):
        assert format_estimator(estimator_named(spec)) == spec
    assert Decisor("smith  average(alpha=0.5)").specs == ("smith", "average")
    assert Decisor().specs == ("ibl", "smith", "corrected", "corrected(of=hybrid)")


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("decisor:of=smith lbi", UnknownNameError, "is named 'lbi'"),
        ("decisor:of=exact", InputError, "nothing to learn"),
        ("decisor:bound=-1", InputError, "at least 0"),
        ("decisor:most=0", InputError, "at least 1"),
        ("decisor:of= ", InputError, "an estimator or more"),
    ],
)
def test_wrong_specs(spec, error, said):
    """Each is refused in a sentence."""
    with pytest.raises(error, match=said):
        estimator_named(spec)
