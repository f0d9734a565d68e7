"""Columns of jobs on shared nodes where others are in nodes modeled individually, or in none."""

from __future__ import annotations

from tests.unit.model.schedules.mixed import mixed_platform, mixed_schedule

from echelon.experiments.tables.place_table import cluster_job_columns
from echelon.history.rows import node_rows
from echelon.metrics import Measured


def test_each_job_has_the_nodes_of_its_site():
    """Job 12 held a core of each of two nodes, 15 a slot of each shared one, 16 all cores; others none."""
    columns = cluster_job_columns(Measured(mixed_schedule()))
    found = ["" if nodes is None else nodes for nodes in columns["nodes"].to_list()]
    assert found == ["", "0-1", "", "", "south/lab: 0-1", "0-1"]


def test_a_history_has_the_nodes_with_owners_alone():
    """Of a platform of four kinds of sites it keeps the two shared nodes, by the name of their site."""
    assert [row[:3] for row in node_rows(mixed_platform())] == [("mixed", "south/lab", n) for n in (0, 1)]
