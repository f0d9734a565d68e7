"""What a reader chooses in a report: window of time, filters, runs; and that its address tells all of it."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from tests.browser.report_pages import choose, filled, press, random_runs, seen, texts

from echelon.reports import RunTables, write_report

HASH = "decodeURIComponent(location.hash.slice(1))"
CHIPS = "#filter-chips button"


@pytest.fixture
def page(tmp_path):
    """Give a function that writes a report of random runs and returns its address."""

    def write(*waits, **facts):
        return write_report(random_runs(waits or (1000, 100_000), **facts), tmp_path / "report.html")

    return write


def overview(tab, x):
    """Return the window's place of a share of the overview's width."""
    tab.value("document.getElementById('overview').scrollIntoView({block: 'center'})")
    box = tab.value(
        "(b => [b.left, b.top, b.width, b.height])"
        "(document.querySelector('.overview-room').getBoundingClientRect())"
    )
    return box[0] + x * box[2], box[1] + 0.5 * box[3]


def dragged(tab, before, after):
    """Drag the mouse from a share of the overview to another."""
    for kind, at, held in (
        ("mousePressed", before, 1),
        ("mouseMoved", after, 1),
        ("mouseReleased", after, 0),
    ):
        tab.mouse(kind, overview(tab, at), button="left", buttons=held, clickCount=1)
    tab.settle()


def shares(tab):
    """Return where the window begins and ends, as shares of the whole time."""
    view, full = seen(tab), tab.full
    return [(view[end] - full["from"]) / (full["to"] - full["from"]) for end in ("from", "to")]


def test_the_window_of_the_overview_is_drawn_moved_and_resized(tab, page):
    """By mouse, by keys on its parts, which say what they are at, and by a finger."""
    filled(tab, page(1000))
    tab.full = seen(tab)
    dragged(tab, 0.2, 0.4)
    assert shares(tab) == pytest.approx([0.2, 0.4], abs=0.01)
    dragged(tab, 0.3, 0.6)
    assert shares(tab) == pytest.approx([0.5, 0.7], abs=0.01)
    dragged(tab, 0.7, 0.9)
    assert shares(tab) == pytest.approx([0.5, 0.9], abs=0.01)
    tab.value("document.querySelector('.brush-handle.left').focus()")
    tab.key("ArrowRight")
    assert shares(tab) == pytest.approx([0.51, 0.9], abs=0.01)
    tab.value("document.querySelector('.brush-body').focus()")
    tab.key("Home")
    assert shares(tab) == pytest.approx([0, 0.39], abs=0.01)
    told = tab.value(
        "[...document.querySelectorAll('.brush [role=slider]')].map(e => [e.ariaLabel, e.ariaValueText])"
    )
    assert len(told) == 3
    assert all(label and text.startswith("day 0 ") for label, text in told[:2])
    points = [{"x": x, "y": y, "id": 1} for x, y in (overview(tab, 0.2), overview(tab, 0.4))]
    for kind, touched in (("touchStart", points[:1]), ("touchMove", points[1:]), ("touchEnd", [])):
        tab.call("Input.dispatchTouchEvent", type=kind, touchPoints=touched)
    tab.settle()
    assert shares(tab) == pytest.approx([0.2, 0.59], abs=0.02)
    assert tab.complaints() == []


def test_a_link_opened_elsewhere_shows_the_same(tab, page):
    """Color, window, filters, runs, baseline, order, sorts and scales: the address brings all back."""
    path = page(1000, 100_000, 10)
    filled(tab, path)
    choose(tab, "#color", "user")
    choose(tab, "#baseline", 1)
    choose(tab, "#run-order", "mean_wait")
    press(tab, "#runs-shown input", 2)
    press(tab, "#users-table tbody tr")
    press(tab, "#jobs-table thead button", 2)
    press(tab, "#queue-log")
    choose(tab, "#traces-metric", 2)
    tab.value("document.getElementById('gantt').focus({preventScroll: true})")
    tab.key("+")
    tab.until("location.hash.includes('time=')")
    told = tab.value("location.hash")

    def state():
        return tab.value(
            "[[...document.querySelectorAll('select, input')]"
            ".map(e => e.type === 'checkbox' ? e.checked : e.value),"
            "['summary-table', 'users-table', 'jobs-table', 'filter-chips', 'legend', 'jobs-shown']"
            ".map(id => document.getElementById(id).innerText)]"
        )

    before, view = state(), seen(tab)
    filled(tab, f"{path.resolve().as_uri()}{told}")
    assert state() == before
    assert (seen(tab)["from"], seen(tab)["to"]) == pytest.approx((view["from"], view["to"]), rel=1e-3)
    assert tab.complaints() == []


def test_back_and_forward_go_from_choice_to_choice(tab, page):
    """Each choice is a step; moving the view is none."""
    filled(tab, page())
    tab.call("Page.resetNavigationHistory")  # of earlier tests: a browser keeps so many steps only
    steps = tab.value("history.length")
    press(tab, "#users-table tbody tr")
    choose(tab, "#color", "size")
    press(tab, "#arrivals li", 9)
    assert tab.value("history.length") == steps + 3
    assert len(texts(tab, CHIPS)) == 3  # both filters, and one that ends all
    for step, chips, color in (
        ("back", 1, "size"),
        ("back", 1, "wait"),
        ("back", 0, "wait"),
        ("forward", 1, "wait"),
    ):
        before = tab.value("location.hash")
        tab.value(f"void setTimeout(() => history.{step}())")
        tab.until(f"location.hash !== {before!r}")
        tab.settle()
        assert (len(texts(tab, CHIPS)), tab.value("document.getElementById('color').value")) == (chips, color)
    assert tab.complaints() == []


GARBAGE = (
    "time=a:b&rows=9e99:1&color=nope&only-wait=x&only-user=%E0%A4%A&hide=0,1,99&base=-3&jobs-sort=99:up",
    "light=77&charts=,&job=%00&order=__proto__&base=1e1&strips=-1&constructor=1&time=1e300:2e300&=&=&%%%",
    "users",
    "color=user&" + "x" * 20_000 + "=1",
)


def test_garbage_in_the_address_is_ignored(tab, page):
    """The page is then as without it."""
    path = page()
    shown = "document.getElementById('main').innerText"
    plain = filled(tab, path).value(shown), seen(tab)["from"], seen(tab)["to"]
    for garbage in GARBAGE:
        filled(tab, f"{path.resolve().as_uri()}#{garbage}")
        assert (tab.value(shown), seen(tab)["from"], seen(tab)["to"]) == plain
        assert tab.complaints() == []


def test_links_to_sections_keep_the_choices(tab, page):
    """A section is a choice beside the others."""
    filled(tab, page())
    choose(tab, "#color", "user")
    press(tab, "nav a[href='#users']")
    assert tab.value(HASH) == "at=users&color=user"
    assert tab.value("document.activeElement.id") == "users-heading"


def test_other_marks_filter_the_jobs_too(tab, page):
    """Cells, columns, rows and dots: each says of how many jobs it is, and as many are then left."""
    filled(tab, page())
    script = "document.querySelector('#filter-chips .soft').textContent"
    for mark, count in (
        ("#classes td.answers", "#classes td.answers small"),
        ("#arrivals li", "#arrivals li .spoken"),
        ("#shapes .columns li", "#shapes .columns li .spoken"),
        ("#changes-histogram li:has(.spoken)", "#changes-histogram .spoken"),
    ):
        told = tab.value(f"document.querySelectorAll({count!r})[2].textContent")
        jobs = re.findall(r"([\d,]+) jobs?", told)[0]
        press(tab, mark, 2)
        assert tab.value(script) == f"Only {jobs} of 300 jobs under policy-0", mark
        assert len(texts(tab, "#jobs-table tbody tr.answers")) == min(int(jobs), 19) or int(jobs) > 19
        press(tab, mark, 2)
        assert tab.value("document.getElementById('filter-chips').hidden"), mark
    press(tab, "#users-table tbody tr")
    rows = tab.value("document.querySelector('#users-table tbody td').textContent")
    assert tab.value(script) == f"Only {rows} of 300 jobs under policy-0"
    tab.value("document.getElementById('gantt').focus({preventScroll: true})")
    tab.key("Escape")
    assert tab.value("document.getElementById('filter-chips').hidden")
    assert tab.complaints() == []


def test_rows_of_partitions_and_accounts_filter_the_jobs(tab, tmp_path):
    """Each is a condition of its own, in the address, too; a second click ends it."""
    whole = random_runs([1000, 100_000])
    groups = [["main", "gpu", "main"][k % 3] for k in range(300)], [f"a{k % 4}" for k in range(300)]
    columns = [pl.Series(name, texts) for name, texts in zip(("partition", "account"), groups, strict=True)]
    runs = [RunTables(run.jobs.with_columns(columns), run.metrics, run.run) for run in whole]
    filled(tab, write_report(runs, tmp_path / "report.html"))
    count = sum(pair == ("gpu", "a1") for pair in zip(*groups, strict=True))
    for name in ("gpu", "a1"):
        tab.value(
            f"[...document.querySelectorAll('#groups .pick')].find(b => b.textContent === '{name}').click()"
        )
    told = f"Only {count} of 300 jobs under policy-0"
    script = "document.querySelector('#filter-chips .soft').textContent"
    assert tab.value(script) == told
    assert tab.value("location.hash") == "#only-partition=gpu&only-account=a1"
    filled(tab, tab.value("location.href"))
    assert tab.value(script) == told
    pressed = "[...document.querySelectorAll('#groups .pick[aria-pressed=true]')].map(b => b.textContent)"
    assert tab.value(pressed) == ["gpu", "a1"]
    for name in ("gpu", "a1"):
        tab.value(
            f"[...document.querySelectorAll('#groups .pick')].find(b => b.textContent === '{name}').click()"
        )
    assert tab.value("document.getElementById('filter-chips').hidden")
    assert tab.complaints() == []


def test_dots_and_lines_filter_the_jobs_too(tab, page):
    """A dot of a user by a click where it is told of; a line of waits by a click at a wait."""
    filled(tab, page())
    for chart, field in (("users-chart", "user"), ("wait-share", "wait")):
        told = f"document.getElementById('{chart.removesuffix('-chart')}-value').textContent"
        tab.value(f"document.getElementById('{chart}').scrollIntoView({{block: 'center'}})")
        left, top, width, height = tab.value(
            f"(b => [b.left, b.top, b.width, b.height])"
            f"(document.querySelector('#{chart} .u-over').getBoundingClientRect())"
        )
        for step in range(300):
            at = (left + width * (0.03 + 0.05 * (step % 20)), top + height * (0.05 + 0.06 * (step // 20)))
            tab.mouse("mouseMoved", at)
            if tab.value(told):
                break
        for kind in ("mousePressed", "mouseReleased"):
            tab.mouse(kind, at, button="left", clickCount=1)
        tab.settle()
        assert tab.value(HASH).startswith(f"only-{field}="), chart
        press(tab, CHIPS)
    assert tab.complaints() == []


def test_another_baseline_is_what_the_program_would_have_compared_with(tab, page, tmp_path):
    """Percentages of the summary are those of a report whose first run it is."""
    runs = random_runs((1000, 100_000, 10))
    small = (
        "Object.fromEntries([...document.querySelectorAll('#summary-table tbody td')].map(c => "
        "[c.parentElement.dataset.metric + c.dataset.run, c.querySelector('small')?.outerHTML ?? '']))"
    )
    filled(tab, write_report([runs[1], runs[0], runs[2]], tmp_path / "other.html"))
    expected = tab.value(small)
    filled(tab, write_report(runs, tmp_path / "report.html"))
    assert tab.value(small) != expected
    choose(tab, "#baseline", 1)
    found = {name: re.sub(r' class=""', "", text) for name, text in tab.value(small).items()}
    assert found == {name: re.sub(r' class=""', "", text) for name, text in expected.items()}
    assert tab.value("document.getElementById('baseline-name').textContent") == "policy-1"


def test_runs_are_hidden_and_sorted_everywhere(tab, page):
    """By mean wait the best is first, in the table and among the bars; a hidden run is in no panel."""
    filled(tab, page(1000, 100_000, 10))
    choose(tab, "#run-order", "mean_wait")
    heads = "#summary-table thead th:not(:first-child)"
    assert texts(tab, heads) == ["policy-2", "policy-0", "policy-1"]
    assert texts(tab, "[data-bars=mean_wait] .bar-name") == ["policy-2", "policy-0", "policy-1"]
    press(tab, "#runs-shown input", 0)
    assert texts(tab, heads) == ["policy-2", "policy-1"]
    assert texts(tab, "#gantt h3") == ["Processors under policy-1"]
    assert len(texts(tab, "#classes caption")) == 2
    for choice in ("#shown label", "#overlay label", "#distributions-runs label", "#traces-runs label"):
        assert "policy-0" not in texts(tab, choice), choice
    for place in (1, 2):
        press(tab, "#runs-shown input", place)
    assert len(texts(tab, heads)) == 1
    assert tab.complaints() == []


def test_scales_are_logarithmic_where_one_run_flattens_the_rest(tab, page):
    """Automatically so, with a switch; else they begin at 0."""
    width = (
        "[...document.querySelectorAll('[data-bars=mean_wait] .bar-room i')]"
        ".map(i => parseFloat(i.style.width))"
    )
    filled(tab, page(100, 1_000_000))
    assert tab.value(
        "document.getElementById('bars-log').checked && document.getElementById('queue-log').checked"
    )
    assert min(tab.value(width)) > 5
    press(tab, "#bars-log")
    assert min(tab.value(width)) < 1
    filled(tab, page(1000, 1200))
    assert tab.value(
        "document.getElementById('bars-controls').hidden && !document.getElementById('queue-log').checked"
    )
    assert min(tab.value(width)) > 50


def test_the_panel_of_waits_in_the_log_leads_to_jobs(tab, tmp_path):
    """Each bar leaves just the jobs that it counts, those on an edge in one bar; a row leads to its job."""
    (run,) = random_runs([100_000])
    random = np.random.default_rng(3)
    wait = (run.jobs["start_time"] - run.jobs["submit_time"]).to_numpy().astype(float)
    logged = np.maximum(wait + random.choice([-86_400, -3600, -60, 0, 60, 600, 3600, 1.5], len(wait)), 0)
    rows = np.flatnonzero(random.random(len(wait)) < 0.9)
    waits = pl.DataFrame({"row": rows, "log_wait": logged[rows], "simulated_wait": wait[rows]})
    run = RunTables(run.jobs, run.metrics, run.run, log_waits=waits)
    filled(tab, write_report([run], tmp_path / "report.html"))
    bars = "[...document.querySelectorAll('#log-waits li[data-range]')]"
    counts = tab.value(f"{bars}.map(b => Number(b.dataset.value))")
    left = tab.value(
        f"{bars}.map(b => {{ b.click();"
        " const left = document.querySelector('#filter-chips .soft').textContent; b.click(); return left; })"
    )
    assert left == [f"Only {count} of 300 jobs" for count in counts]
    assert sum(counts) == len(rows)
    largest = int(rows[np.argmax(np.abs(wait - logged)[rows])])
    tab.value("document.querySelector('#log-waits details').open = true")
    tab.value("document.querySelector('#log-waits tr[data-job] .pick').click()")
    tab.settle()
    assert f"job={run.jobs['job_id'][largest]}" in re.split("[#&]", tab.value("location.hash"))
    assert tab.complaints() == []
