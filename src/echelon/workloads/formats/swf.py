"""The Standard Workload Format (SWF), version 2.2: one line a job, 18 fields, header comments before them.

Source: Chapin et al., "Benchmarks and standards for the evaluation of parallel job schedulers", JSSPP 1999,
and the Parallel Workloads Archive's definition of version 2.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only
from echelon.model.jobs.fields import FIELDS, LARGEST, UNKNOWN
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Anomaly, Workload
from echelon.quantities import tally
from echelon.workloads.anomalies import find_anomalies
from echelon.workloads.formats.dependency_fields import fill_fields
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.swf_header import (
    BYTE_ORDER_MARK,
    partition_names,
    read_header,
    with_partition_names,
    write_header,
)
from echelon.workloads.formats.swf_line import read_line, read_number, split_line
from echelon.workloads.formats.text.lines import cut_anomaly, refuse_binary

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.fields import Field

_TOKEN = re.compile(rb"(?:[^ \t\r\n]|\r(?!\n|\Z))+")
_SHORTEST_LINE = 2 * len(FIELDS)  # one digit and one separator a field
_DEFERRED_AT_ONCE = 4096


def read(data: bytes, name: str) -> Workload:
    """Return the jobs of an SWF file, in the file's order.

    Returns
    -------
    Workload
        With the header as found, the names it gives to partitions, and an `Anomaly` for all that departs from
        the format or is worth knowing. Columns beyond 18 and comments between jobs are counted, not kept.

    Raises
    ------
    InputError
        If the file is empty, binary or without a job, a line has fewer than 18 fields, or a field is not the
        number it must be; the first such line of the file is named.

    Notes
    -----
    Cost: O(bytes); above a million lines a second.
    """
    check_text(data, name)
    header, position, line = read_header(data)
    jobs = _read_jobs(data, name, position=position, line=line)
    if not len(jobs.lines):
        raise InputError(f"has no job, only {tally(line - 1, 'line')} of comments", file=name)
    anomalies = (
        *layout_anomalies(jobs.tally, data),
        *cut_anomaly(data),
        *find_anomalies(jobs.columns, header, jobs.lines),
    )
    partitions = partition_names(header)
    names = {"partition": partitions} if partitions else {}
    return Workload(jobs.columns, header, name, names=names, anomalies=anomalies)


def write(workload: Workload) -> bytes:
    """Return `workload` as an SWF file: the header as it is (a short one if empty), then one line a job.

    Whole numbers are written without decimals, others with the fewest digits that read back the same, so that
    reading returns an equal workload. Names of partitions become header lines (``; Partition: 1 batch``); for
    labels and names of users the format has no room. Explicit dependencies become preceding jobs and think
    times; where these cannot say all, a line of the header says of how many jobs.

    Raises
    ------
    InputError
        If a value is one the reader would refuse: not finite, or a count, code or time beyond 2**53.

    Notes
    -----
    Cost: O(n); about a second for a million jobs.
    """
    import polars as pl  # heavy, and only writing needs it

    workload, exact = fill_fields(workload)
    for spec in FIELDS:
        _check_writable(workload, spec.name, LARGEST if spec.unit != "KB" else np.inf)
    header = workload.header
    if not header.lines:
        count = str(len(workload))
        header = Header((("Version", "2.2"), ("MaxJobs", count), ("MaxRecords", count)))
    if not exact.all():
        header = Header((*header.lines, ("Note", LOST.format(tally(int((~exact).sum()), "job")))))
    header = with_partition_names(header, workload.names.get("partition", ()))
    table = pl.DataFrame({spec.name: _numerals(workload.columns[spec.name]) for spec in FIELDS})
    rows = table.write_csv(separator=" ", include_header=False, quote_style="never")
    return (write_header(header) + rows).encode()


def recognizes(head: bytes) -> bool:
    """Return whether the first bytes of a file look like SWF: a ``;`` comment, or 18 numbers in a line.

    A line of 29 or more fields is left to the Grid Workload Format.
    """
    for line in head.split(b"\n"):
        if line.lstrip().startswith(b";"):
            return True
        if tokens := split_line(line):
            return len(FIELDS) <= len(tokens) < 29 and all(map(_is_number, tokens[: len(FIELDS)]))
    return False


LOST = "SWF cannot represent all predecessors of {}: at most one of each is kept, without a delay"

FORMAT = Format(
    name="swf",
    suffixes=(".swf",),
    summary="Standard Workload Format 2.2 of the Parallel Workloads Archive: 18 fields per line.",
    source="Chapin et al., JSSPP 1999",
    read=read,
    write=write,
    recognizes=recognizes,
)


def check_text(data: bytes, name: str) -> None:
    """Raise `InputError` if `data` is empty or not text."""
    if not data or data.isspace():
        raise InputError("is empty, expected an SWF file", file=name)
    refuse_binary(data, name, expected="the text of an SWF file")


def layout_anomalies(tally: NDArray[np.int64], data: bytes) -> Iterator[Anomaly]:
    """Yield what is odd in how the lines are laid out, from the counts the reader made."""
    comments, wide, first_wide, widest, tabbed, first_tabbed = tally.tolist()
    if wide:
        yield Anomaly(
            "extra-columns",
            wide,
            f"{wide} lines have more than {len(FIELDS)} columns (up to {widest}); the others are ignored",
            first_wide,
        )
    if tabbed:
        yield Anomaly("tabs", tabbed, f"{tabbed} lines use tabs; read as spaces", first_tabbed)
    if comments:
        yield Anomaly("late-comments", comments, f"{comments} comments after the first job; not kept")
    if b"\r" in data and (returns := data.count(b"\r\n")):
        yield Anomaly("crlf", returns, f"{returns} lines end in carriage return and line feed")


class _Jobs(NamedTuple):
    columns: dict[str, FloatColumn | IntColumn]
    lines: NDArray[np.int32]
    tally: NDArray[np.int64]


def _read_jobs(data: bytes, name: str, *, position: int, line: int) -> _Jobs:
    """Run the kernel over the job lines, settling with the definition what it leaves open."""
    from echelon.workloads.formats import swf_kernel as kernel

    room = min(data.count(b"\n", position) + 1, (len(data) - position) // _SHORTEST_LINE + 1)
    floats = np.empty((len(kernel.FLOAT_FIELDS), room), dtype=np.float64)
    ints = np.empty((len(kernel.INT_FIELDS), room), dtype=np.int64)
    lines = np.empty(room, dtype=np.int32)
    tally = np.zeros(kernel.N_TALLIES, dtype=np.int64)
    deferred = np.empty((_DEFERRED_AT_ONCE, 3), dtype=np.int64)
    places = {place: floats[row] for row, place in enumerate(kernel.FLOAT_FIELDS)}
    places |= {place: ints[row] for row, place in enumerate(kernel.INT_FIELDS)}
    raw = np.frombuffer(data, dtype=np.uint8)
    row, short = 0, False
    while position < len(data) and not short:
        position, line, row, n_deferred, short = kernel.read_jobs(
            raw, position, line, row, floats, ints, lines, deferred, tally
        )
        for job, place, token in deferred[:n_deferred].tolist():
            places[place][job] = _settle(data, token, FIELDS[place], name)
    if short:
        raise _refusal(data, position, name)
    columns = {spec.name: read_only(places[place][:row]) for place, spec in enumerate(FIELDS)}
    return _Jobs(columns, lines[:row], tally)


def _settle(data: bytes, position: int, spec: Field, name: str) -> int | float:
    """Return the value of the token at `position`, one the kernel did not take for a plain number."""
    match = _TOKEN.match(data, position)
    try:
        return read_number(match[0] if match else b"", spec)
    except InputError:
        raise _refusal(data, position, name) from None


def _refusal(data: bytes, position: int, name: str) -> InputError:
    """Return what the definition says of the bad line that holds `position`."""
    start, end = data.rfind(b"\n", 0, position) + 1, data.find(b"\n", position)
    number = data.count(b"\n", 0, start) + 1
    line = data[start : end if end >= 0 else len(data)]
    try:
        read_line(line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line, file=name, number=number)
    except InputError as error:
        return error
    return InputError("could not be read", file=name, line=number)


def _is_number(token: bytes) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True


def _check_writable(workload: Workload, field: str, bound: float) -> None:
    column = workload.columns[field]
    good = np.isfinite(column) & (column >= -bound) & (column <= bound)
    if not good.all():
        position = int(np.argmin(good))
        raise InputError(
            f"SWF cannot represent {column[position]} of job {workload.label(position)}; {UNKNOWN} is "
            "unknown",
            file=workload.name,
            field=field,
        )


def _numerals(column: FloatColumn | IntColumn) -> pl.Series:
    """Return what to write of a column: whole numbers as integers, a mixed column as text."""
    import polars as pl

    if column.dtype == np.int64:
        return pl.Series(column)
    whole = (column == np.trunc(column)) & (np.abs(column) <= LARGEST)
    integers = np.where(whole, column, UNKNOWN).astype(np.int64)
    if whole.all():
        return pl.Series(integers)
    both = pl.DataFrame({"whole": whole, "integer": integers, "number": column})
    text = (
        pl.when("whole").then(pl.col("integer").cast(pl.String)).otherwise(pl.col("number").cast(pl.String))
    )
    return both.select(text).to_series()
