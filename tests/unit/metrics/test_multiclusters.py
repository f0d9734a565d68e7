"""Metrics and tables of a run on a multicluster, against the case in tests/conftest.py worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.metrics.tables.test_site_table import placed

from echelon import Workload
from echelon.errors import InputError
from echelon.metrics import MULTICLUSTER_METRICS, SharedNodes, measure, per_shared_node, per_site
from echelon.model import Instance, Schedule, TaskPlaces


def test_metrics_by_hand(shared_run):
    """Every metric of multiclusters has the value that the case in words gives."""
    found = measure(shared_run)
    assert {metric.name: found[metric.name] for metric in MULTICLUSTER_METRICS} == pytest.approx(
        {
            "mean_turnaround_from_delivery": (10 + 11 + 10 + 12) / 4,
            "mean_upper_wait": (0 + 1 + 15 + 2) / 4,
            "mean_local_wait": 1 / 4,
            "local_slowdown": 55 / 40,
            "mean_execution_slowdown": (1 + 1 + 10 / 4 + 1) / 4,
            "co_allocated_share": 1 / 4,
            "rejected_jobs": 0,
            "node_utilization": (12 + 20 + 10 + 10 + 22) / (5 * 30),
            "mean_mpl": 82 / 74,
            "wait_deviation": (1 + 4) / 1,
            "run_deviation": 5 / 32,
            "turnaround_deviation": (6 + 4) / 33,
        }
    )
    # Task slots: two for each of five nodes.
    assert found["utilization"] == pytest.approx(82 / (10 * 30))


def test_what_a_run_does_not_have_is_no_key(shared_run):
    """Without owners at work or forecasts there are no metrics of them, and on a grid none at all."""
    found = measure(replace(shared_run, forecasts=(), owner_delays=None))
    assert "local_slowdown" not in found
    assert not any(name.endswith("_deviation") for name in found)
    assert "mean_mpl" in found
    nobody = replace(shared_run.owner_delays, active_time=np.zeros(5), delayed_time=np.zeros(5))
    assert "local_slowdown" not in measure(replace(shared_run, owner_delays=nobody))
    elsewhere = measure(placed())
    assert not any(metric.name in elsewhere for metric in MULTICLUSTER_METRICS)


def test_rejected_are_jobs_that_nothing_is_wrong_with(shared_run):
    """Jobs too large or too late are counted, those without a run time are not."""
    columns = {"submit_time": [0, 0, 1, 2], "run_time": [10, 0, 10, 10], "requested_time": [10] * 4}
    workload = Workload.from_columns(**columns, processors=[1, 1, 9, 1])
    instance = Instance.of(workload, shared_run.instance.platform).without(np.array([1]), "too late")
    zero = np.zeros(1, dtype=np.int64)
    places = TaskPlaces(zero, zero, zero)
    schedule = Schedule(instance, np.zeros(1), site=zero, places=places, delivered=np.zeros(1))
    assert [drop.count for drop in instance.dropped] == [1, 1, 1]
    assert measure(schedule)["rejected_jobs"] == 2


def test_every_node_has_a_row_by_hand(shared_run):
    """A node that two tasks share is busy once; owners who were never there have no slowdown."""
    table = per_shared_node(shared_run)
    assert table["site"].to_list() == ["small"] * 2 + ["large"] * 3
    assert table["node"].to_list() == [0, 1, 0, 1, 2]
    assert table["type"].to_list() == [None] * 4 + ["slow"]
    assert table["power"].to_list() == [1, 1, 1, 1, 0.5]
    assert table["slots"].to_list() == [2] * 5
    assert table["tasks"].to_list() == [2, 2, 1, 1, 2]
    assert table["busy_time"].to_list() == [12, 20, 10, 10, 22]
    assert table["utilization"].to_list() == pytest.approx([12 / 30, 20 / 30, 10 / 30, 10 / 30, 22 / 30])
    assert table["mean_mpl"].to_list() == pytest.approx([20 / 12, 1, 1, 1, 1])
    assert table["max_mpl"].to_list() == [2, 1, 1, 1, 1]
    assert table["owner_active_time"].to_list() == [30, 0, 10, 0, 0]
    assert table["owner_slowdown"].to_list() == [1.5, None, 1, None, None]


def test_an_idle_node_has_a_row(shared_run):
    """A node in which nothing ran has no mean of tasks."""
    places = shared_run.places
    elsewhere = TaskPlaces(places.job, places.site, np.where(places.job == 3, 1, places.node))
    table = per_shared_node(replace(shared_run, places=elsewhere))
    assert table["tasks"].to_list() == [2, 2, 1, 2, 1]
    kept = places.job != 2
    fewer = TaskPlaces(places.job[kept], places.site[kept], places.node[kept])
    idle = per_shared_node(replace(shared_run, places=fewer)).row(2, named=True)
    assert (idle["tasks"], idle["busy_time"], idle["mean_mpl"], idle["max_mpl"]) == (0, 0, None, 0)


def test_clusters_have_columns_of_their_own(shared_run):
    """A job counts where most of its tasks ran, its work and its tasks where each of them did."""
    table = per_site(shared_run)
    assert table["site"].to_list() == ["small", "large"]
    assert table["jobs"].to_list() == [2, 2]
    assert table["area"].to_list() == [40, 42]
    assert table["utilization"].to_list() == pytest.approx([40 / (4 * 30), 42 / (6 * 30)])
    assert table["nodes"].to_list() == [2, 3]
    assert table["tasks"].to_list() == [4, 4]
    assert table["spanning_jobs"].to_list() == [1, 1]
    assert table["node_utilization"].to_list() == pytest.approx([32 / 60, 42 / 90])
    assert table["mean_mpl"].to_list() == pytest.approx([40 / 32, 1])
    assert table["owner_slowdown"].to_list() == [1.5, 1]


def test_nodes_of_jobs_as_text(shared_run):
    """Nodes are told by site where there are several."""
    assert SharedNodes(shared_run).texts() == ["small: 0-1", "small: 0", "small: 1; large: 0-2", "large: 2"]


def test_a_grid_has_no_shared_nodes():
    """A schedule elsewhere is refused in one sentence."""
    with pytest.raises(InputError, match="on a multicluster"):
        SharedNodes(placed())
    with pytest.raises(InputError, match="on a multicluster"):
        per_shared_node(placed())
