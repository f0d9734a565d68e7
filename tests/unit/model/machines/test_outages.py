"""Outages as columns."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import NO_OUTAGES, OutageKind, Outages

NEVER, EVER = -float("inf"), float("inf")
ROWS = [
    (50.0, 60.0, (3, 1), OutageKind.DRAIN, 20.0, 1),
    (10.0, EVER, (0,), OutageKind.FAIL, NEVER, 0),
    (50.0, 50.0, (2,), OutageKind.FAIL, NEVER, 0),
]


def test_rows_are_sorted_by_start():
    """Rows come in any order; those that start together stay in theirs, and nodes ascend."""
    outages = Outages.of(ROWS)
    assert outages.start.tolist() == [10, 50, 50]
    assert [outages.nodes_of(row).tolist() for row in range(3)] == [[0], [1, 3], [2]]
    assert outages.kind.tolist() == [OutageKind.FAIL, OutageKind.DRAIN, OutageKind.FAIL]
    assert (outages.site.tolist(), len(NO_OUTAGES)) == ([0, 1, 0], 0)


def test_some_rows_keep_their_nodes():
    """Taken rows, and those of a kind, have all that they had; none of them is no outage."""
    outages = Outages.of(ROWS)
    failed = outages.of_kind(OutageKind.FAIL)
    assert (failed.start.tolist(), failed.end.tolist()) == ([10, 50], [EVER, 50])
    assert [failed.nodes_of(row).tolist() for row in range(2)] == [[0], [2]]
    assert outages.take(np.array([1])).nodes_of(0).tolist() == [1, 3]
    assert len(outages.of_kind(OutageKind.MAINTENANCE)) == 0


def test_columns_cannot_be_changed():
    """What went down is a value."""
    with pytest.raises(ValueError, match="read-only"):
        Outages.of(ROWS).end[0] = 3


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ((EVER, EVER, (0,)), "starts at a finite time, got inf in row 0"),
        ((10.0, 5.0, (0,)), "ends no earlier than it starts, got 5 in row 0"),
        ((10.0, 15.0, ()), "has at least one node, got 0 in row 0"),
    ],
)
def test_wrong_outages_are_refused(row, problem):
    """An outage starts, ends no earlier, and takes at least one node."""
    with pytest.raises(InputError, match=problem):
        Outages.of([(*row, OutageKind.FAIL, NEVER, 0)])
