"""The report of results at hand in Python."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest

from echelon import Workload, compare, show_report, simulate
from echelon.reports import RunTables
from echelon.reports.result_report import run_tables


@pytest.fixture
def workload():
    return Workload.from_columns(
        name='"quoted" & <b>', submit_time=[0, 1], run_time=[9, 9], processors=[1, 2]
    )


def test_a_run_and_a_comparison(workload, tmp_path):
    """Either makes a page with all of its runs."""
    one = show_report(simulate(workload, processors=2, policy="easy"), tmp_path / "one.html")
    assert one.path == tmp_path / "one.html"
    assert "One run" in one.path.read_text(encoding="utf-8")
    both = show_report(compare(workload, processors=2, policies=["fcfs", "easy"]), tmp_path / "two.html")
    assert "2 runs compared" in both.path.read_text(encoding="utf-8")


def test_a_notebook_shows_the_page_itself(workload, tmp_path):
    """The frame holds the page, whatever is in it, so that it needs no server and no file."""
    page = show_report(simulate(workload, processors=2), tmp_path / "page.html")
    shown = page._repr_html_()
    inside = re.fullmatch(r'<iframe srcdoc="([^"]*)" title="[^"]*" style="[^"]*"></iframe>', shown)
    assert inside is not None
    assert html.unescape(inside[1]) == page.path.read_text(encoding="utf-8")


def test_the_page_is_report_html_here_by_default(workload, tmp_path, monkeypatch):
    """Without a name it is report.html in the folder one is in."""
    monkeypatch.chdir(tmp_path)
    show_report(simulate(workload, processors=2))
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_users_of_a_result_are_those_of_its_table(workload):
    """The codes that a result knows are those that its table of jobs, read alone, would be given."""
    named = replace(
        workload,
        columns={**workload.columns, "user": np.array([2, -1]), "queue": np.array([1, 3])},
        names={"user": ("", "zoë"), "queue": ("zoë",)},
    )
    tables = run_tables(simulate(named, processors=2), {})
    for name in ("user", "queue"):
        known, read = tables.codes_of(name), RunTables(tables.jobs, {}, {}).codes_of(name)
        assert known.texts == read.texts
        assert known.code.tolist() == read.code.tolist()
