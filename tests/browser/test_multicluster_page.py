"""The page of a run on a multicluster in a real browser: task slots, owners, forecasts."""

from __future__ import annotations

import pytest

from echelon.reports import show_report

WINDOWS = ({"width": 1280}, {"width": 1280, "dark": True}, {"width": 390, "height": 800})
CHART = "#forecasts-run-chart .u-over"


@pytest.fixture
def page(tab, tmp_path, shared_result):
    """Give a function that opens the report of the run in tests/conftest.py."""

    def open_report(**window):
        tab.events.clear()
        show_report(shared_result, tmp_path / "report.html")
        tab.open(tmp_path / "report.html", **window)
        tab.until("document.documentElement.dataset.filled === 'true'")
        tab.settle()
        return tab

    return open_report


def text(tab, selector):
    """Return what an element shows."""
    return tab.value(f"document.querySelector('{selector}').innerText")


@pytest.mark.parametrize("window", WINDOWS, ids=["light", "dark", "phone"])
def test_the_page_fills_itself(page, window):
    """No script fails, nothing is asked of the network, and the page is no wider than its window."""
    tab = page(**window)
    assert tab.complaints() == []
    assert len(tab.requests()) == 1
    assert tab.value("document.getElementById('trouble').hidden")
    assert tab.value("document.documentElement.scrollWidth") <= window["width"]
    assert text(tab, "#gantt h3").startswith("Task slots")
    assert not tab.value("document.getElementById('slot-keys').hidden")
    assert tab.value("document.getElementById('node-keys').hidden")


def test_nodes_are_sorted_by_owners(page):
    """The table of nodes names them by cluster, and can be sorted by what owners paid."""
    tab = page()
    heads = tab.value("[...document.querySelectorAll('#nodes-table th button')].map(b => b.innerText)")
    assert heads[0] == "Node"
    assert "Owner slowed down" in heads
    tab.value(
        f"document.querySelectorAll('#nodes-table th button')[{heads.index('Owner slowed down')}].click()"
    )
    assert "small node 0" in text(tab, "#nodes-table tbody tr")


def test_a_forecast_is_told(page):
    """The dot under the pointer is told: which job, how long it ran, what was forecast."""
    tab = page()
    tab.value(f"document.querySelector('{CHART}').scrollIntoView({{block: 'center'}})")
    tab.settle()
    box = f"document.querySelector('{CHART}').getBoundingClientRect()"
    left, top, wide, high = tab.value(f"(b => [b.left, b.top, b.width, b.height])({box})")
    # Axes end 5 % above the largest value, 12 s; job 2 ran 10 s, and 5 s were forecast.
    tab.mouse("mouseMoved", (left + 10 / 12.6 * wide, top + (1 - 5 / 12.6) * high))
    tab.settle()
    assert text(tab, "#forecasts-run-value") == "job 2: 10 s, forecast 5 s"


def test_another_estimator_is_drawn(page):
    """Choosing an estimator draws its forecasts."""
    tab = page()
    tab.value("(s => { s.value = 1; s.onchange(); })(document.getElementById('forecasts-estimator'))")
    tab.settle()
    label = tab.value("document.getElementById('forecasts-run-chart').ariaLabel")
    assert label == "Scatter of real and forecast run times by smith: 3 jobs, slope 2"
