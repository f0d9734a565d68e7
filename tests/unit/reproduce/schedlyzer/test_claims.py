"""Schedlyzer's printed numbers as they are kept, and its claims on a schedule where they fail."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.reproduce.machinery.printed_table import printed_figures, printed_rows
from echelon.reproduce.schedlyzer.claims import CLAIMS
from echelon.reproduce.schedlyzer.study import COMPARATORS, MEASURES, SCHEDULERS


def test_every_printed_figure_has_a_measure():
    """Each line names a known quantity and a subject that is run, with a number."""
    known = {f"{prefix}-{comparator}" for prefix in SCHEDULERS for comparator in COMPARATORS}
    for table, lines in (("thesis", 17), ("independent", 96)):
        figures = printed_figures("schedlyzer", table)
        assert len(figures) == lines
        for figure in figures:
            assert figure.quantity in MEASURES
            assert figure.subject in known | {"SDSC-SP2"}
            assert float(figure.printed) >= 0


@pytest.mark.parametrize(("table", "rows"), [("figure14", 11), ("figure20a", 19), ("figure20b", 19)])
def test_printed_rows_hold_together(table, rows):
    """Each printed row has start = arrival + wait, end = start + run and response = end - arrival."""
    printed = printed_rows("schedlyzer", table)
    assert len(printed.rows) == rows
    for _, arrival, start, end, run, wait, response, processors in printed.rows:
        assert (start, end, response) == (arrival + wait, start + run, end - arrival)
        assert 1 <= processors <= 128


def test_claims_are_computed_not_remembered():
    """On three jobs that all fit at once nothing differs, so claims that compare do not hold."""
    workload = ec.Workload.from_columns(submit_time=[0, 1, 2], run_time=[9, 9, 9], processors=[1, 1, 1])
    runs = {
        f"{prefix}-{comparator}": ec.simulate(workload, processors=4, policy=before + order)
        for prefix, (_, before) in SCHEDULERS.items()
        for comparator, order in COMPARATORS.items()
    }
    verdicts = {claim.name: claim.verdict for claim in CLAIMS.judge(runs)}
    assert len(verdicts) == 18
    assert verdicts["C13a"] == verdicts["C6"] == "holds"
    assert verdicts["C16b"] == "explanation only"
    assert {verdicts[name] for name in ("C2", "C5", "C10", "C12", "C14", "C15")} == {"does not hold"}
    # That SMALLFIRST stays the same is a statement of these, and true.
    assert {verdicts[name] for name in ("C7", "C9")} == {"holds in part"}
