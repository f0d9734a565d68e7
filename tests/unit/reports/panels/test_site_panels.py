"""The panels of grids: their figures, and when they are there."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import polars as pl
import pytest

from echelon.errors import InputError
from echelon.metrics.tables.site_flows import site_rows
from echelon.model import Platform
from echelon.reports import RunTables, report_page
from echelon.reports.panels import migration, site_load, sites
from echelon.reports.panels.charts import load_map
from echelon.reports.run_names import run_names

PLATFORM = {
    "name": "pair",
    "source": "by hand",
    "sites": [{"name": "small", "processors": 2}, {"name": "large", "processors": 4}],
}


def grid_run(broker="mct", **facts):
    """Return jobs a and b at home on small and large, c from small on large, d of unknown home on small."""
    table = pl.DataFrame(
        {
            "job_id": [1, 2, 3, 4],
            "submit_time": [0.0, 0.0, 0.0, 50.0],
            "start_time": [0.0, 0.0, 50.0, 100.0],
            "end_time": [100.0, 50.0, 100.0, 200.0],
            "processors": [2, 4, 2, 1],
            "site": ["small", "large", "large", "small"],
            "home_site": ["small", "large", "small", None],
        }
    )
    known = {"policy": "easy", "broker": broker, "platform": PLATFORM}
    return RunTables(table, {"jobs": 4}, known | facts)


def machine_run():
    """Return the same jobs on one machine."""
    run = grid_run()
    return RunTables(run.jobs.drop("site"), {"jobs": 4}, {"policy": "easy", "processors": 6})


def unpacked(block):
    """Return the numbers of a packed column of single bytes or longer whole numbers."""
    raw = zlib.decompress(base64.b64decode(block["data"]))
    kind = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32}[block["type"]]
    grouped = np.frombuffer(raw, np.uint8).reshape(np.dtype(kind).itemsize, -1)
    return np.ascontiguousarray(grouped.T).view(kind).ravel()


def test_the_table_of_sites():
    """Small ran a and d, 300 of 600 processor-seconds; large ran b and c, one of them from elsewhere."""
    content = sites.PANEL.content([grid_run()], ["mct"])
    assert content is not None
    (found,) = content.data
    by_site = {
        name: {key: values[place] for key, values in found.items() if key != "total"}
        for place, name in enumerate(found["name"])
    }
    assert by_site["small"] == {
        **{"name": "small", "processors": 2, "jobs": 2, "elsewhere": 0, "wait": 25.0, "slowdown": 1.25},
        **{"area": 300.0, "share": 0.5, "utilization": 0.75},
    }
    assert by_site["large"]["elsewhere"] == 1
    assert by_site["large"]["utilization"] == pytest.approx(300 / (4 * 200))


def test_bars_compare_the_runs():
    """Two brokers have two bars a site, the largest site first, with what they stand for in the title."""
    content = sites.PANEL.content([grid_run(), grid_run("mst")], ["mct", "mst"])
    assert content is not None
    assert content.body.count('title="mct: 50.0 %"') == 4
    assert content.body.count('title="mst: 50.0 %"') == 4
    assert content.body.index(">large<") < content.body.index(">small<")


def test_load_over_time():
    """At first both sites are full; in the last half only one of the two small processors is busy."""
    content = site_load.PANEL.content([grid_run()], ["mct"])
    assert content is not None
    data = content.data
    level = unpacked(data["runs"][0]["level"]).reshape(2, data["columns"])
    assert (data["from"], data["to"]) == (0.0, 200.0)
    assert level[0, 0] == level[1, 0] == load_map.LEVELS
    assert level[1, 60 + 1] == load_map.LEVELS // 2
    assert (level[0, -1], level[1, -1]) == (load_map.LEVELS // 2, 0)


def test_the_migration_matrix():
    """One job of small ran on large, with 100 of the 500 processor-seconds whose home is known."""
    content = migration.PANEL.content([grid_run()], ["mct"])
    assert content is not None
    assert "1 job of 3 (33.3 %) ran away from home, with 20.0 % of the work. 1 job without a known home" in (
        content.body
    )
    assert "small → large" in content.body
    assert unpacked(content.data[0]["jobs"]).tolist() == [1, 1, 0, 1]
    assert unpacked(content.data[0]["work"]).tolist() == [400_000, 200_000, 0, 400_000]


def test_runs_that_differ_in_homes_say_so():
    """Where an arrangement has homes of its own, the matrices are not of the same homes."""
    alike = migration.PANEL.content([grid_run("mct"), grid_run("mst")], ["mct", "mst"])
    own = RunTables(
        grid_run().jobs.with_columns(home_site=pl.lit("small")), {"jobs": 4}, {"platform": PLATFORM}
    )
    other = migration.PANEL.content([grid_run("mct"), own], ["mct", "stealing"])
    assert alike is not None
    assert other is not None
    assert "do not agree" not in alike.body
    assert "do not agree on the homes" in other.body


def test_no_panel_without_sites():
    """Runs on one machine have none of them; with one among grids, the sites say why they are missing."""
    machine = machine_run()
    panels = (sites.PANEL, site_load.PANEL, migration.PANEL)
    assert [panel.content([machine], ["easy"]) for panel in panels] == [None] * 3
    mixed = sites.PANEL.content([grid_run(), machine], ["mct", "easy"])
    assert mixed is not None
    assert "a single machine" in mixed.body
    page = report_page([grid_run(), machine], title="mixed")
    assert 'id="sites"' in page
    assert 'id="migration"' not in page


def test_unknown_homes_are_said():
    """Without a single known home there is no matrix, and a sentence on what a home is."""
    run = RunTables(grid_run().jobs.drop("home_site"), {"jobs": 4}, {"platform": PLATFORM})
    content = migration.PANEL.content([run], ["easy"])
    assert content is not None
    assert "unknown" in content.body
    table = sites.PANEL.content([run], ["easy"])
    assert table is not None
    assert table.data[0]["elsewhere"] is None


def test_rows_of_many_sites_are_put_together():
    """Five sites in at most two rows are three and two, and it is said; few sites stay alone."""
    rows = site_rows(Platform.of_sizes([1, 2, 3, 4, 5]), 2)
    assert rows.names == ["site-1 … site-3", "site-4 … site-5"]
    assert rows.processors.tolist() == [6, 9]
    assert rows.sentence == " There are 5 sites; each row is 3 of them, next to each other in size."
    assert site_rows(Platform.of_sizes([1, 2]), 2).sentence == ""


@pytest.mark.slow
def test_a_thousand_sites_make_a_small_page():
    """A thousand sites add less than 200 KB to the page of a few jobs."""
    jobs, names = 2000, [f"s{k}" for k in range(1000)]
    table = pl.DataFrame(
        {
            "job_id": np.arange(jobs),
            "submit_time": np.zeros(jobs),
            "start_time": np.repeat((0.0, 60.0), 1000),
            "end_time": np.repeat((60.0, 90.0), 1000),
            "processors": np.ones(jobs, dtype=np.int64),
            "site": names + names,
            "home_site": names + names[::-1],
        }
    )
    told = {"name": "big", "sites": [{"name": name, "processors": 1} for name in names]}
    grid = report_page([RunTables(table, {}, {"platform": told})], title="x")
    alone = report_page([RunTables(table.drop("site", "home_site"), {}, {"processors": 1000})], title="x")
    assert len(grid) - len(alone) < 200_000
    assert "There are 1,000 sites; each row is 5 of them" in grid


def test_runs_are_named_by_their_brokers():
    """Of one policy the broker is the name, with its admissible share; else both are."""
    assert run_names([grid_run("mct"), grid_run("mct", admissible=0.5)]) == ["mct", "mct a=0.5"]
    assert run_names([grid_run("mct"), grid_run("mct", policy="fcfs")]) == ["mct + easy", "mct + fcfs"]
    assert run_names([grid_run(None), grid_run("mct")]) == ["easy", "mct + easy"]
    assert run_names([grid_run("mct")]) == ["mct + easy"]
    assert run_names([grid_run("mct"), grid_run("stealing:50", policy=None)]) == ["mct", "stealing:50"]


@pytest.mark.slow
def test_the_page_says_platform_and_broker():
    """Among what was simulated are the sites with their source, and the broker; at the top how many sites."""
    page = report_page([grid_run(admissible=0.5)], title="grid")
    assert "One run · 4 jobs · 2 sites · 6 processors" in page
    assert "<dt>Machine</dt><dd>pair: 2 sites with 6 processors; by hand</dd>" in page
    assert "<dt>Broker</dt><dd>mct a=0.5</dd>" in page
    untold = report_page([RunTables(grid_run().jobs, {"jobs": 4}, {})], title="grid")
    assert "2 sites with 6 processors: the run does not record them, so each is as large" in untold


@pytest.mark.parametrize(
    "platform",
    [
        [],
        {"sites": 3},
        {"sites": [3]},
        {"sites": []},
        {"sites": [{"name": "a"}]},
        {"sites": [{"processors": 1}]},
    ],
)
def test_a_damaged_platform_is_one_sentence(platform):
    """What is no list of sites with names and processors is told."""
    with pytest.raises(InputError, match=r"platform|processors|site"):
        grid_run(platform=platform)
