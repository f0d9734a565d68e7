"""Phases: each order of one instant, call by call, on a system that only writes down what it is asked."""

from __future__ import annotations

import pytest

from echelon.engine.clock.phases import Phases
from echelon.engine.ledger.releases import Releases
from echelon.engine.system import System
from echelon.model import Instance, Workload


class Announcer:
    """What a system's ledger does with a job that is submitted."""

    def __init__(self, jobs):
        self.jobs = jobs

    def announce(self, position, now):
        return self.jobs[position]


class Diary(System):
    """A system in which nothing happens but what a test says."""

    def __init__(self, jobs, *, late=False, left=(), early=(), suspends=()):
        self.ledger = Announcer(jobs)
        self.told = []
        self._late, self._left, self._early, self._suspends = late, list(left), early, suspends

    def end(self, job):
        self.told.append(f"end {job.position}")

    def runs(self, job):
        return not (job.position in self._suspends and "decide" in self.told)

    def ends_early(self, job):
        return job.position in self._early

    def correct(self):
        self.told.append("correct")
        return self._late

    def change(self):
        self.told.append("change")

    def join(self, job):
        self.told.append(f"join {job.position}")

    def leave(self):
        self.told.append("leave")
        left, self._left = self._left, []
        return left

    def decide(self):
        self.told.append("decide")

    def settle(self):
        self.told.append("settle")


def instant(cycles, *, ending=(0, 1), submits=(0, 0, 10, 10), after=(), **happens):
    """Return what a system is asked at 10 s: jobs 0 and 1 end, 2 and 3 are submitted."""
    workload = Workload.from_columns(
        submit_time=submits, run_time=[10] * len(submits), processors=[1] * len(submits)
    )
    if after:
        first, second = zip(*after, strict=True)
        workload = workload.with_dependencies(first, second)
    given = Instance.of(workload, 8)
    jobs, releases = given.jobs(), Releases(given)
    releases.take(0.0)
    system = Diary(jobs, **happens)
    phases = Phases(system, releases)
    phases.now = 10.0
    phases.order(cycles)([jobs[position] for position in ending])
    return [told for told in system.told if told != "settle" or cycles == "instant"]


def test_an_instant_is_seven_phases():
    """END, CORRECT, CHANGE, JOIN, LEAVE, DECIDE and SETTLE, each completed before the next."""
    assert instant("instant") == [
        *("end 0", "end 1"),
        "correct",
        "change",
        *("join 2", "join 3"),
        "leave",
        "decide",
        "settle",
    ]


def test_ends_keep_the_order_in_which_they_are_given():
    """Phases sort no ENDs: the system says in which order jobs were dispatched."""
    assert instant("instant", ending=(1, 0))[:2] == ["end 1", "end 0"]


def test_jobs_released_by_an_end_join_by_position_among_those_submitted():
    """Job 2 waits for job 0 and job 3 is submitted now; 2 comes before 3 in the file, and so here."""
    told = instant("instant", ending=(0,), submits=(0, 0, 0, 10), after=[(0, 2)])
    assert told[:4] == ["end 0", "correct", "change", "join 2"]
    assert told[4] == "join 3"


def test_a_job_released_by_one_that_leaves_joins_after_it():
    """Job 2 joins and is rejected for its stay; job 3 waited for it and joins before the one DECIDE."""
    told = instant("instant", ending=(0,), submits=(0, 0, 10, 0), after=[(2, 3)], left=[2])
    assert told == ["end 0", "correct", "change", "join 2", "leave", "join 3", "decide", "settle"]


def test_under_event_a_cycle_follows_every_end_and_every_join():
    """ENDs come first, each with its DECIDE; without corrections there is no cycle for them."""
    assert instant("event") == [
        *("end 0", "decide", "end 1", "decide"),
        *("correct", "change"),
        *("join 2", "decide", "join 3", "decide"),
        "leave",
    ]


def test_under_event_jobs_leave_after_all_have_joined():
    """Those that leave have one cycle; a job that waited for one of them joins then, with a cycle, too."""
    told = instant("event", ending=(0,), submits=(0, 0, 10, 0), after=[(2, 3)], left=[2])
    assert told == [
        *("end 0", "decide", "correct", "change", "join 2", "decide"),
        *("leave", "decide", "join 3", "decide"),
    ]


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_all_corrections_of_an_instant_have_one_cycle(cycles):
    """After the ENDs that were planned and before the JOINs."""
    told = instant(cycles, late=True, early=(1,))
    there = told.index("change" if cycles == "event" else "correct")
    assert told[there + 1] == "decide"
    assert told[there + 2] == "join 2"


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_an_instant_without_ends_and_submissions_has_one_cycle(cycles):
    """A reservation that falls due, or a wake, is a cycle of its own."""
    told = instant(cycles, ending=(), submits=(0, 0))
    expected = {"event": ["correct", "change", "decide", "leave"], "pyss": ["correct", "decide"]}
    assert told == expected[cycles]
    assert instant("instant", ending=(), submits=(0, 0)).count("decide") == 1


def test_under_event_a_job_that_a_cycle_has_suspended_does_not_end():
    """The cycle after the first END suspends job 1: it has no END now, and causes no cycle."""
    told = instant("event", suspends=(1,))
    assert told == ["end 0", "decide", "correct", "change", "join 2", "decide", "join 3", "decide", "leave"]


def test_pyss_has_planned_ends_then_joins_then_early_ends():
    """All planned ENDs have no cycle of their own; every JOIN has one, and so has every END after them."""
    assert instant("pyss", early=(1,)) == [
        "end 0",
        "correct",
        *("join 2", "decide", "join 3", "decide"),
        *("decide", "end 1", "decide"),
    ]


def test_under_pyss_a_planned_end_releases_a_job_with_the_submissions():
    """Job 2 waits for job 0, which ends as planned: it joins before job 3."""
    told = instant("pyss", ending=(0,), submits=(0, 0, 0, 10), after=[(0, 2)])
    assert told == ["end 0", "correct", "join 2", "decide", "join 3", "decide", "decide"]


def test_under_pyss_an_early_end_releases_a_job_too_late_for_this_round():
    """Job 2 waits for job 0, which ends early: it joins in a round of its own, not in this one."""
    told = instant("pyss", ending=(0,), submits=(0, 0, 0, 10), after=[(0, 2)], early=(0,))
    assert told == ["correct", "join 3", "decide", "end 0", "decide"]


@pytest.mark.parametrize("cycles", ["event", "pyss"])
def test_every_cycle_is_followed_by_settling(cycles):
    """What runs goes on at its new rate after each DECIDE, not once an instant."""
    workload = Workload.from_columns(submit_time=[10, 10], run_time=[10, 10], processors=[1, 1])
    given = Instance.of(workload, 8)
    system = Diary(given.jobs())
    phases = Phases(system, Releases(given))
    phases.now = 10.0
    phases.order(cycles)([])
    first = ["correct", "change"] if cycles == "event" else ["correct"]
    told = [*first, *("join 0", "decide", "settle"), *("join 1", "decide", "settle")]
    assert system.told == told + (["leave"] if cycles == "event" else [])
