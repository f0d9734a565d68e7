"""The chart of a few jobs as in a textbook, in a real browser."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.reports import write_report
from echelon.reports.result_report import run_tables


@pytest.mark.parametrize("window", [{}, {"dark": True}, {"width": 390, "height": 844}])
def test_boxes_are_drawn_and_readable(tab, tmp_path, window):
    """Light, dark and on a phone: a visible box each time a job runs, its name inside, the page no wider."""
    jobs = ec.Workload.from_columns(submit_time=[0, 1, 2], run_time=[5, 3, 4], processors=[1, 1, 1])
    run = ec.simulate(jobs, processors=1, policy="round-robin(quantum=2)")
    tab.open(write_report([run_tables(run, {"processors": 1})], tmp_path / "report.html"), **window)
    tab.until("document.documentElement.dataset.filled === 'true'")
    assert tab.complaints() == []
    boxes = "[...document.querySelectorAll('#textbook rect')]"
    assert tab.value(f"{boxes}.length") == 7
    assert tab.value(f"{boxes}.every(box => box.getBoundingClientRect().width > 10)")
    colors = tab.value(f"{boxes}.map(box => getComputedStyle(box).fill)")
    assert len(set(colors)) == 3
    names = tab.value("[...document.querySelectorAll('#textbook rect + text')].map(text => text.textContent)")
    assert names == ["1", "2", "3", "1", "2", "3", "1"]
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
