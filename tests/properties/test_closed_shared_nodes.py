"""What no run may break on shared nodes that fail and are closed: jobs in parts, copies in queues."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled
from echelon.engine.ledger.observer import QuietObserver
from echelon.engine.multicluster.machine import SlotMachine
from echelon.model import EndReason, OutageKind

sys.path.insert(0, str(Path(__file__).parent))
from changing_sites import Watched, calendar_of, check_nothing_lost
from cluster_rules import BROKERS, LENIENT, SEEDS, UPPER, drawn, rules

LIMITS = ("unlimited", "0", "1", "held:3", "stable:predicted")
LOCAL = ("fcfs", "first-fit", "easy", "conservative", "plan", "selective")


@st.composite
def closed(draw, *, upper=UPPER, co=(None, "heuristic", "rule-85"), **what):
    """Return a run on random clusters with a random calendar."""
    rng = draw(st.randoms(use_true_random=False))
    brokers = (*BROKERS, "least-memory")
    settings = draw(rules(co=co, local=LOCAL, upper=upper, limits=LIMITS, brokers=brokers))
    scenario = drawn(draw(SEEDS), settings).scenario(**settings)
    return replace(scenario, changes=calendar_of(rng, scenario, **what))


class Nodes(QuietObserver):
    """Keeps when each node was held by which job, as observers hear, and which jobs lost nodes where."""

    def __init__(self):
        self.held, self.lost, self._since = {}, [], {}

    def _nodes(self, place):
        return [(one.site, node) for one in (place, *place.others) for node in one.nodes]

    def started(self, time, job, place):
        assert len(self._nodes(place)) == job.processors
        self._since[job.position] = time, self._nodes(place)

    def ended(self, time, job, place):
        since, nodes = self._since.pop(job.position)
        for node in nodes:
            self.held.setdefault(node, []).append((since, time, job.position))

    def preempted(self, time, job, place):
        assert sorted(self._nodes(place)) == sorted(self._since[job.position][1]), "it loses all its parts"
        self.lost.append((time, job.position, {site for site, _ in self._nodes(place)}))
        self.ended(time, job, place)


def watched(scenario):
    """Return a run, and which nodes were held when; check each cluster at every instant."""
    nodes = Nodes()
    run = Watched(replace(scenario, observers=[nodes]))
    assert all(isinstance(leaf, SlotMachine) for leaf in run.leaves)
    if run.schedule is not None:
        check_nothing_lost(run, len(scenario.instance) + sum(one.count for one in scenario.instance.dropped))
    assert not nodes._since, "every job that started has ended or lost its nodes"
    return run, nodes


def assert_not_held(nodes, changes):
    """No node is held while it is down, nor started on while it is closed to all."""
    table = changes.outages
    for row in range(len(table)):
        fails = table.kind[row] == OutageKind.FAIL
        start, end = table.start[row], table.end[row]
        for node in table.nodes_of(row).tolist():
            for since, until, position in nodes.held.get((int(table.site[row]), node), ()):
                if fails:
                    assert until <= start or since >= end, f"job {position} holds what is down"
                else:
                    assert not start <= since < end, f"job {position} starts on what is closed"


@pytest.mark.parametrize("upper", UPPER)
@examples(6, suppress_health_check=LENIENT)
@given(data=st.data())
def test_under_every_global_queue(upper, data):
    """With any broker, estimator, local policy and limit nothing is held that is down, and no job is lost."""
    scenario = data.draw(closed(upper=(upper,)))
    run, nodes = watched(scenario)
    if run.schedule is not None:
        assert_not_held(nodes, scenario.changes)


@examples(60, suppress_health_check=LENIENT)
@given(scenario=closed(co=("heuristic",), closes=False))
def test_a_job_of_several_clusters_loses_all_parts(scenario):
    """When a node of one part fails, the job runs nowhere from then on until it starts as a whole again."""
    run, nodes = watched(scenario)
    if run.schedule is None:
        return
    table = scenario.changes.outages
    for time, position, sites in nodes.lost:
        hit = np.flatnonzero((table.start == time) & np.isin(table.site, [*sites]))
        assert len(hit), f"job {position} lost its nodes without a failure"
        for held in nodes.held.values():
            assert not any(since < time < until for since, until, job in held if job == position)
    lost = run.schedule.attempts.counts(reason=EndReason.REQUEUED) if nodes.lost else np.zeros(0)
    assert lost.sum() <= len(nodes.lost)


@examples(20, suppress_health_check=LENIENT)
@given(scenario=closed())
def test_both_predictors_of_queues_say_the_same(scenario):
    """The kernel that simulates queues for estimators leaves the same nodes out as the reference."""
    found = [Watched(scenario).schedule, _with_kernel(scenario)]
    if found[0] is None:
        return
    assert found[0].start_time.tolist() == found[1].start_time.tolist()
    assert found[0].end_time.tolist() == found[1].end_time.tolist()


def _with_kernel(scenario):
    from echelon.engine.clock import simulation
    from echelon.engine.reference import system_of
    from echelon.errors import InputError

    try:
        return simulation.run(system_of(scenario, predict_queue_compiled))
    except InputError:
        return None
