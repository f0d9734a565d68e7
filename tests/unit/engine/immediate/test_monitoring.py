"""Load averages by hand, and what daemons publish of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.engine.immediate.monitoring import Daemon, LoadHistory, daemons
from echelon.model import Monitoring
from echelon.model.streams import stream


def history(*changes, **how):
    """Return the history of (time, load)."""
    found = LoadHistory(Monitoring(**how))
    for time, load in changes:
        found.change(time, load)
    return found


@pytest.mark.parametrize(
    ("time", "average"), [(0, 0), (15, 0.25), (30, 0.5), (60, 1), (75, 1), (100, 1), (115, 0.75), (160, 0)]
)
def test_a_linear_average_shows_a_process_fully_after_a_window(time, average):
    """One process from 0 to 100: a quarter after 15 s, all after 60, nothing 60 s after its end."""
    changes = [change for change in ((0, 1.0), (100, 0.0)) if change[0] <= time]
    assert history(*changes).average(time) == average


def test_a_linear_average_is_the_mean_of_the_last_window():
    """3 processes for 20 s, 1 for 10 s and 2 for 30 s make (60 + 10 + 60) / 60."""
    assert history((0, 3.0), (20, 1.0), (30, 2.0)).average(60) == pytest.approx(130 / 60, rel=1e-15)


def test_an_exponential_average_shows_63_percent_after_a_window():
    """1 - 1/e of a change is seen after 60 s, and it fades alike."""
    risen = history((0, 1.0), average="exponential")
    assert risen.average(60) == pytest.approx(1 - math.exp(-1), rel=1e-15)
    fallen = history((0, 1.0), (60, 0.0), average="exponential")
    assert fallen.average(90) == pytest.approx((1 - math.exp(-1)) * math.exp(-0.5), rel=1e-15)


def test_the_exponential_average_is_what_small_steps_give():
    """Euler steps of a millisecond come to the closed form."""
    changes = [(0.0, 1.0), (7.0, 3.0), (9.0, 0.0), (20.0, 2.0)]
    level, load, step = 0.0, 0.0, 1e-3
    loads = dict(changes)
    for k in range(30_000):
        load = loads.get(round(k * step, 3), load)
        level += (load - level) * step / 60
    assert history(*changes, average="exponential").average(30) == pytest.approx(level, rel=1e-4)


def test_averages_of_the_past_are_kept_for_a_period():
    """What was published a while ago is still right when it is read after later changes."""
    for average in ("linear", "exponential"):
        early = history((0, 1.0), (3, 2.0), average=average).average(10)
        assert history((0, 1.0), (3, 2.0), (12, 0.0), (24, 5.0), average=average).average(10) == early


def test_only_the_last_of_several_changes_of_an_instant_counts():
    """Loads that last for no time leave no trace."""
    assert history((0, 7.0), (0, 1.0)).average(15) == 0.25
    found = history((0, 7.0), (0, 1.0), average="exponential")
    assert found.average(60) == pytest.approx(1 - math.exp(-1))


def test_history_is_forgotten():
    """After very many changes only those within window and period are kept."""
    found = history(*((k, float(k % 2)) for k in range(10_000)))
    assert len(found._changes) < 80
    assert found.average(9_999) == pytest.approx(0.5, abs=0.02)


def test_between_publications_the_last_one_is_believed():
    """With period 15 and phase 5: nothing before 5, then the value of 5 until 20."""
    daemon = Daemon(Monitoring(), 5.0)
    daemon.history.change(0.0, 6.0)
    assert [daemon.last_average(t) for t in (0, 4.9, 5, 19.9, 20)] == [0, 0, 0.5, 0.5, 2]


def test_daemons_publish_at_multiples_of_odd_periods():
    """With a period that float64 cannot hold each publication still comes when its time comes."""
    daemon = Daemon(Monitoring(period=0.1, window=1.0), 0.0)
    daemon.history.change(0.0, 1.0)
    for k in range(1, 10):
        assert daemon.last_average(k * 0.1) == pytest.approx(k * 0.1)


def test_phases_are_of_their_own_stream():
    """Random phases are the numbers of the stream "monitoring" times the period; else all are 0."""
    drawn = stream(7, "monitoring").random(3) * 15
    found = daemons(Monitoring(), 3, 7)
    for daemon, phase in zip(found, drawn, strict=True):
        daemon.history.change(0.0, 60.0)
        assert daemon.last_average(np.nextafter(phase, 0)) == 0
        assert daemon.last_average(phase) == pytest.approx(phase)
    assert [daemon._phase for daemon in daemons(Monitoring(phase="zero"), 2, 7)] == [0, 0]
