"""The part of the benchmarks' page on grids: what it says of what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


@pytest.fixture
def grids(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("grids")


def test_the_stream_offers_its_load(grids: ModuleType) -> None:
    """The jobs of a stream ask for 0.7 of the grid's processors, and each fits some site."""
    instance = grids.stream(10, 2000)
    work = (instance.run_time * instance.size).sum()
    span = instance.submit_time.max()
    assert work / (span * instance.processors) == pytest.approx(grids.LOAD, rel=0.01)
    assert not instance.dropped


def test_what_was_not_measured_is_not_in_the_page(grids: ModuleType) -> None:
    """A cell without a figure shows its reason; the quick page has neither streams nor study."""
    cells = [
        grids.GridCell(name, 2, grids.DECISION_JOBS, None if name == "mct" else 5e5, 99.0, "> 120 s")
        for name in grids.DECISIONS
    ]
    text = grids.section(cells, grids.study(quick=True))
    assert "| mct | > 120 s |" in text
    assert "| mpl | 2.0 |" in text
    assert "peak MB" not in text
    assert "study" not in text


def test_the_study_is_said_with_its_target(grids: ModuleType) -> None:
    """Seconds, runs and cores stand in one sentence; without a figure the reason does."""
    measured = grids.StudyCell(44.8, 540, 3_433_230, 2)
    assert "540 runs of 3,433,230 jobs in all in 45 s on 2 cores" in grids.study_line(measured)
    missing = grids.study_line(grids.StudyCell(None, reason="failed: no log"))
    assert missing.endswith("failed: no log (target < 60 s on 2 cores).\n")
