"""The page of a run inside a cluster in a real browser: tasks on the cores they held."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from echelon.reports import RunTables, show_report, write_report

WINDOWS = ({"width": 1280}, {"width": 1280, "dark": True}, {"width": 390, "height": 800})
OVER = "#gantt .u-over"


@pytest.fixture
def show(tab, tmp_path):
    """Give a function that opens the report of a result or of tables."""

    def open_report(run, **window):
        tab.events.clear()
        path = tmp_path / "report.html"
        write_report([run], path) if isinstance(run, RunTables) else show_report(run, path)
        tab.open(path, **window)
        tab.until("document.documentElement.dataset.filled === 'true'")
        tab.settle()
        return tab

    return open_report


def point(tab, x, y):
    """Move the pointer to a time and a core of the small cluster's chart."""
    tab.value(f"document.querySelector('{OVER}').scrollIntoView({{block: 'center'}})")
    tab.settle()
    box = tab.value(
        f"(b => [b.left, b.top, b.width, b.height])(document.querySelector('{OVER}').getBoundingClientRect())"
    )
    tab.mouse("mouseMoved", (box[0] + x / 22 * box[2], box[1] + (1 - y / 8) * box[3]))
    tab.settle()


def card(tab):
    """Return the facts on the card of the job under the pointer."""
    parts = tab.value("document.getElementById('card').innerText.split(/\\n+/).map(s => s.trim())")
    return {"job": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def pixel(tab, time, core):
    """Return red, green and blue where a time and a core are drawn."""
    return tab.value(
        f"""(() => {{
          const over = document.querySelector('{OVER}').getBoundingClientRect();
          const canvas = document.querySelector('#gantt canvas'), all = canvas.getBoundingClientRect();
          const ratio = canvas.width / all.width;
          const x = (over.left - all.left + {time} / 22 * over.width) * ratio;
          const y = (over.top - all.top + (1 - {core} / 8) * over.height) * ratio;
          return [...canvas.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3);
        }})()"""
    )


@pytest.mark.parametrize("window", WINDOWS)
def test_the_page_draws_without_complaint(show, small_cluster, window):
    """Light, dark and on a phone: nothing complains or scrolls sideways, and each task is a rectangle."""
    tab = show(small_cluster, **window)
    assert tab.complaints() == []
    assert tab.value("document.getElementById('trouble').hidden")
    assert tab.value("document.documentElement.scrollWidth <= innerWidth")
    assert tab.value("document.getElementById('gantt').dataset.each") == "6"
    assert tab.value("document.querySelector('#gantt h3').textContent") == "Cores"
    assert tab.value("document.getElementById('busy-title').textContent") == "Cores held"
    assert (
        tab.value("document.querySelector('header p').textContent") == "One run · 3 jobs · 2 nodes · 8 cores"
    )


def test_a_job_says_where_it_was(show, small_cluster):
    """A job's card has nodes, cores, speed, traffic and what it held without running; the title the core."""
    tab = show(small_cluster)
    point(tab, 2, 0.5)
    told = card(tab)
    assert (told["job"], told["nodes"], told["cores"]) == ("Job 1 · user unknown", "0-1", "0-2 4")
    assert (told["speed"], told["sent between nodes"]) == ("80 % of what its cores can", "3 MB")
    assert told["blocked"] == "9 s of core time"
    assert "interrupted" not in told
    assert tab.value("document.querySelector('#gantt output').textContent") == "node 0 (thin), core 0"
    point(tab, 16, 6.5)
    assert card(tab)["waited for nodes to wake up"] == "8 s of core time"
    assert tab.value("document.querySelector('#gantt output').textContent") == "node 1 (fast), core 6"


def test_blocked_and_waking_cores_look_otherwise(show, small_cluster):
    """What runs has its job's color, a node that wakes up is gray, and idle cores are empty."""
    tab = show(small_cluster)
    runs, idle, wakes = pixel(tab, 6, 0.3), pixel(tab, 6, 3.3), pixel(tab, 13, 5.2)
    assert len({tuple(color) for color in (runs, idle, wakes)}) == 3
    assert max(wakes) - min(wakes) < 20 < max(runs) - min(runs)
    blocked = {tuple(pixel(tab, 8.5 + k / 20, 0.3)) for k in range(20)}
    assert tuple(runs) not in blocked
    assert len(blocked) > 1  # hatched


def test_parts_of_a_second_are_drawn(show, small_cluster):
    """A task that begins at a whole second and ends within one is drawn to its end."""
    holdings = small_cluster.holdings.with_columns(
        end_time=pl.col("end_time") * 0.9 + 0.4, release_time=pl.col("release_time") * 0.99 + 0.3
    )
    tables = RunTables(small_cluster.jobs, {"jobs": 3}, {}, holdings=holdings, nodes=small_cluster.nodes)
    tab = show(tables)
    ran, idle = pixel(tab, 5, 6.3), pixel(tab, 5, 3.3)
    assert pixel(tab, 5.7, 6.3) == ran
    assert pixel(tab, 6.35, 6.3) == idle


def test_power_is_a_strip(show, small_cluster, powered_cluster):
    """Where power is known it has a strip that tells what is drawn and how much of it is idle."""
    tab = show(powered_cluster)
    assert tab.complaints() == []
    assert not tab.value("document.getElementById('power-strip').hidden")
    point(tab, 13, 1)
    assert tab.value("document.getElementById('power-value').textContent").endswith("60 W (60 W idle)")
    point(tab, 16, 6)
    assert tab.value("document.getElementById('power-value').textContent").endswith("125 W (30 W idle)")
    assert card(tab)["energy"] == "760 J"
    assert (
        tab.value("[...document.querySelectorAll('#nodes-table td')].map(d => d.textContent)")[3]
        == "1.584 kJ"
    )
    assert show(small_cluster).value("document.getElementById('power-strip').hidden")


def test_a_node_is_looked_at(show, small_cluster):
    """Choosing a node shows its cores alone; nodes are never drawn equally high."""
    tab = show(small_cluster)
    tab.value(
        "(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.getElementById('site'))"
    )
    tab.settle()
    assert tab.value("(d => [+d.low, +d.high])(document.getElementById('gantt').dataset)") == [4, 8]
    assert tab.value("document.getElementById('equal-label').hidden")


def test_many_holdings_are_tiles_in_which_blocked_is_fainter(show, small_cluster):
    """Of 6,000 cores that are blocked in the second half tiles are strong on the left, faint on the right."""
    n = 6000
    jobs = pl.DataFrame({"job_id": np.arange(n) + 1, "submit_time": 0.0, "start_time": 0.0}).with_columns(
        end_time=pl.lit(100.0), processors=pl.lit(1)
    )
    row = np.arange(n)
    held = pl.DataFrame({"row": row, "cores": list(map(str, row))}).with_columns(
        start_time=pl.lit(0.0),
        begin_time=pl.lit(0.0),
        end_time=50.0 + pl.col("row") / n,
        release_time=pl.lit(100.0),
    )
    nodes = pl.DataFrame({"node": np.arange(60)}).with_columns(
        cores=100, first_core=100 * pl.col("node"), processor_cores=pl.lit("50 50"), type=pl.lit("many")
    )
    tab = show(RunTables(jobs, {"jobs": n}, {"policy": "easy"}, holdings=held, nodes=nodes))
    tab.until("document.getElementById('gantt').dataset.missing === '0'")
    tab.settle()
    assert tab.value("document.getElementById('gantt').dataset.each") == "0"
    ran, blocked = pixel(tab, 5, 4.05), pixel(tab, 17, 4.05)
    assert sum(blocked) > sum(ran) + 60
