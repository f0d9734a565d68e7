"""Whole tables, listings and pictures on the page of a reproduced study."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.reproduce import Bars, Bounds, Curves, Listing, Matrix, PrintedRow, PrintedTable, Rivals
from echelon.reproduce.report.drawings import png
from echelon.reproduce.report.tables import listing, printed_table


def test_printed_above_ours():
    """A cell shows both, with the tau of its row; a row that is not testable shows what was printed."""
    rows = (
        PrintedRow(("rho", "<Grid 1>"), ("0", "10"), (0.1, 12.0)),
        PrintedRow(("rho", "Grid 2"), ("1", "2"), None, "no logs"),
    )
    page = printed_table(PrintedTable("table 1", "T", "page 1", ("metric", "grid"), ("A", "B"), rows))
    assert '0<br><b class="good">0</b>' in page
    assert '10<br><b class="">12</b>' in page
    assert "&lt;Grid 1&gt;" in page
    assert '<td class="number">2</td><td class="number">–</td>' in page
    assert "Not testable: no logs." in page
    assert "1 of 2 cells are as printed" in page


def test_a_listing_has_its_note_and_gaps():
    """Numbers are rounded for people, what is undefined is a dash."""
    page = listing(
        Listing("x", "Ours & <more>", ("Name", "Value", "Other"), (("A<", 1234.5678, float("nan")),), "N.")
    )
    assert "Ours &amp; &lt;more&gt;" in page
    assert '<td>A&lt;</td><td class="number">1,235</td><td class="number">–</td>' in page
    assert "<p>N.</p>" in page


VALUES = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [1.0, 2.0, 4.0]])


@pytest.mark.slow
@pytest.mark.parametrize(
    "picture",
    [
        Bars("b", "B", "%", {"": {"A": 1.0}}),
        Bounds("o", "O", online=True),
        Curves("c", "C", "a", "%", [0.5, 1.0], {"A": [1.0, 2.0]}),
        Matrix("m", "M", ("1",), ("1",), "from", "to", [[1.0]]),
        Rivals("r", "R", "critical-difference", ("A", "B", "C"), VALUES),
        Rivals("p", "P", "profile", ("A", "B", "C"), VALUES),
    ],
    ids=lambda picture: picture.name,
)
def test_every_picture_is_drawn(picture):
    """Each kind becomes a PNG."""
    assert png(picture).startswith(b"\x89PNG")
