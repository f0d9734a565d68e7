"""Tables with named columns, CSV and Parquet: our own ``jobs.csv``, data frames, spreadsheets."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import ACCOUNTING_FIELDS, FIELDS, UNKNOWN
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Anomaly, Workload
from echelon.workloads.formats.dependency_fields import without_followers
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.status import status_number
from echelon.workloads.formats.text.application_columns import (
    APPLICATION_COLUMNS,
    application_series,
    applications_of,
    tells_applications,
)
from echelon.workloads.formats.text.cells import UNKNOWN_CELLS, Cells, Codes
from echelon.workloads.formats.text.delimited_text import DelimitedText, names_of, read_delimited
from echelon.workloads.formats.text.dependency_cells import (
    FoundDependencies,
    dependency_cells,
    read_dependencies,
)
from echelon.workloads.formats.text.lines import cut_anomaly
from echelon.workloads.formats.text.rows import with_anomalies

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.model.jobs.applications import Applications
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.dependencies import Dependencies

CODED = ("user", "group", "executable", "queue", "partition", "account", "reservation", "state")
NAMED = ("reservation", "state")
"""Coded columns whose cells are names even if all are numbers."""
_COLUMNS = (*FIELDS, *ACCOUNTING_FIELDS)
SIZES = ("processors", "requested_processors", "allocated_processors")
DERIVED = ("start_time", "end_time")
LABEL = "job_label"
DEPENDENCIES = "dependencies"
_LARGEST_NAMED = 1_000_000  # names are kept by place: codes of 14 digits, which occur, can have none
_UNDERSTOOD = (
    *(spec.name for spec in _COLUMNS),
    *("processors", *DERIVED, LABEL, DEPENDENCIES),
    *(f"{name}_name" for name in CODED),
)


def read_csv(data: bytes, name: str) -> Workload:
    """Return the jobs of a CSV file whose first line names the columns.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed. Separated by comma, semicolon, tab or ``|``, whichever its first line
        holds most of; cells may be quoted with ``"``.
    name : str
        The file as the user gave it, for messages.

    Returns
    -------
    Workload
        Columns are taken by the names of `echelon.model.jobs.fields.FIELDS`, in any case and order, and of
        `echelon.model.jobs.fields.ACCOUNTING_FIELDS`. In addition, ``processors`` is the requested number
        where there is no ``requested_processors`` column, else the allocated one where there is no
        ``allocated_processors``; ``start_time`` gives the wait time and ``end_time`` the run time where the
        table has no such column; texts in ``job_id``, or a column ``job_label``, become labels; texts in
        user, group, executable, queue, partition, account, reservation and state become codes in order of
        first appearance, with names; columns ``user_name`` ... name the codes of ``user``
        ...; ``status`` may be a word; ``compute_share``, ``task_memory`` or ``task_bandwidth`` tell the jobs'
        applications, with ``application``, ``library`` and ``requires``; ``dependencies`` says which jobs
        must end before the job joins the queue: their job ids (or labels) with blanks between them, and after
        a ``+`` the seconds that it waits on (``3 5+60``). Empty cells are unknown (-1). Other
        columns are counted, not kept.

    Raises
    ------
    InputError
        If the file is empty, binary or no table; if ``submit_time``, a run time or a size is missing; if a
        cell is not what its column must hold: file, line and column are named.

    Notes
    -----
    Cost: O(bytes); about a million cells a second.
    """
    table = read_delimited(data, name, expected="a table of jobs")
    return _workload(_Table(table), cut_anomaly(data))


def read_parquet(data: bytes, name: str) -> Workload:
    """Return the jobs of a Parquet file; columns as in `read_csv`, nulls are unknown (-1).

    Raises
    ------
    InputError
        As `read_csv`; messages name the row, as the file has no lines.
    """
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
        OSError,
        ValueError,
        MemoryError,
    ) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"cannot be read as Parquet: {reason:.200}", file=name) from error
    if not frame.height:
        raise InputError("has no job, only columns", file=name)
    columns = {column: _flatten(frame[column]) for column in frame.columns}
    return _workload(_Table(DelimitedText(name, columns, np.zeros(frame.height, dtype=np.int64))), ())


def write_csv(workload: Workload) -> bytes:
    """Return `workload` as CSV; `read_csv` of it returns an equal workload, with its names.

    All fields that any job knows are columns, unknown values empty; labels are in ``job_label``, names of
    codes in ``user_name`` ..., applications in ``application``, ``compute_share`` (0 to 1), ``task_memory``
    (bytes), ``task_bandwidth`` (bytes a second), ``library`` and ``requires`` (names separated by blanks),
    explicit dependencies in ``dependencies``. The header's lines and what tasks ask for have no place in it.

    Raises
    ------
    InputError
        If a number is not finite, a job follows several others, which a table cannot say, or jobs wait for
        one whose name could not be read again.
    """
    return _frame(workload).write_csv(quote_style="necessary").encode()


def write_parquet(workload: Workload) -> bytes:
    """Return `workload` as Parquet, compressed with zstd; columns as in `write_csv`, unknown values null."""
    buffer = io.BytesIO()
    _frame(workload).write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def looks_like_csv(head: bytes) -> bool:
    """Return whether the first line names a submit time among other columns."""
    return "submit_time" in {name.lower() for name in names_of(head)}


class _Table:
    """A table's columns by the names Echelon understands, lower case; the rest are `ignored`."""

    def __init__(self, text: DelimitedText) -> None:
        self.text = text
        lower = {name.lower(): name for name in text.columns}
        column_names = (*_UNDERSTOOD, *(APPLICATION_COLUMNS if tells_applications(lower) else ()))
        self.names = {low: name for low, name in lower.items() if low in column_names}
        self.ignored = [name for name in text.columns if self.names.get(name.lower()) != name]

    def has(self, *names: str) -> bool:
        """Return whether all of `names` are columns."""
        return all(name in self.names for name in names)

    def cells(self, name: str) -> Cells:
        """Return the cells of the column `name`."""
        return self.text.cells(self.names[name])

    def texts(self, name: str) -> list[str]:
        """Return the texts of the column `name` as they are; null is empty."""
        import polars as pl

        return self.text.columns[self.names[name]].cast(pl.String).fill_null("").to_list()

    def require(self) -> None:
        """Raise unless there are submit time, run time and size."""
        for what, present in (
            ("submit_time", self.has("submit_time")),
            ("run_time (or start_time and end_time)", self.has("run_time") or self.has(*DERIVED)),
            ("processors, requested_processors or allocated_processors", any(map(self.has, SIZES))),
        ):
            if not present:
                columns = ", ".join(self.text.columns)
                raise InputError(
                    f"has no column {what}; its columns are: {columns:.300}", file=self.text.file
                )


def _workload(table: _Table, anomalies: Sequence[Anomaly]) -> Workload:
    table.require()
    n_jobs = len(table.text)
    columns: dict[str, FloatColumn | IntColumn] = {
        spec.name: table.cells(spec.name).floats() if spec.kind == "float" else table.cells(spec.name).ints()
        for spec in _COLUMNS
        if table.has(spec.name) and spec.name not in ("job_id", "status", *CODED)
    }
    columns |= _sizes(table)
    columns |= _times(table, columns)
    if table.has("status"):
        columns["status"] = _status(table.cells("status"))
    names: dict[str, tuple[str, ...]] = {}
    for column in CODED:
        if table.has(column):
            columns[column], names[column] = _codes(table, column)
    columns["job_id"], labels = _identities(table, n_jobs)
    parsed = _dependencies(table, columns["job_id"], labels)
    workload = replace(
        Workload.from_columns(name=table.text.file, header=Header(), **columns),
        labels=labels,
        names={column: texts for column, texts in names.items() if texts},
        applications=_applications(table),
        dependencies=parsed.dependencies,
    )
    lines = table.text.lines if table.text.lines.any() else None
    return with_anomalies(workload, [*anomalies, *parsed.anomalies, *_note_ignored(table)], lines)


def _sizes(table: _Table) -> dict[str, IntColumn]:
    """Return the column that ``processors`` stands for, if it stands for one."""
    for column in ("requested_processors", "allocated_processors"):
        if table.has("processors") and not table.has(column):
            return {column: table.cells("processors").ints()}
    return {}


def _times(table: _Table, columns: dict[str, FloatColumn | IntColumn]) -> dict[str, FloatColumn]:
    """Return wait and run times from start and end times, where the table has only those."""
    times = {}
    if table.has("start_time") and not table.has("wait_time"):
        start = table.cells("start_time").floats()
        times["wait_time"] = np.where(start == UNKNOWN, UNKNOWN, start - columns["submit_time"])
    if not table.has("run_time"):
        start, end = table.cells("start_time").floats(), table.cells("end_time").floats()
        times["run_time"] = np.where((start == UNKNOWN) | (end == UNKNOWN), UNKNOWN, end - start)
    return times


def _status(cells: Cells) -> IntColumn:
    codes, texts = cells.codes()
    if not texts:
        return codes
    return cells.parse_numbers(status_number, "a whole number or a word such as completed").astype(np.int64)


def _codes(table: _Table, column: str) -> Codes:
    """Return a coded column with the names that its own texts or its column of names give."""
    codes, names = table.cells(column).codes()
    if not names and column in NAMED and not table.has(f"{column}_name"):
        return table.cells(column).names()
    if names or not table.has(f"{column}_name"):
        return Codes(codes, names)
    texts = table.texts(f"{column}_name")
    text_by_code = {code: text for code, text in zip(codes.tolist(), texts, strict=True) if code > 0 and text}
    if not text_by_code or max(text_by_code) > _LARGEST_NAMED:
        return Codes(codes, ())
    return Codes(codes, tuple(text_by_code.get(code, "") for code in range(1, max(text_by_code) + 1)))


def _identities(table: _Table, n_jobs: int) -> tuple[IntColumn, tuple[str, ...] | None]:
    """Return job numbers, and labels if the table has texts for them."""
    labels = tuple(table.texts(LABEL)) if table.has(LABEL) else None
    if not table.has("job_id"):
        return np.arange(1, n_jobs + 1), labels
    cells = table.cells("job_id")
    codes, names = cells.codes()
    if not names:
        return codes, labels
    return np.arange(1, n_jobs + 1), labels or tuple(cells.stripped.to_list())


def _dependencies(
    table: _Table, numbers: FloatColumn | IntColumn, labels: tuple[str, ...] | None
) -> FoundDependencies:
    """Return what the column of dependencies says, by labels where the jobs have them."""
    if not table.has(DEPENDENCIES):
        return FoundDependencies(None, ())
    ids = [str(number) for number in numbers.tolist()] if labels is None else list(labels)
    return read_dependencies(table.cells(DEPENDENCIES), ids, numbered=labels is None)


def _applications(table: _Table) -> Applications | None:
    """Return the jobs' applications if the table tells them."""
    if not tells_applications(table.names):
        return None
    present = [name for name in APPLICATION_COLUMNS if table.has(name)]
    figures = {name: table.cells(name) for name in present if tells_applications({name: name})}
    texts = {name: table.texts(name) for name in present if name not in figures}
    return applications_of(figures, texts, len(table.text))


def _note_ignored(table: _Table) -> list[Anomaly]:
    if not table.ignored:
        return []
    listing = ", ".join(table.ignored)
    return [Anomaly("ignored-columns", len(table.ignored), f"columns not kept: {listing:.300}")]


def _flatten(column: pl.Series) -> pl.Series:
    """Return a Parquet column as numbers or texts; truth values, dates and lists become texts."""
    import polars as pl

    if column.dtype.is_numeric() or column.dtype == pl.String:
        return column
    if column.dtype == pl.Binary or column.dtype.is_nested():
        return pl.Series(column.name, [str(value) for value in column.to_list()], pl.String)
    return column.cast(pl.String)


def _frame(workload: Workload) -> pl.DataFrame:
    """Return the table to write: known fields, unknown values null, whole numbers as integers."""
    import polars as pl

    workload = without_followers(workload)
    series = []
    columns = {**workload.columns, **workload.accounting}
    for spec in (spec for spec in _COLUMNS if spec.name in columns):
        column = columns[spec.name]
        if spec.name in ("job_id", "submit_time", "run_time") or (column != UNKNOWN).any():
            series.append(_check_known(spec.name, column))
        if texts := workload.names.get(spec.name):
            names = [texts[code - 1] if 1 <= code <= len(texts) else None for code in column.tolist()]
            series.append(pl.Series(f"{spec.name}_name", names, pl.String))
    if not (workload.processors > 0).any() and not any(s.name in SIZES for s in series):
        series.append(_check_known("requested_processors", workload.columns["requested_processors"]))
    if workload.labels is not None:
        series.insert(1, pl.Series(LABEL, list(workload.labels), pl.String))
    if workload.applications is not None:
        series += application_series(workload.applications)
    if workload.dependencies is not None:
        series.append(_dependency_column(workload, workload.dependencies))
    return pl.DataFrame(series)


def _dependency_column(workload: Workload, dependencies: Dependencies) -> pl.Series:
    import polars as pl

    if dependencies.follows.any():
        first = workload.label(int(np.argmax(dependencies.follows)))
        raise InputError(
            f"cannot write that job {first} has several predecessors, so that its submit time does not count",
            field=DEPENDENCIES,
        )
    _check_names(workload, dependencies)
    cells = dependency_cells(dependencies, workload.label)
    return pl.Series(DEPENDENCIES, [cell or None for cell in cells], pl.String)


def _check_names(workload: Workload, dependencies: Dependencies) -> None:
    """Raise unless every job that others wait for is the first of its name, and that is a word."""
    first: dict[str, int] = {}
    for position in range(len(workload)):
        first.setdefault(workload.label(position), position)
    for position in np.unique(dependencies.predecessor).tolist():
        label = workload.label(position)
        if label.split() != [label] or label.lower() in UNKNOWN_CELLS or first[label] != position:
            raise InputError(
                f"cannot write that jobs wait for job {label!r} at position {position}, expected unique job "
                "numbers: renumber the jobs",
                field=DEPENDENCIES,
            )


def _check_known(name: str, column: FloatColumn | IntColumn) -> pl.Series:
    import polars as pl

    if not np.isfinite(column).all():
        first = int(np.argmin(np.isfinite(column)))
        raise InputError(f"job at position {first}: cannot write {column[first]}", field=name)
    if column.dtype.kind == "f" and (column == np.trunc(column)).all() and (np.abs(column) < 2**53).all():
        column = column.astype(np.int64)
    series = pl.Series(name, column)
    return series.set(series == UNKNOWN, None)


CSV = Format(
    name="csv",
    suffixes=(".csv", ".tsv"),
    summary="A table whose first line names the columns; it may have the columns of jobs.csv and of SWF.",
    source="no paper: Echelon's own columns",
    read=read_csv,
    write=write_csv,
    recognizes=looks_like_csv,
)
PARQUET = Format(
    name="parquet",
    suffixes=(".parquet", ".pq"),
    summary="The same table as Apache Parquet.",
    source="no paper: Echelon's own columns",
    read=read_parquet,
    write=write_parquet,
    recognizes=lambda head: head.startswith(b"PAR1"),
)
