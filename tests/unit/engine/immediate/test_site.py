"""A time-shared machine under an estimator: what it learns at an END, and what is planned with meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from tests.unit.engine.immediate.platforms import instance, platform, run

from echelon.engine.immediate.rules import ImmediateRules
from echelon.model import Instance, Workload
from echelon.policies import STRATEGIES, Average, Exact, Information, estimator_named


@dataclass
class Watcher:
    """A broker that notes what it sees, and sends jobs where it was told."""

    look: Any
    to: Any = lambda job: 0
    information: Information = Information.SCHEDULES
    seen: list = field(default_factory=list)
    name: str = "watcher"
    grid_state: str = "actual"

    def choose(self, job, view):
        self.seen.append(self.look(job, view))
        return self.to(job)


@dataclass
class Told:
    """An estimator that predicts what it is told by position, and keeps what it learns."""

    times: Any
    learned: dict = field(default_factory=dict)
    queues: list = field(default_factory=list)
    name: str = "told"

    def memory(self):
        return self

    def watch_queue(self, waiting_jobs, waiting_work):
        self.queues.append((waiting_jobs, waiting_work))

    def predict(self, job):
        return self.times(job.position)

    def learn(self, job, run_time):
        self.learned[job.position] = run_time


def test_what_is_learned_is_the_time_alone():
    """Two of 10 s beside each other both end at 20; of requests of 100 the averages are 55, then 32.5 s."""
    given = instance(
        (0, 10, 1), (0, 10, 1), (30, 10, 1), requested_time=[100] * 3, user=[1] * 3, on=((1, 1.0), (1, 0.5))
    )
    watcher = Watcher(lambda job, view: [view.execution_time(job, site) for site in (0, 1)])
    found = run(given, watcher, estimator=Average())
    assert found.end_time.tolist() == [20, 20, 40]
    assert watcher.seen == [[100, 200], [100, 200], [33, 66]]
    assert found.planned_time.tolist() == [100, 100, 33]


def test_what_is_learned_is_free_of_speed_and_of_input_and_output():
    """A job of 20 s, half of them computing, takes 30 on a core of half the speed, and more beside others."""
    workload = Workload.from_columns(
        submit_time=[0, 0, 5], run_time=[20] * 3, processors=[1] * 3, average_cpu_time=[10] * 3
    )
    told = Told(lambda position: 20)
    rules = ImmediateRules(cpu_use="log")
    found = run(Instance.of(workload, platform((1, 0.5))), "first-site", rules, estimator=told)
    assert min(found.end_time - found.start_time) > 30
    assert told.learned == {0: 20, 1: 20, 2: 20}


def test_a_job_that_is_cut_teaches_what_it_has_got():
    """Two that asked for 15 s share a core of speed 2: cut at 15, each has got 7.5 s of it, 15 at speed 1."""
    workload = Workload.from_columns(
        submit_time=[0, 0], run_time=[40, 40], requested_time=[15, 15], processors=[1, 1]
    )
    given = Instance.of(workload, platform((1, 2.0)), estimates="kill")
    told = Told(lambda position: None)
    found = run(given, "first-site", estimator=told)
    assert found.end_time.tolist() == [15, 15]
    assert told.learned == pytest.approx({0: 15, 1: 15})


def test_a_job_that_outlives_its_prediction_is_planned_anew():
    """Predicted to take 30 of its 100 s it is planned for 90 from then on, and for its limit, 95, at last.

    The machine has half the speed, so each planned end is twice as far.
    """
    given = instance(
        *((0, 95, 1), (10, 1, 1), (70, 1, 1), (186, 1, 1)),
        requested_time=[80, 1, 1, 1],
        on=((1, 0.5), (9, 1.0)),
    )
    told = Told(lambda position: 30 if not position else None)

    def look(job, view):
        return [planned.end for planned in view.schedule(0)], view.ready_time(0)

    watcher = Watcher(look, lambda job: min(job.position, 1))
    found = run(given, watcher, estimator=told)
    assert watcher.seen == [([], 0), ([60], 60), ([180], 180), ([190], 190)]
    assert found.end_time[0] == 190
    assert found.counts["corrections"] == 2


def test_corrections_change_no_run():
    """Under a broker that reads no planned time the schedule is the same, whatever is predicted."""
    jobs = [(3 * k, 40 + 7 * k % 50, 1 + k % 3) for k in range(40)]
    given = instance(*jobs, on=((2, 1.0), (3, 0.5), (4, 0.25)))
    plain = run(given, "round-robin")
    short = run(given, "round-robin", estimator=Told(lambda position: 1 + position % 5))
    assert short.counts["corrections"] > 40
    np.testing.assert_allclose(short.end_time, plain.end_time, rtol=1e-12)


@pytest.mark.parametrize("broker", [*(kind.name for kind in STRATEGIES), "min-min", "sufferage", "fpltf"])
def test_predictions_that_are_right_are_exact_plans(broker):
    """All brokers and dispatchers do with true predictions what they do with exact times."""
    jobs = [(3 * k, 40 + 7 * k % 50, 1 + k % 3) for k in range(40)]
    given = instance(*jobs, on=((3, 1.0), (3, 0.5), (4, 0.25)), requested_time=[500] * 40)
    right = Told(given.run_time.tolist().__getitem__)
    learned = run(given, broker, estimator=right)
    exact = run(given.with_known_run_times(), broker, estimator=Exact())
    assert learned.site.tolist() == exact.site.tolist()
    assert learned.end_time.tolist() == exact.end_time.tolist()
    assert learned.counts["corrections"] == 0


def test_each_copy_outlives_the_prediction_by_itself():
    """Both copies of a job, predicted to take 10 of 100 s, are planned to end late on their own machines."""
    given = instance((0, 100, 1), requested_time=[200], on=((1, 1.0), (1, 0.5)))
    told = Told(lambda position: 10)
    found = run(given, "wqr:replicas=2", estimator=told)
    assert found.end_time.tolist() == [100]
    # The first at 10 and 70, the second at 20; its next, at 140, never comes.
    assert found.counts["corrections"] == 3
    assert told.learned == {0: 100}


def test_only_jobs_of_the_instant_wait():
    """Jobs start in the cycle of their instant: a memory that watches the queue sees those submitted then."""
    given = instance(*((k // 2, 9, 1) for k in range(8)))
    told = Told(lambda position: None)
    run(given, "first-site", estimator=told)
    assert told.queues == [(0, 0), (1, 9)] * 4


@pytest.mark.parametrize("spec", ["average", "smith", "li", "ibl", "hybrid", "corrected", "decisor"])
def test_every_estimator_runs_here(spec):
    """They learn from jobs on machines of several speeds, and brokers that plan decide by it."""
    jobs = [(20 * k, 40 + 7 * k % 50, 1 + k % 3) for k in range(40)]
    given = instance(
        *jobs, on=((3, 1.0), (3, 0.5), (4, 0.25)), requested_time=[500] * 40, user=[k % 3 for k in range(40)]
    )
    found = run(given, "mct", estimator=estimator_named(spec))
    assert np.isfinite(found.end_time).all()
    assert (found.planned_time < 500).any() == (spec != "corrected")
