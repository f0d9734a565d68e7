"""``echelon report``."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("words", [("run",), ("compare", "--policies", "fcfs,easy")])
def test_the_page_made_anew_is_the_same(echelon, six_jobs, tmp_path, words):
    """From its files a run or comparison gets the page it had, byte for byte."""
    out = tmp_path / "out"
    assert echelon(words[0], six_jobs, *words[1:], "--out", out).code == 0
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
