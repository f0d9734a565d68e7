"""What a waiting job finds, and whose planned start it would be in the way of."""

from __future__ import annotations

from echelon.engine.contract import Scenario
from echelon.engine.ledger.observer import QuietObserver
from echelon.engine.queue.room_report import Conflict, RoomReport
from echelon.engine.reference import simulate
from echelon.model import Instance, Workload
from echelon.policies import Easy, Policy


class Watcher(QuietObserver):
    """Keeps what each cycle's end looks like to the last job of the queue."""

    def __init__(self):
        self.reports, self.conflicts = [], []

    def watched(self, decide, place, view):
        """Pass on all decisions, then ask."""
        yield from decide(view)
        if len(view.queue) > 1:
            first, *_, last = view.queue
            self.reports.append(view.room_report(last))
            self.conflicts.append(view.first_conflict(last, [(first, 10.0)]))


def watched(run_time):
    """Return what job 3 sees at 1 s: it would run for so long beside a head planned for 10 s."""
    jobs = Workload.from_columns(submit_time=[0, 1, 1], run_time=[10, 5, run_time], processors=[2, 3, 1])
    watcher = Watcher()
    simulate(Scenario(Instance.of(jobs, 3), Policy.of(backfill=Easy()), observers=[watcher]))
    return jobs, watcher


def test_a_conflict_says_when_the_other_could_start_then():
    """A job of 20 s would end at 21 s, and the head needs all processors."""
    _, watcher = watched(20)
    assert watcher.reports == [RoomReport(free=1, down=0, closed=0, in_one_node=None)]
    (conflict,) = watcher.conflicts
    assert isinstance(conflict, Conflict)
    assert (conflict.job.job_id, conflict.start, conflict.moved_to) == (2, 10, 21)


def test_observers_see_every_decision_applied():
    """A job that ends before is started, and waits no more after the cycle."""
    _, watcher = watched(9)
    assert not watcher.reports


def test_an_observer_that_watches_must_take_what_it_is_given():
    """As of the other events, the message has what it must take."""
    import pytest

    from echelon.errors import InputError

    class Wrong(QuietObserver):
        def watched(self, view):
            """Too little."""

    jobs = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    with pytest.raises(
        InputError, match=r"observer Wrong: must have watched\(decide, place, view\), got watched"
    ):
        Scenario(Instance.of(jobs, 1), Policy.of(), observers=[Wrong()])
