"""What a history keeps of a run is what estimators were taught while it went on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from budgets import IN_FULL
from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.history import experiences_of, open_history
from echelon.model import Application, Applications, Instance, Workload
from echelon.platforms import platform_named
from echelon.policies import broker_named, policy_named
from echelon.policies.coallocation.registry import co_allocation_named
from echelon.policies.global_queue.registry import global_queue, queue_limit
from echelon.workloads.local_users import local_users_named


class Pupil:
    """An estimator that writes down what it is taught, and never has an idea."""

    name = "pupil"

    def __init__(self):
        self.learned = {}

    def forecaster(self, past):
        return self

    def forecast(self, job, view):
        return None

    def learn(self, experience, job, said):
        self.learned[job.job_id] = experience


def scenario_of(seed, pupil, *, local, upper, limit, co_allocate, most):
    generator, n_jobs = np.random.default_rng(seed), 120
    catalog = (Application("cpu", 1.0, 1e6), Application("net", 0.5, 4e7, 6e6))
    workload = Workload.from_columns(
        submit_time=np.sort(generator.uniform(0, 900, n_jobs)),
        run_time=generator.uniform(10, 200, n_jobs),
        processors=generator.integers(1, most + 1, n_jobs),
        user=generator.integers(-1, 4, n_jobs),
        queue=generator.integers(-1, 2, n_jobs),
    )
    workload = replace(workload, applications=Applications(catalog, generator.integers(0, 2, n_jobs)))
    rules = MulticlusterRules(
        global_queue(upper),
        queue_limit(limit),
        co_allocation=None if co_allocate is None else co_allocation_named(co_allocate),
        local_users=local_users_named("xwin:share=0.5:period=50"),
        watched=(pupil,),
    )
    instance = Instance.of(workload, platform_named("cisne-555"), spanning=co_allocate is not None)
    return Scenario(
        instance, policy_named(local), system_model=tree_of_sites(broker_named("tat"), rules=rules)
    )


def taught_and_told(scenario, pupil):
    """Run; return the schedule, and what it tells of each job beside what the pupil was taught of it."""
    schedule = reference.simulate(scenario)
    ids = schedule.instance.workload.job_id[schedule.instance.kept].tolist()
    assert set(ids) == set(pupil.learned)
    assert max(one.waiting_jobs for one in pupil.learned.values()) > 0
    return schedule, [pupil.learned[job] for job in ids]


@pytest.mark.parametrize(
    ("local", "upper", "limit", "co_allocate", "most"),
    [
        ("fcfs", "fcfs", "unlimited", None, 5),
        ("shortest-first", "nb.rs", 2, None, 5),
        ("fcfs", "nb", 2, "heuristic", 8),
        ("first-fit", "requests", "unlimited", None, 5),
    ],
)
def test_a_run_tells_what_was_taught(local, upper, limit, co_allocate, most):
    """Whatever the queues: what a schedule tells, and a history keeps, is what estimators learned."""
    pupil = Pupil()
    asked = scenario_of(0, pupil, local=local, upper=upper, limit=limit, co_allocate=co_allocate, most=most)
    schedule, taught = taught_and_told(asked, pupil)
    assert experiences_of(schedule) == taught
    with open_history("sqlite://") as history:
        history.record(schedule, policy=local)
        assert sorted(history.experiences()) == sorted(taught)


@pytest.mark.parametrize("seed", range(3 if IN_FULL else 1))
@pytest.mark.parametrize("local", ["fcfs", "first-fit"])
def test_what_follows_from_times_is_what_was_taught(seed, local):
    """Every field of every job, where queues have no limits, so that no two jobs move at one instant."""
    pupil = Pupil()
    asked = scenario_of(seed, pupil, local=local, upper="fcfs", limit="unlimited", co_allocate=None, most=5)
    schedule, taught = taught_and_told(asked, pupil)
    for found, expected in zip(experiences_of(replace(schedule, experiences=None)), taught, strict=True):
        assert found.waiting_work == pytest.approx(expected.waiting_work, rel=1e-9)
        assert found._replace(waiting_work=0) == expected._replace(waiting_work=0)
