"""The data behind the charts."""

from __future__ import annotations

import json

import polars as pl

from echelon.reports import RunTables, gantt
from echelon.reports.charts import chart_data, script_safe


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


def test_too_many_rectangles_are_thinned_and_it_is_said(make_run, monkeypatch):
    """The smallest rectangles go first; the sentence gives the share of processor-seconds that is left."""
    monkeypatch.setattr(gantt, "MOST_RECTANGLES", 2)
    data = chart_data([make_run()], ["easy"])
    page = json.loads(data.json)
    assert page["blocks"][page["runs"][0]["gantt"]["first"]]["n"] == 2
    assert data.thinned == [
        "easy: the Gantt draws the 2 largest of 3 rectangles, 90.00 % of all processor-seconds; "
        "all else counts every job."
    ]


def test_a_schedule_too_large_for_its_machine_has_no_gantt(three_jobs):
    """The other charts are drawn, and the page says why one is missing."""
    data = chart_data([RunTables(three_jobs, {}, {"processors": 3})], ["easy"])
    assert json.loads(data.json)["runs"][0]["gantt"] is None
    assert "easy: no Gantt: the job at position 2 needs 1 processors" in data.thinned[0]


def test_jobs_on_several_sites_have_no_gantt_yet(three_jobs):
    """Processor numbers of one machine would be wrong for several."""
    jobs = three_jobs.with_columns(pl.Series("site", ["a", "b", "a"]))
    assert "several sites" in chart_data([RunTables(jobs, {}, {"processors": 4})], ["x"]).thinned[0]


def test_json_can_not_end_its_script():
    """Whatever a name holds, no tag comes out, and the text survives."""
    text = script_safe({"name": "</script><!--&"})
    assert not set("<>&") & set(text)
    assert json.loads(text)["name"] == "</script><!--&"
