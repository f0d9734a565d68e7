"""The workload of a case."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.experiments.study.run.case_workload import run_settings, workload_key, workload_of
from echelon.workloads import transform

LUBLIN = {"workload": "lublin:jobs=50:seed=3"}


def test_changes_come_in_their_order():
    """Window, skip and first, sizes, load: as by the transforms one after the other."""
    jobs = workload_of(LUBLIN)
    end = float(jobs.submit_time[40])
    told = {**LUBLIN, "window": [0, end], "skip": 2, "first": 20, "scale_size": 256, "load": 2.0}
    expected = transform.head(transform.window(jobs, start=0, end=end), 20, skip=2)
    expected = transform.scale_load(transform.scale_size(expected, 256), 2.0)
    found = workload_of(told)
    assert len(found) == 20
    assert np.array_equal(found.submit_time, expected.submit_time)
    assert np.array_equal(found.processors, expected.processors)
    assert transform.transformations(found) == transform.transformations(expected)


def test_drawn_estimates_follow_their_seed():
    """The same seed gives the same requests, another seed others, and the jobs stay."""
    told = {**LUBLIN, "estimates_model": "factor:f=3", "workload_seed": 1}
    one, again, other = (workload_of({**told, "workload_seed": seed}) for seed in (1, 1, 2))
    assert np.array_equal(one.requested_time, again.requested_time)
    assert not np.array_equal(one.requested_time, other.requested_time)
    assert np.array_equal(one.run_time, other.run_time)


def test_what_convert_changes_a_study_changes():
    """Off-line submission, dependencies and tasks are keys of runs; what is drawn follows the seed."""
    told = {**LUBLIN, "off_line": True, "dependencies_model": "chains:share=0.9", "tasks": "mpi:comm=5"}
    one, other = (workload_of({**told, "workload_seed": seed}) for seed in (1, 2))
    assert set(one.submit_time) == {0}
    assert one.demands is not None
    assert not np.array_equal(one.int_column("preceding_job"), other.int_column("preceding_job"))
    assert workload_of({**LUBLIN, "off_line": False}) == workload_of(LUBLIN)


def test_what_a_workload_depends_on():
    """Policies share it; a load has one of its own; what is simulated with is the rest."""
    case = {**LUBLIN, "policy": "easy", "seed": 3, "load": 1.5}
    assert workload_key(case) == workload_key({**case, "policy": "fcfs"})
    assert workload_key(case) != workload_key({**case, "load": 1.0})
    assert run_settings(case) == {"policy": "easy", "seed": 3}


def test_a_load_that_can_not_be(tmp_path):
    """What a transform refuses is told."""
    with pytest.raises(InputError, match="too small"):
        workload_of({**LUBLIN, "load": 1e-308})
