"""Where a reproduced study differs, and why."""

from __future__ import annotations

import pytest

from echelon.reproduce import (
    Claim,
    Detour,
    Figure,
    Misprint,
    PrintedRow,
    PrintedTable,
    Quantity,
    Reproduction,
    Sample,
    Study,
)
from echelon.reproduce.report.differences import differences
from echelon.reproduce.report.digest import digest, run_summary

WAIT = Quantity("wait", "mean wait", "h", "mean(start - submit)")
STUDY = Study("tiny", "Tiny", "Nobody, 1900", "nothing", lambda _: None)


def found(**parts) -> Reproduction:
    return Reproduction(study=STUDY, setting={}, **{"printed": [], **parts})


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"printed": [Figure("A", WAIT, "1.50", "p 1", 1.5)]}, []),
        (
            {"printed": [Figure("A", WAIT, "1.50", "p 1", 1.6)]},
            [("p 1", "A, mean wait: printed 1.50, ours 1.60 h", "")],
        ),
        (
            {"printed": [Figure("A", WAIT, "1.50", "p 1", 1.6, Detour(1.5, "a sum of rounded parts"))]},
            [("p 1", "A, mean wait: printed 1.50, ours 1.60 h", "a sum of rounded parts")],
        ),
        (
            {"samples": [Sample("Jobs", "t 1", ("a",), [(1,), (2,)], [(1,), (3,)])]},
            [("t 1", "Jobs: 1 of 2 rows are not as printed", "")],
        ),
        (
            {"claims": [Claim("C1", "It is so.", "p 2", "not testable", "No data.")]},
            [("p 2", "C1, not testable: It is so.", "No data.")],
        ),
        ({"claims": [Claim("C1", "It is so.", "p 2", "holds", "Yes.")]}, []),
    ],
)
def test_each_kind_of_difference(parts, expected):
    """A figure, an explanation, rows and claims each give their sentence; what agrees gives none."""
    assert [tuple(one) for one in differences(found(**parts))] == expected


def table() -> PrintedTable:
    rows = (
        PrintedRow(("r",), ("1.0", "2.0"), (1.0, 3.0)),
        PrintedRow(("s",), ("1.0", "2.0"), None, "the log is not to be had"),
    )
    misprint = {(("r",), "B"): Misprint("9.9", "as table 2 says")}
    return PrintedTable("table 1", "Shares", "p 3", ("",), ("A", "B"), rows, misprint)


def test_tables_are_told_as_wholes():
    """Of a table: how many cells differ, how like its orders are, why rows are not testable, misprints."""
    said = [(one.what, one.why) for one in differences(found(tables=[table()]))]
    assert said == [
        (
            "Shares: 1 of 2 cells are not as printed; "
            "the orders of its rows have a mean Kendall's tau of 1.00",
            "",
        ),
        ("Shares: some rows are not testable", "the log is not to be had"),
        ("Shares: misprint, B of r should be 9.9", "as table 2 says"),
    ]


def test_the_digest_counts():
    """A digest has the counts, the tables as wholes, and the differences; JSON can hold it."""
    made = digest(found(tables=[table()], printed=[Figure("A", WAIT, "1.50", "p 1", 1.5)]), seconds=1.26)
    assert (made["printed"], made["as_printed"], made["explained"], made["seconds"]) == (3, 2, 0, 1.3)
    assert made["tables"][0] | {"untested": None} == {
        "title": "Shares",
        "where": "p 3",
        "cells": 2,
        "as_printed": 1,
        "apart": 0,
        "tau": 1.0,
        "untested": None,
    }
    assert len(made["differences"]) == 3
    assert run_summary(made) == "1 s"


def test_a_digest_tells_how_the_study_was_run():
    """A quick run is no full one: what was said of it stands beside its time."""
    made = digest(found(), seconds=36.4, settings={"quick": True, "seeds": 20})
    assert made["settings"] == {"quick": True, "seeds": 20}
    assert run_summary(made) == "36 s, quick, seeds 20"
    assert run_summary({"problem": "no log"}) == "not run"
