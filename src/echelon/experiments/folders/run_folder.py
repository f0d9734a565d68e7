"""Run folder: the files a run leaves, each whole or not at all."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.experiments.folders.results_folder import refuse_mixing
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from echelon.experiments.result import Result

SEGMENT_FILES = ("segments.csv", "segments.parquet")
"""What `write_run` also writes if some job was preempted or paid a switch."""

HOLDING_FILES = ("holdings.csv", "holdings.parquet", "nodes.csv")
"""What `write_run` also writes where the nodes of the machine are modeled individually."""

MULTICLUSTER_FILES = ("places.csv", "places.parquet", "nodes.csv")
"""What `write_run` also writes on a multicluster."""

FORECAST_FILES = ("forecasts.csv", "forecasts.parquet", "accuracy.csv")
"""What `write_run` also writes if estimators forecast waits and runs."""

REJECTED_FILES = ("rejected.csv",)
"""What `write_run` also writes if a multicluster, or a machine that changes, did not run some job."""

POWER_FILES = ("power.csv", "power.parquet")
"""What `write_run` also writes where the power of these nodes is known."""

REPLICA_FILES = ("replicas.csv", "replicas.parquet")
"""What `write_run` also writes if some job was replicated."""

ATTEMPT_FILES = ("attempts.csv", "attempts.parquet")
"""What `write_run` also writes where the machine changed, or jobs were canceled or had deadlines."""

OUTAGE_FILES = ("outages.csv",)
"""What `write_run` also writes if something was down."""

RESERVATION_FILES = ("reservations.csv",)
"""What `write_run` also writes if there were advance reservations."""

GROUP_FILES = ("partitions.csv", "queues.csv", "accounts.csv")
"""What `write_run` also writes, each if the log has at least two of them."""

LOG_WAIT_FILES = ("log_waits.csv", "log_waits.parquet")
"""What `write_run` also writes if the waits of the log are shown beside the simulated ones."""

SITE_FILES = ("sites.csv",)
"""What `write_run` also writes on a grid."""

TRACE_FILES = ("traces.csv",)
"""What `write_run` also writes if asked to."""

RUN_FILES = ("jobs.csv", "jobs.parquet", "users.csv", "classes.csv", "metrics.json", "run.json")
"""What `write_run` writes."""


def run_files(result: Result, *, traces: bool = False) -> tuple[str, ...]:
    """Return the names of the files that `write_run` writes for `result`."""
    segments = () if result.segments is None else SEGMENT_FILES
    sites = () if result.sites is None else SITE_FILES
    holdings = () if result.schedule.holdings is None else HOLDING_FILES
    power = () if result.power is None else POWER_FILES
    clusters = () if result.schedule.places is None else MULTICLUSTER_FILES
    forecasts = () if result.forecasts is None else FORECAST_FILES
    rejected = () if result.rejected is None else REJECTED_FILES
    replicas = () if result.replicas is None else REPLICA_FILES
    attempts = () if result.attempts is None else ATTEMPT_FILES
    outages = () if result.outages is None else OUTAGE_FILES
    reservations = () if result.reservations is None else RESERVATION_FILES
    sometimes = segments + sites + replicas + holdings + clusters + forecasts + rejected + power
    sometimes += attempts + outages + reservations
    groups = zip(GROUP_FILES, (result.partitions, result.queues, result.accounts), strict=True)
    sometimes += tuple(file for file, table in groups if table is not None)
    sometimes += LOG_WAIT_FILES if result.shows_log_waits else ()
    return tuple(dict.fromkeys(RUN_FILES + sometimes + (TRACE_FILES if traces else ())))


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
    jobs = result.dated_jobs if result.is_dated else result.jobs
    tables = {"jobs": jobs, "users": result.users, "classes": result.classes}
    sometimes = {
        "segments": result.segments,
        "sites": result.sites,
        "replicas": result.replicas,
        "holdings": result.holdings,
        "nodes": result.nodes,
        "power": result.power,
        "places": result.places,
        "forecasts": result.forecasts,
        "accuracy": result.accuracy,
        "rejected": result.rejected,
        "attempts": result.attempts,
        "outages": result.outages,
        "reservations": result.reservations,
        "partitions": result.partitions,
        "queues": result.queues,
        "accounts": result.accounts,
        "log_waits": result.log_wait_table if result.shows_log_waits else None,
        "traces": result.traces() if traces else None,
    }
    tables |= {name: table for name, table in sometimes.items() if table is not None}
    # Those of an earlier run here would be taken for this run's.
    sometimes_there = {
        *(*SEGMENT_FILES, *SITE_FILES, *HOLDING_FILES, *POWER_FILES, *TRACE_FILES),
        *(*MULTICLUSTER_FILES, *FORECAST_FILES, *REJECTED_FILES, *REPLICA_FILES),
        *(*ATTEMPT_FILES, *OUTAGE_FILES, *RESERVATION_FILES, *GROUP_FILES, *LOG_WAIT_FILES),
    }
    for name in sometimes_there.difference(run_files(result, traces=traces)):
        (target / name).unlink(missing_ok=True)

    def write() -> Path:
        _write_tables(tables, target)
        write_json(target / "metrics.json", metrics)
        write_json(target / "run.json", run)
        return target

    return write


_AS_PARQUET = (
    "jobs",
    "segments",
    "replicas",
    "holdings",
    "power",
    "places",
    "forecasts",
    "attempts",
    "log_waits",
)


def _write_tables(tables: Mapping[str, pl.DataFrame], target: Path) -> None:
    for name in (name for name in tables if name in _AS_PARQUET):
        with replacing(target / f"{name}.parquet") as file:
            # The quickest level of Zstandard: a third less time than the default's, and no larger here.
            tables[name].write_parquet(file, compression="zstd", compression_level=1)
    for name, table in tables.items():
        with replacing(target / f"{name}.csv") as file:
            whole_numbers(table).write_csv(file)


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


def whole_numbers(table: pl.DataFrame) -> pl.DataFrame:
    """Return `table` with every column of whole seconds as whole numbers: ``100``, not ``100.0``."""
    import polars as pl

    floats = [name for name, kind in table.schema.items() if kind == pl.Float64]
    whole = [whole for name in floats if (whole := _whole(table[name])) is not None]
    return table.with_columns(whole)


_GLANCE = 1_000
"""Rows that tell most columns of fractions from one of whole numbers."""


def _whole(column: pl.Series) -> pl.Series | None:
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
