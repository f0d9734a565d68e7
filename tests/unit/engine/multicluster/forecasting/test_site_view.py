"""Forecasts and plans of shared nodes of which some are down, closed, or known to be closed later."""

from __future__ import annotations

import math

import pytest

from echelon.availability import Changes
from echelon.engine.clock import simulation
from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled
from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.reference import system_of
from echelon.engine.system_model import tree_of_sites
from echelon.model import (
    Instance,
    OutageKind,
    Outages,
    Platform,
    Reservation,
    SharedCluster,
    Site,
    Workload,
    Workstation,
)
from echelon.policies import broker, estimator_named, policy
from echelon.policies.global_queue.registry import global_queue, queue_limit

FAIL, DRAIN, MAINTENANCE = OutageKind.FAIL, OutageKind.DRAIN, OutageKind.MAINTENANCE
BOTH = (0, 1)
ESTIMATORS = ("sdpn", "hanzich", "average", "ibl", "hybrid")


def closed(*rows, **more):
    """Return what changes of the cluster: (kind, start, end, nodes)."""
    rows = [(start, end, held, kind, -math.inf, 0) for kind, start, end, held in rows]
    return Changes(outages=Outages.of(rows), **more)


def seen(changes, *jobs, estimator="sdpn", predict=None, **columns):
    """Return what is said of the last job at a cluster of two nodes: wait, run, start."""
    submit, run, size = zip(*jobs, strict=True)
    table = Workload.from_columns(submit_time=submit, run_time=run, processors=size, **columns)
    found = []

    @broker("noting", information=4, source="none")
    def noting(job, site, view):
        """Note what the view says of the cluster for the last job."""
        if job.position == len(jobs) - 1:
            start = next(one.start for one in view.schedule(0, job) if one.job.position == job.position)
            found.append((*view.forecast(job, 0), start))
        return site

    platform = Platform((Site("a", SharedCluster((Workstation(),) * 2)),))
    rules = MulticlusterRules(global_queue("fcfs"), queue_limit("unlimited"))
    scenario = Scenario(
        Instance.of(table, platform), policy("easy"), system_model=tree_of_sites(noting, rules=rules),
        changes=changes, estimator=estimator_named(estimator),
    )  # fmt: skip
    simulation.run(system_of(scenario, predict) if predict else system_of(scenario))
    return found[-1]


@pytest.mark.parametrize("predict", [None, predict_queue_compiled])
@pytest.mark.parametrize("kind", [MAINTENANCE, DRAIN])
def test_a_closed_cluster_opens_when_it_does(kind, predict):
    """Both nodes are closed to 40 s: a job that comes at 1 s waits for 39 s."""
    assert seen(closed((kind, 0, 40, BOTH)), (1, 10, 1), predict=predict) == (39, 10, 40)


def test_a_job_needs_as_many_open_nodes_as_it_has_tasks():
    """One node is closed to 40 s: a job of one task starts in the other at once, one of two does not."""
    changes = closed((MAINTENANCE, 0, 40, (0,)))
    assert seen(changes, (1, 10, 1)) == (0, 10, 1)
    assert seen(changes, (1, 10, 2)) == (39, 10, 40)


def test_what_is_announced_is_seen():
    """From 20 to 100 s both nodes are closed: a job of 10 s ends before, one of 30 s begins after it."""
    changes = closed((MAINTENANCE, 20, 100, BOTH))
    assert seen(changes, (1, 10, 1)) == (0, 10, 1)
    assert seen(changes, (1, 30, 1)) == (99, 30, 100)
    assert seen(closed((DRAIN, 20, 100, BOTH)), (1, 30, 1)) == (0, 30, 1)


@pytest.mark.parametrize(("repair", "back"), [("unknown", math.inf), ("known", 40.0), (25.0, 25.0)])
def test_a_failure_ends_as_is_believed(repair, back):
    """Both nodes have failed at 0 s and are back at 40 s; the job comes at 1 s."""
    wait, run, start = seen(closed((FAIL, 0, 40, BOTH), repair=repair), (1, 10, 1))
    assert (wait, run, start) == (back - 1, 10, back)


@pytest.mark.parametrize("predict", [None, predict_queue_compiled])
def test_jobs_before_it_in_the_queue_count(predict):
    """One more job of two tasks waits already, and has both nodes from 40 s to 50 s."""
    changes = closed((MAINTENANCE, 0, 40, BOTH))
    alone, beside = (seen(changes, *[(1, 10, 2)] * n, predict=predict) for n in (1, 2))
    assert (alone, beside) == ((39, 10, 40), (49, 10, 50))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_estimator_starts_a_job_before_nodes_are_open(estimator):
    """Whatever an estimator knows: the wait is not shorter than to 40 s."""
    assert seen(closed((MAINTENANCE, 0, 40, BOTH)), (1, 10, 1), estimator=estimator)[0] >= 39


def test_who_may_use_a_reservation_starts_in_it():
    """Both nodes are reserved to 40 s for user 1."""
    kept = Changes(reservations=(Reservation("kept", 0.0, 40.0, BOTH, 0, users=("1",)),))
    assert seen(kept, (1, 10, 1), user=[1]) == (0, 10, 1)
    assert seen(kept, (1, 10, 1), user=[2]) == (39, 10, 40)
