"""The study of Schedlyzer on its own log: every figure and row that was printed, and every claim.

The log is found through ECHELON_DATA or the cache; without it these tests skip.
"""

from __future__ import annotations

import pytest

from echelon.reproduce import Reproduction, reproduce
from echelon.workloads.files import datasets

HOLDS = {"C1", "C2", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C13a"}
IN_PART = {"C12", "C14"}
HOLDS_NOT = {"C3", "C13b", "C15", "C16a"}


@pytest.fixture(scope="module")
def found() -> Reproduction:
    if datasets.find("sdsc-sp2") is None:
        pytest.skip("SDSC-SP2-1998-4.2-cln.swf.gz is neither in a folder of ECHELON_DATA nor in the cache")
    return reproduce("schedlyzer")


def test_every_printed_figure(found):
    """All figures are as printed; the one wait that is not is as its rounded parts give."""
    apart = [(one.subject, one.quantity.name, one.ours) for one in found.printed if one.agreement != "agrees"]
    assert apart == [("PQS-LONGFIRST", "wait", "3084.32")]
    assert next(one for one in found.printed if one.ours == "3084.32").agreement == "explained"
    assert found.agrees


def test_every_figure_of_the_independent_program(found):
    """All 96 figures of a program by other people agree at all digits it gave."""
    assert len(found.independent) == 96
    assert [one for one in found.independent if one.agreement != "agrees"] == []


def test_every_printed_row(found):
    """The 49 rows of figures 14 and 20 are the same in all eight columns."""
    assert [len(sample.printed) for sample in found.samples] == [11, 19, 19]
    assert [sample.differing for sample in found.samples] == [[], [], []]


def test_every_claim(found):
    """Each claim has the verdict that a reading of our numbers by hand gives."""
    verdicts = {claim.name: claim.verdict for claim in found.claims}
    assert {name for name, verdict in verdicts.items() if verdict == "holds"} == HOLDS
    assert {name for name, verdict in verdicts.items() if verdict == "holds in part"} == IN_PART
    assert {name for name, verdict in verdicts.items() if verdict == "does not hold"} == HOLDS_NOT
    assert verdicts["C16b"] == "explanation only"
    assert len(verdicts) == 18


def test_its_time_files(found):
    """A .time file has a line a job in the order of completion, and the rows of figure 14 in that order."""
    assert len(found.files) == 12
    text = found.files["PQS-SHORTFIRST_SDSC-SP2-1998-4.2-cln.time"]().decode()
    rows = [tuple(map(int, line.split())) for line in text.splitlines() if line and line[0] != "#"]
    ends = [row[3] for row in rows]
    assert len(rows) == 54034
    assert ends == sorted(ends)
    printed = [tuple(map(int, row)) for row in found.samples[0].printed]
    wanted = set(printed)
    assert [row for row in rows if row in wanted] == printed


def test_what_a_reader_may_conclude(found):
    """C12 and C14 fail by CPU utilization alone, so the conclusion names some metrics, not all."""
    failing = {
        claim.name: [text for text, outcome in claim.statements if outcome != "holds"]
        for claim in found.claims
        if claim.name in IN_PART
    }
    assert all(len(texts) == 1 and "CPU utilization" in texts[0] for texts in failing.values())
    assert "by some metrics, not by all of them" in found.conclusion


def test_a_number_in_hours_and_seconds_counts_once(found):
    """Three figures are printed in hours beside seconds: 14 of the 17 are counted."""
    assert len(found.counted) == 14
