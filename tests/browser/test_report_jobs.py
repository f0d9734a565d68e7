"""The table of jobs, definitions of metrics, and files saved from a report, in a real browser."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from tests.browser.report_pages import NASTY, choose, file_saved, filled, press, random_runs, seen, texts

from echelon.reports import write_report

ROWS = "#jobs-table tbody tr.answers"
SVG = "{http://www.w3.org/2000/svg}"


def first_cells(tab, column, count=5):
    """Return the texts of a column of the first rows of the table of jobs."""
    return texts(tab, f"{ROWS} > :nth-child({column + 1})")[:count]


def test_of_many_jobs_only_those_in_sight_are_on_the_page(tab, tmp_path):
    """All can be scrolled to; the table says how many there are."""
    filled(tab, write_report(random_runs([1000], jobs=20_000), tmp_path / "report.html"))
    assert len(texts(tab, ROWS)) < 40
    assert tab.value("document.querySelector('#jobs-table table').getAttribute('aria-rowcount')") == "20001"
    tab.value("(s => { s.scrollTop = s.scrollHeight; })(document.querySelector('.virtual-scroll'))")
    tab.settle()
    assert texts(tab, f"{ROWS}:last-child th") == ["20000"]
    assert len(texts(tab, ROWS)) < 40
    assert tab.complaints() == []


def test_jobs_are_sorted_and_filtered(tab, tmp_path):
    """By headings, by fields for names and ranges, with units; what is no number is refused."""
    [run] = random_runs([10_000])
    filled(tab, write_report([run], tmp_path / "report.html"))
    press(tab, "#jobs-table thead button", 2)
    press(tab, "#jobs-table thead button", 2)
    wait = (run.jobs["start_time"] - run.jobs["submit_time"]).to_numpy()
    longest = [str(job) for job in run.jobs["job_id"].to_numpy()[(-wait).argsort(kind="stable")][:5]]
    assert first_cells(tab, 0) == longest
    heads = tab.value("[...document.querySelectorAll('#jobs-table thead th')].map(h => h.ariaSort)")
    assert heads[2] == "descending"
    choose(tab, "#filter-wait-from", "1.5 h")
    assert texts(tab, "#jobs-shown") == [f"{(wait >= 5400).sum()} of 300 jobs"]
    choose(tab, "#filter-user", "=3")
    both = (wait >= 5400) & (run.jobs["user"] == 3).to_numpy()
    assert texts(tab, "#jobs-shown") == [f"{both.sum()} of 300 jobs"]
    choose(tab, "#filter-size-from", "many")
    assert tab.value("document.getElementById('filter-size-from').getAttribute('aria-invalid')") == "true"
    assert texts(tab, "#jobs-shown") == [f"{both.sum()} of 300 jobs"]
    assert tab.complaints() == []


def test_a_row_shows_its_job_in_the_gantt_chart(tab, tmp_path):
    """By a click and by Enter: the chart is near enough, and the card tells of it."""
    filled(tab, write_report(random_runs([10_000]), tmp_path / "report.html"))
    full = seen(tab)
    job = first_cells(tab, 0)[3]
    press(tab, ROWS, 3)
    view = seen(tab)
    assert view["to"] - view["from"] < full["to"] - full["from"]
    assert tab.value("document.getElementById('card').innerText").startswith(f"Job {job} ")
    tab.value("document.querySelector('.virtual-scroll').focus()")
    for key in ("Home", "ArrowDown", "Enter"):
        tab.key(key)
    second = first_cells(tab, 0)[1]
    assert tab.value("document.getElementById('card').innerText").startswith(f"Job {second} ")


def test_definitions_are_shown_where_metrics_are_named(tab, tmp_path):
    """With the focus, on a tap and under the pointer; Escape ends it."""
    filled(tab, write_report(random_runs([1000, 10]), tmp_path / "report.html"), width=390, height=844)
    box = "document.getElementById('definition')"
    tab.value("document.querySelector('#summary-table [data-metric=mean_wait] button').focus()")
    told = tab.value(f"{box}.innerText.split(/\\n+/)")
    facts = dict(zip(told[1::2], told[2::2], strict=True))
    assert not tab.value(f"{box}.hidden")
    assert told[0] == "Mean wait"
    assert facts["definition"].startswith("mean(")
    assert facts["unit"].startswith("seconds")
    assert facts["better"] == "less"
    assert "1997" in facts["source"]
    assert tab.value("document.activeElement.getAttribute('aria-describedby')") == "definition"
    assert tab.value(f"(b => b.left >= 0 && b.right <= innerWidth)({box}.getBoundingClientRect())")
    tab.key("Escape")
    assert tab.value(f"{box}.hidden")
    press(tab, "[data-bars=utilization] button.term")
    assert tab.value(f"!{box}.hidden && {box}.innerText").startswith("Utilization")


def test_every_panel_is_saved_as_picture_shapes_and_rows(tab, tmp_path):
    """PNG and SVG of its size without pixels in the shapes, and CSV of its figures, whatever names hold."""
    users = [NASTY, 'a,"b"\r\nc', "=1+1", "7"]
    runs = random_runs([1000, 100_000], users=users)
    filled(tab, write_report(runs, tmp_path / "report.html"))
    sections = tab.value("[...document.querySelectorAll('main > section:has(.download)')].map(s => s.id)")
    assert {"summary", "bars", "time-section", "jobs", "distributions", "classes", "users", "arrivals"} <= {
        *sections
    }
    for section in sections:
        shapes = ElementTree.fromstring(file_saved(tab, section, "SVG"))
        assert not list(shapes.iter(f"{SVG}image")), section
        assert len(list(shapes.iter(f"{SVG}path"))) + len(list(shapes.iter(f"{SVG}text"))) > 5, section
        rows = list(csv.reader(io.StringIO(file_saved(tab, section, "CSV").decode(), newline="")))
        assert len(rows) > 2, section
    with Image.open(io.BytesIO(file_saved(tab, "time-section", "PNG"))) as image:
        assert image.size[0] > 1200
        colors = np.asarray(image.convert("RGB").resize((200, 200))).reshape(-1, 3)
    assert len(np.unique(colors, axis=0)) > 50
    jobs = list(csv.DictReader(io.StringIO(file_saved(tab, "jobs", "CSV").decode(), newline="")))
    assert [row["User"] for row in jobs[:4]] == users
    waits = (runs[0].jobs["start_time"] - runs[0].jobs["submit_time"]).to_list()
    assert [float(row["Wait (s)"]) for row in jobs] == waits
    assert tab.value("typeof window.hacked") == "undefined"
    assert tab.complaints() == []


def test_names_like_markup_are_filtered_and_shown_as_text(tab, tmp_path):
    """In the table, in a chip, in the address, and back from it."""
    path = write_report(random_runs([1000], users=[NASTY, "b"]), tmp_path / "report.html")
    filled(tab, path)
    press(tab, "#users-table tbody tr", int(texts(tab, "#users-table tbody th")[0] != NASTY))
    assert NASTY in texts(tab, "#filter-chips button")[0]
    address = tab.value("location.href")
    filled(tab, address)
    assert NASTY in texts(tab, "#filter-chips button")[0]
    assert texts(tab, "#jobs-shown") == ["150 of 300 jobs"]
    # The summary of one run is a list: saved, it has headings, too.
    assert file_saved(tab, "summary", "CSV").decode().splitlines()[:2] == ["figure,value", "Jobs,300"]
    assert tab.value("typeof window.hacked === 'undefined' && !document.querySelector('main img')")
    assert tab.complaints() == []


def test_all_times_of_a_page_are_on_the_clock_of_its_site(tab, tmp_path):
    """What is submitted at 12:00 UTC in summer is so at 14:00 in Stockholm: in chart, table and columns."""
    runs = random_runs([0, 0], unix_start_time=868_017_600, time_zone="Europe/Stockholm")
    filled(tab, write_report(runs, tmp_path / "report.html"))
    first = runs[0].jobs["submit_time"][0]
    assert texts(tab, "#gantt h3")[0].endswith("times in Europe/Stockholm")
    minutes = 14 * 60 + int(first // 60)
    assert first_cells(tab, 1)[0].startswith(f"1997-07-04 {minutes // 60:02d}:{minutes % 60:02d}")
    press(tab, "#arrivals li", 14)
    assert all(" 14:" in text for text in texts(tab, f"{ROWS} > :nth-child(2)"))


@pytest.mark.parametrize("window", [{}, {"dark": True}, {"width": 390, "height": 844}])
def test_a_page_is_there_soon_and_within_the_window(tab, tmp_path, window):
    """Of 28,000 jobs under two policies: at most 3 s of processor time until the first Gantt chart."""
    path = write_report(random_runs([1000, 100_000], jobs=28_000), tmp_path / "report.html")
    before = tab.processor_time()
    tab.open(path, **window)
    assert tab.processor_time() - before < 3
    tab.until("document.documentElement.dataset.filled === 'true'")
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
