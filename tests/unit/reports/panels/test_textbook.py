"""The panel of a few jobs as in a textbook."""

from __future__ import annotations

import re

import polars as pl

from echelon.reports import RunTables, report_page


def test_a_few_jobs_have_a_chart(make_run):
    """A box and a name a job, the times of the edges, a triangle an arrival; and all of it as a text."""
    page = report_page([make_run()], title="a")
    section = page[page.index('<section id="textbook"') :]
    section = section[: section.index("</section>")]
    assert len(re.findall("<rect ", section)) == 3
    assert re.findall(r">(\d+)</text>", section)[:3] == ["11", "13", "12"]
    assert [time for time in ("0", "100", "300", "600") if f">{time}</text>" in section] == [
        "0",
        "100",
        "300",
        "600",
    ]
    assert section.count('class="arrival"') == 3
    assert 'aria-label="Gantt chart. job 11 0 to 300 s; job 13 100 to 300 s; job 12 300 to 600 s."' in section
    assert '<a href="#textbook">' in page


def test_every_arrival_has_its_names_in_the_drawing(three_jobs):
    """Long names of arrivals near the left edge, and near one another, stand whole in lines of their own."""
    names = ["the-first-of-all", "the-second-one", "the-third"]
    jobs = three_jobs.with_columns(job_id=pl.Series(names))
    page = report_page([RunTables(jobs, {"jobs": 3}, {"processors": 4})], title="a")
    section = page[page.index('<section id="textbook"') :].split("</section>")[0]
    above = section[section.index('class="arrival"') :]
    found = {name: re.search(rf'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>{name}<', above) for name in names}
    assert all(found.values())
    assert all(float(one[1]) - 3.7 * len(name) >= 0 and float(one[2]) > 0 for name, one in found.items())
    assert len({one[2] for one in found.values()}) > 1


def test_names_are_no_markup(three_jobs):
    """A job's name is text, in the box, above its arrival and for the pointer."""
    jobs = three_jobs.with_columns(job_id=pl.Series(["<b>", '"x"', "&"]))
    page = report_page([RunTables(jobs, {"jobs": 3}, {"processors": 4})], title="a")
    section = page[page.index('<section id="textbook"') :].split("</section>")[0]
    assert "<b>" not in section
    assert "&lt;b&gt;" in section


def test_many_jobs_or_processors_have_none(three_jobs, make_run):
    """31 jobs, or 65 processors, are left to the chart that can be zoomed."""
    many = pl.concat([three_jobs] * 11).head(31).with_columns(job_id=pl.int_range(31))
    assert '<section id="textbook"' not in report_page([RunTables(many, {}, {"processors": 100})], title="a")
    assert '<section id="textbook"' not in report_page([make_run(processors=65)], title="a")


def test_runs_compared_share_the_time(make_run):
    """Each run has a chart below its name, up to the end of the longest."""
    late = make_run(policy="other")
    late = RunTables(late.jobs.with_columns(pl.col("start_time", "end_time") * 2), late.metrics, late.run)
    page = report_page([make_run(policy="one"), late], title="a")
    section = page[page.index('<section id="textbook"') :].split("</section>")[0]
    assert re.findall("<figcaption>(.*?)</figcaption>", section) == ["one", "other"]
    first, second = section.split("</svg>")[:2]
    widths = [
        [float(width) for width in re.findall(r'<rect .*?width="([\d.]+)"', svg)] for svg in (first, second)
    ]
    assert widths[0][0] * 2 == widths[1][0]
