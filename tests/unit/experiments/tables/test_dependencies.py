"""What runs tell of jobs that wait for others: columns, metrics, settings of the manifest, sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.experiments import manifest
from echelon.experiments.scenario_file import read_scenario_file
from echelon.experiments.tables.columns import COLUMNS
from echelon.experiments.tables.dependencies import dependency_sentences
from echelon.metrics import Measured, measure
from echelon.model import Dependencies

CHAIN = ec.Workload.from_columns(
    submit_time=[0, 1, 90, 12, 0],
    run_time=[10, 20, 5, 3, 50],
    processors=[1, 1, 1, 1, 2],
    preceding_job=[-1, 1, 2, 99, 5],
    think_time=[-1, -1, 5, -1, -1],
).take(np.arange(4))
"""Job 2 after 1, job 3 follows 2 after 5 s, job 4 after one that is not there."""

SETTINGS = ("dependencies", "dependent_jobs", "absent_predecessors")


def told(result):
    """Return what the manifest says of dependencies."""
    said = manifest(result)
    return tuple(said[name] for name in SETTINGS)


def test_jobs_tell_what_they_waited_for():
    """Submit times are releases; the rest is how long each was held, by whom, and how early it could come."""
    jobs = ec.simulate(CHAIN, processors=1).jobs
    assert jobs["submit_time"].to_list() == [0, 10, 35, 12]
    assert jobs["start_time"].to_list() == [0, 10, 35, 30]
    assert jobs["held_time"].to_list() == [0, 9, -55, 0]
    assert jobs["dependencies"].to_list() == [None, "1", "2+5", None]
    assert jobs["earliest_release"].to_list() == [0, 10, 35, 12]
    assert set(jobs.columns) <= {column.name for column in COLUMNS}


def test_nothing_is_told_where_nobody_waits():
    """Tables and metrics of a log without dependencies are as ever, and the manifest says null."""
    alone = CHAIN.with_columns(preceding_job=[-1] * 4)
    result = ec.simulate(alone, processors=1)
    assert not {"held_time", "dependencies", "earliest_release"} & set(result.jobs.columns)
    assert "mean_held" not in result.metrics
    assert told(result) == (None, 0, 0)
    assert dependency_sentences(result.instance) == []


def test_kept_and_ignored():
    """The manifest and the sentences say which; ignored, jobs come as in the log."""
    kept = ec.simulate(CHAIN, processors=1)
    assert told(kept) == ("keep", 2, 1)
    assert dependency_sentences(kept.instance) == [
        "2 jobs waited for others to end, as in the log.",
        "Not among the jobs, so considered ended: 1 predecessor.",
    ]
    ignored = ec.simulate(CHAIN, processors=1, dependencies="ignore")
    assert told(ignored) == ("ignore", 0, 0)
    assert ignored.jobs["submit_time"].to_list() == [0, 1, 90, 12]
    assert len(dependency_sentences(ignored.instance)) == 1
    both = ec.compare(CHAIN, processors=1, policies=["fcfs", "easy"], dependencies="ignore")
    assert [told(result)[0] for result in both.results] == ["ignore", "ignore"]
    with pytest.raises(UnknownNameError, match="'keep'"):
        ec.simulate(CHAIN, processors=1, dependencies="keeps")


def test_mean_held():
    """The mean over all jobs, in seconds."""
    assert ec.simulate(CHAIN, processors=1).metrics["mean_held"] == (9 - 55) / 4


def test_the_lower_bound_knows_the_critical_path():
    """Three jobs of 10 s in a row need 30 s on any machine, though each alone could end at 10."""
    row = ec.Workload.from_columns(
        submit_time=[0, 0, 0], run_time=[10, 10, 10], processors=[1, 1, 1], preceding_job=[-1, 1, 2]
    )
    metrics = ec.simulate(row, processors=9).metrics
    assert metrics["lower_bound"] == 30
    assert metrics["competitive_ratio"] == 1
    assert ec.simulate(row, processors=9, dependencies="ignore").metrics["lower_bound"] == 10
    late = ec.simulate(CHAIN, processors=1)
    # Released at 35 after all, the third job ends at 40 at the earliest: 10 + 20 + 5 of thought + 5.
    assert late.metrics["lower_bound"] == 40
    assert late.traces()["lower_bound"].to_list()[-1] == 40


def test_the_bound_is_of_every_schedule_of_the_jobs():
    """Releases of a poor schedule say nothing: the path is worked out from the log's submit times."""
    crowd = ec.Workload.from_columns(
        submit_time=[0, 0, 0, 0], run_time=[100, 10, 10, 10], processors=[2, 2, 2, 2],
        preceding_job=[-1, -1, 2, 3],
    )  # fmt: skip
    result = ec.simulate(crowd, processors=2, policy="fcfs")
    assert result.jobs["submit_time"].to_list() == [0, 0, 110, 120]
    assert Measured(result.schedule).earliest_submit.tolist() == [0, 0, 10, 20]
    assert measure(result.schedule)["lower_bound"] == 130


def test_scenario_files_say_it(tmp_path):
    """The key is that of the command line; a wrong word is told."""
    file = tmp_path / "waiting.toml"
    file.write_text('workload = "kth-sp2"\ndependencies = "ignore"\n')
    assert read_scenario_file(file).settings()["dependencies"] == "ignore"
    file.write_text('workload = "kth-sp2"\ndependencies = "ignored"\n')
    with pytest.raises(InputError, match="did you mean 'ignore'"):
        read_scenario_file(file)


def test_explicit_dependencies_of_a_workload():
    """A job of a graph waits for all that it depends on, and its own submit time counts."""
    edges = Dependencies.of_edges(4, np.array([0, 1]), np.array([3, 3]), delay=np.array([0.0, 2.5]))
    graph = replace(CHAIN.with_columns(preceding_job=[-1] * 4), dependencies=edges)
    jobs = ec.simulate(graph, processors=4).jobs
    assert jobs["submit_time"].to_list() == [0, 1, 90, 23.5]
    assert jobs["dependencies"].to_list() == [None, None, None, "1 2+2.5"]
