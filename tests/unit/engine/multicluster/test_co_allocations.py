"""Runs in which jobs need nodes of several clusters, under every rule of co-allocation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.engine import reference
from echelon.engine.contract import Scenario
from echelon.engine.multicluster.rules import MulticlusterRules
from echelon.engine.system_model import tree_of_sites
from echelon.errors import PolicyError
from echelon.model import Application, Applications, Instance, Workload
from echelon.platforms import platform_named
from echelon.policies import broker_named, estimator_named, policy
from echelon.policies.coallocation import CO_ALLOCATIONS, LowCommunication, Rule85, co_allocation
from echelon.policies.global_queue.registry import global_queue, queue_limit


def scenario(rule, sizes):
    """Return jobs of these sizes, a minute apart, half of them with traffic, on three clusters of 5 nodes."""
    workload = Workload.from_columns(
        submit_time=60.0 * np.arange(len(sizes)), run_time=np.full(len(sizes), 100.0), processors=sizes
    )
    catalog = (Application("cpu", 1.0, 1e6), Application("net", 0.5, 4e7, 6e6))
    workload = replace(workload, applications=Applications(catalog, np.arange(len(sizes)) % 2))
    return Scenario(
        Instance.of(workload, platform_named("cisne-555"), spanning=True),
        policy("fcfs"),
        system_model=tree_of_sites(
            broker_named("first-fit"),
            rules=MulticlusterRules(global_queue("fpfs"), queue_limit(1), co_allocation=rule),
        ),
        estimator=estimator_named("request"),
    )


@pytest.mark.parametrize("kind", CO_ALLOCATIONS)
def test_every_rule_runs_jobs_of_all_sizes(kind):
    """Each task has a node of its own; those too large for a cluster of 5, and no others, are in several."""
    pytest.importorskip("highspy", reason="highspy solves the programs")
    sizes = np.array([3, 7, 5, 12, 6, 15, 2, 9])
    rule = kind(share=0.3) if kind is Rule85 else kind()
    schedule = reference.simulate(scenario(rule, sizes))
    places = schedule.places
    assert len(schedule.instance) == len(sizes)
    for position, size in enumerate(sizes.tolist()):
        mine = places.job == position
        nodes = set(zip(places.site[mine].tolist(), places.node[mine].tolist(), strict=True))
        assert len(nodes) == size
        assert (len({site for site, _ in nodes}) > 1) == (size > 5)


def test_a_job_that_the_rule_never_spans_is_left_out():
    """5 of 6 tasks in one cluster are less than 85 %: the job would wait forever, so it is not admitted."""
    schedule = reference.simulate(scenario(Rule85(), np.array([3, 6, 5])))
    assert schedule.instance.size.tolist() == [3, 5]
    assert "rule-85 finds no nodes even when all are idle" in schedule.instance.dropped[-1].reason
    narrow = LowCommunication(most=0.01)
    assert reference.simulate(scenario(narrow, np.array([8, 8, 8]))).instance.size.tolist() == [8, 8]


def test_a_rule_that_fails_ends_the_run_with_its_name(tmp_path):
    """Admission does not hide it."""
    file = tmp_path / "mine.py"
    file.write_text(
        "class Broken:\n    name = 'broken'\n    def span(self, problem):\n        return 1 / 0\n"
    )
    with pytest.raises(PolicyError, match=r"broken.*ZeroDivisionError"):
        reference.simulate(scenario(co_allocation(f"{file}:Broken"), np.array([3, 6])))
