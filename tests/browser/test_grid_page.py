"""The report of grids in a real browser: stacked sites in the Gantt, and the panels of sites."""

from __future__ import annotations

import csv
import io

import numpy as np
import polars as pl
import pytest
from tests.browser.report_pages import file_saved

from echelon.reports import RunTables, write_report

OVER = "document.querySelector('#gantt .u-over')"
WINDOWS = [{}, {"dark": True}, {"width": 390, "height": 844}]
PANELS = ["sites", "site_load", "migration"]


def grid_run(broker="mct", sizes=(2, 6), *, homes=True):
    """Return a run of 0 to 100 s: 101 on 2 of the first site, 102 and then 103 on 4 and 6 of the last."""
    platform = {
        "name": "pair",
        "sites": [{"name": f"site-{size}", "processors": size} for size in sizes],
    }
    small, large = f"site-{sizes[0]}", f"site-{sizes[-1]}"
    table = pl.DataFrame(
        {
            "job_id": [101, 102, 103],
            "submit_time": [0.0, 0.0, 0.0],
            "start_time": [0.0, 0.0, 50.0],
            "end_time": [100.0, 50.0, 100.0],
            "processors": [2, 4, 6],
            "site": [small, large, large],
            "home_site": [large, large, small],
            "user": [1, 2, 1],
        }
    )
    told = {"policy": "easy", "broker": broker, "platform": platform}
    return RunTables(table if homes else table.drop("home_site"), {"jobs": 3}, told)


def many_sites(sites):
    """Return a job on each of so many sites, from the next one."""
    names = [f"site-{k:04d}" for k in range(sites)]
    table = pl.DataFrame(
        {
            "job_id": np.arange(sites),
            "submit_time": np.zeros(sites),
            "start_time": np.zeros(sites),
            "end_time": np.arange(sites) + 1.0,
            "processors": np.ones(sites, dtype=np.int64),
            "site": names,
            "home_site": [*names[1:], names[0]],
        }
    )
    told = {"name": "many", "sites": [{"name": name, "processors": 4} for name in names]}
    return RunTables(table, {"jobs": sites}, {"policy": "easy", "broker": "random", "platform": told})


@pytest.fixture
def show(tab, tmp_path):
    """Give a function that writes a report and opens it in the tab, every panel filled."""

    def open_report(*runs, **window):
        tab.events.clear()
        tab.open(write_report(runs, tmp_path / "report.html"), **window)
        tab.until("document.documentElement.dataset.filled === 'true'")
        tab.settle()
        return tab

    return open_report


def text(tab, identifier):
    """Return the text of an element."""
    return tab.value(f"document.getElementById('{identifier}').textContent.trim()")


def choose(tab, identifier, value):
    """Choose an option of a select."""
    tab.value(
        f"(s => {{ s.value = {value!r}; s.dispatchEvent(new Event('change')); }})"
        f"(document.getElementById('{identifier}'))"
    )
    tab.settle()


def point(tab, selector, x, y):
    """Move the pointer to a share of an element's box, from its lower left, brought into the window."""
    tab.value(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")
    tab.settle()
    box = tab.value(
        f"(b => [b.left, b.top, b.width, b.height])"
        f"(document.querySelector('{selector}').getBoundingClientRect())"
    )
    tab.mouse("mouseMoved", (box[0] + x * box[2], box[1] + (1 - y) * box[3]))
    tab.settle()


def card(tab):
    """Return the facts on the card of the job under the pointer."""
    parts = tab.value("document.getElementById('card').innerText.split(/\\n+/).map(s => s.trim())")
    return {"job": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize("window", WINDOWS)
def test_the_page_of_a_grid_draws_without_complaint(show, window):
    """Light, dark and on a phone: Gantt and panels are there, nothing complains or scrolls sideways."""
    tab = show(grid_run("mct"), grid_run("mst"), grid_run("random"), **window)
    assert tab.complaints() == []
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.getElementById('trouble').hidden")
    assert tab.value(f"{PANELS}.every(name => document.getElementById(name))")
    assert tab.value("document.querySelectorAll('canvas.heat-map').length") == 6
    assert tab.value("[...document.querySelectorAll('canvas.heat-map')].every(c => c.width > 100)")


def test_hovering_says_the_site(show):
    """A job's card has its site, home and processors within the site; the title the one under the pointer."""
    tab = show(grid_run())
    point(tab, "#gantt .u-over", 0.25, 0.5)
    told = card(tab)
    assert told["job"] == "Job 102 · user 2"
    assert (told["site"], told["home site"]) == ("site-6", "site-6")
    assert told["processors"] == "0-3 of 6"
    assert tab.value("document.querySelector('#gantt output').textContent") == "site-6, processor 2 of 6"
    point(tab, "#gantt .u-over", 0.25, 0.1)
    assert (card(tab)["job"], card(tab)["processors"]) == ("Job 101 · user 1", "0-1 of 2")
    tab.mouse("mouseMoved", (5, 5))
    assert tab.value("document.querySelector('#gantt output').textContent") == ""


def test_a_site_is_looked_at(show):
    """Choosing a site shows its processors alone; all shows the grid again."""
    tab = show(grid_run(sizes=(10, 30)))
    range_of = "(d => [+d.low, +d.high])(document.getElementById('gantt').dataset)"
    choose(tab, "site", "1")
    assert tab.value(range_of) == [10, 40]
    choose(tab, "site", "0")
    assert tab.value(range_of) == [0, 10]
    choose(tab, "site", "")
    assert tab.value(range_of) == [0, 40]
    choose(tab, "site", "1")
    tab.value("document.getElementById('zoom-all').click()")
    tab.settle()
    assert (tab.value(range_of), tab.value("document.getElementById('site').value")) == ([0, 40], "")


def test_sites_equally_high(show):
    """The small site then takes the lower half; jobs and processors are found where they are drawn."""
    tab = show(grid_run())
    assert not tab.value("document.getElementById('equal').checked")
    tab.value("document.getElementById('equal').click()")
    point(tab, "#gantt .u-over", 0.25, 0.45)
    assert (card(tab)["job"], card(tab)["processors"]) == ("Job 101 · user 1", "0-1 of 2")
    assert tab.value("document.querySelector('#gantt output').textContent") == "site-2, processor 1 of 2"
    point(tab, "#gantt .u-over", 0.75, 0.55)
    assert (card(tab)["job"], card(tab)["processors"]) == ("Job 103 · user 1", "0-5 of 6")
    choose(tab, "site", "1")
    assert tab.value("(d => [+d.low, +d.high])(document.getElementById('gantt').dataset)") == [4, 8]
    assert tab.complaints() == []


def test_small_sites_beside_a_large_one_begin_equally_high(show):
    """Sites of 4 beside one of 1368 have no room for their names to scale, so all are drawn equally high."""
    tab = show(grid_run(sizes=(4, 5, 6, 7, 1368)))
    assert tab.value("document.getElementById('equal').checked")
    point(tab, "#gantt .u-over", 0.25, 0.3)
    assert tab.value("document.querySelector('#gantt output').textContent").startswith("site-5, processor ")


def test_colors_of_home_sites(show):
    """The legend names the homes; where no home is known they are no way to color."""
    tab = show(grid_run())
    choose(tab, "color", "home_site")
    names = tab.value("[...document.querySelectorAll('#legend li')].map(e => e.textContent)")
    assert sorted(names) == ["home site site-2", "home site site-6"]
    tab = show(grid_run(homes=False))
    assert "home_site" not in tab.value("[...document.getElementById('color').options].map(o => o.value)")


def test_one_machine_has_no_controls_of_sites(show):
    """Without sites neither the choice of one nor the hint is shown."""
    run = RunTables(grid_run().jobs.drop("site"), {"jobs": 3}, {"policy": "easy", "processors": 12})
    tab = show(run)
    assert tab.value(
        "document.getElementById('of-grids').hidden && document.getElementById('grid-keys').hidden"
    )
    assert tab.value(f"{PANELS}.every(name => !document.getElementById(name))")


def test_the_table_of_sites_changes_with_the_run(show):
    """The table lists the sites of the run chosen."""
    tab = show(grid_run("mct"), grid_run("mst"))
    rows = (
        "[...document.querySelectorAll('#sites-table tbody tr')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )
    assert tab.value(rows)[0][:4] == ["site-6", "6", "2", "66.7 %"]
    choose(tab, "sites-run", "1")
    assert len(tab.value(rows)) == 2
    assert tab.value(rows)[0][-1] == "1"


def test_heat_maps_tell_what_is_under_the_pointer(show):
    """The load says site, moment and share; the matrix says from where to where, jobs and work."""
    tab = show(grid_run())
    point(tab, "#site-load-maps canvas", 0.8, 0.85)
    assert text(tab, "site-load-value").startswith("site-6 (6 processors) from day 0 00:01")
    assert text(tab, "site-load-value").endswith(": 100 % busy")
    point(tab, "#migration-maps canvas", 0.8, 0.4)
    assert text(tab, "migration-value") == "site-2 → site-6: 1 job (33.3 %), 42.9 % of the work"
    point(tab, "#migration-maps canvas", 0.8, 0.15)
    assert text(tab, "migration-value") == "site-6, at home: 1 job (33.3 %), 28.6 % of the work"
    choose(tab, "migration-what", "work")
    assert text(tab, "migration-legend").endswith("42.9 %")


def test_runs_of_the_maps_are_chosen(show):
    """A run that is not ticked has no map on the page."""
    tab = show(grid_run("mct"), grid_run("mst"))
    for panel in ("site-load", "migration"):
        tab.value(f"document.querySelector('#{panel}-runs input').click()")
        shown = f"[...document.querySelectorAll('#{panel}-maps > div')].map(e => !e.hidden)"
        assert tab.value(shown) == [False, True]


@pytest.mark.parametrize(
    "name", ["<img src=x onerror='hacked=1'>", "</script><script>hacked++<", "</script><b>"]
)
def test_names_of_sites_are_text(show, name):
    """A site may be called anything: nothing of it is run, and it is shown letter by letter."""
    run = grid_run()
    table = run.jobs.with_columns(pl.col("site", "home_site").replace({"site-6": name}))
    told = {"name": name, "sites": [{"name": "site-2", "processors": 2}, {"name": name, "processors": 6}]}
    tab = show(RunTables(table, {"jobs": 3}, {"policy": "easy", "broker": name, "platform": told}))
    assert tab.complaints() == []
    assert tab.value("typeof hacked") == "undefined"
    assert tab.value("document.querySelector('#sites-table tbody th').textContent") == name


def test_a_machine_beside_a_grid(show):
    """Whichever comes first, both are drawn, and nothing complains."""
    machine = RunTables(grid_run().jobs.drop("site"), {"jobs": 3}, {"policy": "easy", "processors": 12})
    for runs in ((machine, grid_run()), (grid_run(), machine)):
        tab = show(*runs)
        assert tab.complaints() == []
        assert tab.value("document.querySelectorAll('#gantt .pane').length") == 2


def test_a_thousand_sites(show):
    """Sites are put together in rows; the page neither complains nor scrolls sideways."""
    tab = show(many_sites(1000), width=390, height=844)
    assert tab.complaints() == []
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.querySelector('#site-load-maps canvas').clientHeight") < 600
    assert tab.value("document.querySelectorAll('#site option').length") == 1001


def test_the_table_of_sites_is_saved_in_seconds(show):
    """Its heading says so; a panel that only says why it is empty has nothing to save."""
    page = show(grid_run())
    rows = list(csv.reader(io.StringIO(file_saved(page, "sites", "CSV").decode(), newline="")))
    table = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    assert dict(zip(table["Site"], table["Processor-seconds"], strict=True)) == {
        "site-2": "200",
        "site-6": "500",
    }
    assert page.value("!!document.querySelector('#sites .download')")
    empty = "[...document.querySelectorAll('main > section:has(> .absent)')]"
    assert page.value(f"{empty}.every(section => !section.querySelector('.download'))")
