"""Jobs that a multicluster did not run are listed, each with the reason."""

from __future__ import annotations

import polars as pl
import pytest

import echelon as ec
from echelon.experiments.folders.run_folder import write_run


def _run(**options: object) -> ec.Result:
    jobs = ec.Workload.from_columns(
        submit_time=[0, 0, 1, 2], run_time=[100, 100, 100, 100], processors=[16, 99, 16, 16]
    )
    return ec.simulate(jobs, platform="cisne-16-dedicated", **options)  # type: ignore[arg-type]


def test_each_has_its_reason():
    """A job too large, and two that wait longer than is allowed, are told by their names in the log."""
    rejected = _run(longest_stay=50.0).rejected
    assert rejected is not None
    assert rejected.columns == ["job_id", "submit_time", "processors", "reason"]
    assert rejected["job_id"].to_list() == ["2", "3", "4"]
    assert rejected["submit_time"].to_list() == [0, 1, 2]
    assert "largest site" in rejected["reason"][0]
    assert rejected["reason"][1].startswith("a stay of 50 s")


@pytest.mark.slow
def test_a_file_is_left_only_where_jobs_were_rejected(tmp_path):
    """The file of an earlier run goes when the next one in the same folder rejects nobody."""
    result = _run(longest_stay=50.0)
    write_run(result, tmp_path, {})
    assert pl.read_csv(tmp_path / "rejected.csv").height == 3
    few = ec.simulate(
        ec.Workload.from_columns(submit_time=[0], run_time=[10], processors=[2]), platform="cisne-16"
    )
    assert few.rejected is None
    write_run(few, tmp_path, {})
    assert not (tmp_path / "rejected.csv").exists()
