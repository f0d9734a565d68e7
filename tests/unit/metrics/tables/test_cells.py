"""A scatter of all jobs as cells."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import cells


def test_equal_jobs_are_one_cell_where_they_are():
    """Two jobs of 100 s on 3 processors make one cell of two, just there; a rare job has its own."""
    found = cells(np.array([100.0, 100.0, 86400.0]), np.array([3, 3, 128]))
    np.testing.assert_allclose([found.x, found.y], [[100, 86400], [3, 128]])
    assert found.jobs.tolist() == [2, 1]


@given(st.lists(st.tuples(st.floats(1e-3, 1e7), st.integers(1, 10**6)), min_size=1, max_size=50))
def test_every_job_is_in_one_cell(points):
    """Cells count all jobs, no two jobs further apart than a cell share one, and they come in order."""
    x, y = (np.array(column, float) for column in zip(*points, strict=True))
    found = cells(x, y, x_steps=4, y_steps=2)
    place = Counter((round(4 * a), round(2 * b)) for a, b in zip(np.log10(x), np.log10(y), strict=True))
    assert found.jobs.tolist() == [place[key] for key in sorted(place)]
    keys = np.array(sorted(place))
    assert (np.abs(np.log10(found.x) - keys[:, 0] / 4) <= 1 / 8 + 1e-9).all()
    assert (np.abs(np.log10(found.y) - keys[:, 1] / 2) <= 1 / 4 + 1e-9).all()


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan"), float("inf")])
def test_values_without_a_logarithm_are_refused(wrong):
    """The message names the axis and the job."""
    with pytest.raises(InputError, match="y: expected a finite value > 0 at position 1"):
        cells(np.ones(2), np.array([1.0, wrong]))


def test_columns_must_be_equally_long():
    """A column of one job is not stretched over all."""
    with pytest.raises(InputError, match="equally long, got 2 and 1"):
        cells(np.ones(2), np.ones(1))


def test_no_jobs_no_cells():
    """An empty scatter is empty."""
    assert [len(column) for column in cells(np.zeros(0), np.zeros(0))] == [0, 0, 0]
