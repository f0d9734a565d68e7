"""Metrics and tables of a schedule on sites of all kinds: those of each kind, of its own sites."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.model.schedules.mixed import IDS, mixed_schedule

from echelon.metrics import AVAILABILITY_METRICS, METRICS, measure, metric_named, per_site, trace
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.columns.shared_machines import copies_of
from echelon.metrics.tables.nodes.node_table import node_table
from echelon.model.schedules.features import Feature


@pytest.fixture(scope="module")
def mixed():
    """Return six jobs on processors, nodes, a time-shared machine and shared nodes."""
    return mixed_schedule()


def test_every_kind_has_its_metrics(mixed):
    """Nodes have their cores and energy, the desk its execution times, the lab its owners, by hand."""
    found = measure(mixed)
    assert found["core_utilization"] == (2 * 50 + 4 * 30) / (4 * 100)
    assert found["exploitation"] == found["core_utilization"]
    assert found["mean_nodes"] == 2
    assert found["energy"] == 2 * 100 * 10 + (2 * 50 + 4 * 30) * 5
    assert (found["mean_job_energy"], found["idle_energy"]) == (1350, 400)
    assert (found["mean_execution"], found["max_processes_per_core"]) == (80, 2)
    assert (found["local_slowdown"], found["mean_mpl"], found["node_utilization"]) == (1.5, 1, 0.6)
    assert found["mean_execution_slowdown"] == pytest.approx(np.mean([1, 1, 4, 4, 1.5, 1]))


def test_work_is_counted_where_it_was_done(mixed):
    """400 s of processors, 220 of cores, 120 of slots and 80 of a desk half as fast, of 13.5 for 100 s."""
    found = measure(mixed)
    assert found["utilization"] == (400 + 220 + 120 + 80 * 0.5) / (13.5 * 100)
    assert trace(mixed, "utilization").value[-1] == pytest.approx(found["utilization"])
    assert found["lower_bound"] == 100


def test_a_metric_is_there_where_its_needs_are(mixed):
    """Every metric but those of what the schedule lacks is there; asking for one that is not gives NaN."""
    found, has = measure(mixed), Measured(mixed).has
    assert all(metric.needs in has for metric in METRICS if metric.name in found)
    lacking = [metric for metric in METRICS if metric.needs not in has]
    assert {metric.name for metric in lacking} == {
        *("mean_held", "mean_turnaround_from_delivery", "mean_upper_wait", "mean_local_wait"),
        *("wait_deviation", "run_deviation", "turnaround_deviation", "replicated_share"),
        "rejected_jobs",
        *(metric.name for metric in AVAILABILITY_METRICS),
    }
    assert np.isnan(metric_named("replicated_share").value(Measured(mixed)))


def test_sites_have_the_columns_of_their_kind(mixed):
    """The table of sites has the columns of all kinds, null at sites of another one."""
    table = per_site(mixed)
    assert table["site"].to_list() == ["north/count", "north/nodes", "south/desk", "south/lab"]
    assert table["area"].to_list() == [400, 220, 80, 120]
    assert table["speed"].to_list() == [None, None, 0.5, None]
    assert table["max_processes"].to_list() == [None, None, 2, None]
    assert table["canceled_copies"].to_list() == [None, None, 0, None]
    assert table["nodes"].to_list() == [None, None, None, 2]
    assert table["node_utilization"].to_list() == [None, None, None, 0.6]


def test_copies_may_be_canceled_at_any_site():
    """A copy that was given up where jobs have processors to themselves is counted there."""
    table = per_site(mixed_schedule(copies=True))
    assert table["canceled_copies"].to_list() == [1, 0, 0, 0]


def test_nodes_of_all_kinds_are_in_one_table(mixed):
    """Nodes with cores come first, then those with owners, each with its site and nulls for the rest."""
    table = node_table(mixed)
    assert table["site"].to_list() == ["north/nodes"] * 2 + ["south/lab"] * 2
    assert table["cores"].to_list() == [2, 2, None, None]
    assert table["energy"].to_list() == [1550, 1550, None, None]
    assert table["slots"].to_list() == [None, None, 2, 2]
    assert table["owner_slowdown"].to_list() == [None, None, 1.5, None]


@pytest.mark.parametrize("copies", [False, True])
def test_each_job_is_where_its_closest_record_says(copies):
    """Tasks are in nodes, cores are held, copies run; the others hold their processors at their site."""
    found = copies_of(mixed_schedule(copies=copies))
    rows = sorted(zip(*(column.tolist() for column in found), strict=True))
    more = [(2, 0, 0.0, 80.0, 1)] if copies else []
    assert rows == sorted([
        (0, 0, 0.0, 100.0, 4),
        *[(1, 1, 0.0, 50.0, 1)] * 2,
        *[(2, 2, 0.0, 80.0, 1), (3, 2, 0.0, 80.0, 1)],
        *[(4, 3, 0.0, 60.0, 1)] * 2,
        *[(5, 1, 60.0, 90.0, 2)] * 2,
        *more,
    ])  # fmt: skip
    assert Feature.CORES in Measured(mixed_schedule()).has
    assert len(IDS) == len(np.unique(found.job))
