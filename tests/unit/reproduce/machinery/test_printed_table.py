"""A printed table beside ours."""

from __future__ import annotations

import json

import pytest

from echelon.errors import InputError
from echelon.reproduce import Misprint, PrintedRow, PrintedTable


def table(*, got=(0.2, 9.4, 31.0), misprints=None):
    """Return a table of two rows, of which the second is not testable."""
    rows = (
        PrintedRow(("rho", "Grid 1"), ("0", "10", "30"), got),
        PrintedRow(("rho", "Grid 2"), ("1", "2", "3"), None, "its logs are missing"),
    )
    heads, columns = ("metric", "grid"), ("A", "B", "C")
    return PrintedTable("table 1", "All", "page 1", heads, columns, rows, misprints or {})


def test_every_testable_cell_is_a_figure():
    """Cells are compared at the digits printed; what is not testable is neither right nor wrong."""
    found = table()
    assert [(one.subject, one.printed, one.ours, one.agreement) for one in found.figures] == [
        ("A", "0", "0", "agrees"),
        ("B", "10", "9", "differs"),
        ("C", "30", "31", "differs"),
    ]
    assert found.agreement.kendall == 1
    assert found.untested == ["its logs are missing"]


def test_a_misprint_is_explained_only_by_the_right_number():
    """Ours counts as explained if it is what should have been printed, and else differs."""
    misprint = {(("rho", "Grid 1"), "C"): Misprint("31", "the sum says so")}
    right, wrong = (table(got=(0, 10, last), misprints=misprint).figures[-1] for last in (31.2, 32.0))
    assert right.agreement == "explained"
    assert right.detour.sentence.endswith("the sum says so")
    assert wrong.agreement == "differs"


def test_the_table_is_json():
    """What is infinite or not testable is null."""
    found = json.loads(json.dumps(table(got=(0, 1, float("inf"))).to_dict(), allow_nan=False))
    assert found["rows"][0]["got"] == [0, 1, None]
    assert found["rows"][1]["got"] is None
    assert found["rows"][1]["untested"] == "its logs are missing"


def test_a_row_has_a_number_a_column():
    """A row of ours of another length is refused."""
    with pytest.raises(InputError, match="must have 2 numbers, got 1"):
        PrintedRow(("x",), ("1", "2"), (1.0,))
