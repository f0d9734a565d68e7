"""The pages on published studies run again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from echelon.reproduce import STUDIES

DOCS = Path(__file__).parents[2] / "docs"
KEPT = json.loads((DOCS / "studies" / "studies.json").read_text(encoding="utf-8"))["studies"]


def test_every_study_has_its_page():
    """The kept outcome is of every study there is, each was run, and each has a page in the navigation."""
    assert {one["name"] for one in KEPT} == set(STUDIES)
    navigation = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    for study in KEPT:
        assert "verdict" in study
        assert f"studies/{study['name']}.md" in navigation


@pytest.mark.parametrize("study", KEPT, ids=lambda study: study["name"])
def test_a_page_tells_all_claims_and_differences(study):
    """A page names every claim, says every difference, and its pictures are there."""
    page = (DOCS / "studies" / f"{study['name']}.md").read_text(encoding="utf-8")
    for claim in study["claims"]:
        assert f"| {claim['name']} |" in page
    differing = page.partition("## Where we differ, and why")[2].partition("## ")[0]
    rows = [line for line in differing.splitlines() if line.startswith("| ")]
    assert len(rows) == (len(study["differences"]) + 2 if study["differences"] else 0)
    for line in page.splitlines():
        if line.startswith("!["):
            assert (DOCS / "studies" / line.rpartition("(")[2].rstrip(")")).is_file()
