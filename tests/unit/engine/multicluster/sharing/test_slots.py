"""Whether a job fits into a cluster of shared nodes, and when it would start there."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.controllers import Controller
from echelon.engine.multicluster.machine import SlotMachine
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.multicluster.sharing.slots import Slots
from echelon.engine.system_model import LeafRules, TreeOfSites
from echelon.model import Instance, Platform, SharedCluster, Site, Workload, Workstation
from echelon.policies import broker_named, policy
from echelon.policies.broker.admissible import Admissible
from echelon.policies.global_queue.registry import global_queue, queue_limit


@pytest.mark.slow
@pytest.mark.parametrize("local", ["fcfs", "first-fit", "easy"])
def test_a_job_fits_where_it_would_get_nodes(local, busy, monkeypatch):
    """Counting nodes with room says the same as choosing among them."""
    answers, counted = [], Slots.fits

    def checked(slots, job, where, now):
        answer = counted(slots, job, where, now)
        if where is None:
            chosen = slots.places.among(job, slots.cores, slots.memory, now)
            assert answer == (chosen is not None)
            answers.append(answer)
        return answer

    monkeypatch.setattr(Slots, "fits", checked)
    reference.simulate(busy(2, local=local))
    assert set(answers) == {True, False}


def test_an_old_status_of_shared_nodes_is_planned_from(monkeypatch):
    """A broker that asks every 7 s plans with a copy of each cluster, in which time passes by itself."""
    rng = np.random.default_rng(3)
    jobs = Workload.from_columns(
        submit_time=np.sort(rng.integers(0, 60, 40)),
        run_time=rng.integers(3, 20, 40),
        processors=rng.integers(1, 4, 40),
    )
    platform = Platform(tuple(Site(name, SharedCluster((Workstation(),) * 3)) for name in "ab"))
    rules = LeafRules(shared=MulticlusterRules(global_queue("fcfs"), queue_limit("unlimited")))
    root = Controller(broker_named("mct"), Admissible(), refresh=7.0)
    model = TreeOfSites({"": root}, rules)
    planned, plan = [], SlotMachine.planned_schedule

    def noted(machine, job):
        planned.append(plan(machine, job))
        return planned[-1]

    monkeypatch.setattr(SlotMachine, "planned_schedule", noted)
    schedule = reference.simulate(Scenario(Instance.of(jobs, platform), policy("easy"), system_model=model))
    assert np.isfinite(schedule.end_time).all()
    assert max(len(found) for found in planned) > 6
    assert all(one.end > one.start for found in planned for one in found)
