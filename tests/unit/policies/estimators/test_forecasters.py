"""What estimators forecast on a cluster, by hand, and what they learn from jobs that end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.errors import InputError, UnknownNameError
from echelon.model import Application, Forecast
from echelon.policies.estimators import ForecastingEstimator, case_of, estimator_named, names_of
from echelon.policies.estimators.registry import ESTIMATORS

from .views import Line, ended, job


def forecast(spec, past, one, view=None):
    return estimator_named(spec).forecaster(past).forecast(one, Line() if view is None else view)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_rule_answers_both_questions(kind):
    """Each has a memory for one machine and a forecaster for clusters, and says nothing it cannot know."""
    rule = kind()
    assert isinstance(rule, ForecastingEstimator)
    assert rule.memory().predict(job()) is None
    view = Line(waiting=(job(1), job(2)))
    said = rule.forecaster([]).forecast(job(), view)
    assert said.wait >= 0
    assert said.run >= 10


def test_names_of_a_job():
    """Codes in digits, unknown ones empty; an application's own name counts before its executable."""
    assert names_of(job(user=7, queue=-1)) == ("7", "", "1")
    assert names_of(job(application=Application("is.A"))) == ("1", "1", "is.A")
    assert names_of(job(application=Application())) == ("1", "1", "1")
    assert case_of(job(processors=3), waiting_jobs=2, waiting_work=9.0, mpl=2) == (
        "1", "1", "1", 3, 2, 9.0, 2, 0.0, 0.0, 0.0
    )  # fmt: skip


def test_categories_by_hand():
    """Means over user, application and nodes; li parts them by queue, too."""
    past = [ended(wait=4, run=10), ended(queue="2", wait=8, run=30), ended(nodes=2, run=99)]
    assert forecast("smith", past, job()) == (6, 20)
    assert forecast("li", past, job()) == (4, 10)
    assert forecast("smith:most=1", past, job()) == (8, 30)


def test_a_category_without_experiences():
    """It is the dedicated time, and the work of the queue over the nodes."""
    view = Line(waiting=(job(1, processors=2), job(2)), dedicated=20.0)
    for spec in ("smith", "li"):
        assert forecast(spec, [ended(user="9")], job(), view) == (60 / 4, 20)
    assert forecast("ibl", [], job(), view) == (15, 20)


def test_lines_by_nodes():
    """Runs of 10 s on 1 node and 30 s on 3 make 40 s on 4 by a line, and 10 + 20 log3(4) s by a logarithm."""
    past = [ended(nodes=1, run=10), ended(nodes=3, run=30)]
    assert forecast("smith:of=linear", past, job(processors=4)).run == pytest.approx(40)
    assert forecast("li:of=log", past, job(processors=4)).run == pytest.approx(10 + 20 * 1.2618595071429148)
    assert forecast("li:of=log", past[:1], job(processors=4)).run == 10
    falling = [ended(nodes=1, run=30), ended(nodes=3, run=10)]
    assert forecast("smith:of=linear", falling, job(processors=9)).run == 0


def test_ibl_minds_the_queue():
    """Of the same job it takes the one that met a like queue, and means of those that met the same."""
    past = [
        ended(waiting_jobs=0, waiting_work=0.0, wait=0, run=10),
        ended(waiting_jobs=2, waiting_work=20.0, wait=40, run=30),
        ended(waiting_jobs=2, waiting_work=20.0, wait=60, run=50),
    ]
    assert forecast("ibl", past, job()) == (0, 10)
    assert forecast("ibl", past, job(), Line(waiting=(job(1), job(2)))) == (50, 40)
    assert forecast("ibl:most=1", past, job(), Line(waiting=(job(1), job(2)))) == (60, 50)


def test_simulated_rules_by_hand():
    """Behind two jobs of 10 s, three tasks in the fullest node."""
    view = Line(tasks=3, waiting=(job(1), job(2)))
    assert forecast("hanzich", [], job(), view) == (60, 30)
    assert forecast("sdpn", [], job(), view) == (40, 20)
    assert forecast("exact", [], job(), view) == (20, 10)
    assert forecast("request", [], job(), view) == (200, 100)
    assert forecast("average", [ended(run=25)], job(), view) == (50, 25)
    assert forecast("hybrid", [ended(mpl=1, run=10), ended(mpl=3, run=25)], job(), view) == (50, 25)


def test_never():
    """Where the simulation never starts the job there is no forecast."""
    for spec in ("hanzich", "sdpn", "exact", "request", "average", "hybrid"):
        assert forecast(spec, [], job(processors=5)) is None


def test_jobs_without_a_time_of_their_own():
    """A job of no dedicated time, or whose like ran for none, is slowed down by nothing."""
    assert forecast("request", [], job(), Line(dedicated=0.0)) == (0, 0)
    assert forecast("hybrid", [ended(run=0.0)], job()) == (0, 10)


def test_hybrid_asks_again_after_a_job_has_ended():
    """What it looked up is kept until it learns, and not beyond."""
    forecaster = estimator_named("hybrid").forecaster([ended(run=20)])
    assert forecaster.forecast(job(), Line()).run == 20
    assert forecaster.forecast(job(), Line()).run == 20
    forecaster.learn(ended(run=40), job(), Forecast(0, 20))
    assert forecaster.forecast(job(), Line()).run == 30


def test_average_on_clusters_is_the_formula():
    """From e(1) = 100 s planned, runs of 20 s and 40 s give 60 s and then 50 s."""
    forecaster = estimator_named("average").forecaster([])
    for run, expected in ((20, 60), (40, 50)):
        forecaster.learn(ended(run=run), job(), None)
        assert forecaster.forecast(job(), Line()).run == expected


def test_ibl_on_one_machine_hears_of_the_queue():
    """A memory told of the queue takes the job that met a like one; untold, the mean of both."""
    memory = estimator_named("ibl").memory()
    for position, jobs, run in ((0, 0, 10.0), (1, 3, 50.0)):
        memory.watch_queue(jobs, 100.0 * jobs)
        memory.predict(job(position))
        memory.learn(job(position), run)
    memory.watch_queue(2, 200.0)
    assert memory.predict(job(2)) == 50
    memory.watch_queue(-1, -1.0)
    assert memory.predict(job(3)) == 30


def test_hybrid_on_one_machine_minds_no_queue():
    """There every node has one task, so equal jobs are averaged whatever waits."""
    memory = estimator_named("hybrid").memory()
    for position, jobs, run in ((0, 0, 10.0), (1, 3, 50.0)):
        memory.watch_queue(jobs, 100.0 * jobs)
        memory.predict(job(position))
        memory.learn(job(position), run)
    assert memory.predict(job(2)) == 30


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("smith:of=median", InputError, "mean or linear or log"),
        ("smith:most=0", InputError, "at least 1|>= 1"),
        ("li:most=few", InputError, "unlimited or a whole number"),
        ("ibl:radius=-1", InputError, "at least 0"),
        ("ibl:most=0", InputError, ">= 1"),
        ("hybrid:radius=nan", InputError, "number"),
        ("hybrid:least=1", UnknownNameError, "parameter of hybrid"),
        ("sdpn:of=mean", InputError, "takes no parameters"),
    ],
)
def test_wrong_parameters(spec, error, said):
    """Each is refused in a sentence."""
    with pytest.raises(error, match=said):
        estimator_named(spec)


names = st.sampled_from(("", "1", "2"))
experiences = st.builds(
    ended,
    names,
    st.sampled_from(("", "1")),
    names,
    nodes=st.integers(1, 4),
    mpl=st.integers(1, 4),
    run=st.sampled_from((0.0, 5.0, 20.0, 80.0)),
)


@pytest.mark.slow
@examples(200)
@given(
    past=st.lists(experiences, max_size=25),
    codes=st.tuples(*[st.sampled_from((-1, 1, 2))] * 3),
    radius=st.sampled_from((0.0, 0.4, 1.5)),
)
def test_what_hybrid_keeps_is_what_it_would_look_up(past, codes, radius):
    """After each job that ends it says what one says that has just learned all of them."""
    asked = [
        job(k, codes[0], codes[1], executable=codes[2], processors=1 + k % 4, planned_time=10.0)
        for k in range(4)
    ]
    views = [Line(tasks=tasks) for tasks in (1, 2, 4)]
    rule = estimator_named(f"hybrid:radius={radius}")
    kept = rule.forecaster([])
    for known in range(len(past) + 1):
        fresh = rule.forecaster(past[:known])
        for one in asked:
            for view in views:
                assert kept.forecast(one, view) == fresh.forecast(one, view)
        if known < len(past):
            kept.learn(past[known], job(99), None)
