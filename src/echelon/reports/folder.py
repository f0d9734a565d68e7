"""From the files of a run or a comparison back to tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.schedule.steady import metrics_of_jobs, schedule_of
from echelon.model.jobs.time_zone import zone_named
from echelon.reports.tables import TABLES, RunTables
from echelon.workloads.files.json_object import parse_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

_FORMATS = (".parquet", ".csv")

_WAITS = (
    *("mean_wait", "median_wait", "max_wait", "p90_wait", "p95_wait", "p99_wait", "total_wait"),
    *("size_weighted_mean_wait", "jain_fairness_wait", "mean_response", "max_response"),
)
"""Metrics that earlier versions gave other values, or none, where jobs were preempted."""

_TEXTS = {
    "jobs": ("nodes", "cores"),
    "holdings": ("cores",),
    "nodes": ("type", "processor_cores", "site"),
    "places": ("site", "nodes"),
    "forecasts": ("estimator",),
    "replicas": ("site",),
    "attempts": ("site", "nodes", "reason"),
    "outages": ("site", "kind"),
    "reservations": ("name", "site", "nodes"),
}
"""Columns of tables that are text even where all of it looks like numbers."""


def read_folder(folder: str | Path, *, timezone: str | None = None) -> list[RunTables]:
    """Return the runs that a folder holds: one of ``echelon run``, or all of ``echelon compare``.

    Parameters
    ----------
    folder : str or Path
        With ``run.json``, or with ``metrics.json`` and a folder for each policy in it.
    timezone : str, optional
        Zone in which dates are shown, a name of the tz database. Default: that of the log. Runs of logs
        without dates stay as they are.

    Returns
    -------
    list of RunTables
        A comparison's in the order in which its policies were named.

    Raises
    ------
    InputError
        If the folder holds neither, a file of it is missing or damaged, or a zone is given and no run has
        dates.
    UnknownNameError
        If there is no such zone.
    """
    runs = _runs(folder)
    return runs if timezone is None else in_zone(runs, timezone, str(folder))


def in_zone(runs: Sequence[RunTables], timezone: str, place: str) -> list[RunTables]:
    """Return the runs of a place with the time zone in which their dates are shown; others have no dates.

    Raises
    ------
    InputError
        If no run has dates.
    UnknownNameError
        If there is no such zone.
    """
    zone_named(timezone)
    if all(run.unix_start_time is None for run in runs):
        raise InputError(
            "does not say when its log began, so it has no dates; leave the time zone out",
            file=place,
            field="timezone",
        )
    return [
        run if run.unix_start_time is None else replace(run, run={**run.run, "time_zone": timezone})
        for run in runs
    ]


def _runs(folder: str | Path) -> list[RunTables]:
    """Return the runs that a folder holds; see `read_folder`."""
    path = Path(folder)
    if not path.is_dir():
        raise InputError(
            "is not a folder, expected one that run or compare wrote with --out", file=str(folder)
        )
    if (path / "run.json").is_file():
        return [_run(path)]
    inner = {run.label: run for run in map(_run, sorted(file.parent for file in path.glob("*/run.json")))}
    if not inner:
        is_study = (path / "study.json").is_file()
        more = "; the page of a study is made by echelon study report" if is_study else ""
        problem = f"has no run.json, expected a folder that run or compare wrote{more}"
        raise InputError(problem, file=str(folder))
    named = _json(path / "metrics.json")
    if missing := [label for label in named if label not in inner]:
        problem = f"no subfolder has the run.json of {', '.join(missing)}; run the comparison again"
        raise InputError(problem, file=str(folder))
    return [inner[label] for label in named]


def _run(path: Path) -> RunTables:
    jobs, metrics, run = _table(path, "jobs"), _json(path / "metrics.json"), _json(path / "run.json")
    if jobs is None:
        raise InputError(f"holds neither {' nor '.join(f'jobs{each}' for each in _FORMATS)}", file=str(path))
    for file, count in (("metrics.json", metrics.get("jobs")), ("run.json", run.get("jobs_simulated"))):
        if count != len(jobs):
            problem = f"describes {count} jobs, but the table of jobs has {len(jobs)}; run it again"
            raise InputError(problem, file=str(path / file))
    for name, value in metrics.items():
        if not (value is None or isinstance(value, int | float)):
            problem = f"is damaged: got {value!r:.40}, expected a number"
            raise InputError(problem, file=str(path / "metrics.json"), field=name)
    more: dict[str, Any] = {name: _table(path, name) for name in (*TABLES, "log_waits")}
    try:
        return RunTables(jobs, _with_all_waiting(metrics, jobs), run, **more)
    except InputError as error:
        raise InputError(error.problem, field=error.field, file=str(path)) from error


def _with_all_waiting(metrics: dict[str, Any], jobs: pl.DataFrame) -> dict[str, Any]:
    """Return metrics whose waits are all time in the queue.

    In earlier versions waits ended at the first start, and what they are now was called ready times.
    """
    if "mean_ready_time" not in metrics:
        return metrics
    all_metrics = metrics_of_jobs(Measured(schedule_of(jobs, int(jobs["processors"].to_numpy().max()))))
    kept = {name: value for name, value in metrics.items() if not name.endswith("_ready_time")}
    return kept | {name: all_metrics[name] for name in _WAITS if name in all_metrics}


def _table(path: Path, name: str) -> pl.DataFrame | None:
    """Return a table in the first format in which the folder has it, or None."""
    import polars as pl

    for suffix in _FORMATS:
        file = path / f"{name}{suffix}"
        if file.is_file():
            try:
                texts = dict.fromkeys(_TEXTS.get(name, ()), pl.String)
                table = (
                    pl.read_parquet(file)
                    if suffix == ".parquet"
                    else pl.read_csv(file, schema_overrides=texts)
                )
            except (pl.exceptions.PolarsError, OSError) as error:
                raise InputError(f"is damaged: {error}", file=str(file)) from error
            if nested := [
                name
                for name, kind in table.schema.items()
                if isinstance(kind, pl.List | pl.Array | pl.Struct)
            ]:
                raise InputError(
                    "is damaged: expected numbers or strings, got lists", file=str(file), field=nested[0]
                )
            if huge := [name for name, kind in table.schema.items() if kind == pl.Int128]:
                raise InputError("is damaged: a number is too large", file=str(file), field=huge[0])
            return table
    return None


def _json(file: Path) -> dict[str, Any]:
    try:
        return parse_object(file.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(file)) from error
    except ValueError as error:
        raise InputError(f"is damaged: {error}", file=str(file)) from error
