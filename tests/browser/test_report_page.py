"""The report in a real browser: it draws, answers, asks for nothing and complains of nothing."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from echelon.reports import RunTables, write_report

NASTY = "</script><img src=x onerror='hacked=1'>"
OVER = "document.querySelector('#gantt .u-over')"


def run_of(policy, submit, start, length, size, **facts):
    """Return the tables of a schedule."""
    jobs = pl.DataFrame(
        {
            "job_id": np.arange(1, len(start) + 1) + 100,
            "submit_time": np.asarray(submit, float),
            "start_time": np.asarray(start, float),
            "end_time": np.asarray(start, float) + length,
            "processors": size,
            "user": np.arange(len(start)) % 7,
        }
    )
    wait = float((jobs["start_time"] - jobs["submit_time"]).mean())
    return RunTables(
        jobs, {"jobs": len(start), "mean_wait": wait}, {"policy": policy, "processors": 4, **facts}
    )


def three_jobs(policy="easy", last=300.0):
    """Return a run on 4 processors: 101 on 0-2 and 102 on 3 from 0 to 300 s, 103 on 0-3 from `last` on."""
    return run_of(policy, [0, 0, 50.5], [0, 0, last], [300, 300, 300], [3, 1, 4])


@pytest.fixture
def show(tab, tmp_path):
    """Give a function that writes a report and opens it in the tab."""

    def open_report(*runs, **window):
        tab.events.clear()
        tab.open(write_report(runs, tmp_path / "report.html"), **window)
        return tab

    return open_report


def seen(tab):
    """Return the part of the schedule seen, as numbers."""
    return {
        key: float(value)
        for key, value in tab.value("({...document.getElementById('gantt').dataset})").items()
    }


def place(tab, x, y):
    """Return the window's place of a share of the Gantt's plotting area, from its lower left."""
    box = tab.value(f"(b => [b.left, b.top, b.width, b.height])({OVER}.getBoundingClientRect())")
    return box[0] + x * box[2], box[1] + (1 - y) * box[3]


def pixels(tab, x, y, height):
    """Return a column of the Gantt's pixels from a share down, as red, green, blue, alpha, red, ..."""
    return tab.value(
        f"(over => {{ const box = over.getBoundingClientRect();"
        f"const canvas = document.querySelector('#gantt canvas');"
        f"const at = canvas.getBoundingClientRect();"
        f"return [...canvas.getContext('2d').getImageData(box.left - at.left + {x} * box.width,"
        f"box.top - at.top + {1 - y} * box.height, 1, {height}).data]; }})({OVER})"
    )


def sharp(tab):
    """Wait until every tile of the view is drawn."""
    tab.until("document.getElementById('gantt').dataset.missing === '0'")
    tab.settle()


def bring_gantt(tab):
    """Scroll the Gantt chart into the window."""
    tab.value("document.getElementById('gantt').scrollIntoView({block: 'center'})")
    tab.settle()


@pytest.mark.parametrize("window", [{}, {"dark": True}, {"width": 390, "height": 800}])
def test_the_page_draws_without_complaint_or_request(show, window):
    """Light, dark and on a phone: all jobs drawn, no error, no address but its own, no sideways scrolling."""
    tab = show(three_jobs("fcfs"), three_jobs("easy"), **window)
    tab.settle()
    assert seen(tab)["each"] == 3
    assert tab.complaints() == []
    assert [address.split(":")[0] for address in tab.requests()] == ["file"]
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.getElementById('trouble').hidden")


@pytest.mark.parametrize(("dark", "empty"), [(False, [241, 243, 245]), (True, [20, 24, 28])])
def test_the_theme_follows_the_system(show, dark, empty):
    """Where no job runs the Gantt has the theme's background, and the two jobs beside it do not."""
    tab = show(three_jobs(last=450.0), dark=dark)
    tab.settle()
    assert pixels(tab, 0.5, 0.45, 1)[:3] == empty
    assert pixels(tab, 0.2, 0.45, 1)[:3] != empty


def test_hovering_names_the_job(show):
    """A pointer on a rectangle gets the job with its user, times, size and processors; off it nothing."""
    tab = show(three_jobs())
    bring_gantt(tab)
    tab.mouse("mouseMoved", place(tab, 0.75, 0.5))
    card = tab.value("document.getElementById('card').innerText.split(/\\n+/).map(s => s.trim())")
    assert card[0] == "Job 103 · user 2"
    facts = dict(zip(card[1::2], card[2::2], strict=True))
    assert facts["waited"] == "4.158 min"
    assert facts["started"] == "day 0 00:05"
    assert facts["size"] == "4 processors"
    assert facts["processors"] == "0-3"
    tab.mouse("mouseMoved", place(tab, 0.25, 0.9))
    assert tab.value("document.getElementById('card').innerText").startswith("Job 102 · user 1")
    tab.mouse("mouseMoved", (5, 5))
    assert tab.value("document.getElementById('card').hidden")


def test_strips_read_the_moment_under_the_pointer(show):
    """At 150 s all four processors are busy and one job waits."""
    tab = show(three_jobs())
    bring_gantt(tab)
    tab.mouse("mouseMoved", place(tab, 0.25, 0.5))
    assert tab.value("document.getElementById('busy-value').textContent").endswith(": 4 of 4 (100 %)")
    assert tab.value("document.getElementById('queue-value').textContent").endswith(": 1")


def test_wheel_drag_and_double_click_move_the_view(show):
    """The wheel zooms about the pointer, a drag moves what is held, a double click shows everything again."""
    tab = show(three_jobs())
    bring_gantt(tab)
    tab.mouse("mouseWheel", place(tab, 0.5, 0.5), deltaX=0, deltaY=-200)
    tab.settle()
    zoomed = seen(tab)
    assert zoomed["to"] - zoomed["from"] == pytest.approx(600 * np.exp(-0.4), rel=0.01)
    assert (zoomed["to"] + zoomed["from"]) / 2 == pytest.approx(300, abs=2)
    tab.mouse("mousePressed", place(tab, 0.5, 0.5), button="left", clickCount=1)
    tab.mouse("mouseMoved", place(tab, 0.6, 0.5), button="left", buttons=1)
    tab.mouse("mouseReleased", place(tab, 0.6, 0.5), button="left", clickCount=1)
    tab.settle()
    panned = seen(tab)
    assert panned["from"] - zoomed["from"] == pytest.approx(-0.1 * (zoomed["to"] - zoomed["from"]), rel=0.05)
    tab.value(f"{OVER}.dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}}))")
    tab.settle()
    assert (seen(tab)["from"], seen(tab)["to"]) == (0, 600)


def test_keys_do_what_the_pointer_does(show):
    """Zoom, pan, everything, and stepping through the jobs, which are spoken."""
    tab = show(three_jobs())
    tab.value("document.getElementById('gantt').focus()")
    tab.key("+")
    assert (seen(tab)["from"], seen(tab)["to"]) == pytest.approx((120, 480))
    tab.key("ArrowRight")
    assert seen(tab)["from"] == pytest.approx(174)
    tab.key("0")
    assert (seen(tab)["from"], seen(tab)["to"]) == (0, 600)
    tab.key("n")
    tab.key("n")
    assert tab.value("document.getElementById('spoken').textContent").startswith("Job 102 · user 1")
    tab.key("p")
    assert tab.value("document.getElementById('spoken').textContent").startswith("Job 101 · user 0")


def test_gantt_charts_of_several_policies_share_the_time(show):
    """Two are shown above each other, zoomed together; which ones, the reader chooses, at least one."""
    tab = show(three_jobs("fcfs"), three_jobs("easy", last=500.0), three_jobs("sjf"))
    titles = "[...document.querySelectorAll('#gantt h3')].map(title => title.textContent)"
    assert tab.value(titles) == ["Processors under fcfs", "Processors under easy"]
    drawn = "[...document.querySelectorAll('#gantt canvas')].map(canvas => canvas.toDataURL())"
    tab.settle()
    before = tab.value(drawn)
    tab.value("document.getElementById('gantt').focus()")
    tab.key("+")
    assert all(one != two for one, two in zip(before, tab.value(drawn), strict=True))
    box = "document.querySelectorAll('#shown input')"
    tab.value(f"{box}[0].click(), {box}[2].click()")
    tab.settle()
    assert tab.value(titles) == ["Processors under easy", "Processors under sjf"]
    tab.value(f"{box}[1].click(), {box}[2].click()")
    assert tab.value(titles) == ["Processors under sjf"]
    assert tab.complaints() == []


def test_untrusted_names_are_shown_as_text(show):
    """A policy and a workload named like markup appear as they are named, and run nothing."""
    tab = show(three_jobs(NASTY), run_of(NASTY, [0], [0], [60], [1], workload=NASTY))
    assert tab.value("document.querySelector('#shown label').textContent") == NASTY
    assert tab.value("typeof window.hacked") == "undefined"
    assert tab.value("document.querySelectorAll('img').length") == 0
    assert tab.complaints() == []


def test_fifty_thousand_jobs_are_mixed_into_pixels(show):
    """A large schedule is drawn whole: every rectangle, and ink on all processors that are busy."""
    n = 50_000
    random = np.random.default_rng(7)
    size = random.integers(1, 3, n)
    length = random.integers(10, 100, n).astype(float)
    start = np.repeat(np.arange(n // 2) * 100.0, 2)
    tab = show(run_of("easy", start, start, length, size))
    tab.settle()
    sharp(tab)
    assert seen(tab)["each"] == 0
    column = np.array(pixels(tab, 0.3, 1.0, int(place(tab, 0, 0)[1] - place(tab, 0, 1)[1]))).reshape(-1, 4)[
        :, :3
    ]
    inked = (np.abs(column - [241, 243, 245]).sum(axis=1) > 24).mean()
    # Each processor up to the fourth is busy some of the time within every pixel.
    assert inked > 0.9
    assert tab.complaints() == []
