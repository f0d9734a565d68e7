"""The page of a run on sites of all kinds has the panels, columns and figures of each of them."""

from __future__ import annotations

import json
import re

import pytest
from tests.unit.model.schedules.mixed import mixed_schedule, schedule_of_nodes
from tests.unit.reports.mixed_tables import mixed_run, run_of

from echelon.metrics import measure
from echelon.model.schedules.features import features_of
from echelon.reports import report_page
from echelon.reports.figures import write_figures
from echelon.reports.page_data.charts import chart_data
from echelon.reports.panels import clusters, nodes, site_load, sites
from echelon.reports.run_traces import SHOWN, run_traces


@pytest.mark.parametrize("copies", [False, True])
def test_tables_have_what_the_schedule_had(copies):
    """What a run has is the same by its schedule and by the tables that it leaves."""
    assert mixed_run(copies=copies).has == features_of(mixed_schedule(copies=copies))


@pytest.mark.slow
def test_the_page_has_the_panels_of_all_kinds():
    """Sites, machines, clusters, energy and nodes have a section each, and nothing is left out."""
    page = report_page([mixed_run(copies=True)], title="mixed")
    sections = re.findall(r'<section id="(\w+)"', page)
    assert {"sites", "site_load", "machine_load", "clusters", "energy", "nodes"} <= set(sections)
    assert "Not on this page" not in page
    assert "4 sites · 2 nodes · 1 cluster · 2 shared nodes · 14 processors" in page
    machine = "4 sites with 14 processors, among them 2 nodes with 4 cores and 1 cluster with 2 shared nodes"
    assert machine in page


def test_each_map_has_the_sites_of_its_kind():
    """Processes a core are drawn of the desk alone, the share of held processors of the other sites."""
    run = mixed_run()
    held, shared = (
        panel.content([run], ["x"]).data["runs"][0] for panel in (site_load.PANEL, site_load.MACHINES)
    )
    assert held["rows"] == ["north/count", "north/nodes", "south/lab"]
    assert shared["rows"] == ["south/desk"]
    assert site_load.MACHINES.content([run], ["x"]).data["most"] == 2


def test_machines_beside_queues_have_a_table_of_their_own():
    """The table of sites is that of sites with queues; speeds and processes of the desk come below it."""
    content = sites.PANEL.content([mixed_run()], ["x"])
    found = content.data[0]
    rows = dict(zip(found["name"], found["area"], strict=True))
    assert rows == {"north/count": 400, "north/nodes": 220, "south/lab": 120, "south/desk": 80}
    assert "speed" not in found
    assert '<th scope="row">south/desk</th><td>0.5</td><td>80 s</td><td>2</td><td>2</td>' in content.body
    shares = dict(zip(found["name"], found["share"], strict=True))
    assert shares["south/desk"] == pytest.approx(40 / 780, rel=1e-4)


def test_nodes_of_all_kinds_are_in_one_panel():
    """Rows of the map are nodes with cores and nodes with owners; the table has the sizes of either kind."""
    content = nodes.PANEL.content([mixed_run()], ["x"])
    (table,) = content.data["tables"]
    assert content.data["runs"][0]["rows"] == [
        *("north/nodes node 0", "north/nodes node 1", "south/lab node 0", "south/lab node 1"),
    ]
    assert table["name"] == content.data["runs"][0]["rows"]
    assert (table["cores"], table["slots"]) == ([2, 2, None, None], [None, None, 2, 2])
    assert "task slots" in content.body
    assert "share of its cores" in content.body


def test_clusters_are_those_of_shared_nodes():
    """The panel of clusters and their owners has the lab alone, where an owner was at work for 30 s."""
    (row,) = clusters.cluster_rows(mixed_run())
    assert (row["site"], row["nodes"], row["tasks"], row["active_time"]) == ("south/lab", 2, 2, 30)


@pytest.mark.parametrize("copies", [False, True])
def test_the_gantt_stacks_all_sites(copies):
    """Where not all jobs are known by node the Gantt has a piece for each part of a job at its site."""
    drawn = chart_data([mixed_run(copies=copies)], ["x"])
    (run,) = json.loads(drawn.json)["runs"]
    assert not drawn.thinned
    assert run["nodes"] is None
    assert run["sites"]["processors"] == [5, 4, 2, 4]
    assert set(run["gantt"]) == {"count", "first", "height", "job", "start", "run"}
    assert (run["processors"], run["capacity"]) == (15, 14)


@pytest.mark.slow
def test_nodes_of_several_sites_are_stacked_as_sites(tmp_path, monkeypatch):
    """A grid of sites with nodes has the panels of both, its Gantt the names of the sites.

    Each figure is made; the test below has them drawn.
    """
    monkeypatch.setattr("echelon.reports.figure_files.figure_bytes", lambda figure, kind, **_: b"")
    run = run_of(schedule_of_nodes())
    page = report_page([run], title="nodes")
    assert "2 sites · 2 nodes · 8 processors" in page
    assert {"sites", "site_load", "energy", "nodes"} <= set(re.findall(r'<section id="(\w+)"', page))
    (drawn,) = json.loads(chart_data([run], ["x"]).json)["runs"]
    assert (drawn["sites"]["name"], drawn["nodes"]) == (["a", "b"], None)
    assert run.busy().value.tolist() == [2, 6, 2, 0]
    assert nodes.PANEL.content([run], ["x"]).data["runs"][0]["rows"] == ["a node 0", "b node 1"]
    assert write_figures([run], tmp_path, "png")[1] == []


def test_traces_end_at_the_metrics():
    """Metrics over time of the tables end with those of the schedule."""
    schedule, run = mixed_schedule(), mixed_run()
    last = run.float_column("end_time").max()
    found, whole = run_traces(run, [last]), measure(schedule)
    assert {name: found[name].value[-1] for name in SHOWN} == pytest.approx(
        {name: whole[name] for name in SHOWN}
    )


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path):
    """All figures of sites, nodes, power and machines are written, none is refused."""
    files, missing = write_figures([mixed_run(copies=True)], tmp_path, "png")
    assert missing == []
    assert {"site-load.png", "node-load.png", "core-gantt.png", "power.png", "sites-work.png"} <= {
        file.name for file in files
    }
