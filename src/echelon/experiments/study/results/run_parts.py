"""Parts of runs, measured by themselves: their middle, their blocks; and what share of jobs is warm-up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from echelon.analysis import mser5
from echelon.errors import InputError
from echelon.experiments.study.results.comparison_table import BLOCK
from echelon.experiments.study.results.run_table import numbers
from echelon.experiments.study.store.stored_run import run_in
from echelon.metrics import METRICS, Metric, block_metrics, steady_metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import polars as pl

    from echelon.experiments.study.store.stored_run import StoredRun

Measurements = TypeVar("Measurements")


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
    metrics_by_key = _measure_runs(table, folder, steady_metrics, warm_up=warm_up, cool_down=cool_down)
    whole = metrics_of_all(table, folder)
    rows = [metrics_by_key[key] for key in table["key"].to_list()]
    return table.drop(whole).with_columns(**_metric_columns(rows, whole))


def _measure_runs(
    table: pl.DataFrame, folder: Path, measure: Callable[..., Measurements], **options: float
) -> dict[str, Measurements]:
    """Return what `measure` gives of the jobs of each different run, by its key."""

    def measure_run(key: str) -> Measurements:
        run = run_in(folder, key)
        jobs, processors = run.jobs, processors_of(run)
        try:
            return measure(jobs, processors=processors, **options)
        except InputError as error:
            raise InputError(error.problem, file=str(run.folder), field=error.field) from error

    keys = table["key"].unique(maintain_order=True).to_list()
    with ThreadPoolExecutor() as threads:
        return dict(zip(keys, threads.map(measure_run, keys), strict=True))


def _metric_columns(rows: list[dict[str, int | float]], names: list[str]) -> dict[str, pl.Series]:
    """Return a column for each metric that some row has, null where a row has none or NaN."""
    return {
        name: numbers([None if row.get(name) != row.get(name) else row.get(name) for row in rows])
        for name in names
        if any(name in row for row in rows)
    }


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
        raise run.error_of("manifest.json", f"processors is {stated!r:.40}, expected a number of at least 1")
    return stated


def own_metrics_of(table: pl.DataFrame, folder: Path) -> tuple[Metric, ...]:
    """Return the user-defined metrics, as the first run describes them; they cannot be measured again."""
    keys = table["key"].head(1).to_list() if "key" in table.columns else []
    if not keys:
        return ()
    run = run_in(folder, keys[0])
    recorded = run.manifest.get("own_metrics", [])
    try:
        return tuple(Metric(**own, function=lambda _: None) for own in recorded)
    except TypeError as error:
        why = f"own_metrics is {recorded!r:.40}, expected a list of descriptions"
        raise run.error_of("manifest.json", why) from error


def block_table(
    table: pl.DataFrame, folder: Path, *, length: float, warm_up: float = 0.0, cool_down: float = 0.0
) -> pl.DataFrame:
    """Return a table of runs with a row for each of their blocks instead, and the column ``block``.

    Parameters
    ----------
    table : polars.DataFrame
        Of `run_table`.
    folder : Path
        Of the study.
    length : float
        Of a block, in s.
    warm_up, cool_down : float, default 0
        Shares of the jobs that are left out before a run is cut.

    Returns
    -------
    polars.DataFrame
        Of the metrics those of a block, see `echelon.metrics.block_metrics`; blocks count from 0.

    Raises
    ------
    InputError
        If a share is out of its range, or a run has no whole block.

    Notes
    -----
    Cost: some ms a block, in threads.
    """
    import polars as pl

    options = {"length": length, "warm_up": warm_up, "cool_down": cool_down}
    rows_by_key = _measure_runs(table, folder, block_metrics, **options)
    keys = table["key"].to_list()
    rows = [row for key in keys for row in rows_by_key[key]]
    whole = metrics_of_all(table, folder)
    columns = _metric_columns(rows, whole)
    places = [place for place, key in enumerate(keys) for _ in rows_by_key[key]]
    blocks = [number for key in keys for number in range(len(rows_by_key[key]))]
    return table.drop(whole)[places].with_columns(pl.Series(BLOCK, blocks, dtype=pl.Int64), **columns)


LOOKED_AT = 40
"""Runs that are looked at, evenly over all: the share is a rough one anyway."""


def suggested_warm_up(folder: Path, keys: Sequence[str]) -> float | None:
    """Return the median, over some runs, of the share of jobs that MSER-5 leaves out at the beginning.

    Parameters
    ----------
    folder : Path
        Of the study.
    keys : sequence of str
        Of its runs.

    Returns
    -------
    float or None
        From 0 to 0.5, by the waits in the order of submission; near 0.5 the runs are too short, or never
        steady. None without a run that has 20 jobs.

    Notes
    -----
    Cost: the jobs of at most `LOOKED_AT` runs are read. Source: see `echelon.analysis.mser5`.
    """
    places = np.unique(np.linspace(0, len(keys) - 1, LOOKED_AT).round().astype(np.int64)).tolist()
    shares = []
    for key in (keys[place] for place in places if keys):
        jobs = run_in(folder, key).jobs_with(["submit_time", "start_time"])
        jobs = jobs.sort("submit_time", maintain_order=True)
        if len(jobs) >= 20:
            waits = (jobs["start_time"] - jobs["submit_time"]).to_numpy()
            shares.append(mser5(waits) / len(jobs))
    return float(np.median(shares)) if shares else None
