"""The page of a run on a machine that changes in a real browser: what was closed is drawn and told."""

from __future__ import annotations

import json

import pytest
from tests.unit.metrics.changed_machines import changed, f1, listed, on_nodes, on_sites, result_of

from echelon.experiments import manifest
from echelon.model import EndReason, OutageKind, Reservation
from echelon.reports import write_report
from echelon.reports.result_report import run_tables

COLORS = """(chart => {
  const canvas = document.querySelector('#gantt canvas'), context = canvas.getContext('2d');
  const over = document.querySelector('#gantt .u-over').getBoundingClientRect();
  const box = canvas.getBoundingClientRect();
  const at = (x, y) => [...context.getImageData(
    (over.left - box.left + x * over.width) * canvas.width / box.width,
    (over.top - box.top + (1 - y) * over.height) * canvas.height / box.height, 1, 1).data].join();
  return chart.map(([x, y]) => at(x, y));
})"""


def opened(tab, tmp_path, schedule):
    """Show the report of a schedule in a tab, and return it."""
    tab.events.clear()
    result = result_of(schedule)
    path = tmp_path / "report.html"
    write_report([run_tables(result, manifest(result))], path)
    tab.open(path)
    tab.until("document.documentElement.dataset.filled === 'true'")
    tab.settle()
    return tab


def point(tab, x, y):
    """Point at a place of the Gantt chart, in shares from the left and from the bottom; return the card."""
    tab.value("document.getElementById('gantt').scrollIntoView()")
    box = json.loads(
        tab.value("JSON.stringify(document.querySelector('#gantt .u-over').getBoundingClientRect())")
    )
    tab.mouse("mouseMoved", (box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]))
    tab.settle()
    return tab.value(
        "document.getElementById('card').hidden ? '' : document.getElementById('card').innerText"
    )


@pytest.fixture
def page(tab, tmp_path):
    """Return a tab with four nodes: one fails, one is drained, all are maintained, two are reserved."""
    outages = [
        (40, 60, (3,), OutageKind.FAIL),
        (60, 100, (0,), OutageKind.DRAIN),
        (120, 160, (0, 1, 2, 3), OutageKind.MAINTENANCE),
    ]
    reservations = [Reservation("course", 160, 180, (0, 1))]
    jobs = [(0, 50, 4), (165, 35, 2)]
    return opened(tab, tmp_path, listed(jobs, processors=4, outages=outages, reservations=reservations))


def test_nothing_goes_wrong_on_the_page(page):
    """The scripts complain of nothing, and the legend has all that was closed."""
    assert page.complaints() == []
    assert page.value("document.getElementById('closed-legend').innerText").split() == [
        *("Failed", "Drained", "Maintenance", "Reserved")
    ]
    assert "available" in page.value("document.getElementById('closed-keys').innerText")


def test_a_band_says_what_it_is(page):
    """Where no job is under the pointer, its card tells the outage or the reservation, and else the job.

    Nodes have the numbers that they have in files, from 1.
    """
    span = page.value(
        "document.getElementById('gantt').dataset.to - document.getElementById('gantt').dataset.from"
    )
    failed = point(page, 50 / span, 3.5 / 4)
    assert failed.startswith("Failed")
    assert failed.split("\n")[-2:] == ["nodes", "4"]
    assert point(page, 170 / span, 0.5 / 4).startswith("Reserved · course")
    job = point(page, 115 / span, 0.5 / 4)
    assert job.startswith("Job 1")
    assert job.split("\n")[job.split("\n").index("nodes") + 1] == "1-4"
    assert point(page, 155 / span, 0.5 / 4).startswith("Maintenance")


def test_a_job_says_how_it_ran(page):
    """The card of a job that began again has each attempt, and why it ended."""
    span = page.value(
        "document.getElementById('gantt').dataset.to - document.getElementById('gantt').dataset.from"
    )
    told = point(page, 20 / span, 0.5).split("\n")
    assert told[told.index("attempt 1") + 1].endswith("40 s: requeued, lost 40 s")
    assert told[told.index("attempt 2") + 1].endswith("50 s: completed")


def test_bands_differ_from_idle_processors(page):
    """What was closed has another color than idle processors, each kind its own, by day and by night."""
    span = page.value(
        "document.getElementById('gantt').dataset.to - document.getElementById('gantt').dataset.from"
    )
    places = [[62 / span, 3.5 / 4], [50 / span, 3.03 / 4], [155 / span, 0.03 / 4], [170 / span, 0.5 / 4]]
    for _ in range(2):
        assert len(set(page.value(f"{COLORS}({json.dumps(places)})"))) == len(places)
        page.value("document.getElementById('theme').click()")
        page.settle()


def test_sites_may_be_equally_high(tab, tmp_path):
    """Bands move with their site, and nothing goes wrong."""
    page = opened(tab, tmp_path, on_sites())
    page.value("document.getElementById('equal').click()")
    page.settle()
    # The second site has three processors in the upper half; its second one is down from 40 to 60 of 160 s.
    failed = point(page, 50 / 160, 0.5 + 1.5 / 3 / 2)
    assert failed.startswith("Failed")
    assert failed.split("\n")[-1] == "b: 2"
    assert page.complaints() == []


def test_what_was_available_is_told(tab, tmp_path):
    """Beside the busy processors stands how many were there."""
    page = opened(tab, tmp_path, f1())
    point(page, 50 / 160, 0.25)
    assert page.value("document.getElementById('busy-value').innerText").endswith("0 of 2 (0 %), 1 available")


def test_a_page_explains_only_what_it_draws(tab, tmp_path):
    """Where jobs are canceled and nothing is closed, nothing is said of bands and of what was available."""
    pieces = [(0, 0, 30, EndReason.STOPPED, (0,))]
    page = opened(tab, tmp_path, changed([(0, 100, 1)], pieces, processors=1))
    assert page.value("document.getElementById('closed-keys') === null") is True
    assert page.value("document.getElementById('closed-legend')?.innerText ?? ''") == ""
    told = point(page, 0.5, 0.5).split("\n")
    assert told[told.index("attempt 1") + 1].endswith("30 s: canceled by its user")
    assert page.complaints() == []


def test_a_band_in_nodes_has_the_numbers_of_their_cores(tab, tmp_path):
    """Where the axis has nodes with cores, the second node of two cores is cores 2 and 3, as for jobs."""
    page = opened(tab, tmp_path, on_nodes())
    failed = point(page, 50 / 160, 3 / 4)
    assert failed.startswith("Failed")
    assert failed.split("\n")[-2:] == ["cores", "2-3"]
