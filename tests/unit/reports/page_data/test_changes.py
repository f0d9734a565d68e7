"""The page of a machine that changes: its tables read back, and the data of its charts."""

import json
import re
from base64 import b64decode
from zlib import decompress

import numpy as np
import polars as pl
import pytest
from tests.unit.metrics.changed_machines import (
    drained,
    f1,
    f2,
    maintained,
    on_nodes,
    on_sites,
    reserved,
    result_of,
)
from tests.unit.reports.mixed_tables import mixed_run

from echelon.errors import InputError
from echelon.experiments import manifest
from echelon.experiments.folders.run_folder import write_run
from echelon.model.schedules.features import Feature
from echelon.reports.folder import read_folder
from echelon.reports.page_data.charts import chart_data
from echelon.reports.report import report_page
from echelon.reports.result_report import run_tables

TYPES = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32, "f8": np.float64}


def tables_of(schedule):
    """Return what a report knows of a schedule."""
    result = result_of(schedule)
    return run_tables(result, manifest(result))


def column(page, number):
    """Return an unpacked column of a page's data."""
    block = page["blocks"][number]
    kind = np.dtype(TYPES[block["type"]])
    grouped = np.frombuffer(decompress(b64decode(block["data"])), dtype=np.uint8)
    values = np.ascontiguousarray(grouped.reshape(kind.itemsize, -1).T).view(kind).ravel()
    return (np.cumsum(values) if block["delta"] else values).tolist()


def data_of(schedule):
    """Return a page's data, and that of its one run."""
    page = json.loads(chart_data([tables_of(schedule)], ["x"]).json)
    return page, page["runs"][0]


def columns(page, part):
    """Return the unpacked columns of a part of a run."""
    return {name: column(page, number) for name, number in part["columns"].items()}


@pytest.mark.parametrize("schedule", [f1(), reserved(), drained(), on_sites()])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_is_written_is_read(schedule, suffix, tmp_path):
    """A folder gives the page of the run itself, from its CSV files alone, too."""
    result = result_of(schedule)
    told = manifest(result)
    write_run(result, tmp_path, told)
    for path in tmp_path.glob("*.parquet" if suffix == ".csv" else "nothing"):
        path.unlink()
    [read] = read_folder(tmp_path)
    assert read.has == run_tables(result, told).has
    assert Feature.ATTEMPTS in read.has
    expected = chart_data([run_tables(result, told)], ["x"]).json
    assert chart_data([read], ["x"]).json == expected


def test_bands_of_outages():
    """Node 1 is down from 40 to 60 s, one row high; a job that began again has both attempts."""
    page, run = data_of(f1())
    assert columns(page, run["closed"]) == {
        "start": [40],
        "run": [20],
        "first": [1],
        "height": [1],
        "kind": [0],
        "name": [0],
        "nodes": [0],
        "forever": [0],
    }
    attempts = columns(page, run["attempts"])
    reasons = [run["attempts"]["reasons"][code] for code in attempts["reason"]]
    assert (attempts["run"], attempts["lost"], reasons) == ([40, 100], [40, 0], ["requeued", "completed"])
    assert column(page, run["available"]["time"]) == [0, 40, 60]
    assert column(page, run["available"]["value"]) == [2, 1, 2]


def test_bands_of_neighbors_are_one():
    """Four nodes that are maintained together, and three that are reserved, are one band each."""
    page, run = data_of(maintained())
    assert columns(page, run["closed"])["height"] == [4]
    page, run = data_of(reserved())
    found = columns(page, run["closed"])
    assert (found["first"], found["height"], found["kind"]) == ([0], [3], [3])
    assert run["closed"]["names"] == ["A"]
    assert "available" not in run


def test_jobs_are_drawn_on_the_processors_that_they_held():
    """Job 3 of the drained machine held the first processor, then both; nothing is assigned anew."""
    page, run = data_of(drained())
    assert column(page, run["gantt"]["first"]) == [0, 0, 0]
    assert column(page, run["gantt"]["height"]) == [2, 1, 2]
    assert column(page, run["gantt"]["start"]) == [0, 100, 200]


def test_nodes_of_sites_and_cores_of_nodes():
    """Bands are as high as the cores of a node, and above the processors of the sites before."""
    page, run = data_of(on_nodes())
    found = columns(page, run["closed"])
    assert (found["first"], found["height"]) == ([2], [2])
    assert column(page, run["available"]["value"]) == [4, 2, 4]
    page, run = data_of(on_sites())
    found = columns(page, run["closed"])
    # Processor 1 of the second site, then 0 and 2, which are no neighbors.
    assert (found["first"], found["height"]) == ([3, 2, 4], [1, 1, 1])
    assert column(page, run["gantt"]["first"]) == [2, 2]


def test_only_pages_with_changes_have_their_script():
    """The page of a machine that never changes is as it was."""
    changing = report_page([tables_of(f2())], title="x")
    assert "class Closed" in changing
    assert "Availability" in changing
    plain = tables_of(f2())
    still = type(plain)(plain.jobs.drop("restarts"), {"jobs": 1}, {"processors": 2}, plain.segments)
    assert "class Closed" not in report_page([still], title="x")


def test_damaged_tables_are_refused():
    """A kind, a node or an attempt that there is not is named."""
    of = result_of(f1())

    def read(**changed):
        told = {name: getattr(of, name) for name in ("segments", "attempts", "outages")} | changed
        return chart_data([type(tables_of(f1()))(of.jobs, of.metrics, {"processors": 2}, **told)], ["x"])

    with pytest.raises(InputError, match="expected fail or drain or maintenance, got 'flood'"):
        read(outages=of.outages.with_columns(kind=pl.lit("flood")))
    with pytest.raises(InputError, match=r"expected a node of the machine, got 3 in row 1"):
        read(outages=of.outages.with_columns(node=pl.lit(3)))
    with pytest.raises(InputError, match=r"needs the columns of outages.csv, missing: up"):
        read(outages=of.outages.drop("up"))
    with pytest.raises(InputError, match="expected an attempt of a job, got none in row 1"):
        read(attempts=of.attempts.with_columns(row=pl.lit(7)))
    with pytest.raises(InputError, match=r"missing: work"):
        read(attempts=of.attempts.drop("work"))


def test_the_panel_of_availability():
    """What was down, what jobs lost by it, how they ended, and what reservations were used for."""
    from echelon.reports.panels import PANELS

    [panel] = [panel for panel in PANELS if panel.name == "availability"]
    down, kept = tables_of(f1()), tables_of(reserved())
    body = panel.content([down, kept], ["one", "two"]).body
    cells = re.sub(r"<[^>]+>", "|", body)
    for told in (
        "Availability||93.75 %||–",
        "Failures of nodes||1||–",
        "Most restarts of a job||1||–",
        "Job with the most restarts||job 1||–",
    ):
        assert told in re.sub(r"\|{3,}", "||", cells), told
    assert "Reservations under two" in body
    assert 'Drained nodes</th><td data-value="1">1</td>' in panel.content([tables_of(drained())], ["x"]).body
    assert "A||1-3||50 s||60.0 %||60||0" in re.sub(r"\|{3,}", "||", cells)
    assert panel.content([type(kept)(kept.jobs.drop("restarts"), {}, {"processors": 4})], ["x"]) is None


def test_what_was_asked_for_is_told():
    """The assumptions have the settings that were given, what is not modeled, and notes."""
    from echelon.reports.facts import assumptions

    run = tables_of(f1())
    told = {**run.run, "failures": "constant:3d", "on_failure": "slurm", "repair": None}
    told |= {"not_modelled": ["links"], "change_notes": ["two rows overlap"]}
    page = assumptions([type(run)(run.jobs, run.metrics, told)], ["x"])
    assert "<dd><div>failures: constant:3d</div><div>on failure: slurm</div></dd>" in page
    assert "<dt>Not modeled</dt><dd><div>links</div></dd>" in page
    assert "<dt>Notes</dt><dd><div>two rows overlap</div></dd>" in page


def test_nodes_of_all_kinds_have_their_rows():
    """Below are five processors, four cores, as many rows as processes of a desk, and slots of two nodes."""
    mixed = mixed_run()
    outages = pl.DataFrame(
        {
            "node": [5, 2, 1, 2],
            "site": ["north/count", "north/nodes", "south/desk", "south/lab"],
            "down": [0.0, 10.0, 20.0, 30.0],
            "up": [10.0, 20.0, 30.0, None],
            "kind": ["fail", "fail", "fail", "drain"],
        }
    )
    tables = {name: getattr(mixed, name) for name in ("holdings", "nodes", "power", "places", "replicas")}
    run = type(mixed)(mixed.jobs, mixed.metrics, mixed.run, **tables, outages=outages)
    page = json.loads(chart_data([run], ["x"]).json)
    found = columns(page, page["runs"][0]["closed"])
    drawn = run.chart_platform(run.rows_per_core).sizes.tolist()
    assert drawn == [5, 4, 2, 4]
    assert list(zip(found["first"], found["height"], strict=True)) == [(4, 1), (7, 2), (9, 2), (13, 2)]
    assert found["forever"] == [0, 0, 0, 1]
    # The second node of the lab has a task until 60 s: until then one of its two slots is there.
    steps = run.down.changes()
    assert (steps.time.tolist(), steps.value.tolist()) == ([0, 10, 20, 60, 100], [1, 2, 1, 2, 0])


@pytest.mark.slow
def test_no_job_is_drawn_where_a_node_was_down(tmp_path):
    """Simulated on counted processors beside nodes of two cores: jobs are drawn on what they held."""
    import echelon as ec
    from echelon.model import Cluster, Core, Hardware, Node, Platform, Processor, Site, Workload

    core = Core(1e9)
    nodes = Hardware((Cluster((Node((Processor((core, core)),)),) * 3),))
    rows = [
        f"{1 + k % 3},{100 + 90 * k},{160 + 90 * k},{('fail', 'maintenance')[k % 2]},,{'ab'[k % 2]}"
        for k in range(8)
    ]
    (tmp_path / "o.csv").write_text("\n".join(["node,down,up,kind,announced,site", *rows]))
    draw = np.random.default_rng(1)
    jobs = Workload.from_columns(
        submit_time=np.sort(draw.integers(0, 600, 40)),
        run_time=draw.integers(10, 80, 40),
        requested_time=[80] * 40,
        processors=draw.integers(1, 4, 40),
    )
    platform = Platform((Site("a", nodes), Site("b", 4)), "p")
    result = ec.simulate(
        jobs, platform=platform, broker="mct", policy="easy", outages=str(tmp_path / "o.csv")
    )
    run = run_tables(result, manifest(result))
    page = json.loads(chart_data([run], ["x"]).json)
    drawn = {name: column(page, number) for name, number in page["runs"][0]["gantt"].items()}
    closed = columns(page, page["runs"][0]["closed"])
    piece = np.repeat(np.arange(len(drawn["count"])), drawn["count"])
    start, end = np.array(drawn["start"])[piece], (np.array(drawn["start"]) + drawn["run"])[piece]
    first, above = np.array(drawn["first"]), np.array(drawn["first"]) + drawn["height"]
    assert len(closed["first"]) == 8
    for begin, long, low, high in zip(
        *(closed[name] for name in ("start", "run", "first", "height")), strict=True
    ):
        meets = (start < begin + long) & (end > begin) & (first < low + high) & (above > low)
        assert not meets.any()
    size = run.int_column("processors")
    held = np.bincount(np.array(drawn["job"])[piece], (end - start) * (above - first), len(size))
    assert held == pytest.approx(result.schedule.held_time * size)


def test_sites_were_used_as_much_as_their_table_says():
    """What a failure destroyed was held: of 160 s the second site's 3 processors were, for 140 s, two."""
    from echelon.reports.panels.sites import PANEL

    result = result_of(on_sites())
    run = run_tables(result, manifest(result))
    found = PANEL.content([run], ["easy"]).data[0]
    used = dict(zip(found["name"], found["utilization"], strict=True))
    told = dict(result.sites.select("site", "utilization").iter_rows())
    assert used == pytest.approx(told, rel=1e-4)
    assert told["b"] == pytest.approx(140 * 2 / (3 * 160))


def test_the_panel_counts_jobs_that_never_started():
    """By the reason, and only those for which something changed: jobs that are too large are elsewhere."""
    from echelon.model import JobStatus
    from echelon.model.schedules.status import REASONS
    from echelon.reports.panels.availability import PANEL

    result = result_of(f1())
    told = manifest(result)
    late = {"reason": REASONS[JobStatus.DEADLINE], "count": 3, "first": "7"}
    told["dropped"] = [late, {"reason": "run time <= 0", "count": 2, "first": "1"}]
    body = PANEL.content([run_tables(result, told)], ["easy"]).body
    assert 'Never started: a deadline that they could no longer meet</th><td data-value="3">3</td>' in body
    assert "run time" not in body
