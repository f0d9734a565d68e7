"""Workload: immutable columns with a view by rows."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from echelon.errors import InputError, UnknownNameError
from echelon.model import FIELD_NAMES, Anomaly, Header, Workload

THREE = Workload.from_columns(
    name="three",
    submit_time=[0, 1.5, 2],
    run_time=[5, 5, 3],
    requested_processors=[2, 3, -1],
    allocated_processors=[4, -1, 0],
    user=[1, 2, 1],
)


def test_missing_columns_are_unknown():
    """Columns not given are -1, but for the job numbers, which count from 1."""
    assert THREE.job_id.tolist() == [1, 2, 3]
    assert THREE.requested_time.tolist() == [-1, -1, -1]
    assert len(THREE) == 3
    assert repr(THREE) == "Workload('three', 3 jobs)"


def test_processors_are_the_allocated_else_the_requested():
    """A job's size is what it had, else what was asked for, else unknown."""
    assert THREE.processors.tolist() == [4, 3, -1]
    assert Workload.from_columns(processors=[7]).processors.tolist() == [7]


def test_anomalies_have_an_earlier_name():
    """Anomalies that a reader found are also read by their earlier name."""
    found = replace(THREE, anomalies=(Anomaly("unsorted", 1, "1 job is not sorted"),))
    assert found.oddities is found.anomalies
    assert found.oddities[0].kind == "unsorted"


def test_rows():
    """A job can be had by place, from the end too, and all by iterating; both are the same record."""
    assert THREE[1].submit_time == 1.5
    assert THREE[1].processors == 3
    assert THREE[-1] == THREE[2] == list(THREE)[2]
    assert [record.user for record in THREE] == [1, 2, 1]
    for place in (3, -4):
        with pytest.raises(IndexError, match=f"position {place} of a workload of 3 jobs"):
            THREE[place]


def test_columns_can_not_be_changed():
    """Neither the workload nor its columns can be changed, nor does a later change of the source show."""
    source = np.array([0.0, 1.0])
    table = Workload.from_columns(submit_time=source)
    source[0] = 99
    assert table.submit_time.tolist() == [0, 1]
    with pytest.raises(ValueError, match="read-only"):
        table.submit_time[0] = 1
    with pytest.raises(FrozenInstanceError):
        table.name = "other"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "needs at least one column"),
        ({"submit_time": [0], "run_time": [1, 2]}, "columns must be equally long"),
        ({"submit_time": [0, float("nan")]}, "submit_time: must be finite, got nan at position 1"),
        ({"run_time": [float("inf")]}, "run_time: must be finite, got inf at position 0"),
        ({"processors": [1, 2.5]}, "requested_processors: must be whole numbers, got 2.5 at position 1"),
        ({"processors": [1, np.inf]}, r"requested_processors: must be below 2\^63, got inf at position 1"),
        ({"processors": [1, 10**30]}, "requested_processors: must be numbers"),
        ({"submit_time": ["soon"]}, "submit_time: must be numbers"),
        ({"submit_time": [[0, 1]]}, "submit_time: must have one dimension"),
    ],
)
def test_bad_columns(columns, message):
    """A column that is no column of such numbers is refused, by name."""
    with pytest.raises(InputError, match=message):
        Workload.from_columns(**columns)


def test_unknown_columns():
    """A misspelled column is refused with the nearest one, when building and when replacing."""
    with pytest.raises(UnknownNameError, match="did you mean 'submit_time'"):
        Workload.from_columns(submit_tme=[0])
    with pytest.raises(UnknownNameError, match="did you mean 'run_time'"):
        THREE.with_columns(run_tme=[0, 0, 0])


def test_all_columns_are_needed():
    """The plain constructor takes all 18 columns, equally long, and a label for each job."""
    with pytest.raises(InputError, match="missing: job_id"):
        Workload({name: THREE.columns[name] for name in FIELD_NAMES[1:]})
    with pytest.raises(InputError, match="labels must name every job, got 1 for 3"):
        replace(THREE, labels=("a",))


def test_take():
    """Positions or a mask give those jobs, in that order, with their labels."""
    labelled = replace(THREE, labels=("a", "b_1", "c"))
    assert labelled.take(np.array([2, 0])).labels == ("c", "a")
    assert labelled.take(np.array([2, 0])).job_id.tolist() == [3, 1]
    masked = labelled.take(np.array([False, True, True]))
    assert masked.job_id.tolist() == [2, 3]
    assert [labelled.label(1), THREE.label(1)] == ["b_1", "2"]
    with pytest.raises(ValueError, match="read-only"):
        masked.job_id[0] = 1


def test_with_columns():
    """Replaced columns are new, all others the same, and the workload replaced in stays as it was."""
    changed = THREE.with_columns(run_time=[1, 2, 3], user=[9, 9, 9])
    assert changed.run_time.tolist() == [1, 2, 3]
    assert changed.submit_time is THREE.submit_time or np.array_equal(changed.submit_time, THREE.submit_time)
    assert THREE.run_time.tolist() == [5, 5, 3]
    with pytest.raises(InputError, match="equally long"):
        THREE.with_columns(run_time=[1])


def test_equality():
    """Workloads are equal by their jobs and labels, not by name or header."""
    assert replace(THREE, name="other", header=Header((("Version", "2.2"),))) == THREE
    assert THREE.with_columns(user=[1, 2, 3]) != THREE
    assert replace(THREE, labels=("a", "b", "c")) != THREE
    assert THREE != "three"
    with pytest.raises(TypeError, match="unhashable"):
        hash(THREE)
