"""The engines against the program that plays machines that change second by second, on random small cases."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from echelon.engine import compiled, reference

sys.path.insert(0, str(Path(__file__).parent))
from random_changes import POLICIES, draw, expected, found, scenario_of

SEEDS = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "explore" else 15
ESTIMATES = ("raise", "kill", "exact")
CALENDARS = {
    "failures": ("fail",),
    "closures": ("drain", "maintenance"),
    "reservations": ("booking",),
    "jobs that leave": ("cancel", "deadline"),
    "all at once": ("fail", "drain", "maintenance", "booking", "cancel", "deadline"),
}


@pytest.mark.parametrize("backfill", POLICIES)
@pytest.mark.parametrize("calendar", CALENDARS)
def test_engines_equal_the_program_by_seconds(calendar, backfill):
    """Each attempt with its nodes and the reason of its end, and each status, are what every second gives."""
    interrupted = 0
    for seed in range(SEEDS):
        case, estimates = draw(seed, CALENDARS[calendar], (backfill,)), ESTIMATES[seed % 3]
        played = expected(case, estimates)
        if not any(played.stays):
            continue
        assert found(case, reference.simulate, estimates) == played, seed
        if compiled.supports(scenario_of(case, estimates)) is None:
            assert found(case, compiled.simulate, estimates) == played, seed
        interrupted += sum(status != "completed" for status in played.status)
    assert interrupted or calendar == "closures"
