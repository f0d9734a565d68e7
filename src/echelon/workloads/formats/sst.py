"""SST's files: the job trace that its scheduler reads (``.sim``), the finished jobs it writes (``.time``).

Source: the Structural Simulation Toolkit's element `scheduler`, as a published study of its policies on the
SDSC SP2 log used it, and its statistics of finished jobs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from echelon.errors import UnknownNameError
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Workload
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.swf_header import read_comment
from echelon.workloads.formats.text.lines import cut_anomaly, number_lines, text_of
from echelon.workloads.formats.text.rows import join_rows, refuse_unfit, split_rows, with_anomalies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.cells import Cells

SIM_FIELDS = ("submit time", "processors", "run time", "requested time")


def read_sim(data: bytes, name: str) -> Workload:
    """Return the jobs of a ``.sim`` file: submit time, processors, run time, requested time, a line each.

    Returns
    -------
    Workload
        ``job_id`` is the 0-based place of the job's line, as SST numbers jobs. Processors count as allocated.

    Raises
    ------
    InputError
        If the file is empty or binary, a line has not four numbers, or processors are no whole number.

    Notes
    -----
    Cost: O(bytes).
    """
    rows = list(number_lines(text_of(data, name, expected="an SST .sim file")))
    submit, processors, run, requested = split_rows(rows, SIM_FIELDS, file=name)
    workload = Workload.from_columns(
        name=name,
        job_id=np.arange(len(rows)),
        submit_time=submit.floats(),
        allocated_processors=processors.ints(),
        run_time=run.floats(),
        requested_time=requested.floats(),
    )
    return with_anomalies(workload, cut_anomaly(data), [row.number for row in rows])


def write_sim(workload: Workload) -> bytes:
    """Return `workload` as a ``.sim`` file; only the four fields of the format are kept.

    Every job is written, in the workload's order, or none: the format has no comments in which dropped jobs
    could be recorded. SST wants submit times to rise:
    `echelon.workloads.transform.sort_by_submit` sees to it.

    Raises
    ------
    InputError
        If a job has no run time > 0, no size or a negative submit time, which SST cannot simulate;
        `echelon.workloads.transform.keep_runnable` leaves such jobs out and records it.
    """
    refuse_unfit(workload, "run time > 0", workload.run_time > 0)
    refuse_unfit(workload, "number of processors", workload.processors > 0)
    refuse_unfit(workload, "submit time >= 0", workload.submit_time >= 0)
    columns = (workload.submit_time, workload.processors, workload.run_time, workload.requested_time)
    return join_rows(columns, separator=" ").encode()


def _four_numbers(head: bytes) -> bool:
    first = next((line.split() for line in head.split(b"\n") if line.strip()), [])
    return len(first) == len(SIM_FIELDS) and all(_is_number(token) for token in first)


def _is_number(token: bytes) -> bool:
    try:
        return math.isfinite(float(token))
    except ValueError:
        return False


SIM = Format(
    name="sst-sim",
    suffixes=(".sim",),
    summary="SST's job trace: submit time, processors, run time and requested time, one job per line.",
    source="SST scheduler, job trace",
    read=read_sim,
    write=write_sim,
    recognizes=_four_numbers,
)

TIME_FIELDS = ("Job", "Arrival", "Start", "End", "Run", "Wait", "Resp.", "Procs")
_HEAD = "# " + "\t".join(TIME_FIELDS)

JobNumbers: TypeAlias = Literal["position", "job-id"]
"""What the file calls a job: its 0-based place among the jobs simulated, or the workload's job_id."""


def read_time(data: bytes, name: str) -> Workload:
    """Return the finished jobs of a ``.time`` file, in its order: that of completion.

    Returns
    -------
    Workload
        ``job_id`` is the file's job number, the wait time is known, processors count as allocated; the
        comments (machine, scheduler ...) are the header. Columns beyond the eighth (FST) are not kept.

    Raises
    ------
    InputError
        If the file is empty, binary or without a job, a line has fewer than eight numbers, or a line's times
        contradict each other (Start = Arrival + Wait, End = Start + Run, Resp. = Wait + Run).
    """
    lines = list(number_lines(text_of(data, name, expected="an SST .time file")))
    rows = [line for line in lines if not (line.text.startswith("#") or _is_head(line.text))]
    cells = dict(zip(TIME_FIELDS, split_rows(rows, TIME_FIELDS, file=name, extra=True), strict=True))
    times = {field: cells[field].floats() for field in TIME_FIELDS[1:7]}
    _check_sum(cells["Start"], times["Start"], times["Arrival"] + times["Wait"], "Arrival + Wait")
    _check_sum(cells["End"], times["End"], times["Start"] + times["Run"], "Start + Run")
    _check_sum(cells["Resp."], times["Resp."], times["Wait"] + times["Run"], "Wait + Run")
    comments = [line.text.lstrip("#").strip() for line in lines if line.text.startswith("#")]
    workload = Workload.from_columns(
        name=name,
        header=Header(tuple(read_comment(text.encode()) for text in comments if not _is_head(text))),
        job_id=cells["Job"].ints(),
        submit_time=times["Arrival"],
        wait_time=times["Wait"],
        run_time=times["Run"],
        allocated_processors=cells["Procs"].ints(),
    )
    return with_anomalies(workload, cut_anomaly(data), [row.number for row in rows])


def write_time(workload: Workload) -> bytes:
    """Return `workload` as a ``.time`` file, from its log's wait times; for a schedule: `time_file`.

    Ties: jobs that end together are in the order of their numbers, then of the workload.

    Raises
    ------
    InputError
        If a job's wait, run or submit time is unknown (negative), or it has no size.
    """
    wait = workload.float_column("wait_time")
    refuse_unfit(workload, "wait time >= 0", wait >= 0)
    refuse_unfit(workload, "run time >= 0", workload.run_time >= 0)
    refuse_unfit(workload, "number of processors", workload.processors > 0)
    refuse_unfit(workload, "submit time >= 0", workload.submit_time >= 0)
    comments = [f"{label}: {text}" if label else text for label, text in workload.header.lines]
    return _time_rows(
        workload.job_id,
        (workload.submit_time, workload.submit_time + wait, wait, workload.run_time),
        workload.processors,
        comments=comments or [f"Simulation for trace {workload.name}"],
    )


def time_file(schedule: Schedule, *, comments: Sequence[str] = (), numbers: JobNumbers = "position") -> bytes:
    """Return `schedule` as SST writes one: a finished job a line, in the order of completion.

    Parameters
    ----------
    schedule : Schedule
        Any.
    comments : sequence of str, default empty
        Lines before the table (machine, scheduler, comparator ...), written after ``# ``.
        Without any: the trace's name and the machine's processors.
    numbers : {"position", "job-id"}, default "position"
        Job numbers: 0-based places among the jobs simulated, as SST counts the lines of its ``.sim`` file,
        or the workload's own.

    Returns
    -------
    bytes
        The comments, the head line and, tab-separated, ``Job Arrival Start End Run Wait Resp. Procs`` with
        Wait = Start - Arrival, End = Start + Run, Resp. = End - Arrival, in seconds.

    Raises
    ------
    UnknownNameError
        If `numbers` is neither of the two.

    Notes
    -----
    Ties: jobs that end together are in the order of their numbers. Cost: O(n log n).
    """
    instance = schedule.instance
    choices = {"position": np.arange(len(instance)), "job-id": instance.workload.job_id[instance.kept]}
    if numbers not in choices:
        raise UnknownNameError("job numbering", numbers, choices)
    named = (
        f"Simulation for trace {instance.workload.name}",
        f"[Machine] {instance.processors} processors",
    )
    return _time_rows(
        choices[numbers],
        (instance.submit_time, schedule.start_time, schedule.response_time, instance.run_time),
        instance.size,
        comments=comments or named,
    )


def _time_rows(
    number: IntColumn,
    times: tuple[FloatColumn, FloatColumn, FloatColumn, FloatColumn],
    size: IntColumn,
    *,
    comments: Sequence[str],
) -> bytes:
    arrival, start, wait, run = times
    end = start + run
    order = np.lexsort((number, end))
    columns = (number, arrival, start, end, run, wait, wait + run, size)
    table = join_rows([column[order] for column in columns], separator="\t")
    lines = [line for comment in comments for line in comment.split("\n")]
    above = "".join(f"# {line}".rstrip() + "\n" for line in lines)
    return f"{above}\n{_HEAD}\n{table}".encode()


def _is_head(text: str) -> bool:
    return tuple(text.split()[:4]) == TIME_FIELDS[:4]


def _check_sum(cells: Cells, got: FloatColumn, expected: FloatColumn, sentence: str) -> None:
    apart = np.abs(got - expected) > 1e-6 * np.maximum(1.0, np.abs(expected))
    if apart.any():
        first = int(np.argmax(apart))
        raise cells.refuse(first, f"{sentence} = {expected[first]:.15g}")


def _has_head(head: bytes) -> bool:
    lines = [line.lstrip(b"# ").split() for line in head.split(b"\n")]
    return any([field.decode("latin-1") for field in line[:8]] == list(TIME_FIELDS) for line in lines)


TIME = Format(
    name="sst-time",
    suffixes=(".time",),
    summary="SST's finished jobs: number, arrival, start, end, run, wait, response and processors.",
    source="SST scheduler, job statistics",
    read=read_time,
    write=write_time,
    recognizes=_has_head,
)
