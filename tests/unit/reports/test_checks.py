"""Files of a run that people have edited or a disk has damaged."""

from __future__ import annotations

import json

import polars as pl
import pytest

from echelon.errors import InputError
from echelon.reports import RunTables
from echelon.reports.page_data.charts import chart_data


@pytest.mark.parametrize("key", ["decision_time", "longest_stay"])
def test_times_of_a_tree_may_be_a_text_by_path(three_jobs, key):
    """Where inner sites have other values than the root, the manifest has all of them in one text."""
    assert RunTables(three_jobs, {}, {"policy": "easy", key: "2@*=own"}).run[key] == "2@*=own"


@pytest.mark.parametrize(
    ("column", "values", "sentence"),
    [
        ("start_time", [0.0, None, 1.0], "start_time: expected a finite number, got None in row 2"),
        ("end_time", [1.0, float("inf"), 2.0], "end_time: expected a finite number, got inf in row 2"),
        (
            "processors",
            ["3", "x", "1"],
            "processors: expected a finite number of at least 1 in each row, got 'x' in row 2",
        ),
        ("processors", [3, 3, 0], "processors: expected a finite number of at least 1, got 0 in row 3"),
        (
            "wait_time",
            [0.0, -5.0, 0.0],
            "wait_time: expected a finite number of at least 0, got -5.0 in row 2",
        ),
        ("bounded_slowdown", [1.0, 1.0, float("nan")], "bounded_slowdown: expected .* got nan in row 3"),
    ],
)
def test_numbers_that_are_none_are_refused(three_jobs, column, values, sentence):
    """The sentence names the column, the row and what is there."""
    with pytest.raises(InputError, match=sentence):
        RunTables(three_jobs.with_columns(pl.Series(column, values)), {}, {})


@pytest.mark.parametrize(
    ("key", "value"),
    [("dropped", 3), ("oddities", "x"), ("versions", ["x"]), ("seconds", "1"), ("command", 7)],
)
def test_a_manifest_of_other_kinds_is_refused(three_jobs, key, value):
    """The sentence names the key and the kind found there; a key that is null is as good as none."""
    with pytest.raises(InputError, match=rf"{key}: run.json: expected .*, got {type(value).__name__}"):
        RunTables(three_jobs, {}, {key: value})
    assert RunTables(three_jobs, {}, {key: None}).run == {key: None}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("processors", -5),
        ("processors", "x"),
        ("dropped", [3]),
        ("own_metrics", ["x"]),
        ("dropped", {"a reason": "b"}),
        ("oddities", [None]),
        ("seconds", {"reading": "b"}),
    ],
)
def test_a_manifest_of_senseless_parts_is_refused(three_jobs, key, value):
    """What is of the right kind but makes no sense is refused, too."""
    with pytest.raises(InputError, match=rf"{key}: run.json: expected .*, got "):
        RunTables(three_jobs, {}, {key: value})


@pytest.mark.parametrize("began", [None, "yes", 0, -5, 1e300, float("nan")])
def test_dates_that_no_calendar_has_are_left_out(three_jobs, began):
    """A start that is no time, or so late that dates end, leaves the page with days counted from 0."""
    run = RunTables(three_jobs, {}, {"processors": 4, "unix_start_time": began})
    assert run.unix_start_time is None
    assert json.loads(chart_data([run], ["x"]).json)["runs"][0]["origin"] is None


def test_dates_of_a_log_are_kept(three_jobs):
    """A start within the calendar is the page's origin."""
    assert RunTables(three_jobs, {}, {"unix_start_time": 843_480_031}).unix_start_time == 843_480_031
