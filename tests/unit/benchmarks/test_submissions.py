"""The table of submissions: a row for each way, with jobs a second."""

from __future__ import annotations

import pytest


@pytest.mark.slow
def test_each_way_is_measured(script):
    """A service of its own takes jobs one by one and in batches, at rates that are no noughts."""
    _, _, *rows = script("submissions").rows((1, 2), (5,), 20)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [cell[0] for cell in cells] == [
        *("one by one, 1 connections", "one by one, 2 connections", "in batches of 5"),
    ]
    assert all(int(cell[1].replace(",", "")) > 0 for cell in cells)
