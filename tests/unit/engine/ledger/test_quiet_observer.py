"""Observers hear only what they override."""

from __future__ import annotations

from echelon.engine.contract import Scenario
from echelon.engine.ledger.observer import check_observers
from echelon.engine.ledger.quiet_observer import QuietObserver
from echelon.engine.reference import simulate
from echelon.model import Instance, Workload
from echelon.policies import policy


class Ends(QuietObserver):
    """Keeps the ends of jobs."""

    def __init__(self):
        self.heard = []

    def ended(self, time, job, place):
        self.heard.append((time, job.position))


def test_what_is_overridden_is_heard_and_the_rest_is_accepted():
    """An observer of ends alone takes every event of a run, and keeps the ends."""
    ends = Ends()
    check_observers([ends])
    jobs = Workload.from_columns(submit_time=[0, 1], run_time=[10, 5], processors=[3, 2])
    simulate(Scenario(Instance.of(jobs, 4), policy("fcfs"), observers=[ends]))
    assert ends.heard == [(10, 0), (15, 1)]
