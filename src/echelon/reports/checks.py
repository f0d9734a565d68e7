"""What a report demands of the files of a run, which people may have edited.

Whatever fails is an InputError of one sentence: column or key, row, what is there and what was expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.run_tables.table_closures import ATTEMPT_COLUMNS
from echelon.model.machines.platform import Platform, Site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

LEAST: dict[str, float] = {
    "submit_time": -np.inf,
    "start_time": -np.inf,
    "end_time": -np.inf,
    "processors": 1,
    "run_time": 0,
    "wait_time": 0,
    "bounded_slowdown": 0,
    "energy": 0,
    "communication_volume": 0,
    "speed_factor": 0,
}
"""Columns of finite numbers, where they are there, and their least values."""

NOT_OF_ALL = ("energy", "communication_volume", "speed_factor")
"""Those of `LEAST` that only jobs in nodes have, and energy only nodes of known power.

Where a run has several sites the others have none.
"""

_OPTIONAL = (
    "requested_time",
    "suspended_time",
    "switch_time",
    "earliest_release",
    "cpu_time",
    "restarts",
    "pairwise_hops",
    "diameter",
    "dedicated_time",
    "delivered_time",
    "forecast_wait",
    "forecast_run",
)
"""Columns of jobs that are of numbers, where they are there; some jobs may have none."""

_TOO_LARGE = 1e100
"""No number of a run comes near it, and products of smaller ones are finite."""

POWER_COLUMNS: dict[str, float] = {"time": -np.inf, "power": 0, "idle_power": 0}
"""Columns of a table of power, and their least values."""

NODE_COLUMNS: dict[str, float] = dict.fromkeys(
    (
        *("jobs", "busy_core_time", "utilization", "energy", "times_off", "off_time"),
        *("power", "tasks", "busy_time", "max_mpl", "owner_active_time"),
    ),
    0,
)
"""Columns of a table of nodes that are shown where they are there, and their least values."""

_SPAN_COLUMNS: dict[str, float] = {"row": 0, "start_time": -np.inf, "end_time": -np.inf}

FORECAST_COLUMNS: dict[str, float] = dict.fromkeys(("wait", "run", "real_wait", "real_run", "seconds"), 0)
"""Columns of numbers of a table of forecasts, and their least values."""

LOG_WAIT_COLUMNS: dict[str, float] = {"row": 0, "log_wait": 0, "simulated_wait": -np.inf}
"""Columns of a table of the log's waits, and their least values."""

_KINDS: dict[str, tuple[type, ...]] = {
    "dropped": (list, tuple, dict),
    "oddities": (list, tuple),
    "notes": (list, tuple, str),
    "not_modelled": (list, tuple),
    "change_notes": (list, tuple),
    "own_metrics": (list, tuple),
    "versions": (dict,),
    "seconds": (int, float, dict),
    "hardware": (dict,),
    "power_cap": (int, float),
    "sleep_after": (int, float),
    "command": (str, list, tuple),
    "longest_stay": (int, float, str),
    "past_experiences": (int,),
    "place": (str,),
    "decision_time": (int, float, str),
}
"""What a run.json may hold under a key, beside null."""

_ITEMS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "dropped": (
        "mappings with a count, or counts by reason",
        lambda item: isinstance(item, dict) and isinstance(item.get("count", 0), int),
    ),
    "own_metrics": ("mappings", lambda item: isinstance(item, dict)),
    "oddities": ("strings or mappings", lambda item: isinstance(item, str | dict)),
    "seconds": ("numbers by step", lambda item: isinstance(item, int | float)),
}
"""What the items of a list, or the values of a mapping, under a key of a run.json may be."""


def check_jobs(jobs: pl.DataFrame, *, has_sites: bool = False) -> None:
    """Refuse a table of jobs in which a number that the report draws is none.

    Where the run had several sites, not all jobs need have the columns `NOT_OF_ALL`.
    """
    _check_known(jobs, LEAST, has_sites=has_sites)
    for name in _OPTIONAL:
        if name in jobs.columns:
            _check_numbers(_fill_unknown(jobs[name]), -np.inf)


def check_columns(table: pl.DataFrame, names: Iterable[str], file: str) -> None:
    """Refuse a table of a run that lacks columns, which are named."""
    if missing := [name for name in names if name not in table.columns]:
        raise InputError(f"a report needs the columns of {file}, missing: {', '.join(missing)}")


def check_power(power: pl.DataFrame) -> None:
    """Refuse a table of power whose numbers are none or whose times do not ascend."""
    check_columns(power, POWER_COLUMNS, "power.csv")
    _check_table(power, POWER_COLUMNS)
    time = power["time"].to_numpy()
    if (wrong := time[1:] < time[:-1]).any():
        raise InputError(f"expected ascending times, got less in row {wrong.argmax() + 2}", field="time")


def check_replicas(replicas: pl.DataFrame, jobs: int, sites: Sequence[str]) -> None:
    """Refuse a table of copies of jobs that lacks a column, or has a copy of no job, site or span of time."""
    check_columns(replicas, ("row", "site", "start_time", "end_time"), "replicas.csv")
    _check_table(replicas, _SPAN_COLUMNS)
    has_site = np.isin(replicas["site"].cast(str).to_numpy().astype(str), np.array(sites))
    if (wrong := _of_no_job(replicas, jobs) | ~has_site).any():
        raise InputError(
            f"replicas.csv: expected a copy of a job at a site, got none in row {wrong.argmax() + 1}"
        )


def check_attempts(attempts: pl.DataFrame, jobs: int) -> None:
    """Refuse a table of attempts that lacks a column, or has an attempt of no job or span of time."""
    check_columns(attempts, ATTEMPT_COLUMNS, "attempts.csv")
    _check_table(attempts, {**_SPAN_COLUMNS, "work": 0, "overhead": 0})
    if (wrong := _of_no_job(attempts, jobs)).any():
        raise InputError(f"attempts.csv: expected an attempt of a job, got none in row {wrong.argmax() + 1}")


def check_log_waits(waits: pl.DataFrame, jobs: int) -> None:
    """Refuse a table of the log's waits that lacks a column, or has a wait that is none or of no job."""
    check_columns(waits, LOG_WAIT_COLUMNS, "log_waits.csv")
    _check_table(waits, LOG_WAIT_COLUMNS)
    _check_rows(waits, jobs, "log_waits.csv: expected the wait of a job")


def _check_rows(table: pl.DataFrame, jobs: int, expected: str) -> None:
    """Refuse a table with a row of none of so many jobs."""
    row = table["row"].cast(float).to_numpy()
    if (wrong := (row >= jobs) | (row != np.floor(row))).any():
        raise InputError(f"{expected}, got none in row {wrong.argmax() + 1}")


def _of_no_job(table: pl.DataFrame, jobs: int) -> NDArray[np.bool_]:
    """Return which rows are of none of so many jobs, or end before they start."""
    row, start, end = (table[name].cast(float).to_numpy() for name in ("row", "start_time", "end_time"))
    wrong: NDArray[np.bool_] = (row >= jobs) | (row != np.floor(row)) | (end < start)
    return wrong


def check_nodes(nodes: pl.DataFrame) -> None:
    """Refuse a table of nodes in which a number that the report shows is none."""
    _check_known(nodes, NODE_COLUMNS, has_sites="site" in nodes.columns)


def check_forecasts(forecasts: pl.DataFrame, jobs: int) -> None:
    """Refuse a table of forecasts that lacks a column, or in which a number that the report draws is none."""
    check_columns(forecasts, ("row", "estimator", *FORECAST_COLUMNS), "forecasts.csv")
    _check_table(forecasts, {"row": 0, **FORECAST_COLUMNS})
    _check_rows(forecasts, jobs, "forecasts.csv: expected the forecast of a job")


def _check_known(table: pl.DataFrame, columns: Mapping[str, float], *, has_sites: bool) -> None:
    """Check those of some columns of numbers that a table has."""
    for name, least in columns.items():
        if name in table.columns:
            some = has_sites and name in NOT_OF_ALL
            _check_numbers(_fill_unknown(table[name]) if some else table[name], least)


def _check_table(table: pl.DataFrame, columns: Mapping[str, float]) -> None:
    """Check columns of numbers, by their least values."""
    for name, least in columns.items():
        _check_numbers(table[name], least)


def _fill_unknown(column: pl.Series) -> pl.Series:
    """Return a column with 0 where nothing is known; one of which nothing is known is read as text."""
    import polars as pl

    return column.cast(pl.Float64 if column.null_count() == len(column) else column.dtype).fill_null(0)


def _check_numbers(column: pl.Series, least: float) -> None:
    expected = "a finite number" + (f" of at least {least:g}" if least > -np.inf else "")
    if not column.dtype.is_numeric():
        if not len(column):
            return
        read = (_read_number(value) for value in column)
        row = next((row for row, value in enumerate(read) if not np.isfinite(value)), 0)
        got = f"got {column[row]!r:.40} in row {row + 1}"
        raise InputError(f"expected {expected} in each row, {got}", field=column.name)
    whole = not column.null_count()
    numbers = column.to_numpy() if whole else column.cast(float).fill_null(np.nan).to_numpy()
    wrong = ~((np.abs(numbers) < _TOO_LARGE) & (numbers >= least))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(f"expected {expected}, got {column[row]} in row {row + 1}", field=column.name)


def _read_number(value: object) -> float:
    """Return a value of a column that is not of numbers as one, NaN if it is none."""
    try:
        return float(str(value))
    except ValueError:
        return np.nan


def check_manifest(run: Mapping[str, Any]) -> None:
    """Refuse the content of a run.json whose parts are not of the kinds that the report reads."""
    for key, kinds in _KINDS.items():
        value = run.get(key)
        if value is not None and not isinstance(value, kinds):
            expected = " or ".join(kind.__name__ for kind in kinds)
            raise InputError(f"run.json: expected {expected}, got {type(value).__name__}", field=key)
    processors = run.get("processors")
    if processors is not None and not (isinstance(processors, int) and processors >= 1):
        raise InputError(f"run.json: expected a number of at least 1, got {processors!r}", field="processors")
    for key, (expected, is_kind) in _ITEMS.items():
        items = run.get(key)
        if isinstance(items, dict):
            items = [{"count": count} if key == "dropped" else count for count in items.values()]
        for item in items if isinstance(items, list | tuple) else ():
            if not is_kind(item):
                raise InputError(f"run.json: expected {expected}, got {item!r:.40}", field=key)


def stated_platform(run: Mapping[str, Any]) -> Platform | None:
    """Return the platform that the content of a run.json tells, or None.

    Raises
    ------
    InputError
        If it is no mapping with a list of sites, each with a name and processors, or one is wrong.
    """
    described = run.get("platform")
    if described is None:
        return None
    sites = described.get("sites") if isinstance(described, dict) else None
    if not isinstance(sites, list | tuple) or not all(isinstance(site, dict) for site in sites):
        raise InputError(
            f"run.json: expected a mapping with a list of sites, got {described!r}", field="platform"
        )
    if "group" in described or any(key in site for site in sites for key in ("cluster", "contract", "queue")):
        from echelon.platforms import platform_from_dict

        return platform_from_dict({**described, "sites": list(sites)})
    read = tuple(Site(site.get("name", ""), site.get("processors", 0)) for site in sites)
    return Platform(read, str(described.get("name", "platform")), str(described.get("source", "")))
