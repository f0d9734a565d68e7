"""The engines against the program that plays machines that change second by second, on random small cases."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from budgets import IN_FULL
from echelon.engine import compiled, reference

sys.path.insert(0, str(Path(__file__).parent))
from random_changes import POLICIES, differ, draw, scenario_of

SEEDS = 1000 if IN_FULL else 6
ESTIMATES = ("raise", "kill", "exact")
CALENDARS = {
    "failures": ("fail",),
    "closures": ("drain", "maintenance"),
    "reservations": ("booking",),
    "jobs that leave": ("cancel", "deadline"),
    "all at once": ("fail", "drain", "maintenance", "booking", "cancel", "deadline"),
}


PLAYED = [(name, backfill) for name in CALENDARS for backfill in POLICIES]


@pytest.mark.parametrize(("calendar", "backfill"), PLAYED)
def test_engines_equal_the_program_by_seconds(calendar, backfill):
    """Each attempt with its nodes and the reason of its end, and each status, are what every second gives."""
    for seed in range(SEEDS):
        case, estimates = draw(seed, CALENDARS[calendar], (backfill,)), ESTIMATES[seed % 3]
        both = compiled.supports(scenario_of(case, estimates)) is None
        engines = (reference.simulate, compiled.simulate) if both else (reference.simulate,)
        assert differ(case, engines, estimates) is None, seed
