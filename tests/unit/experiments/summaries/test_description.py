"""describe: what is in a workload."""

from __future__ import annotations

import gzip

import pytest

from echelon import Workload
from echelon.errors import InputError
from echelon.experiments.summaries.description import describe, format_name


def test_figures_by_hand(four_jobs):
    """Span, area, utilization, users and requests of four jobs."""
    found = describe(four_jobs)
    assert (found.first_submit, found.last_submit, found.last_end) == (0, 3, 101)
    assert found.area == 300 + 400 + 50
    assert found.utilization == 750 / (4 * 101)
    assert (found.users, found.requested) == (2, 1.0)
    assert found.simulated == 3
    assert [(drop.reason, drop.count) for drop in found.dropped] == [("run time <= 0", 1)]


def test_known_waits_move_the_last_end(four_jobs):
    """A job that waited ends later; an unknown wait counts as none."""
    assert describe(four_jobs.with_columns(wait_time=[0, 99, -1, -1])).last_end == 200


def test_without_a_machine_nothing_is_too_large():
    """A machine of unknown size holds every job, and no utilization is claimed."""
    found = describe(Workload.from_columns(run_time=[1, 1], processors=[5, 7], submit_time=[0, 1]))
    assert (found.processors, found.utilization, found.simulated) == (None, None, 2)
    assert describe(found.workload, processors=6).simulated == 1


def test_a_workload_that_would_be_refused(four_jobs):
    """If no job is left the reason stands in its place; strict raises."""
    found = describe(four_jobs, processors=1)
    assert found.refusal is None
    dead = describe(four_jobs.with_columns(run_time=[-1] * 4))
    assert (dead.simulated, dead.last_end) == (0, None)
    assert dead.refusal == "no job is left to simulate: 4 with run time <= 0"
    with pytest.raises(InputError, match="strict"):
        describe(four_jobs, strict=True)


def test_no_job_at_all(four_jobs):
    """A workload without jobs has nothing to describe."""
    with pytest.raises(InputError, match="has no job"):
        describe(four_jobs.take(four_jobs.job_id[:0]))


def test_format_by_ending_content_and_name(tmp_path):
    """A format is told as the reader tells it, through compression; standard input has none to tell."""
    line = b"1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n"
    for name, content in (("a.swf", line), ("b.swf.gz", gzip.compress(line)), ("c.log", b"; x: y\n" + line)):
        (tmp_path / name).write_bytes(content)
        assert format_name(str(tmp_path / name)) == "swf"
    assert format_name("kth-sp2") == "swf"
    assert format_name("-") is None
    assert format_name("-", "gwf") == "gwf"
