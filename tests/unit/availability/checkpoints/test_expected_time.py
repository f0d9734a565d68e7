"""Expected run times on nodes that fail, against a table, Daly's model and a program that draws failures."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

import pytest

from echelon.availability import (
    Checkpoint,
    daly_interval,
    daly_time,
    expected_time,
    optimal_interval,
    young_interval,
)
from echelon.errors import InputError


class Case(NamedTuple):
    """Work, checkpoints, time between failures, downtime and the expected time, in seconds."""

    work: float
    checkpoint: Checkpoint
    mtbf: float
    downtime: float
    expected: float


TABLE = (
    Case(3_600, Checkpoint(), 86_400, 0, 3_676.053),
    Case(86_400, Checkpoint(), 86_400, 0, 148_459.55),
    Case(86_400, Checkpoint(), 86_400, 3_600, 154_645.365),
    Case(172_800, Checkpoint(), 86_400, 600, 555_847.881),
    Case(36_000, Checkpoint(3_600, 60, 120), 7_200, 600, 52_435.47),
    Case(86_400, Checkpoint(), 86_400, 600, 149_490.52),
    Case(86_400, Checkpoint(6_573.95, 300, 300), 86_400, 600, 94_937.62),
)


@pytest.mark.parametrize("case", TABLE)
def test_the_table(case):
    """Each expected time is that of the table to its digits."""
    found = expected_time(case.work, case.checkpoint, case.mtbf, case.downtime)
    assert found == pytest.approx(case.expected, abs=0.005)


def lived(case, draw):
    """Return the time from first start to end of one job, by drawing each failure."""
    total, left, again = 0.0, case.work, False
    while True:
        fails = draw.expovariate(1 / case.mtbf)
        length = case.checkpoint.length(left, again=again)
        if length <= fails:
            return total + length
        left -= case.checkpoint.save_progress(fails, left, again=again).work
        total += fails + case.downtime
        again = True


@pytest.mark.slow
@pytest.mark.parametrize("case", TABLE)
def test_jobs_that_fail_take_so_long(case):
    """The mean time of 20,000 jobs that restart from what they saved is within its 99 % interval."""
    draw = random.Random(2026)
    times = [lived(case, draw) for _ in range(20_000)]
    mean = sum(times) / len(times)
    variance = sum((time - mean) ** 2 for time in times) / (len(times) - 1)
    assert abs(mean - case.expected) <= 2.576 * math.sqrt(variance / len(times))


def test_dalys_total_time():
    """With C = R = 300 s and M = 6 h his model gives 1.2036 at his interval and 1.2039 at Young's."""
    times = [
        daly_time(1.0, Checkpoint(rule(300, 21_600), 300, 300), 21_600)
        for rule in (daly_interval, young_interval, optimal_interval)
    ]
    assert times[0] == pytest.approx(1.203600, abs=1e-6)
    assert times[1] == pytest.approx(1.203901, abs=1e-6)
    assert times[2] <= min(times)


def test_both_models_agree_without_restart_in_the_long_run():
    """Of many segments the last one matters little, and without restart and downtime both are the same."""
    checkpoint = Checkpoint(1000, 50)
    assert expected_time(1e7, checkpoint, 5000) == pytest.approx(daly_time(1e7, checkpoint, 5000), rel=1e-4)


def test_without_failures_it_is_the_length():
    """If nothing ever fails the time is work and checkpoints."""
    checkpoint = Checkpoint(30, 5, 10)
    assert expected_time(100, checkpoint, math.inf) == checkpoint.length(100, again=False) == 115
    assert daly_time(90, checkpoint, math.inf) == 105
    # Rare failures come near to it.
    assert expected_time(100, checkpoint, 1e12) == pytest.approx(115, rel=1e-9)


def test_what_never_ends_is_infinite():
    """A job whose expected time is beyond all numbers has an infinite one, not an error."""
    assert expected_time(1e6, Checkpoint(), 100) == math.inf
    assert daly_time(1e6, Checkpoint(1e6), 100) == math.inf


@pytest.mark.parametrize(
    ("work", "mtbf", "downtime", "field"),
    [(0, 1, 0, "work"), (1, 0, 0, "checkpoint-mtbf"), (1, 1, -1, "downtime"), (1, 1, math.nan, "downtime")],
)
def test_what_is_no_time_is_refused(work, mtbf, downtime, field):
    """A number out of its range is an error that names it."""
    with pytest.raises(InputError, match=f"^{field}: "):
        expected_time(work, Checkpoint(), mtbf, downtime)


def test_dalys_model_needs_an_interval():
    """Without checkpoints his model says nothing."""
    with pytest.raises(InputError, match="checkpoint: must be finite"):
        daly_time(1, Checkpoint(), 1)
