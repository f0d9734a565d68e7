"""The page on a fitted model: what stands in it, and that it is safe and whole."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from echelon.errors import InputError
from echelon.experiments.summaries.model_fit import fit_and_draw
from echelon.reports.workload_page import workload_page, write_workload_page
from echelon.workloads import generate, transform

NASTY = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def fit():
    log = transform.draw_estimates(generate("poisson", 300, seed=1), "popular")
    return fit_and_draw(log, "poisson", jobs=200, seed=2)


def data_of(page):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])


def test_it_shows_both_sides(fit):
    """Counts, distances and parameters are in tables, shares and hours in the data of the charts."""
    page = workload_page(fit)
    assert "300 jobs of the log, 200 of the model" in page
    assert "mean_gap: mean time between submissions" in page
    found = data_of(page)
    assert set(found["shares"]) == {"size", "run_time", "gap", "requested_time"}
    for sides in found["shares"].values():
        assert [len(side) for side in sides["share"]] == [len(sides["at"])] * 2
        assert all(0 <= part <= 1 for side in sides["share"] for part in side)
    assert [sum(side) for side in found["hours"]] == pytest.approx([100, 100])


def test_a_quantity_that_one_side_lacks_has_no_chart(fit):
    """Without requested times on one side there are no lines of them."""
    without = replace(fit, sample=fit.sample.with_columns(requested_time=[-1.0] * 200))
    assert data_of(workload_page(without))["shares"]["requested_time"] is None
    assert "Requested times</th>" not in workload_page(without)


def test_names_are_shown_as_text(fit):
    """A log named like markup ends no element and starts none."""
    page = workload_page(replace(fit, log=replace(fit.log, name=NASTY)))
    assert "<img" not in page
    assert page.count("</script>") == workload_page(fit).count("</script>")


def test_it_is_written_whole_or_not_at_all(fit, tmp_path):
    """The file is the page; a folder that is not there is told."""
    path = write_workload_page(fit, tmp_path / "page.html")
    assert path.read_text(encoding="utf-8") == workload_page(fit)
    with pytest.raises(InputError, match="cannot be written"):
        write_workload_page(fit, tmp_path / "none" / "page.html")
