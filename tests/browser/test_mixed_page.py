"""The page of a run on sites of all kinds in a real browser: every panel is drawn."""

from __future__ import annotations

import pytest
from tests.unit.reports.mixed_tables import mixed_run

from echelon.reports import write_report


@pytest.fixture
def page(tab, tmp_path):
    """Return a tab with the report of a run on processors, nodes, a time-shared machine and shared nodes."""
    tab.events.clear()
    path = tmp_path / "report.html"
    write_report([mixed_run(copies=True)], path)
    tab.open(path)
    tab.until("document.documentElement.dataset.filled === 'true'")
    tab.settle()
    return tab


def test_nothing_goes_wrong_on_the_page(page):
    """The scripts complain of nothing, and the page asks the network for nothing."""
    assert page.complaints() == []
    assert [request for request in page.requests() if not request.startswith(("file:", "data:"))] == []


def test_the_panels_of_all_kinds_are_drawn(page):
    """The maps of sites, machines and nodes have a canvas each, and the table of nodes has both sizes."""
    for name in ("site_load", "machine_load", "nodes"):
        assert page.value(f"document.querySelectorAll('#{name} canvas').length") >= 1, name
    heads = page.value("[...document.querySelectorAll('#nodes th[scope=col]')].map(e => e.innerText.trim())")
    assert any(head.startswith("Cores") for head in heads)
    assert any(head.startswith("Task slots") for head in heads)


def test_the_gantt_names_the_sites(page):
    """The Gantt stacks the four sites, which can be chosen to be looked at."""
    chosen = page.value("[...document.getElementById('site').options].map(o => o.innerText)")
    assert [name for name in chosen if "/" in name] != []
    assert page.value("document.getElementById('site-word').textContent") == "Site"
