"""Table of runs: a row a case that was run, whether the study is running, stopped or done."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.study.plan.certainty import CHANCE
from echelon.experiments.study.store.log import read_log
from echelon.experiments.study.store.stored_run import run_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl

    from echelon.experiments.study.store.log import LogEntry

TAIL = ("key", "seconds", "engine_seconds")
"""Columns between what was run and what was measured."""


def run_table(folder: str | Path) -> pl.DataFrame:
    """Return the runs of a study as a table.

    Parameters
    ----------
    folder : str or Path
        Of the study.

    Returns
    -------
    polars.DataFrame
        A row a case that was run, in the order in which they ended first. Columns: the study's axes; all
        other settings; ``key``, which names the run's folder; ``seconds`` and ``engine_seconds`` that it took
        when it was made; ``chance``, whether another seed would give another run, null where an earlier
        release did not record that; every metric, null where a run has none, times in seconds. An axis whose
        values are all numbers is one of numbers; a list is JSON. A metric called like an axis or a setting
        has ``metric_`` before its name.

    Raises
    ------
    InputError
        If the metrics of a run are damaged.

    Notes
    -----
    Cases with equal settings share one run, and have a row each. Of a case that was run again, with a file
    that has changed or in another release of Echelon, the last run counts. A run whose folder was removed
    has no row. Cost: a file a run, about 50 µs each.
    """
    return table_of(finished_entries(read_log(Path(folder) / "log.jsonl")), Path(folder))


def finished_entries(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries of cases that were run, each once: the one that says how long its run took.

    A case that was run again, since a file it reads or what Echelon gives has changed, is its last run.
    """
    entry_by_place: dict[tuple[str, str], LogEntry] = {}
    for entry in entries:
        if entry.ending == "failed":
            continue
        place = (entry.case.spec, json.dumps(entry.labels, sort_keys=True))
        # A run found in the store says only how long that took.
        if place not in entry_by_place or entry.ending == "done" or entry.key != entry_by_place[place].key:
            entry_by_place[place] = entry
    return list(entry_by_place.values())


def failed_entries(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Return the entries of cases that could not be run, each once, the last one first."""
    entry_by_case: dict[str, LogEntry] = {}
    for entry in entries:
        spec = entry.case.spec
        entry_by_case.pop(spec, None)
        if entry.ending == "failed":
            entry_by_case[spec] = entry
    return list(reversed(entry_by_case.values()))


def table_of(entries: Sequence[LogEntry], folder: Path) -> pl.DataFrame:
    """Return the table of the runs that these entries name, see `run_table`."""
    # A heavy library that only tables need.
    import polars as pl

    held = [(entry, _metrics(folder, entry.key)) for entry in entries]
    kept = [(entry, metrics) for entry, metrics in held if metrics is not None]
    axes = _names(entry.labels for entry, _ in kept)
    settings = [name for name in _names(entry.settings for entry, _ in kept) if name not in axes]
    columns: dict[str, pl.Series] = {
        name: _axis([entry.labels.get(name) for entry, _ in kept]) for name in axes
    }
    columns |= {name: _setting([entry.settings.get(name) for entry, _ in kept]) for name in settings}
    columns["key"] = pl.Series([entry.key for entry, _ in kept], dtype=pl.String)
    for name in TAIL[1:]:
        columns[name] = pl.Series([getattr(entry, name) for entry, _ in kept], dtype=pl.Float64)
    columns[CHANCE] = pl.Series([entry.chance for entry, _ in kept], dtype=pl.Boolean)
    names = set(columns)
    for name in _names(metrics for _, metrics in kept):
        shown = f"metric_{name}" if name in names else name
        columns[shown] = numbers([metrics.get(name) for _, metrics in kept])
    return pl.DataFrame(columns)


def _metrics(folder: Path, key: str) -> dict[str, Any] | None:
    """Return the metrics of a run; None if its folder was removed.

    Raises
    ------
    InputError
        If they are damaged: fewer runs than there were would change every mean.
    """
    run = run_in(folder, key)
    try:
        return run.metrics
    except InputError:
        if run.folder.is_dir():
            raise
        return None


def _names(rows: Iterable[Any]) -> list[str]:
    """Return the keys of mappings, in order of first appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _axis(labels: list[str | None]) -> pl.Series:
    """Return the labels of an axis, as numbers if all of them are."""
    import polars as pl

    for kind in (int, float):
        try:
            numbers = [None if label is None else kind(label) for label in labels]
        except ValueError:
            continue
        if all(number is None or math.isfinite(number) for number in numbers):
            return pl.Series(numbers, dtype=pl.Int64 if kind is int else pl.Float64, strict=False)
    return pl.Series(labels, dtype=pl.String)


def _setting(values: list[Any]) -> pl.Series:
    """Return the values of a setting: of one kind as they are, else as JSON."""
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or (len(kinds) == 1 and kinds <= {str, bool}):
        return pl.Series(values, strict=False)
    recorded = [
        value if value is None or isinstance(value, str) else json.dumps(value, sort_keys=True)
        for value in values
    ]
    return pl.Series(recorded, dtype=pl.String)


def numbers(values: list[Any]) -> pl.Series:
    """Return a metric: whole numbers where all are, else floats."""
    import polars as pl

    whole = all(value is None or isinstance(value, int) for value in values)
    return pl.Series(values, dtype=pl.Int64 if whole else pl.Float64, strict=False)
