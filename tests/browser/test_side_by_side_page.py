"""Runs of several folders on one page in a real browser: other jobs are never compared."""

from __future__ import annotations

from echelon import Workload, report_folders, simulate
from echelon.experiments import manifest, write_run

SMALL = """[...document.querySelectorAll('#summary-table tr[data-metric=mean_wait] td')]
    .map(cell => cell.querySelector('small') !== null)"""


def test_a_baseline_compares_runs_of_its_own_jobs(tab, tmp_path):
    """Whichever run the reader chooses, only those of the same jobs have percentages."""
    ten = list(range(10))
    for name, policy, length in (("a", "fcfs", 10), ("b", "sjf", 10), ("c", "fcfs", 20), ("d", "sjf", 20)):
        run_time = [length * (12 - k) for k in ten]
        jobs = Workload.from_columns(submit_time=ten, run_time=run_time, processors=[2, 1] * 5)
        result = simulate(jobs, policy=policy, processors=2)
        write_run(result, tmp_path / name, manifest(result))
    page = report_folders(*(tmp_path / name for name in "abcd"), out=tmp_path / "out")
    tab.events.clear()
    tab.open(page.path, width=1400)
    assert tab.value(SMALL) == [False, True, False, False]
    tab.value("document.getElementById('baseline').value = 2")
    tab.value("document.getElementById('baseline').onchange()")
    assert tab.value(SMALL) == [False, False, False, True]
    assert tab.complaints() == []
