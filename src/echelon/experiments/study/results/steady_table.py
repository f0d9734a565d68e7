"""Table of runs without warm-up and cool-down: metrics recomputed from the jobs of each run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.study.results.run_table import numbers
from echelon.experiments.study.store.stored_run import run_in
from echelon.metrics import METRICS, Metric, steady_metrics

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from echelon.experiments.study.store.stored_run import StoredRun


def steady_table(table: pl.DataFrame, folder: Path, *, warm_up: float, cool_down: float) -> pl.DataFrame:
    """Return a table of runs with the metrics of the jobs in their middle alone.

    Parameters
    ----------
    table : polars.DataFrame
        Of `run_table`.
    folder : Path
        Of the study.
    warm_up, cool_down : float
        Shares, see `echelon.metrics.steady_metrics`.

    Returns
    -------
    polars.DataFrame
        The same rows; of the metrics only those that some jobs have as well as all.

    Raises
    ------
    InputError
        If a share is out of its range, or a run has no job left.

    Notes
    -----
    Cost: some ms a run of 5,000 jobs, in threads.
    """
    keys = table["key"].unique(maintain_order=True).to_list()

    def measured(key: str) -> dict[str, int | float]:
        run = run_in(folder, key)
        jobs, processors = run.jobs, processors_of(run)
        try:
            return steady_metrics(jobs, processors=processors, warm_up=warm_up, cool_down=cool_down)
        except InputError as error:
            raise InputError(error.problem, file=str(run.folder), field=error.field) from error

    with ThreadPoolExecutor() as threads:
        metrics_by_key = dict(zip(keys, threads.map(measured, keys), strict=True))
    whole = metrics_of_all(table, folder)
    names = [name for name in whole if any(name in metrics for metrics in metrics_by_key.values())]
    rows = [metrics_by_key[key] for key in table["key"].to_list()]
    columns = {
        name: numbers([None if row.get(name) != row.get(name) else row.get(name) for row in rows])
        for name in names
    }
    return table.drop(whole).with_columns(**columns)


def metrics_of_all(table: pl.DataFrame, folder: Path) -> list[str]:
    """Return the columns of a table of runs that are metrics of all jobs."""
    own = [metric.name for metric in own_metrics_of(table, folder)]
    return [metric.name for metric in METRICS if metric.name in table.columns] + own


def processors_of(run: StoredRun) -> int:
    """Return the processors of a run's machine.

    Raises
    ------
    InputError
        If its manifest does not say them.
    """
    stated = run.manifest.get("processors")
    if not isinstance(stated, int) or stated < 1:
        raise run.damaged("manifest.json", f"processors is {stated!r:.40}, expected a number of at least 1")
    return stated


def own_metrics_of(table: pl.DataFrame, folder: Path) -> tuple[Metric, ...]:
    """Return the user-defined metrics, as the first run describes them; they cannot be measured again."""
    keys = table["key"].head(1).to_list() if "key" in table.columns else []
    recorded = run_in(folder, keys[0]).manifest.get("own_metrics", []) if keys else []
    return tuple(Metric(**own, function=lambda _: None) for own in recorded)
