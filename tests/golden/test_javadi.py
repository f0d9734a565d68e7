"""The study of the Failure Trace Archive on its own trace: every printed figure.

The trace is found through ECHELON_DATA; without it these tests skip.
"""

from __future__ import annotations

import pytest

from echelon.reproduce import Reproduction, reproduce
from echelon.reproduce.javadi.data import FILES, is_here


@pytest.fixture(scope="module")
def found() -> Reproduction:
    if not is_here():
        pytest.skip(f"{FILES[0]} is in no folder of ECHELON_DATA")
    return reproduce("javadi")


def test_every_printed_figure(found):
    """All eight figures are as printed, among them the mean outage, without those of no length."""
    assert [one.ours for one in found.printed] == [one.printed for one in found.printed]
    assert len(found.counted) == 8
    assert found.agrees


def test_what_is_in_the_trace(found):
    """3,577 nodes have 23,451 outages, of which 122 have no length."""
    assert (found.setting["nodes"], found.setting["failures"]) == (3577, 23451)
    times = found.listings[0].rows
    assert [row[1:3] for row in times] == [(19874, 0), (23451, 122)]


def test_every_claim(found):
    """Nodes and machine have other laws; scheduling is not testable."""
    assert [claim.verdict for claim in found.claims] == ["holds", "not testable"]
