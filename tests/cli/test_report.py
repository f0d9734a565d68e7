"""``echelon report``."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("arguments", [("run",), ("compare", "--policies", "fcfs,easy")])
def test_the_page_made_anew_is_the_same(echelon, six_jobs, tmp_path, arguments):
    """From its files a run or comparison gets the page it had, byte for byte."""
    out = tmp_path / "out"
    assert echelon(arguments[0], six_jobs, *arguments[1:], "--out", out).code == 0
    page = (out / "report.html").read_bytes()
    (out / "report.html").unlink()
    said = echelon("report", out)
    assert (said.code, said.err) == (0, "")
    assert (out / "report.html").read_bytes() == page


def test_a_damaged_folder(echelon, six_jobs, tmp_path):
    """A file that is no JSON is named, and the page that is there stays."""
    out = tmp_path / "out"
    echelon("run", six_jobs, "--out", out)
    page = (out / "report.html").read_bytes()
    (out / "metrics.json").write_text("{")
    said = echelon("report", out)
    assert said.code == 2
    assert "metrics.json: is damaged" in said.sentence
    assert (out / "report.html").read_bytes() == page


@pytest.mark.parametrize(("option", "told"), [("--out", "name of a folder"), ("--timezone", "tz database")])
def test_empty_values_are_refused(echelon, six_jobs, tmp_path, option, told):
    """As of a variable of a shell that is not set: nothing goes into the current folder."""
    echelon("run", six_jobs, "--out", tmp_path / "out")
    said = echelon("report", tmp_path / "out", option, "")
    assert said.code == 2
    assert told in said.sentence


def test_several_folders(echelon, six_jobs, tmp_path):
    """Runs of several folders get one page and one table; without --out, or named twice, a sentence."""
    for name, policy in (("first", "fcfs"), ("second", "sjf")):
        echelon("run", six_jobs, "--policy", policy, "--out", tmp_path / name)
    said = echelon("report", tmp_path / "first", tmp_path / "second", "--out", tmp_path / "both")
    assert (said.code, said.err) == (0, "")
    assert [line.partition(": ")[2] for line in said.out.splitlines()] == ["fcfs, shortest-first", "2 runs"]
    assert (tmp_path / "both" / "report.html").is_file()
    assert (tmp_path / "both" / "metrics.csv").read_text().startswith("run,folder,workload,")
    for arguments in (("first", "second"), ("first", "first", "--out", "both"), ("first", "--out", "second")):
        named = [word if word.startswith("--") else tmp_path / word for word in arguments]
        refused = echelon("report", *named)
        assert refused.code == 2
        assert refused.sentence
