"""What scenarios of time-shared machines refuse, and how runs end that cannot."""

from __future__ import annotations

import pytest
from tests.unit.engine.immediate.platforms import instance, platform, run

from echelon.engine.compiled import supports
from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.errors import DeadlockError, InputError, UnknownNameError
from echelon.model import Instance, Platform
from echelon.policies import STRATEGIES, Admissible, broker_named, policy

ONE = instance((0, 60, 1))


def scenario(given=ONE, spec="mlp", rules=ImmediateRules(), admissible=None, **more):  # noqa: B008
    model = tree_of_sites(broker_named(spec), admissible, rules)
    return Scenario(given, policy("fcfs"), system_model=model, **more)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"rules": None}, "immediate: time-shared machines need rules of their own"),
        ({"spec": "stealing:50"}, "exchanges jobs that wait at sites"),
        ({"cycles": "event"}, "on time-shared machines every job starts at once"),
        ({"spec": "min-min", "admissible": Admissible(0.5)}, "min-min may choose every machine"),
        (
            {"given": Instance.of(ONE.workload, Platform.of_sizes([1]))},
            "are not what the platform has",
        ),
    ],
)
def test_what_has_no_meaning_is_refused(more, says):
    """Each is one sentence with its field."""
    with pytest.raises(InputError, match=says):
        scenario(**more)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"decision_time": -1}, InputError),
        ({"decision_time": float("inf")}, InputError),
        ({"decision_time": "0.8"}, InputError),
        ({"experience": "hot"}, UnknownNameError),
        ({"cpu_use": "none"}, UnknownNameError),
    ],
)
def test_rules_are_checked(settings, error):
    """Decision times are finite seconds, names are known ones."""
    with pytest.raises(error):
        ImmediateRules(**settings)


def test_the_compiled_engine_says_that_it_can_not():
    """Only the reference engine shares cores."""
    assert supports(scenario()) == "time-shared machines share their cores in the reference engine only"


@pytest.mark.parametrize("kind", STRATEGIES)
def test_every_strategy_of_grids_works(kind):
    """Those of all levels of information, whatever they believe in; schedules are of what really happens."""
    jobs = [(3 * k, 40 + k % 5, 1 + k % 3) for k in range(25)]
    found = run(instance(*jobs, on=((2, 1.0), (3, 0.5), (4, 0.25))), kind())
    assert (found.instance.run_time > 0).all()
    assert found.start_time.tolist() == [job[0] for job in jobs]


def test_a_belief_in_allocation_is_passed_over():
    """A job that ended before its planned end has left every statistic."""
    given = instance((0, 5, 1), (50, 5, 1), requested_time=[100, 100], on=((1, 1.0), (1, 1.0)))
    assert run(given, "mct:grid-state=planned").site.tolist() == [0, 0]


def test_admissible_ranges_hold():
    """With a small factor a job goes to the smallest machines that can hold it."""
    given = instance((0, 60, 1), (0, 60, 1), (0, 60, 2), on=((1, 1.0), (2, 1.0), (8, 1.0)))
    assert run(given, "mlp", admissible=Admissible(0.05)).site.tolist() == [0, 0, 1]


def test_jobs_too_large_for_every_machine_are_left_out():
    """They are dropped with the size of the largest machine."""
    given = instance((0, 60, 3), (0, 60, 2), on=((1, 1.0), (2, 1.0)))
    assert [drop.count for drop in given.dropped] == [1]
    assert run(given).site.tolist() == [1]


def test_machines_so_slow_that_nothing_ends_are_told():
    """A run whose ENDs are beyond what times can tell is given up, with the jobs that run."""
    with pytest.raises(DeadlockError, match=r"jobs 1 have not ended at t = 9.01e\+15 s.* speeds of machines"):
        run(instance((0, 60, 1), on=((1, 1e-300),)))
    with pytest.raises(DeadlockError, match="jobs 1 have not ended"):
        run(instance((0, 60, 1), on=((1, 5e-324),)))


@pytest.mark.parametrize("spec", ["mlp", "wqr"])
@pytest.mark.parametrize("time", [1e20, 1.7e308])
def test_decisions_that_take_for_ever_are_told(spec, time):
    """Jobs whose decision would be done beyond what times can tell are named, whichever rule decides."""
    with pytest.raises(DeadlockError, match=r"jobs 1, 2 have not ended.*how long decisions"):
        run(instance((0, 60, 1), (1, 60, 1)), spec, ImmediateRules(decision_time=time))


def test_jobs_released_too_late_are_told():
    """A job that would be released beyond what times can tell is named."""
    late = instance((0, 60, 1), (0, 60, 1)).workload.with_dependencies([0], [1], delay=[1e17])
    with pytest.raises(DeadlockError, match=r"jobs 2 have not ended.*what jobs wait for"):
        run(Instance.of(late, platform((1, 1.0))))


def test_very_fast_machines_still_take_time():
    """However fast, a job ends after it began, far from second 0, too."""
    found = run(instance((1e9, 60, 1), (1e9, 60, 1), on=((1, 1e12),)))
    assert (found.end_time > found.start_time).all()


class Hearer:
    """An observer that keeps what it hears."""

    def __init__(self):
        self.heard = []

    def submitted(self, time, job, place):
        self.heard.append((time, "submitted", job.position))

    def started(self, time, job, place):
        self.heard.append((time, "started", job.position))

    def ended(self, time, job, place):
        self.heard.append((time, "ended", job.position))

    def decided(self, time, waiting, free, place):
        self.heard.append((time, "decided", waiting, free))


def test_observers_hear_in_order():
    """ENDs, SUBMITs, then decisions; each decision tells how many wait and how many cores are left."""
    hearer = Hearer()
    given = instance((0, 10, 1), (5, 5, 1), (10, 5, 1), on=((2, 1.0),))
    run(given, rules=ImmediateRules(decision_time=5.0), observers=(hearer,))
    assert hearer.heard == [
        (0, "submitted", 0),
        (5, "submitted", 1),
        (5, "started", 0),
        (5, "decided", 1, 1),
        (10, "submitted", 2),
        (10, "started", 1),
        (10, "decided", 1, 0),
        (15, "ended", 0),
        (15, "ended", 1),
        (15, "started", 2),
        (15, "decided", 0, 1),
        (20, "ended", 2),
    ]


@pytest.mark.slow
def test_progress_is_told():
    """Now and then, with the jobs ended and all jobs."""
    told = []
    given = instance(*((2 * k, 1, 1) for k in range(600)))
    simulate(scenario(given), lambda done, total: told.append((done, total)))
    assert told == [(256, 600), (512, 600)]
