"""Classes of size and length as a matrix."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import class_grid, per_class
from echelon.model import Instance, Schedule, Workload


def test_edges_belong_to_the_class_below():
    """Jobs of 1 and 2 processors, of 60 and 61 s, are in four classes of two sizes and two lengths."""
    values, run, size = np.array([5.0, 7.0, 9.0]), np.array([60.0, 61.0, 61.0]), np.array([1, 1, 2])
    found = class_grid(values, run, size, sizes=(1,), lengths=(60,))
    assert found.jobs.tolist() == [[1, 1], [0, 1]]
    np.testing.assert_array_equal(found.value, [[5, 7], [np.nan, 9]])
    assert (found.sizes, found.lengths) == (["1", "over 1"], ["to 1 min", "over 1 min"])


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(1, 99), st.integers(1, 9)), max_size=40),
    st.sampled_from(["mean", "median"]),
)
def test_statistics_are_those_of_the_class(rows, statistic):
    """Mean and median of each class are what the standard library finds for its jobs."""
    columns = np.array(rows, dtype=float).reshape(-1, 3).T
    found = class_grid(
        columns[0], columns[1], columns[2].astype(int), statistic=statistic, sizes=(2, 4), lengths=(30,)
    )
    inside = {}
    for value, run, size in rows:
        inside.setdefault(((size > 2) + (size > 4), int(run > 30)), []).append(value)
    for place in np.ndindex(3, 2):
        jobs = inside.get(place, [])
        assert found.jobs[place] == len(jobs)
        expected = getattr(statistics, statistic)(jobs) if jobs else np.nan
        np.testing.assert_allclose(found.value[place], expected)


def test_the_grid_is_the_table():
    """The matrix holds the means of the table by class, in its order."""
    random = np.random.default_rng(3)
    run, size, wait = (
        random.integers(1, 50_000, 300),
        random.integers(1, 65, 300),
        random.integers(0, 99, 300),
    )
    workload = Workload.from_columns(submit_time=np.zeros(300), run_time=run, processors=size)
    table = per_class(Schedule(Instance.of(workload, 64), wait.astype(float)))
    found = class_grid(wait.astype(float), run.astype(float), size)
    assert found.jobs.ravel().tolist() == table["jobs"].to_list()
    np.testing.assert_allclose(found.value.ravel(), table["mean_wait"].to_numpy())


def test_edges_must_ascend():
    """Edges that do not ascend are refused by name."""
    with pytest.raises(InputError, match="sizes: must ascend"):
        class_grid(np.ones(1), np.ones(1), np.ones(1, dtype=int), sizes=(4, 2))
