"""Jobs that run longer than requested: planned again at their planned ends, alike wherever they run."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.engine.contract import PASSES
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.policies import Policy
from echelon.testing.strategies import instances, orders, reference_backfills

check = examples(80)
few = examples(30)
requested = instances(estimates=("request",))
PREEMPTIVE = ("srtf", "srtf:switch=2", "round-robin:quantum=3", "preemptive-priority:order=smallest-first")


@dataclass(frozen=True)
class Half:
    """Predict half of each request: jobs are corrected up to it, and may run on beyond."""

    name: str = "half"

    def memory(self):
        return self

    def predict(self, job):
        return job.planned_time / 2

    def learn(self, job, run_time):
        pass


def nodes(*cores):
    """Return a machine of nodes with so many cores each."""
    return Hardware((Cluster(tuple(Node((Processor((Core(1e9),) * each),)) for each in cores)),))


def times(workload, **how):
    """Return all starts and ends of a run that plans with requests."""
    schedule = ec.simulate(workload, estimates="request", engine="reference", **how).schedule
    return schedule.start_time.tolist(), schedule.end_time.tolist()


@check
@given(
    instance=requested,
    order=orders(),
    backfill=reference_backfills(),
    passes=st.sampled_from(PASSES),
    estimator=st.sampled_from(("request", "exact", "average", Half())),
)
def test_counted_processors_are_one_node(instance, order, backfill, passes, estimator):
    """Under every backfilling, order, estimator and rule of cycles jobs start and end as on one node."""
    how = {"policy": Policy.of(order, backfill), "passes": passes, "estimator": estimator}
    n = instance.processors
    counted = times(instance.workload, processors=n, **how)
    assert times(instance.workload, platform=nodes(n), execution="fixed", **how) == counted


@few
@given(instance=requested, policy=st.sampled_from(PREEMPTIVE), passes=st.sampled_from(PASSES))
def test_suspended_jobs_too(instance, policy, passes):
    """What a suspended job has left of its request is the same; it resumes and overruns as on one node."""
    n, how = instance.processors, {"policy": policy, "passes": passes}
    counted = times(instance.workload, processors=n, **how)
    assert times(instance.workload, platform=nodes(n), execution="fixed", **how) == counted
