"""The page on a fitted model in a real browser: it draws, answers, asks for nothing."""

from __future__ import annotations

import pytest

from echelon.experiments.summaries.model_fit import fit_and_draw
from echelon.reports.workload_page import write_workload_page
from echelon.workloads import generate, transform

PAINTED = """(canvas => {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const colors = new Set();
    for (let at = 0; at < pixels.length; at += 4)
        if (pixels[at + 3] === 255) colors.add(pixels.slice(at, at + 3).join());
    return colors.size;
})(document.querySelector('#%s canvas'))"""


@pytest.fixture(scope="module")
def fit():
    log = transform.draw_estimates(generate("lublin", 400, seed=1), "popular")
    return fit_and_draw(log, "poisson", seed=2)


@pytest.fixture
def show(tab, tmp_path, fit):
    """Give a function that writes the page and opens it in the tab."""

    def open_page(shown=fit, **window):
        tab.events.clear()
        tab.open(write_workload_page(shown, tmp_path / "report.html"), **window)
        tab.settle()
        return tab

    return open_page


@pytest.mark.parametrize("window", [{}, {"dark": True}, {"width": 390, "height": 800}])
def test_the_page_draws_without_complaint_or_request(show, window):
    """Light, dark and on a phone: five charts with lines, no error, no request, no sideways scrolling."""
    tab = show(**window)
    for chart in ("size", "run_time", "gap", "requested_time", "by-hour"):
        # Both lines, the grid and the text, and what lies between them.
        assert tab.value(PAINTED % chart) > 4
    assert tab.complaints() == []
    assert [address.split(":")[0] for address in tab.requests()] == ["file"]
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.getElementById('trouble').hidden")


def test_pointing_reads_both_sides(show):
    """A pointer on a chart tells the share of the log and of the model there."""
    tab = show()
    for chart, begins in (("run_time", "longer than "), ("by-hour", "12:00 to 12:59: ")):
        tab.value(
            f"document.getElementById('{chart}').scrollIntoView({{block: 'center', behavior: 'instant'}})"
        )
        tab.settle()
        box = tab.value(
            "(b => [b.left, b.top, b.width, b.height])"
            f"(document.querySelector('#{chart} .u-over').getBoundingClientRect())"
        )
        tab.mouse("mouseMoved", (box[0] + 0.51 * box[2], box[1] + 0.5 * box[3]))
        tab.settle()
        said = tab.value(f"document.getElementById('{chart}-value').textContent")
        assert said.startswith(begins)
        assert "lublin " in said
        assert "poisson " in said


def test_percent_can_be_logarithmic(show):
    """The box draws the same lines on another axis."""
    tab = show()
    drawn = "document.querySelector('#gap canvas').toDataURL()"
    before = tab.value(drawn)
    tab.value("document.getElementById('logarithmic').click()")
    tab.settle()
    assert tab.value(drawn) != before
    assert tab.complaints() == []
