"""The data behind the charts, against values worked out by hand; the clock of a page."""

from __future__ import annotations

import base64
import json
import zlib
from datetime import datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.reports import RunTables
from echelon.reports.page_data import charts, gantt
from echelon.reports.page_data.charts import _queue, chart_data, page_clock, script_safe


def test_a_run_has_its_rectangles_and_steps(make_run):
    """Three jobs of one interval each are three rectangles; columns of equal runs are packed once."""
    once, twice = chart_data([make_run()], ["a"]), chart_data([make_run(), make_run()], ["a", "b"])
    page = json.loads(once.json)
    assert page["blocks"][page["runs"][0]["gantt"]["first"]]["n"] == 3
    assert page["blocks"][page["runs"][0]["busy"]["time"]]["n"] == 4
    assert len(json.loads(twice.json)["blocks"]) == len(page["blocks"])
    assert once.thinned == []


def test_names_of_jobs_and_users_may_be_text(three_jobs):
    """Text becomes codes with the texts behind them."""
    jobs = three_jobs.with_columns(
        pl.Series("user", ["bo", "al", None]), pl.Series("job_id", ["1_0", "1_1", "2"])
    )
    run = json.loads(chart_data([RunTables(jobs, {}, {"processors": 4})], ["x"]).json)["runs"][0]
    assert run["labels"]["user"]["texts"] == ["", "al", "bo"]
    assert run["job_id"]["texts"] == ["1_0", "1_1", "2"]


def test_what_jobs_waited_for_goes_with_them(three_jobs, monkeypatch):
    """As text behind codes, also where the cells look like numbers; not where there are too many kinds."""
    jobs = three_jobs.with_columns(dependencies=pl.Series([None, 1, 1]))
    run = RunTables(jobs, {}, {"processors": 4})
    labels = json.loads(chart_data([run], ["x"]).json)["runs"][0]["labels"]
    assert labels["dependencies"]["texts"] == ["", "1"]
    monkeypatch.setattr(charts, "MOST_DEPENDENCIES", 1)
    data = chart_data([run], ["x"])
    assert "dependencies" not in json.loads(data.json)["runs"][0]["labels"]
    assert data.thinned == ["x: the dependencies of each job, of more than 1 kinds."]


def test_too_many_rectangles_are_thinned_and_it_is_said(make_run, monkeypatch):
    """The smallest rectangles go first; the sentence gives the share of processor-seconds that is left."""
    monkeypatch.setattr(gantt, "MOST_RECTANGLES", 2)
    data = chart_data([make_run()], ["easy"])
    page = json.loads(data.json)
    assert page["blocks"][page["runs"][0]["gantt"]["first"]]["n"] == 2
    assert data.thinned == [
        "easy: the Gantt chart shows the 2 largest of 3 rectangles, 90.00 % of all processor-seconds; "
        "everything else includes all jobs."
    ]


def test_a_schedule_too_large_for_its_machine_has_no_gantt(three_jobs):
    """The other charts are drawn, and the page says why one is missing."""
    data = chart_data([RunTables(three_jobs, {}, {"processors": 3})], ["easy"])
    assert json.loads(data.json)["runs"][0]["gantt"] is None
    assert "easy: no Gantt chart: the job at position 2 needs 1 processors" in data.thinned[0]


def test_sites_are_stacked(three_jobs):
    """On sites of 4 and 3 processors those of the second begin at 4; sites and homes go with the jobs."""
    jobs = three_jobs.with_columns(site=pl.Series(["a", "b", "b"]), home_site=pl.Series(["b", None, "b"]))
    platform = {"name": "two", "sites": [{"name": "b", "processors": 4}, {"name": "a", "processors": 3}]}
    run = RunTables(jobs, {}, {"platform": platform})
    page = json.loads(chart_data([run], ["x"]).json)
    blocks = page["blocks"]

    def values(block):
        raw = zlib.decompress(base64.b64decode(blocks[block]["data"]))
        assert blocks[block]["type"] == "u1"
        return list(raw)

    described = page["runs"][0]
    assert described["sites"] == {"name": ["b", "a"], "processors": [4, 3]}
    assert described["processors"] == 7
    assert values(described["gantt"]["first"]) == [4, 0, 0]
    assert values(described["labels"]["site"]["column"]) == [1, 0, 0]
    assert values(described["labels"]["home_site"]["column"]) == [0, 2, 0]
    assert described["labels"]["home_site"]["texts"] == ["b", "a", ""]


def test_homes_that_nobody_knows_are_no_label(three_jobs):
    """Without the column of homes, or with an empty one, there is nothing to color by."""
    jobs = three_jobs.with_columns(site=pl.Series(["a", "b", "b"]))
    for table in (jobs, jobs.with_columns(home_site=pl.lit(None, pl.String))):
        page = json.loads(chart_data([RunTables(table, {}, {})], ["x"]).json)
        assert "site" in page["runs"][0]["labels"]
        assert "home_site" not in page["runs"][0]["labels"]


def test_json_can_not_end_its_script():
    """Whatever a name holds, no tag comes out, and the text survives."""
    text = script_safe({"name": "</script><!--&"})
    assert not set("<>&") & set(text)
    assert json.loads(text)["name"] == "</script><!--&"


def test_preempted_jobs_have_a_piece_for_each_time_they_ran(three_jobs):
    """Job 11 stops from 100 to 300 s: two pieces with own times, busy and waiting as they were."""
    segments = pl.DataFrame(
        {"row": [0, 0, 1, 2], "start_time": [0, 300, 500, 100], "end_time": [100, 500, 800, 300]}
    )
    jobs = three_jobs.with_columns(start_time=pl.Series([0, 500, 100]), end_time=pl.Series([500, 800, 300]))
    run = RunTables(jobs, {}, {"processors": 4}, segments)
    page = json.loads(chart_data([run], ["srtf"]).json)
    gantt = {name: page["blocks"][block]["n"] for name, block in page["runs"][0]["gantt"].items()}
    assert gantt == {"count": 4, "first": 4, "height": 4, "job": 4, "start": 4, "run": 4}
    assert run.busy().time.tolist() == [0, 100, 300, 500, 800]
    assert run.busy().value.tolist() == [3, 1, 3, 3, 0]
    assert _queue(run).changes().time.tolist() == [50, 100, 300, 500]
    assert _queue(run).changes().value.tolist() == [1, 2, 1, 0]


@pytest.mark.parametrize(
    ("row", "start"), [([0, 3, 3], [0, 0, 0]), ([1, 0, 2], [0, 0, 0]), ([0, 0, 2], [0, -1, 0])]
)
def test_wrong_segments_are_refused(three_jobs, row, start):
    """Of no job, out of order, or at the same time as another of their job."""
    segments = pl.DataFrame({"row": row, "start_time": start, "end_time": [1.0, 1.0, 1.0]})
    with pytest.raises(InputError, match="expected segments of 3 jobs"):
        RunTables(three_jobs, {}, {"processors": 4}, segments)


DAY = 86_400.0


def run(days, **facts):
    """Return the tables of a run of one job that takes so many days."""
    columns = {
        "job_id": [1],
        "submit_time": [0.0],
        "start_time": [0.0],
        "end_time": [days * DAY],
        "processors": [1],
    }
    return RunTables(pl.DataFrame(columns), {"jobs": 1}, {"policy": "easy", "processors": 1, **facts})


@pytest.mark.parametrize(
    "zone", ["Europe/Stockholm", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]
)
def test_the_clock_is_that_of_the_site(zone):
    """At every hour of two years, daylight saving included."""
    origin = 843_700_000
    told = page_clock([run(730, unix_start_time=origin, time_zone=zone)])
    assert told is not None
    assert told["name"] == zone
    assert told["from"] == sorted(told["from"])
    for hour in range(0, 730 * 24, 5):
        unix = origin + 3600 * hour
        shift = [s for at, s in zip(told["from"], told["shift"], strict=True) if at <= unix][-1]
        offset = datetime.fromtimestamp(unix, ZoneInfo(zone)).utcoffset()
        assert offset is not None
        assert shift == offset.total_seconds()


def test_the_first_log_with_dates_tells_the_zone():
    """A model without dates comes first; the clock covers both logs, which are years apart."""
    runs = [run(1), run(2, unix_start_time=9e8, time_zone="Europe/Stockholm"), run(3, unix_start_time=8e8)]
    told = page_clock(runs)
    assert told is not None
    assert told["name"] == "Europe/Stockholm"
    assert told["from"][0] <= 8e8
    assert told["from"][-1] > 8.9e8


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"unix_start_time": 8e8},
        {"time_zone": "Europe/Stockholm"},
        {"unix_start_time": 8e8, "time_zone": "?"},
    ],
)
def test_without_a_beginning_or_a_known_zone_there_is_no_clock(facts):
    """The page is in UTC then."""
    assert page_clock([run(3, **facts)]) is None
