"""How workloads look in a notebook."""

from __future__ import annotations

import re

import pytest

from echelon.model import Workload
from echelon.model.jobs.html_table import html_cell, html_row, html_table


def jobs(count: int) -> Workload:
    """Return so many jobs, one a second, of unknown users."""
    return Workload.from_columns(
        submit_time=range(count), run_time=[1.5] * count, processors=[2] * count, name="some & <more>"
    )


def rows(html: str) -> list[list[str]]:
    """Return the text of each cell, a list a row."""
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]


def test_a_small_workload_has_a_row_a_job():
    """All jobs are there, with a dash for what is unknown."""
    head, *body = rows(jobs(12)._repr_html_())
    assert head == ["Job", "Submitted (s)", "Run time (s)", "Requested (s)", "Processors", "User"]
    assert len(body) == 12
    assert body[3] == ["4", "3", "1.5", "–", "2", "–"]


def test_of_many_jobs_both_ends_are_shown():
    """Five jobs from each end, with a row of dots between them; the title has the count."""
    shown = jobs(13)._repr_html_()
    _, *body = rows(shown)
    assert [row[0] for row in body] == ["1", "2", "3", "4", "5", "…", "9", "10", "11", "12", "13"]
    assert "13 jobs</caption>" in shown


def test_texts_are_no_markup():
    """Names of workloads, jobs and cells are escaped."""
    shown = jobs(1)._repr_html_()
    assert "<caption>some &amp; &lt;more&gt;: 1 job</caption>" in shown
    labeled = Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    from dataclasses import replace

    assert "&lt;script&gt;" in replace(labeled, labels=("<script>",))._repr_html_()
    assert (
        html_table("<", [html_row(html_cell(">"))])
        == "<table><caption>&lt;</caption><tr><td>&gt;</td></tr></table>"
    )


def test_users_have_their_names():
    """A user is the name behind the code, else the code."""
    workload = Workload.from_columns(submit_time=[0, 1], run_time=[1, 1], processors=[1, 1], user=[1, 7])
    from dataclasses import replace

    _, first, second = rows(replace(workload, names={"user": ("ada",)})._repr_html_())
    assert (first[-1], second[-1]) == ("ada", "7")


@pytest.mark.parametrize(("share", "width"), [(0.0, "0.0"), (0.5, "50.0"), (1.0, "100.0")])
def test_a_bar_has_the_length_of_its_share(share, width):
    """From nothing to the whole cell."""
    assert f"width:{width}%" in html_cell("x", share=share)
    assert html_cell("x") == "<td>x</td>"
