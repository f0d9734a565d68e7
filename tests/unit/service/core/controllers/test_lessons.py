"""What ended jobs teach, wherever they are from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon import Workload
from echelon.errors import InputError, PolicyError
from echelon.model import Experience
from echelon.service.core.controllers.lessons import (
    Lesson,
    application_of,
    lessons_of_experiences,
    lessons_of_records,
    lessons_of_workload,
)
from echelon.service.core.controllers.predictor import Predictor, why_not_predicted
from echelon.service.records import JobRecord, JobSpec


@pytest.mark.parametrize(
    ("spec", "application"),
    [
        (JobSpec(application="solver", name="x", command=("/bin/y",)), "solver"),
        (JobSpec(name="x", command=("/bin/y",)), "x"),
        (JobSpec(command=("/opt/bin/y", "/a/b")), "y"),
        (JobSpec(script="#!/bin/sh\n"), ""),
    ],
)
def test_what_a_job_runs(spec, application):
    """A job is known by its application, else its name, else its program."""
    assert application_of(spec) == application


def test_records_teach_how_long_jobs_ran():
    """Jobs that have run teach their run times; others teach nothing."""
    ran = JobRecord("1", 1, "ann", JobSpec(name="x", processors=4, time_limit=60.0), 0.0)
    ran = replace(ran, started_at=10.0, ended_at=15.0)
    others = [replace(ran, started_at=None), replace(ran, ended_at=None), replace(ran, ended_at=10.0)]
    assert list(lessons_of_records([*others, ran])) == [Lesson("ann", "x", 4, 60.0, 5.0)]


def test_logs_teach_in_the_order_of_ends():
    """Jobs of a log teach as they ended, under the log's names, without those that never ran."""
    log = Workload.from_columns(
        submit_time=[0, 0, 5, 9], wait_time=[50, 0, 1, 0], run_time=[10, 20, 3, 0], processors=[1, 2, 3, 4],
        requested_time=[30, -1, 40, 50], user=[1, 2, 2, 1], executable=[7, -1, 1, 1],
    )  # fmt: skip
    log = replace(log, names={"user": ("ann", "bob"), "executable": ("x",)})
    assert list(lessons_of_workload(log)) == [
        Lesson("bob", "x", 3, 40.0, 3.0),
        Lesson("bob", "", 2, None, 20.0),
        Lesson("ann", "7", 1, 30.0, 10.0),
    ]


def test_recorded_runs_teach_without_requests():
    """Jobs of recorded runs teach what is known of them."""
    one = Experience("ann", "", "x", 4, 0, 0.0, 1, 9.0, 5.0)
    assert list(lessons_of_experiences([one, one._replace(run=0.0)])) == [Lesson("ann", "x", 4, None, 5.0)]


def record(owner="ann", limit=100.0, processors=4):
    """Return a job."""
    return JobRecord("1", 1, owner, JobSpec(name="x", processors=processors, time_limit=limit), 0.0)


@pytest.mark.parametrize("spec", ["smith", "li", "ibl", "hybrid", "corrected:of=ibl", "decisor"])
def test_estimators_predict_what_they_are_taught(spec):
    """Every estimator that a service accepts predicts the run time of jobs that always ran so long."""
    predictor = Predictor(spec, 1000.0)
    assert predictor.teach([Lesson("ann", "x", 4, 100.0, 33.0)] * 30) == 30
    asked = predictor.job(record(), 0.0)
    assert asked.planned_time == 100.0
    assert predictor.plan(asked, 0, 0.0).planned_time == 33.0
    assert predictor.plan(predictor.job(record(limit=20.0), 0.0), 0, 0.0).planned_time == 20.0


def test_jobs_without_a_limit_have_the_default():
    """The request, which nothing is learned of, plans with limits, and with the default without one."""
    predictor = Predictor("request", 1000.0)
    predictor.teach([Lesson("ann", "x", 4, 100.0, 33.0)])
    asked = predictor.job(record(limit=None), 5.0)
    assert predictor.plan(asked, 0, 0.0) == asked
    assert (asked.planned_time, asked.submit_time, asked.memory) == (1000.0, 5.0, -1.0)
    spec = JobSpec(processors=4, memory=8192)
    assert predictor.job(JobRecord("1", 1, "ann", spec, 0.0), 0.0).memory == 2.0


def test_an_estimator_that_fails_is_named(tmp_path):
    """An estimator of a user's own that predicts no number is reported by its name."""
    mine = tmp_path / "mine.py"
    mine.write_text(
        "class Bad:\n    name = 'bad'\n    def memory(self):\n        return self\n"
        "    def predict(self, job):\n        return 'long'\n"
        "    def learn(self, job, run_time):\n        pass\n"
    )
    predictor = Predictor(f"{mine}:Bad", 10.0)
    with pytest.raises(PolicyError, match="is predicted to run 'long' s"):
        predictor.plan(predictor.job(record(), 0.0), 0, 0.0)


def test_estimators_of_simulations_alone_are_refused():
    """An estimator that knows run times before is refused, with the reason."""
    assert "only simulations do" in why_not_predicted("exact")
    with pytest.raises(InputError, match="only simulations do"):
        Predictor("exact", 10.0)
