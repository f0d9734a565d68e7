"""losses: what a format could not hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from echelon.experiments.summaries.conversion import losses
from echelon.model import Header
from echelon.workloads import transform


def test_the_same_has_lost_nothing(four_jobs):
    """A workload differs in nothing from itself."""
    assert losses(four_jobs, four_jobs) == ()


def test_each_loss_is_a_sentence(four_jobs):
    """Columns, labels, names and header lines are counted; unknown is told from different."""
    before = replace(four_jobs, labels=("a", "b", "c", "d"), names={"user": ("ann", "bob")})
    after = replace(
        before.with_columns(user=[-1, -1, -1, -1], run_time=[1, 100, 50, -1]),
        labels=None,
        names={},
        header=Header(),
    )
    assert losses(before, after) == (
        "run_time of 1 jobs (written differently)",
        "user of 3 jobs (now unknown)",
        "the log's own job names (jobs keep their numbers)",
        "the names of users (codes stay)",
        "1 of 1 header lines",
    )


def test_lost_jobs(four_jobs):
    """Fewer jobs are told before anything else."""
    assert losses(four_jobs, four_jobs.take(np.array([0, 1]))) == ("2 jobs",)


def test_lost_tasks(four_jobs):
    """What tasks ask for is missed where it is gone, and not where it is new."""
    fit = transform.keep_runnable(four_jobs)
    tasked = replace(transform.with_tasks(fit), header=fit.header)
    assert losses(tasked, fit) == ("the demand of the jobs' tasks (operations, memory, communication)",)
    assert losses(fit, tasked) == ()
