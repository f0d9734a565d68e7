"""Run folder: the files a run leaves, each whole or not at all."""

from __future__ import annotations

import json
import math
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.experiments.folders.results_folder import FURTHER_FILES, refuse_mixing
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from echelon.experiments.result import Result

RUN_FILES = ("jobs.csv", "jobs.parquet", "users.csv", "classes.csv", "metrics.json", "run.json")
"""What `write_run` writes."""


def run_files(result: Result, *, traces: bool = False) -> tuple[str, ...]:
    """Return the names of the files that `write_run` writes for `result`."""
    there = (files for name, files in FURTHER_FILES.items() if _has_table(result, name, traces=traces))
    return tuple(dict.fromkeys(chain(RUN_FILES, *there)))


def _has_table(result: Result, name: str, *, traces: bool) -> bool:
    if name == "traces":
        return traces
    if name == "log_waits":
        return result.shows_log_waits
    return getattr(result.schedule if name in ("holdings", "places") else result, name) is not None


def write_run(result: Result, folder: str | Path, run: Mapping[str, Any], *, traces: bool = False) -> Path:
    """Write the files of `result` into `folder`.

    ``jobs.csv`` and ``jobs.parquet`` (a row a job), ``users.csv`` and ``classes.csv`` (a row a user, a class
    of jobs), ``metrics.json`` and ``run.json``; if some job was preempted or paid a switch, also
    ``segments.csv`` and ``segments.parquet`` (a row a time a job held processors); on a grid also
    ``sites.csv`` (a row a site); on nodes also ``holdings.csv`` and ``holdings.parquet`` (a row for the cores
    of a processor that a job held) and ``nodes.csv`` (a row a node), where its power is known ``power.csv``
    and ``power.parquet`` (a row a change of it); on a multicluster ``places.csv`` and ``places.parquet`` (a
    row a job and cluster it had tasks in), ``nodes.csv``, and if estimators forecast, ``forecasts.csv`` and
    ``forecasts.parquet`` (a row a forecast) and ``accuracy.csv`` (a row an estimator and quantity), and if it
    did not run some job, ``rejected.csv`` (a row such a job); if some job was replicated ``replicas.csv`` and
    ``replicas.parquet`` (a row a copy); where the machine changed, or jobs were canceled or had deadlines,
    ``attempts.csv`` and ``attempts.parquet`` (a row a time a job held processors), with ``outages.csv`` (a
    row an outage of a node) and ``reservations.csv`` (a row a reservation); if the log has at least two of
    them ``partitions.csv``, ``queues.csv``, ``accounts.csv``; if the waits of the log are shown
    ``log_waits.csv`` and ``log_waits.parquet`` (a row a job).

    Parameters
    ----------
    result : Result
        The run.
    folder : str or Path
        Made if need be; files of these names in it are replaced. It may hold no comparison.
    run : mapping
        The content of ``run.json``; see `echelon.experiments.manifest`.
    traces : bool, default False
        Whether to write ``traces.csv``, too: metrics as the run proceeded, see `Result.traces`.

    Raises
    ------
    InputError
        If the folder cannot be made or written or holds a comparison. If a metric of the user's own fails,
        nothing is written.
    """
    return writer_of_run(result, folder, run, traces=traces)()


def writer_of_run(
    result: Result, folder: str | Path, run: Mapping[str, Any], *, traces: bool = False
) -> Callable[[], Path]:
    """Make the folder and all tables of a run, and return what writes the files, as `write_run` does.

    To be called once, in this thread or in another.
    """
    metrics = result.metrics
    refuse_mixing(folder, "run")
    target = make_folder(folder)
    files = run_files(result, traces=traces)
    names = [file.removesuffix(".csv") for file in files if file.endswith(".csv")]
    tables = {name: table for name in names if (table := _table(result, name)) is not None}
    # Those of an earlier run here would be taken for this run's.
    for name in {*chain(*FURTHER_FILES.values())}.difference(files):
        (target / name).unlink(missing_ok=True)

    def write() -> Path:
        for name in (name for name in tables if f"{name}.parquet" in files):
            with replacing(target / f"{name}.parquet") as file:
                # The quickest level of Zstandard: a third less time than the default's, and no larger here.
                tables[name].write_parquet(file, compression="zstd", compression_level=1)
        for name, table in tables.items():
            with replacing(target / f"{name}.csv") as file:
                to_whole_numbers(table).write_csv(file)
        write_json(target / "metrics.json", metrics)
        write_json(target / "run.json", run)
        return target

    return write


def _table(result: Result, name: str) -> pl.DataFrame | None:
    """Return the table of a run that a file holds, by the name of the file."""
    if name == "jobs" and result.is_dated:
        return result.dated_jobs
    if name == "traces":
        return result.traces()
    table: pl.DataFrame | None = getattr(result, "log_wait_table" if name == "log_waits" else name)
    return table


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write `content` as JSON, readable and with numbers in full; NaN, which JSON lacks, as null."""
    with replacing(path) as file:
        file.write((json.dumps(without_nan(content), indent=2, allow_nan=False) + "\n").encode())


def without_nan(content: Any) -> Any:  # noqa: ANN401  (whatever JSON can hold)
    """Return `content` with None in place of every NaN; infinity stays, and JSON refuses it."""
    if isinstance(content, dict):
        return {key: without_nan(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [without_nan(value) for value in content]
    return None if isinstance(content, float) and math.isnan(content) else content


def make_folder(folder: str | Path) -> Path:
    """Make `folder`, and those above it, if need be; take an old ``report.html`` out of it.

    The page of an earlier run would show other numbers than the files about to be written.

    Raises
    ------
    InputError
        If it cannot be made, or is a file.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / "report.html").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot be created as a folder for results: {error.strerror}", file=str(folder)
        ) from error
    return path


def to_whole_numbers(table: pl.DataFrame) -> pl.DataFrame:
    """Return `table` with every column of whole seconds as whole numbers: ``100``, not ``100.0``."""
    import polars as pl

    floats = [name for name, kind in table.schema.items() if kind == pl.Float64]
    whole = [whole for name in floats if (whole := _to_whole(table[name])) is not None]
    return table.with_columns(whole)


_GLANCE = 1_000
"""Rows that tell most columns of fractions from one of whole numbers."""


def _to_whole(column: pl.Series) -> pl.Series | None:
    """Return a column of whole numbers as such; None where one has a fraction."""
    import polars as pl

    if column.null_count():
        numbers = column.drop_nulls()
        return column.cast(pl.Int64) if (numbers == numbers.round()).all() else None
    values = column.to_numpy()
    if (values[:_GLANCE] != np.rint(values[:_GLANCE])).any():
        return None
    largest = np.abs(values).max(initial=0.0)
    if not (largest < 2.0**63 and np.array_equal(values, np.rint(values))):
        return None
    # Narrow numbers are written alike, and take half the memory.
    return pl.Series(column.name, values.astype(np.int32 if largest < 2.0**31 else np.int64))
