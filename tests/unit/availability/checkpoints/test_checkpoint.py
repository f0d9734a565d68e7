"""How long attempts take by their checkpoints, and what is safe of one that is cut short."""

from __future__ import annotations

import math
from itertools import product

import pytest

from echelon.availability import Checkpoint
from echelon.errors import InputError


def test_a_failure_after_the_first_checkpoint():
    """Work 100, interval 30, cost 5, restart 10, cut at 40: 30 are safe, and the rest ends 90 s later."""
    checkpoint = Checkpoint(30, 5, 10)
    assert checkpoint.length(100, again=False) == 115
    safe = checkpoint.save_progress(40, 100, again=False)
    assert safe == (30, 5)
    assert checkpoint.length(100 - safe.work, again=True) == 10 + 30 + 5 + 30 + 5 + 10


def test_a_checkpoint_a_minute():
    """Ten minutes of work, cut after five, down for five: 965 s with checkpoints of a second each minute."""
    checkpoint = Checkpoint(60, 1)
    assert checkpoint.length(600, again=False) == 609
    # After 300 s four minutes are safe, since 4 * 61 = 244, and 56 s are lost.
    safe = checkpoint.save_progress(300, 600, again=False)
    assert safe == (240, 4)
    assert 300 + 300 + checkpoint.length(600 - safe.work, again=True) == 965
    # Without checkpoints the job begins again: 20 minutes.
    assert 300 + 300 + Checkpoint().length(600, again=True) == 1200


@pytest.mark.parametrize(
    ("progress", "safe"),
    [(34.999, (0, 0)), (35, (30, 5)), (69.999, (30, 5)), (70, (60, 10)), (104, (60, 10)), (105, (90, 15))],
)
def test_a_checkpoint_saves_when_it_has_ended(progress, safe):
    """A failure during a checkpoint loses it; one at the instant at which it ends does not."""
    assert Checkpoint(30, 5, 10).save_progress(progress, 100, again=False) == safe


@pytest.mark.parametrize(
    ("progress", "safe"), [(0, (0, 0)), (4, (0, 4)), (10, (0, 10)), (44, (0, 10)), (45, (30, 15))]
)
def test_a_restart_comes_first(progress, safe):
    """A failure during the restart saves nothing and repeats it; work goes on after it."""
    assert Checkpoint(30, 5, 10).save_progress(progress, 100, again=True) == safe


@pytest.mark.parametrize(
    ("work", "count"), [(0, 0), (29, 0), (30, 0), (30.001, 1), (60, 1), (90, 2), (100, 3)]
)
def test_no_checkpoint_at_the_very_end(work, count):
    """Work of a whole number of intervals has one checkpoint less than intervals."""
    assert Checkpoint(30, 5).checkpoints(work) == count


def test_no_checkpoint_saves_the_end():
    """An attempt of two intervals that is cut just before its end has saved the first one only."""
    assert Checkpoint(30, 0).save_progress(59.9999, 60, again=False) == (30, 0)
    assert Checkpoint(30, 5).save_progress(64.9999, 60, again=False) == (30, 5)


def test_without_interval_nothing_is_saved():
    """No checkpoint: only the restart is no loss."""
    checkpoint = Checkpoint(restart=10)
    assert checkpoint.length(100, again=False) == 100
    assert checkpoint.length(100, again=True) == 110
    assert checkpoint.save_progress(50, 100, again=True) == (0, 10)
    assert checkpoint.save_progress(50, 100, again=False) == (0, 0)


@pytest.mark.parametrize(
    ("interval", "start"),
    [
        (1e-4, 0.0),
        *product([0.1, 0.7, 1 / 3, 3180.063, 7001.404], [0.0, 0.3, 1_799_999_999.7]),
    ],
)
def test_times_that_are_rounded_are_still_whole_numbers_of_intervals(interval, start):
    """Sums and differences of times, also of times since 1970, neither lose a checkpoint nor add one."""
    checkpoint = Checkpoint(interval, interval / 4)
    work = sum([interval] * 50)
    assert checkpoint.checkpoints(work) == 49
    cycle = interval + interval / 4
    for done in range(50):
        # Cut when checkpoint number `done` ends, as an engine sees it: by its clock.
        progress = (start + done * cycle) - start
        assert checkpoint.save_progress(progress, work, again=False).work == pytest.approx(done * interval)
        # What is left, saved one by one, has the other checkpoints.
        left = work
        for _ in range(done):
            left -= interval
        assert checkpoint.checkpoints(left) == 49 - done


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"interval": 0}, "checkpoint"),
        ({"interval": -1}, "checkpoint"),
        ({"interval": math.nan}, "checkpoint"),
        ({"cost": -1}, "checkpoint-cost"),
        ({"cost": math.inf}, "checkpoint-cost"),
        ({"restart": math.nan}, "restart-cost"),
    ],
)
def test_what_is_no_time_is_refused(spec, field):
    """A number out of its range is an error that names its setting."""
    with pytest.raises(InputError, match=f"^{field}: "):
        Checkpoint(**spec)
