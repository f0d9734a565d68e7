"""What jobs held inside a cluster: nodes, cores, traffic, speed; tables there and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments import manifest
from echelon.metrics import busy_processors, per_node
from echelon.metrics.columns.job_places import communication_volumes, held_core_time, speed_factors
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.columns.run_tables.core_occupancy import HeldCores, node_shares
from echelon.metrics.tables.nodes.machine_nodes import MachineNodes
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup
from echelon.reports.result_report import run_tables
from echelon.reports.run_traces import run_traces


def held_of(result):
    return HeldCores.of_table(result.holdings, jobs=3, cores=8)


def test_places_of_jobs(small_cluster):
    """Each job has the nodes and cores that it held, numbered through the machine from 0."""
    assert small_cluster.jobs["nodes"].to_list() == ["0-1", "1", "1"]
    assert small_cluster.jobs["cores"].to_list() == ["0-2 4", "5-6", "4-7"]


def test_traffic_counts_pairs_in_different_nodes(small_cluster):
    """Three tasks in one node and one in another are three pairs; jobs within a node send nothing."""
    assert communication_volumes(small_cluster.schedule).tolist() == [3e6, 0, 0]


def test_speed_factors(small_cluster):
    """Job 1 could have taken 8 s of its 10, job 2 5 s of 6; job 3 was not slowed down by waking a node."""
    assert speed_factors(small_cluster.schedule).tolist() == [0.8, 5 / 6, 1]


def test_nodes(small_cluster):
    """Core-seconds of a node are those its cores were held, blocked and waking included."""
    table = per_node(small_cluster.schedule)
    assert table["busy_core_time"].to_list() == [30, 10 + 5 + 6 + 40]
    assert table["utilization"].to_list() == [30 / 88, 61 / 88]
    assert table.select("type", "cores", "first_core", "processor_cores", "jobs").rows() == [
        ("thin", 4, 0, "2 2", 1),
        ("fast", 4, 4, "4", 3),
    ]
    assert table.select("times_off", "off_time").rows() == [(0, 0), (1, 2)]
    assert held_core_time(small_cluster.schedule.holdings).sum() == table["busy_core_time"].sum()


def test_a_plain_machine_has_no_nodes():
    """Where nodes are not told apart, tables of them are refused or missing."""
    result = ec.simulate("kth-sp2", policy="easy")
    assert result.holdings is None
    assert result.nodes is None
    with pytest.raises(InputError, match="needs a schedule on nodes"):
        per_node(result.schedule)


def test_tables_are_read_back(small_cluster):
    """Rows with the same job and times are one; their cores are those of the schedule."""
    nodes, held = MachineNodes.of_table(small_cluster.nodes), held_of(small_cluster)
    assert (nodes.names, nodes.first_core.tolist()) == (["node 0", "node 1"], [0, 4, 8])
    assert nodes.first_core_of_processor.tolist() == [0, 2, 4, 8]
    assert held.cores.texts() == ["0-1", "2", "4", "5", "6", "4-7"]
    same = small_cluster.holdings.with_columns(end_time=pl.col("release_time"))
    joined = HeldCores.of_table(same, jobs=3, cores=8).join_rows()
    assert sorted(zip(joined.row.tolist(), joined.cores.texts(), strict=True)) == [
        (0, "0-2 4"), (1, "5"), (1, "6"), (2, "4-7"),
    ]  # fmt: skip
    assert joined.sizes.sum() == held.sizes.sum()


def test_shares_of_nodes(small_cluster):
    """Shares are exact means, also of a holding whose cores are in two nodes."""
    nodes, held = MachineNodes.of_table(small_cluster.nodes), held_of(small_cluster)
    share = node_shares(held, nodes, np.array([0.0, 11.0, 22.0]))
    assert share.tolist() == [[30 / 44, 0], [21 / 44, 40 / 44]]
    same = small_cluster.holdings.with_columns(cores=pl.lit("3-4"))
    parted = node_shares(HeldCores.of_table(same, jobs=3, cores=8), nodes, np.array([0.0, 22.0]))
    assert parted[0] == pytest.approx(parted[1])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"row": pl.lit(3)}, "row 1 is none"),
        ({"begin_time": pl.col("end_time") + 1}, "in order, row 1"),
        ({"start_time": pl.lit(float("nan"))}, "in order, row 1"),
        ({"cores": pl.lit("7-8")}, "core 8 is not one of 8"),
        ({"cores": pl.lit("2 1")}, "got '2 1' in row 1"),
        ({"row": pl.lit("x")}, "expected whole numbers"),
        ({"row": pl.lit(2)}, "the cores that each of 3 jobs held, found none of job 1"),
    ],
)
def test_wrong_holdings_are_refused(small_cluster, wrong, sentence):
    """A table that people have edited is refused with one sentence."""
    table = small_cluster.holdings.with_columns(**wrong)
    with pytest.raises(InputError, match=sentence):
        HeldCores.of_table(table, jobs=3, cores=8)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"first_core": pl.col("node")}, "follow each other"),
        ({"cores": pl.lit(0)}, "follow each other"),
        ({"processor_cores": pl.lit("3")}, "to be all it has"),
        ({"processor_cores": pl.lit("-")}, "got '-'"),
    ],
)
def test_wrong_nodes_are_refused(small_cluster, wrong, sentence):
    """So is a table of nodes."""
    with pytest.raises(InputError, match=sentence):
        MachineNodes.of_table(small_cluster.nodes.with_columns(**wrong))


def test_missing_columns_are_named(small_cluster):
    """What lacks is told by the file and the column."""
    with pytest.raises(InputError, match=r"holdings\.csv, missing: cores"):
        HeldCores.of_table(small_cluster.holdings.drop("cores"), jobs=3, cores=8)
    with pytest.raises(InputError, match=r"nodes\.csv, missing: first_core"):
        MachineNodes.of_table(small_cluster.nodes.drop("first_core"))


def fast_and_slow():
    """Run a job on a fast and a slow core; its fast one takes three others before its slow task ends at 4."""
    processor = Processor((Core(4e9), Core(1e9)))
    sizes = [2, 1, 1, 1]
    demands = [Demand((TaskGroup(size, 4e9),), sequential=True) for size in sizes]
    jobs = ec.Workload.from_columns(submit_time=[0] * 4, run_time=[4] * 4, processors=sizes)
    jobs = replace(jobs, demands=Demands.of(demands))
    return ec.simulate(jobs, platform=Hardware((Cluster((Node((processor,)),)),)))


def test_cores_given_back_early_are_not_counted_twice():
    """Both cores are held all the time, by one job at a time: utilization is 1, not 11 of 8 core-seconds."""
    result = fast_and_slow()
    assert result.jobs["end_time"].to_list() == [4, 2, 3, 4]
    assert Measured(result.schedule).mean_size.tolist() == [1.25, 1, 1, 1]
    for name in ("utilization", "core_utilization", "grid_utilization", "competitive_ratio"):
        assert result.metrics[name] == 1
    busy = busy_processors(result.schedule)
    assert (busy.value.max(), busy.value[-1]) == (2, 0)


def test_traces_end_at_the_metrics_of_the_run():
    """Also of cores that were given back early, from the schedule and from the tables of the run."""
    result = fast_and_slow()
    traces = result.traces()
    for name in ("utilization", "lower_bound", "competitive_ratio"):
        assert traces[name][-1] == result.metrics[name]
    from_tables = run_traces(run_tables(result, manifest(result)), np.array([4.0]))
    assert from_tables["competitive_ratio"].value[-1] == 1
    assert from_tables["utilization"].value[-1] == 1
