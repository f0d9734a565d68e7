"""Which of several runs are of the same jobs: figures of different ones cannot be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.experiments.summaries.job_sets import number_runs, set_sentences
from echelon.model.schedules.features import Feature

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.reports.tables import RunTables

_SIMULATED = Feature.BESIDE | Feature.CORES | Feature.SITES
"""With what run times are those of the simulation, which the machine decides, and not the jobs' own."""


def job_sets(runs: Sequence[RunTables]) -> tuple[int, ...]:
    """Return for each run a number of the jobs that it completed, from 1 on; see `Comparison.job_sets`.

    Two runs are of the same jobs if names, times of submission, processors and, where the tables have them,
    run times are equal, in the same order.

    Notes
    -----
    Cost: O(n) for n jobs, for each set.
    """
    return number_runs(runs, lambda one, other: are_given_equal(one, other) and _complete_equal(one, other))


def number_given_sets(runs: Sequence[RunTables]) -> tuple[int, ...]:
    """Return for each run a number of the jobs that it was given, whether it completed them or not."""
    return number_runs(runs, are_given_equal)


def job_set_sentences(runs: Sequence[RunTables], names: Sequence[str]) -> list[str]:
    """Return sentences that say which runs are of the same jobs, if not all are or have completed them."""
    called = dict(zip(map(id, runs), names, strict=True))
    return set_sentences(
        runs, number_given_sets(runs), job_sets(runs), lambda same: ", ".join(called[id(run)] for run in same)
    )


def are_given_equal(one: RunTables, other: RunTables) -> bool:
    """Return whether two runs were given the same jobs, of the same run times as far as these are known."""
    if one is other:
        return True
    if one.jobs.height != other.jobs.height or not have_same_jobs(one, other):
        return False
    mine, theirs = _own_times(one), _own_times(other)
    return mine is None or theirs is None or mine.equals(theirs, check_dtypes=False, check_names=False)


def have_same_jobs(first: RunTables, other: RunTables) -> bool:
    """Return whether two runs are of the same jobs in the same order."""
    return all(first.jobs[name].equals(other.jobs[name]) for name in ("job_id", "submit_time", "processors"))


def _own_times(run: RunTables) -> pl.Series | None:
    """Return run times as the log has them; None where the table has only those of the simulation."""
    if "dedicated_time" in run.jobs.columns:
        return run.jobs["dedicated_time"]
    if run.has & _SIMULATED or "run_time" not in run.jobs.columns:
        return None
    return run.jobs["run_time"]


def _complete_equal(one: RunTables, other: RunTables) -> bool:
    """Return whether two runs completed the same of the jobs that they were given."""
    if "status" not in one.jobs.columns or "status" not in other.jobs.columns:
        return True
    # A job that ends at its request has what it asked for, under whichever policy.
    mine, theirs = (run.jobs["status"].cast(str).is_in(["completed", "killed"]) for run in (one, other))
    return mine.equals(theirs)
