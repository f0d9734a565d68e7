"""The page of the benchmarks: it says what was measured and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType


def page(script: Callable[[str], ModuleType], seconds: dict[str, float], starts: dict[str, str]) -> str:
    """Return the page of EASY on KTH-SP2 in three programs; one without seconds met its time limit."""
    isolated, cells, table, traces = (script(name) for name in ("isolated", "cells", "table", "traces"))
    counts = dict.fromkeys(table.COUNTS, 1)

    def outcome(name: str) -> Any:
        if name not in seconds:
            return isolated.Outcome(30.0, reason="> 30 s")
        found = {
            "jobs": 1000,
            "instance_seconds": [0.1],
            "seconds": [seconds[name]] * 3,
            "peak_mb": 170.0,
            "counts": counts,
            "mean_wait": 5.0,
            "starts": starts[name],
        }
        return isolated.Outcome(1.0, found)

    measured = [cells.Cell(traces.TRACES[0], name, "easy", outcome(name)) for name in starts]
    return table.page(measured, [], "a machine", ["RICC was left out: not here."])


SAME = {"compiled": "a", "reference": "a", "naive": "a"}


def test_speeds_and_ratios_stand_side_by_side(script: Callable[[str], ModuleType]):
    """1000 jobs in 0.5 ms are 2,000,000 jobs/s, 40 times SimPy's 20 ms, and meet the target."""
    text = page(script, {"compiled": 0.0005, "reference": 0.1, "naive": 0.02}, SAME)
    assert "| KTH-SP2, easy, compiled engine | ≥ 1,000,000 jobs/s | 2,000,000 | met |" in text
    assert "| KTH-SP2, easy, reference engine | ≥ 50,000 jobs/s | 10,000 | **missed** |" in text
    assert "| 2,000,000 | 2,000,000 to 2,000,000 | 3 | 40.0 | 170 |" in text
    assert "each job the same start" in text
    assert "RICC was left out: not here." in text


def test_a_time_limit_gives_a_bound(script: Callable[[str], ModuleType]):
    """If SimPy does not finish within 30 s, the ratio is more than 30 s over ours, and nothing is guessed."""
    text = page(script, {"compiled": 0.0005, "reference": 0.1}, SAME)
    assert "| > 60,000 |" in text
    assert "| KTH-SP2 | easy | SimPy | > 30 s | – | 0 | – | – |" in text


@pytest.mark.parametrize("program", ["reference", "naive"])
def test_different_starts_are_shouted(script: Callable[[str], ModuleType], program: str):
    """A program whose starts are not the compiled engine's is named on top."""
    seconds = {"compiled": 0.0005, "reference": 0.1, "naive": 0.02}
    text = page(script, seconds, {**SAME, program: "b"})
    assert f"**Start times differ from the compiled engine's: KTH-SP2 {program} easy.**" in text
