"""The reference engine: observers, progress, counts, and what policies see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import compiled
from echelon.engine.contract import Scenario
from echelon.engine.reference import simulate
from echelon.errors import InputError, UnknownNameError, UnsupportedError
from echelon.model import Instance, Workload
from echelon.policies import Easy, Order, Policy, Reserve, Running, Start, Withdraw, order, policy
from echelon.testing import case, crowd

GAP = case("three-jobs-one-gap").instance()


class Diary:
    """An observer that writes everything down."""

    def __init__(self):
        self.lines = []

    def submitted(self, time, job, place):
        self.lines.append((time, "submitted", job.job_id))

    def started(self, time, job, place):
        self.lines.append((time, "started", job.job_id))

    def ended(self, time, job, place):
        self.lines.append((time, "ended", job.job_id))

    def decided(self, time, waiting, free, place):
        self.lines.append((time, "decided", waiting, free))


def test_observers_hear_everything_in_order():
    """At each time ends, then submits, then starts, then the end of the pass."""
    diary = Diary()
    simulate(Scenario(GAP, policy("easy"), observers=[diary]))
    assert diary.lines == [
        (0, "submitted", 1),
        (0, "started", 1),
        (0, "decided", 0, 1),
        (1, "submitted", 2),
        (1, "decided", 1, 1),
        (2, "submitted", 3),
        (2, "started", 3),
        (2, "decided", 1, 0),
        (7, "ended", 3),
        (7, "decided", 1, 1),
        (10, "ended", 1),
        (10, "started", 2),
        (10, "decided", 0, 0),
        (20, "ended", 2),
        (20, "decided", 0, 2),
    ]


@pytest.mark.parametrize(("cycles", "count"), [("instant", 4), ("event", 6), ("pyss", 6)])
def test_cycles_are_counted(cycles, count):
    """Three jobs of one instant and three ends at two instants: one pass an instant, or one an event."""
    table = Workload.from_columns(submit_time=[0, 0, 0], run_time=[5, 5, 8], processors=[1, 1, 1])
    scenario = Scenario(Instance.of(table, 3), policy("fcfs"), cycles=cycles)
    assert simulate(scenario).counts["events"] == 6
    assert simulate(scenario).counts["passes"] == count - (cycles == "instant")
    assert compiled.simulate(scenario).counts["passes"] == count - (cycles == "instant")


@pytest.mark.slow
def test_progress_is_told():
    """Progress comes with growing numbers of ended jobs out of all."""
    heard = []
    instance = crowd(3, 3000).instance()
    simulate(Scenario(instance, policy("fcfs")), lambda done, total: heard.append((done, total)))
    assert len(heard) >= 2
    assert heard == sorted(heard)
    assert {total for _, total in heard} == {3000}


def test_the_view_shows_the_machine():
    """Queue, running jobs, free processors and the shadow time, as they are after each decision."""
    seen = []

    class Watcher:
        name = "watcher"

        def decide(self, view):
            before = view.free
            for decision in Easy().decide(view):
                yield decision
                seen.append((view.now, before, view.free, len(view.queue), len(view.running)))
            if view.now == 2:
                [first, second] = view.running
                assert isinstance(first, Running)
                assert (first.planned_end, first.job.job_id) == (7.0, 3)
                assert (second.planned_end, second.job.job_id) == (10.0, 1)
                assert view.shadow(1) == (7.0, 0)
                assert view.shadow(2) == (10.0, 0)
                assert [job.job_id for job in view.queue] == [2]
                assert view.processors == 2
                assert view.earliest_start(view.queue[0]) == 10.0
                assert not view.ended_early

    simulate(Scenario(GAP, Policy.of(backfill=Watcher())))
    assert seen == [(0, 2, 1, 0, 1), (2, 1, 0, 1, 2), (10, 2, 0, 0, 1)]


def test_a_job_that_ended_early_is_shown_once():
    """The flag is up in the first pass after an end before its planned end, and down in the next."""
    seen = {}

    class Watcher:
        name = "watcher"

        def decide(self, view):
            seen[view.now] = view.ended_early
            yield from Easy().decide(view)

    simulate(Scenario(early_end(), Policy.of(backfill=Watcher())))
    assert seen == {0: False, 1: False, 5: True, 6: False, 15: False}


def early_end():
    """Return four jobs of which the first ends early at 5 while others wait."""
    table = Workload.from_columns(
        submit_time=[0, 0, 1, 1],
        run_time=[5, 6, 9, 9],
        requested_time=[9, 6, 9, 9],
        processors=[1, 1, 2, 2],
    )
    return Instance.of(table, 2)


def test_a_reservation_wakes_the_scheduler():
    """A user's own reservation falls due without an event: the pass comes at that time."""

    class Later:
        name = "later"

        def decide(self, view):
            for job in view.queue:
                promised = view.reservations.get(job.position)
                if promised is None:
                    yield Reserve(job, view.now + 33)
                elif promised == view.now:
                    yield Start(job)

    schedule = simulate(Scenario(case("one-job").instance(), Policy.of(backfill=Later())))
    assert schedule.start_time.tolist() == [38]


def test_an_order_may_read_the_view():
    """Longest waiting per processor first: keys change with time, so the queue is sorted in each pass."""

    @order("wait-per-processor", source="none")
    def rule(job, view):
        """Longest wait a processor first, in seconds."""
        return -(view.now - job.submit_time) / job.processors

    table = Workload.from_columns(
        submit_time=[0, 1, 8], run_time=[10, 10, 10], processors=[4, 4, 1], requested_time=[10, 10, 10]
    )
    scenario = Scenario(Instance.of(table, 4), Policy.of(rule))
    # At 10 job 2 has waited 9 s for 4 processors, 2.25 s each; job 3 has waited 2 s for one.
    assert simulate(scenario).start_time.tolist() == [0, 10, 20]
    early = Scenario(
        Instance.of(table.with_columns(submit_time=[0, 1, 7]), 4), Policy.of(rule), cycles="event"
    )
    assert simulate(early).start_time.tolist() == [0, 20, 10]


def test_the_compiled_engine_says_what_it_can_not_do():
    """Schedulers in Python, observers and orders that read the view have a reason each, and are refused."""
    changing = Order("changing", lambda job, view: view.now, "none")

    class Own:
        name = "own"

        def decide(self, view):
            return []

    refused = {
        "'own' is a scheduler written in Python": Scenario(GAP, Policy.of(backfill=Own())),
        "observers watch the reference engine only": Scenario(GAP, policy("easy"), observers=[Diary()]),
        "the order 'changing' reads the view": Scenario(GAP, Policy.of(changing)),
        "'changing' reads the view": Scenario(GAP, Policy.of(backfill=Easy(candidates=changing))),
    }
    for reason, scenario in refused.items():
        assert reason in compiled.supports(scenario)
        with pytest.raises(UnsupportedError, match=f"{reason}.*use engine='reference'"):
            compiled.simulate(scenario)
    assert compiled.supports(Scenario(GAP, policy("conservative:random"))) is None


def test_an_order_that_reads_the_view_late_is_found_out():
    """`supports` tries the first jobs only; a rule that reads the view for a later one is refused then."""
    rule = Order("late", lambda job, view: view.now if job.position > 90 else 0, "none")
    scenario = Scenario(crowd(1, 100).instance(), Policy.of(rule))
    assert compiled.supports(scenario) is None
    with pytest.raises(UnsupportedError, match="'late' reads the view"):
        compiled.simulate(scenario)


def test_a_columnar_rule_that_is_not():
    """A rule wrongly said to take columns (a choice, a job's user) is computed job by job instead."""

    def by_user(job, view):
        return job.user if job.processors > 2 else 0

    instance = crowd(5, 60).instance()
    columnar = Order("by-user", by_user, "none", columnar=True)
    single = Order("by-user", by_user, "none")
    for simulator in (simulate, compiled.simulate):
        assert (
            simulator(Scenario(instance, Policy.of(columnar))).start_time.tolist()
            == simulator(Scenario(instance, Policy.of(single))).start_time.tolist()
        )


def test_scenario_is_checked():
    """A misspelled rule of cycles and a negative seed are refused."""
    with pytest.raises(UnknownNameError, match="did you mean 'instant'"):
        Scenario(GAP, policy("easy"), cycles="instnt")
    with pytest.raises(InputError, match="seed: must be at least 0, got -1"):
        Scenario(GAP, policy("easy"), seed=-1)


def test_the_seed_of_a_random_order():
    """Another seed gives another schedule of a random order, and changes nothing of any other order."""
    instance = crowd(9, 60, load=3).instance()
    for spec, differs in (("random", True), ("easy:shortest-first", False)):
        first, second = (simulate(Scenario(instance, policy(spec), seed=seed)) for seed in (0, 1))
        assert (first.start_time.tolist() != second.start_time.tolist()) is differs


@pytest.mark.parametrize("spec", ["fcfs", "first-fit", "easy", "easy:reservations=2", "conservative", "plan"])
@pytest.mark.parametrize("cycles", ["instant", "event", "pyss"])
def test_times_that_vanish_by_rounding(spec, cycles):
    """One second after 1e17 is 1e17 in binary: such jobs start and end at once, in both engines."""
    table = Workload.from_columns(
        submit_time=[0, 0], run_time=[0.5, 1.0], requested_time=[2, 1000], processors=[4, 2]
    )
    late = replace(Instance.of(table, 4), submit_time=np.array([1e17, 1e17]))
    scenario = Scenario(late, policy(spec), cycles=cycles)
    assert simulate(scenario).start_time.tolist() == [1e17, 1e17]
    assert compiled.simulate(scenario).start_time.tolist() == [1e17, 1e17]


class Hesitant:
    """Reserves a start for the head, withdraws it and reserves another; starts jobs that are due."""

    name = "hesitant"

    def __init__(self):
        self.seen = []

    def decide(self, view):
        for job in view.queue:
            if view.reservations.get(job.position, view.now) <= view.now and job.processors <= view.free:
                yield Start(job)
            elif not view.first_reservations:
                yield Reserve(job, view.earliest_start(job) + 5)
                yield Withdraw(job)
                self.seen.append((dict(view.reservations), dict(view.first_reservations)))
                assert view.first_promises is view.first_reservations  # the earlier name
                yield Reserve(job, view.earliest_start(job))
                self.seen.append((dict(view.reservations), dict(view.first_reservations)))


def test_a_withdrawn_reservation_is_free_for_others_and_the_first_is_remembered():
    """After Withdraw nothing is reserved; the first reservation stays known until the start."""
    watch = Hesitant()
    schedule = simulate(Scenario(GAP, Policy.of(backfill=watch)))
    assert watch.seen[:2] == [({}, {1: 15.0}), ({1: 10.0}, {1: 15.0})]
    assert schedule.start_time.tolist() == simulate(Scenario(GAP, policy("easy"))).start_time.tolist()
