"""The loop in which time passes: when it stops, what it skips, and what it says about its progress."""

from __future__ import annotations

import math

import pytest

from echelon.engine.clock import simulation
from echelon.engine.clock.simulation import run
from echelon.engine.contract import Scenario
from echelon.engine.ledger.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.system import System
from echelon.errors import DeadlockError
from echelon.model import Instance, Workload
from echelon.policies import policy


def scenario(submits, *, processors=4, **more):
    """Return jobs of 10 s, each of one processor, on one machine."""
    jobs = len(submits)
    workload = Workload.from_columns(submit_time=submits, run_time=[10] * jobs, processors=[1] * jobs)
    return Scenario(Instance.of(workload, processors), policy("easy"), **more)


class Clock(System):
    """A system that has events at the times given, and writes down when it is asked what."""

    def __init__(self, times, *, changes=(), latest=math.inf):
        self.ledger = Ledger(scenario([0]))
        self.times, self.changes, self.latest = list(times), changes, latest
        self.told = []

    def next_event(self, release):
        return min([release, *self.times])

    def begin(self, now):
        self.told.append(("begin", now))
        self.times = [time for time in self.times if time > now]
        self.has_changed = now in self.changes

    def take_ends(self):
        return []

    def watch(self, *, event):
        self.told.append(("watch", event))

    def join(self, job):
        self.told.append(("join", job.position))

    def decide(self):
        self.told.append(("decide",))

    def settle(self):
        self.told.append(("settle",))

    def check_done(self):
        self.told.append(("done",))

    def raise_endless(self):
        raise DeadlockError("too late")

    def schedule(self):
        return tuple(self.told)


def test_time_passes_from_event_to_event_until_there_is_none():
    """The submission at 0, then the change at 7; then the run is done."""
    assert run(Clock([7.0], changes=(7.0,))) == (
        *(("begin", 0.0), ("watch", True), ("join", 0), ("decide",), ("settle",)),
        *(("begin", 7.0), ("watch", False), ("decide",), ("settle",)),
        ("done",),
    )


def test_an_instant_at_which_only_rates_change_has_no_cycle():
    """Tasks that take turns, or a node that is ready, settle; no controller is asked."""
    told = run(Clock([3.0]))
    assert told[5:] == (("begin", 3.0), ("settle",), ("done",))


def test_times_beyond_the_resolution_of_a_system_end_the_run():
    """A system names the latest time at which it can tell two seconds apart; beyond it the run is lost."""
    with pytest.raises(DeadlockError, match="too late"):
        run(Clock([101.0], latest=100.0))
    assert ("begin", 100.0) in run(Clock([100.0], latest=100.0))


def test_all_jobs_of_one_time_are_one_instant():
    """Four jobs at 0 and four ends at 10 are two cycles."""
    given = scenario([0, 0, 0, 0])
    assert run(Machine(Ledger(given), 4)).counts["passes"] == 2
    given = scenario([0, 0, 0, 0], cycles="event")
    assert run(Machine(Ledger(given), 4)).counts["passes"] == 8


def test_progress_is_told_every_so_many_instants(monkeypatch):
    """After every other instant here: none, one, and two of three jobs have ended."""
    monkeypatch.setattr(simulation, "_PROGRESS_EVERY", 2)
    heard = []
    run(Machine(Ledger(scenario([0, 20, 40])), 4), lambda ended, jobs: heard.append((ended, jobs)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_without_events_nothing_happens():
    """Where no event is to come the run is done at once."""

    class Still(Clock):
        def next_event(self, release):
            return math.inf

    assert run(Still([])) == (("done",),)
