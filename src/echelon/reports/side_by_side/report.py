"""The page and the table of runs from several folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.folders.run_folder import make_folder
from echelon.metrics import METRICS
from echelon.reports.report import write_report
from echelon.reports.result_report import ReportPage
from echelon.reports.run_names import run_labels
from echelon.reports.side_by_side.folders import RunsBeside, read_folders
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    import os

    import polars as pl

_OTHERS = {
    "run.json": "a run",
    "metrics.json": "a comparison",
    "results.json": "a reproduction",
    "study.json": "a study",
}
"""Files of folders that hold something else, by what that is."""


def report_folders(
    *folders: str | os.PathLike[str],
    out: str | os.PathLike[str],
    title: str | None = None,
    timezone: str | None = None,
) -> ReportPage:
    """Write one page and one table of the runs in several folders, and return the page.

    Parameters
    ----------
    *folders : path
        What ``echelon run`` and ``echelon compare`` wrote with ``--out``, in any mix, also of different
        workloads and machines; at least one. The first run is what the others are compared with.
    out : path
        The folder for ``report.html`` and ``metrics.csv``; made if need be.
    title : str, optional
        Heading of the page. Default: what differs, and the workload.
    timezone : str, optional
        Zone in which the page shows dates, a name of the tz database such as ``"Europe/Madrid"``. Default:
        that of each log. The page names the runs whose logs have no dates.

    Returns
    -------
    ReportPage
        A notebook shows it.

    Raises
    ------
    InputError
        If a folder holds no run, is named twice or is a part of another one, if `out` holds runs itself or
        cannot be written, or if a zone is given and no run has dates.
    UnknownNameError
        If there is no such zone.

    Notes
    -----
    Cost: O(n log n) for n jobs in all.
    """
    comparison = read_folders([Path(folder) for folder in folders], timezone=timezone)
    return ReportPage(write_beside(comparison, Path(out), title=title))


def write_beside(comparison: RunsBeside, out: Path, *, title: str | None = None) -> Path:
    """Write ``report.html`` and ``metrics.csv`` of runs into a folder and return the page's path.

    Raises
    ------
    InputError
        If the folder holds runs itself or cannot be written.
    """
    check_out(out)
    target = make_folder(out)
    page = write_report(comparison.runs, target / "report.html", title=title)
    with replacing(target / "metrics.csv") as file:
        metrics_table(comparison).write_csv(file)
    return page


def check_out(out: Path) -> None:
    """Raise an InputError if a folder holds runs: its ``metrics.csv`` and page would be lost."""
    for name, held in _OTHERS.items():
        if (out / name).is_file():
            problem = f"holds {held}, whose files the page and the table would replace; choose another folder"
            raise InputError(problem, field="--out", file=str(out))


def metrics_table(comparison: RunsBeside) -> pl.DataFrame:
    """Return a row a run: its label, its folder, and every metric that some run has.

    Columns: ``run``, ``folder``, ``workload``, ``processors``, ``seed``, ``policy`` and ``broker`` (null
    where there is none), ``job_set`` where not all runs completed the same jobs, then the metrics in the
    order of `echelon.metrics.METRICS`, those of a user's own last; null where a run has none.
    """
    # A heavy library that only tables need.
    import polars as pl

    standard = dict.fromkeys(metric.name for metric in METRICS)
    present = dict.fromkeys(key for run in comparison.runs for key in run.metrics)
    names = [name for name in standard if name in present] + [
        name for name in present if name not in standard
    ]
    several = len(set(comparison.job_sets)) > 1
    labels = run_labels(comparison.runs)
    rows: list[dict[str, Any]] = [
        {
            "run": label,
            "folder": folder,
            "workload": run.run.get("workload"),
            "processors": run.processors,
            "seed": run.run.get("seed"),
            "policy": run.policy or None,
            "broker": run.broker or None,
            **({"job_set": number} if several else {}),
            **{name: run.metrics.get(name) for name in names},
        }
        for run, folder, number, label in zip(
            comparison.runs, comparison.folders, comparison.job_sets, labels, strict=True
        )
    ]
    return pl.DataFrame(rows, infer_schema_length=None)
