"""Holdings: columns that belong together, and times in order."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Holdings


def holdings(**other: object) -> Holdings:
    """Two rows: two cores of one job, one of another; some columns replaced."""
    whole = {"job": [0, 1], "group": [0, 0], "processor": [0, 1], "tasks": [2, 1], "level": [0, 0]}
    real = {"start": [0, 1], "begin": [0, 2], "end": [3, 4], "release": [5, 4], "speed": [1, 1]}
    columns = {name: np.array(values, dtype=np.int64) for name, values in whole.items()}
    columns |= {name: np.array(values, dtype=np.float64) for name, values in real.items()}
    columns |= {"bandwidth": np.zeros(2), "first_core": np.array([0, 2, 3]), "cores": np.array([0, 1, 4])}
    return Holdings(**{**columns, **other})


def test_cores_held_in_each_row():
    """By where the cores of each row begin; columns cannot be changed."""
    held = holdings()
    assert len(held) == 2
    assert held.held.tolist() == [2, 1]
    with pytest.raises(ValueError, match="read-only"):
        held.cores[0] = 3


@pytest.mark.parametrize(
    ("column", "values"), [("begin", [0, 0.5]), ("end", [-1, 4]), ("release", [2, 4]), ("start", [np.nan, 1])]
)
def test_times_out_of_order_are_refused(column, values):
    """A row starts, begins, ends and releases in this order; NaN is in none."""
    with pytest.raises(InputError, match=r"in order; row [01] does not"):
        holdings(**{column: np.array(values, dtype=np.float64)})


def test_columns_of_different_length_are_refused():
    """One row too many in any of them."""
    with pytest.raises(InputError, match="equally long"):
        holdings(level=np.zeros(3, dtype=np.int64))
