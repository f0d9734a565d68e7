"""What is wrong with a run's files is told together, before the run."""

from __future__ import annotations

import json

import pytest

import echelon as ec
from echelon.errors import InfeasibleJobError, InputError
from echelon.experiments.inputs import read_input

JOB = {"id": "a", "subtime": 0, "res": 1, "req_ops": 1e9}


@pytest.fixture
def files(tmp_path):
    """Return paths of a workload and a platform, which are right."""
    jobs, platform = tmp_path / "jobs.json", tmp_path / "machine.toml"
    jobs.write_text(json.dumps({"jobs": [JOB]}))
    platform.write_text('[[node]]\nprocessor = { cores = 2, clock = "1 GHz" }\n')
    return jobs, platform


def test_right_files_are_read(files):
    """The workload remembers its file, which is in no comparison of jobs."""
    jobs, platform = files
    read = read_input(jobs, platform)
    assert read.file == str(jobs)
    assert read == ec.read_workload(jobs)


def test_mistakes_of_both_files_are_in_one_sentence(files):
    """Each with its file, its place and what was expected."""
    jobs, platform = files
    jobs.write_text(json.dumps({"jobs": [{**JOB, "req_ops": -1, "mem": -2}]}))
    platform.write_text("[[node]]\nprocessor = { cores = 0, clock = -1 }\n")
    with pytest.raises(InputError) as refused:
        ec.simulate(jobs, platform=platform)
    said = str(refused.value)
    assert f"{jobs}: jobs[0].req_ops: got -1" in said
    assert "jobs[0].mem: got -2" in said
    assert f"{platform}: line 2" in said
    assert "cores: got 0" in said


def test_a_wrong_workload_alone(files):
    """Its mistakes are all there is to tell, as where no platform is named by a path."""
    jobs, platform = files
    jobs.write_text(json.dumps({"jobs": [{**JOB, "req_ops": -1}]}))
    for machine in (platform, ec.read_platform(platform), [4, 4], None):
        with pytest.raises(InputError, match=r"req_ops: got -1, expected a finite number > 0$"):
            read_input(jobs, machine)


def test_an_unknown_platform_beside_a_wrong_workload(files):
    """Names are looked for, too."""
    jobs, _ = files
    jobs.write_text("{")
    with pytest.raises(InputError, match=r"jobs.json.*irmasim-q.*did you mean"):
        read_input(jobs, "irmasim-q")


def test_jobs_that_fit_nowhere_are_told_with_the_file(files):
    """All of them, before anything runs."""
    jobs, platform = files
    jobs.write_text(json.dumps({"jobs": [{**JOB, "res": 3}, JOB, {**JOB, "id": "b", "res": 4}]}))
    with pytest.raises(InfeasibleJobError, match=r"jobs.json: 2 jobs can never start: job a .*; job b "):
        ec.simulate(jobs, platform=platform)
