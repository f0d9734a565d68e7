"""Export of a study: its table of runs, or all jobs of all runs, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.study.results.run_table import TAIL, run_table
from echelon.experiments.study.store.stored_run import run_in
from echelon.workloads.files.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

FORMATS = (".csv", ".parquet")


def export_runs(folder: str | Path, path: str | Path) -> int:
    """Write the table of a study's runs to a file, see `run_table`, and return its rows.

    Parameters
    ----------
    folder : str or Path
        Of the study.
    path : str or Path
        Ending in ``.csv`` or ``.parquet``; a file of that name is replaced.

    Raises
    ------
    InputError
        If the ending is another, or the file cannot be written.
    """
    kind = _kind(path)
    table = run_table(folder)
    with replacing(path) as file:
        if kind == ".csv":
            table.write_csv(file)
        else:
            table.write_parquet(file)
    return len(table)


def export_jobs(folder: str | Path, path: str | Path) -> int:
    """Write all jobs of all runs of a study as one table, and return its rows.

    A row a job and case: the study's axes and other settings, ``key``, then the columns of ``jobs.parquet``,
    null where a run lacks one; a column called like an axis or a setting has ``job_`` before its name.

    Parameters
    ----------
    folder, path
        As for `export_runs`.

    Raises
    ------
    InputError
        If the ending is another, there is no run, or a file cannot be read or written.

    Notes
    -----
    Cost: about 1 ms a run; in memory are the jobs of some runs at a time.
    """
    import polars as pl

    kind = _kind(path)
    runs = run_table(folder)
    if runs.is_empty():
        raise InputError("has no run yet, so no jobs", file=str(folder))
    runs = runs.select(runs.columns[: runs.columns.index(TAIL[0]) + 1])
    schema = _schema(runs, Path(folder))
    with replacing(path) as file:
        rows = _source(runs, Path(folder), schema)
        # The engine writes by name, as rows come; the file takes its place only when it is whole.
        if kind == ".csv":
            rows.sink_csv(file.name)
        else:
            rows.sink_parquet(file.name)
        written = (pl.scan_csv if kind == ".csv" else pl.scan_parquet)(file.name)
        return int(written.select(pl.len()).collect().item())


def _kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower()
    if kind not in FORMATS:
        raise InputError(f"must end in {' or '.join(FORMATS)}", file=str(path))
    return kind


def _schema(runs: pl.DataFrame, folder: Path) -> dict[str, pl.DataType]:
    """Return the columns of all jobs: those of the runs, then every one that some run's jobs have."""
    import polars as pl

    columns: dict[str, pl.DataType] = dict(runs.schema)
    for key in runs["key"].unique(maintain_order=True).to_list():
        for name, kind in run_in(folder, key).jobs_schema().items():
            shown = _column_name(name, runs)
            if columns.setdefault(shown, kind) != kind:
                both_numbers = kind.is_numeric() and columns[shown].is_numeric()
                columns[shown] = pl.Float64() if both_numbers else pl.String()
    return columns


def _column_name(name: str, runs: pl.DataFrame) -> str:
    return f"job_{name}" if name in runs.columns else name


def _source(runs: pl.DataFrame, folder: Path, schema: dict[str, pl.DataType]) -> pl.LazyFrame:
    """Return all jobs as a table that is read run by run when it is written."""
    import polars as pl
    from polars.io.plugins import register_io_source

    def read(
        columns: list[str] | None, _rows: pl.Expr | None, _most: int | None, _batch: int | None
    ) -> Iterator[pl.DataFrame]:
        for row in runs.rows(named=True):
            jobs = run_in(folder, row["key"]).jobs
            jobs = jobs.rename({name: _column_name(name, runs) for name in jobs.columns})
            constants = [pl.lit(value, dtype=schema[name]).alias(name) for name, value in row.items()]
            texts = [
                (pl.col(name) if name in jobs.columns else pl.lit(None)).cast(kind).alias(name)
                for name, kind in schema.items()
                if name not in row
            ]
            part = jobs.select(*constants, *texts)
            yield part if columns is None else part.select(columns)

    return register_io_source(read, schema=schema)
