"""Rows: blank-separated numbers, a job a line, read into cells and written from columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.workloads.anomalies import find_anomalies
from echelon.workloads.formats.text.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Anomaly, Workload
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.lines import Line


def split_rows(
    rows: Sequence[Line],
    fields: Sequence[str],
    *,
    file: str,
    separator: str | None = None,
    extra: bool = False,
) -> list[Cells]:
    """Return the cells of each field, in the order of `fields`.

    Parameters
    ----------
    rows : sequence of Line
        One a job.
    fields : sequence of str
        What the file's columns are called.
    file : str
        The file, for messages.
    separator : str, optional
        Between two fields. Default: any run of blanks.
    extra : bool, default False
        Whether a line may have more fields, which are ignored.

    Raises
    ------
    InputError
        If there is no row, or one has another number of fields.
    """
    import polars as pl

    if not rows:
        raise InputError("has no job", file=file)
    width = len(fields)
    split = []
    for number, text in rows:
        texts = text.split(separator)
        if len(texts) < width or (len(texts) > width and not extra):
            raise InputError(
                f"has {len(texts)} fields, expected {width}: {', '.join(fields)}", file=file, line=number
            )
        split.append(texts[:width])
    lines = np.array([row.number for row in rows], dtype=np.int64)
    return [
        Cells(file, field, pl.Series(field, texts, pl.String), lines, frozenset({"-1"}))
        for field, texts in zip(fields, zip(*split, strict=True), strict=True)
    ]


def join_rows(columns: Sequence[FloatColumn | IntColumn | Sequence[str]], *, separator: str) -> str:
    """Return columns of numbers or texts as lines, each ended by a line feed."""
    texts = [numerals(column) if isinstance(column, np.ndarray) else column for column in columns]
    return "".join(f"{separator.join(row)}\n" for row in zip(*texts, strict=True))


def numerals(column: FloatColumn | IntColumn) -> list[str]:
    """Return each number as the shortest text that reads back the same; whole ones without decimals.

    Raises
    ------
    InputError
        If a number is not finite.
    """
    if not np.isfinite(column).all():
        first = int(np.argmin(np.isfinite(column)))
        raise InputError(f"job at position {first}: cannot write {column[first]}, expected a finite number")
    return [str(int(number)) if number == int(number) else repr(number) for number in column.tolist()]


def refuse_unfit(workload: Workload, what: str, fit: NDArray[np.bool_]) -> None:
    """Raise `InputError` unless every job has `what`; the first without is named."""
    unfit = np.flatnonzero(~fit)
    if len(unfit):
        raise InputError(
            f"{len(unfit)} of {len(workload)} jobs have no {what}, which the format needs (first: job "
            f"{workload.label(int(unfit[0]))}); leave them out before writing",
            file=workload.name,
        )


def with_anomalies(
    workload: Workload, anomalies: Sequence[Anomaly], lines: Sequence[int] | IntColumn | None = None
) -> Workload:
    """Return `workload` with the anomalies that a reader found and those of its columns."""
    numbers = None if lines is None else np.asarray(lines, dtype=np.int32)
    return replace(
        workload, anomalies=(*anomalies, *find_anomalies(workload.columns, workload.header, numbers))
    )
