"""The report of results that are at hand in Python, and how a notebook shows it."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from echelon.experiments import Comparison, manifest
from echelon.metrics.tables.code_table import GROUPED
from echelon.reports.report import write_report
from echelon.reports.tables import TABLES, Coded, RunTables, coded_texts

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

    from echelon.experiments import Result

_HEIGHT = 720


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report that was written; a notebook shows it in a frame.

    Parameters
    ----------
    path : Path
        The file.
    """

    path: Path

    def _repr_html_(self) -> str:
        # The page itself, not its address: notebooks in editors and on other machines do not serve files.
        page = html.escape(self.path.read_text(encoding="utf-8"))
        return (
            f'<iframe srcdoc="{page}" title="{html.escape(str(self.path))}" '
            f'style="width: 100%; height: {_HEIGHT}px; border: 0"></iframe>'
        )


def show_report(results: Result | Comparison, path: str | os.PathLike[str] = "report.html") -> ReportPage:
    """Write the report of a run, or of policies side by side, and return it; a notebook then shows it.

    Parameters
    ----------
    results : Result or Comparison
        What `simulate` or `compare` returned.
    path : path, default "report.html"
        The file to write, whole or not at all; its folder must exist.

    Raises
    ------
    InputError
        If the file cannot be written.

    Notes
    -----
    Cost: O(n log n) for n jobs in all.
    """
    runs = results.results if isinstance(results, Comparison) else (results,)
    return ReportPage(write_report([run_tables(run, manifest(run)) for run in runs], path))


def run_tables(result: Result, recorded: Mapping[str, Any]) -> RunTables:
    """Return what a report shows of a result; `recorded` is its manifest."""
    more: dict[str, Any] = {name: getattr(result, name) for name in TABLES}
    more["log_waits"] = result.log_wait_table if result.shows_log_waits else None
    tables = RunTables(result.jobs, result.metrics, recorded, **more)
    tables.know_orders(result.measured.by_start, result.measured.by_end)
    for name in ("user", *GROUPED):
        if name in tables.jobs.columns:
            texts = result.instance.once(f"texts of {name}", partial(_texts, result, name))
            tables.know(name, texts)
    return tables


def _texts(result: Result, name: str) -> Coded:
    return coded_texts(*result.codes(name))
