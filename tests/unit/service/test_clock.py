"""The clock of a service: it follows that of the machine, and never goes back."""

from __future__ import annotations

import time

import pytest

from echelon.service.clock import Clock


class Machine:
    """The clocks of a machine."""

    def __init__(self, monkeypatch):
        self.time, self.monotonic = 1000.0, 0.0
        monkeypatch.setattr(time, "time", lambda: self.time)
        monkeypatch.setattr(time, "monotonic", lambda: self.monotonic)

    def after(self, seconds, *, set_by=0.0):
        self.monotonic += seconds
        self.time += seconds + set_by


@pytest.fixture
def machine(monkeypatch):
    return Machine(monkeypatch)


def test_it_is_the_time_of_the_machine_also_when_that_is_set_ahead(machine):
    """It adds nothing of its own."""
    clock = Clock()
    for seconds, set_by in ((0.0, 0.0), (5.0, 0.0), (0.1, 7200.0), (3.0, 0.0)):
        machine.after(seconds, set_by=set_by)
        assert (clock(), clock.ahead()) == (machine.time, 0.0)


def test_it_goes_on_at_half_the_speed_until_the_machine_has_caught_up(machine):
    """Set back by 60 s, it needs 120 s; times never repeat in between."""
    clock = Clock()
    machine.after(10.0, set_by=-60.0)
    assert (clock(), clock.ahead()) == (1005.0, 55.0)
    seen = [clock()]
    for _ in range(11):
        machine.after(10.0)
        seen.append(clock())
    assert seen == sorted(set(seen))
    assert clock.ahead() == 0.0
    assert clock() == machine.time
