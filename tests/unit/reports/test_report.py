"""The page as a file."""

from __future__ import annotations

import re

import pytest

from echelon.errors import InputError
from echelon.reports import RunTables, report_page, write_report

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>$title"


def test_the_page_needs_nothing_from_outside(make_run):
    """It forbids itself every connection, and names no address to load from."""
    page = report_page([make_run(policy="easy")], title="One")
    assert "default-src 'none'" in page
    assert not re.search(r"""(src|href)\s*=\s*["']?\s*(https?:)?//""", page)
    assert not re.search(r"@import|url\((?!#)", page)  # "#": a part of the same picture


def test_untrusted_names_stay_text(make_run):
    """Policies, workloads and titles cannot bring in markup, wherever they are shown."""
    plain = report_page([make_run(policy="a", workload="b"), make_run(policy="c")], title="d")
    nasty = report_page([make_run(policy=NASTY, workload=NASTY), make_run(policy=NASTY)], title=NASTY)
    for tag in ("<script", "</script", "<img"):
        assert nasty.count(tag) == plain.count(tag)


def test_runs_of_one_policy_get_different_names(make_run):
    """Two runs of a policy can be told apart in the table."""
    page = report_page([make_run(policy="easy"), make_run(policy="easy")], title="Two")
    assert '<th scope="col">easy</th><th scope="col">easy (2)</th>' in page


def test_a_report_needs_a_run_with_jobs(make_run, three_jobs):
    """Nothing to show is an error with a sentence, as is a table without the columns needed."""
    with pytest.raises(InputError, match="at least one run"):
        report_page([], title="None")
    with pytest.raises(InputError, match="got none in run 'easy'"):
        report_page([RunTables(three_jobs.clear(), {}, {"policy": "easy"})], title="Empty")
    with pytest.raises(InputError, match=r"missing: end_time$"):
        RunTables(three_jobs.drop("end_time"), {}, {})


def test_the_file_is_written_whole(make_run, tmp_path):
    """The file holds the page, takes the place of an older one, and nothing else is left in the folder."""
    target = tmp_path / "report.html"
    target.write_text("old")
    runs = [make_run(policy="easy", workload="three.swf")]
    assert write_report(runs, target) == target
    assert target.read_text(encoding="utf-8") == report_page(runs, title="easy on three.swf")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_failed_write_leaves_no_part(make_run, tmp_path):
    """Where the page cannot take its place, no half-written file stays behind."""
    target = tmp_path / "report.html"
    target.mkdir()
    with pytest.raises(InputError, match=r"report\.html: is a folder"):
        write_report([make_run()], target)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_two_workloads_of_one_name_are_two(make_run, tmp_path):
    """Jobs that a model drew twice have its name; what is read of them tells how many workloads there are."""
    runs = [
        make_run(policy=f"{policy}-{digest}", workload="lublin", input_sha256=digest)
        for digest in ("a", "b")
        for policy in ("easy", "fcfs", "plan", "slack", "srtf")
    ]
    assert "10 runs on 2 workloads" in write_report(runs, tmp_path / "report.html").read_text(
        encoding="utf-8"
    )
