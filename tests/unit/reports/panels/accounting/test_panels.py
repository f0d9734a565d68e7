"""The panels of waits in the log, and of partitions, queues and accounts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments import manifest
from echelon.reports.panels.accounting import groups, log_waits
from echelon.reports.result_report import run_tables

if TYPE_CHECKING:
    from echelon.reports.tables import RunTables

LOG = replace(
    ec.Workload.from_columns(
        submit_time=[0, 10, 20],
        wait_time=[5, 90, 100_000],
        run_time=[100, 50, 10],
        processors=[4, 4, 2],
        partition=[1, 2, 1],
        account=[1, 1, 2],
    ),
    names={"partition": ("main", "<gpu>")},
)


def _tables(*, waits: bool, policy: str = "fcfs", jobs: ec.Workload = LOG) -> RunTables:
    result = replace(ec.simulate(jobs, processors=4, policy=policy), compares_waits=waits)
    return run_tables(result, manifest(result))


def test_waits_are_shown_where_the_run_has_them():
    """Figures of both, a bar of the job that is more than a day early, and the job itself."""
    shown = log_waits.PANEL.content([_tables(waits=True)], ["fcfs"]).body
    for text in (
        "In the log",
        "Simulated, fcfs",
        'class="earlier" title="1 d to 7 d earlier: 1 job',
        "Job 3",
    ):
        assert text in shown
    assert log_waits.PANEL.content([_tables(waits=False)], ["fcfs"]) is None


def test_runs_beside_each_other_have_a_row_each():
    """And a chart each, under its name."""
    runs = [_tables(waits=True), _tables(waits=True, policy="easy")]
    shown = log_waits.PANEL.content(runs, ["fcfs", "easy"]).body
    assert shown.count("<figure") == 2
    assert "easy: jobs by how much earlier" in shown


def test_groups_stand_with_their_waits():
    """Names are escaped; the log's own mean waits stand beside the simulated ones if these are shown."""
    shown = groups.PANEL.content([_tables(waits=True)], ["fcfs"]).body
    assert "&lt;gpu&gt;" in shown
    assert "By partition" in shown
    assert "By account" in shown
    assert "By queue" not in shown
    assert "Mean wait in the log" in shown
    assert "Mean wait in the log" not in groups.PANEL.content([_tables(waits=False)], ["fcfs"]).body


def test_tables_are_saved_with_exact_values():
    """Times in seconds and shares as numbers, whatever their texts say; rows know their jobs."""
    shown = groups.PANEL.content([_tables(waits=True)], ["fcfs"]).body
    # Of main, jobs 1 and 3 have 420 of 620 processor-seconds and waited 5 and 100,000 s in the log.
    assert 'data-value="0.677419355">67.74 %' in shown
    assert 'data-value="50002.5">13.89 h' in shown
    assert '<table data-picks="partition">' in shown
    waits = log_waits.PANEL.content([_tables(waits=True)], ["fcfs"]).body
    assert 'data-value="100000">27.78 h' in waits


def test_a_log_of_one_group_has_no_panel():
    """There is nothing to compare."""
    alone = _tables(waits=False, jobs=LOG.with_columns(partition=[1, 1, 1], account=[1, 1, 1]))
    assert groups.PANEL.content([alone], ["fcfs"]) is None


def test_a_damaged_table_of_waits_is_refused():
    """A wait of no job, and a wait that is none."""
    run = _tables(waits=True)
    with pytest.raises(InputError, match=r"log_waits.csv: expected the wait of a job, got none in row 3"):
        replace(run, log_waits=run.log_waits.with_columns(pl.Series("row", [0, 1, 9])))
    with pytest.raises(InputError, match="log_wait"):
        replace(run, log_waits=run.log_waits.with_columns(pl.Series("log_wait", [0.0, -5.0, 1.0])))


def test_of_many_groups_the_largest_are_shown():
    """Of 14 accounts the 12 with the most work have a row; a sentence has the work of the others."""
    many = ec.Workload.from_columns(
        submit_time=range(15),
        run_time=[*range(10, 150, 10), 10],
        processors=[1] * 15,
        account=[*range(14), 0],
    )
    shown = groups.PANEL.content([_tables(waits=False, jobs=many)], ["fcfs"]).body
    # Of 1,060 processor-seconds accounts 0 and 1 have 20 each, in three jobs.
    assert shown.count("<tr") == 1 + groups.MOST_GROUPS
    assert "2 others with less work have 3 jobs and 3.77 % of the work." in shown
