"""Slurm's accounting, as ``sacct --parsable2`` prints it: a line of field names, then a job or step a line.

Source: Slurm's manual page of `sacct`, "Job Accounting Fields" and "Job State Codes".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.jobs.header import ACCOUNTING, Header
from echelon.model.jobs.time_zone import zone_named
from echelon.model.jobs.workload import Anomaly, Workload
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.sacct_records import TIME, Records, SurplusCells
from echelon.workloads.formats.status import status_number
from echelon.workloads.formats.text.delimited_text import names_of, read_delimited
from echelon.workloads.formats.text.durations import (
    gpus_of_resources,
    memory,
    seconds_of_duration,
    seconds_of_limit,
)
from echelon.workloads.formats.text.lines import cut_anomaly
from echelon.workloads.formats.text.rows import with_anomalies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

CODED = {
    "user": ("user", "uid"),
    "group": ("group", "account", "gid"),
    "executable": ("jobname",),
    "queue": ("qos",),
    "partition": ("partition",),
    "account": ("account",),
    "reservation": ("reservation",),
}
"""Slurm's fields behind each coded column of SWF; the first that the file has is taken."""

_NOT_ENDED = (
    "pending",
    "running",
    "suspended",
    "requeued",
    "resizing",
    "configuring",
    "completing",
    "stopped",
)
_CANCELED = ("cancelled", "cancelled+")
_EXPIRED = ("deadline",)
_NEVER_STARTED = ("pending", "configuring", "requeued")
_NODES = ("allocnodes", "nnodes")
_READ = {
    *(field for fields in CODED.values() for field in fields),
    *("jobid", "jobidraw", "submit", "eligible", "start", "end", "elapsed", "elapsedraw", "state"),
    *("timelimit", "timelimitraw", "alloccpus", "ncpus", "reqcpus", *_NODES, "reqnodes", "reqmem"),
    *("deadline", "totalcpu", "cputime", "cputimeraw", "maxrss", "alloctres", "reqtres"),
}
"""Fields that are read, in lower case; the others are named in an anomaly."""
_DURATION = "a duration such as 1-02:03:04 or 02:03:04"


def read(data: bytes, name: str, *, timezone: str = "UTC") -> Workload:
    """Return the jobs of an accounting table; their steps (``123.batch``, ``123.0``) are counted, not kept.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed: ``|``-, comma- or tab-separated, field names in any case and order.
        Needed are JobID or JobIDRaw; Submit; a number of CPUs (AllocCPUS, NCPUS, ReqCPUS) or nodes; and
        Elapsed, ElapsedRaw or Start and End. A ``|`` in a job's name is put back into it where all other
        fields tell that it belongs there; else the line is counted and left out.
    name : str
        The file as the user gave it, for messages.
    timezone : str, default "UTC"
        Zone (``"Europe/Madrid"``) of times without an offset; Unix seconds need none.

    Returns
    -------
    Workload
        One job a line, in the file's order: array tasks and components of heterogeneous jobs are jobs. A job
        is submitted when it became eligible to run (Eligible, else Submit): before, it waited for a time, for
        others or for a person, not for processors; how long that was is its ``ineligible_time``. Submit
        times count from the earliest (the header's UnixStartTime). ``job_id`` is JobIDRaw or JobID if whole
        numbers, else 1, 2 ...; a JobID that is no whole number (``5312850_12``, ``123+0``) makes labels.
        The run time is Elapsed, else End - Start; -1 if the job never started or has not ended. Of a job that
        never started, CPUs count as requested. Columns by `CODED`; nodes, where no CPUs are given, count as
        processors. Memory in KB per processor: ReqMem (``c`` per CPU, ``n`` per node, else the job's, shared
        by its processors), MaxRSS as it is. GPUs are those in AllocTRES, else in ReqTRES. Status by
        `echelon.workloads.formats.status.STATUS_NUMBERS`; ``state`` is State's first word in lower case. The
        ``cancel_time`` of a job that was canceled
        before it started, or reached a deadline that the table does not say, is its End; deadlines (Deadline)
        and reservations (by name) are those of the table. The ``minimum_time`` of a job that started with
        less than its limit left to its deadline is what was left.

    Raises
    ------
    InputError
        If the file is empty, binary or no such table, or a value is not what its field must hold: file, line
        and field are named.
    UnknownNameError
        If there is no zone `timezone`.

    Notes
    -----
    Cost: O(bytes).
    """
    head = data.lstrip().partition(b"\n")[0]
    surplus, quoted = SurplusCells(), b"|" not in head
    what = "the output of sacct --parsable2"
    table = read_delimited(data, name, expected=what, quoted=quoted, surplus=None if quoted else surplus)
    surplus.check(len(table), name)
    records = Records(table, zone_named(timezone))
    anomalies = [*cut_anomaly(data), *surplus.anomalies(), *_note_unread(table.columns)]
    steps = np.array(["." in text for text in records.identities()], dtype=np.bool_)
    if steps.any():
        count, first = int(steps.sum()), int(table.lines[np.argmax(steps)])
        anomalies.append(Anomaly("job-steps", count, f"{count} lines are steps of jobs; not kept", first))
        records = Records(table.where(~steps), records.zone)
    if not len(records.table):
        raise InputError("has no job, only steps of jobs", file=name)
    return _workload(records, timezone, anomalies)


def recognizes(head: bytes) -> bool:
    """Return whether the first line names JobID or JobIDRaw, and Submit or Start.

    With ``|`` between them State is enough: so begins a table without ``--format``, which `read` refuses for
    the lack of Submit.
    """
    names = {name.lower() for name in names_of(head)}
    required = {"submit", "start", "state"} if b"|" in head.partition(b"\n")[0] else {"submit", "start"}
    return bool(names & {"jobid", "jobidraw"}) and bool(names & required)


FORMAT = Format(
    name="sacct",
    suffixes=(".sacct", ".csv"),
    summary="Slurm's accounting as sacct --parsable2 prints it (also comma-separated); read only.",
    source="Yoo, Jette and Grondona, JSSPP 2003 (Slurm, sacct)",
    read=read,
    recognizes=recognizes,
    has_dates=True,
)


def _workload(records: Records, timezone: str, anomalies: list[Anomaly]) -> Workload:
    logged, started = _submit(records), _have_started(records)
    start = records.times("start")
    submit = _eligible_times(records, logged, started)
    columns: dict[str, FloatColumn | IntColumn] = {
        "submit_time": np.round(submit - np.floor(submit.min()), 6),
        "wait_time": np.where(started & (start >= submit), np.round(start - submit, 6), UNKNOWN),
        "run_time": _run_time(records, started),
        "requested_time": records.parse_numbers(seconds_of_limit, _DURATION, "timelimit", "timelimitraw"),
        "status": records.parse_numbers(status_number, "a job state", "state").astype(np.int64),
    }
    if records.find("eligible") is not None:
        columns["ineligible_time"] = np.round(submit - logged, 6)
    columns["gpus"] = _gpus(records, started)
    columns["node_count"] = _nodes(records)
    columns |= _ends(records, started, float(np.floor(submit.min())), columns["requested_time"])
    columns |= _sizes(records, started)
    columns |= _use(records, columns)
    names = {}
    for column, fields in CODED.items():
        if cells := records.find(*fields):
            columns[column], names[column] = cells.names() if column == "reservation" else cells.codes()
    if states := records.states():
        columns["state"], names["state"] = states.names()
    columns["job_id"], labels = _identities(records)
    plain = Workload.from_columns(
        name=records.table.file, header=_header(records, submit, timezone), **columns
    )
    workload = replace(
        plain, labels=labels, names={column: texts for column, texts in names.items() if texts}
    )
    return with_anomalies(workload, [*anomalies, *_anomalies(records, started)], records.table.lines)


def _submit(records: Records) -> FloatColumn:
    cells = records.need("Submit", "submit")
    submit = records.times("submit")
    if (submit == UNKNOWN).any():
        raise cells.refuse(int(np.argmax(submit == UNKNOWN)), TIME)
    return submit


def _eligible_times(records: Records, submit: FloatColumn, started: NDArray[np.bool_]) -> FloatColumn:
    """Return when each job could be scheduled: Eligible, else Submit; never before Submit or after Start."""
    eligible, start = records.times("eligible"), records.times("start")
    latest = np.where(started & (start != UNKNOWN), start, np.inf)
    return np.where((eligible > submit) & (eligible <= latest), eligible, submit)


def _gpus(records: Records, started: NDArray[np.bool_]) -> IntColumn:
    """Return the GPUs that jobs had, or asked for if they never started; unknown where no field says it."""
    expected = "resources such as cpu=4,gres/gpu=2,mem=16G"
    allocated = records.parse_numbers(gpus_of_resources, expected, "alloctres")
    requested = records.parse_numbers(gpus_of_resources, expected, "reqtres")
    return np.where(started & (allocated != UNKNOWN), allocated, requested).astype(np.int64)


def _nodes(records: Records) -> IntColumn:
    """Return the nodes of jobs: NNodes are those requested until a job starts."""
    allocated, requested = records.counts("nnodes", "allocnodes"), records.counts("reqnodes")
    return np.where(allocated != UNKNOWN, allocated, requested)


def _have_started(records: Records) -> NDArray[np.bool_]:
    """Return which jobs started: those with a start time, save waiting ones, whose start is a forecast."""
    waiting = records.has_state(_NEVER_STARTED)
    return ~waiting if records.find("start") is None else ~waiting & (records.times("start") != UNKNOWN)


def _starts_early(records: Records, started: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which jobs started before their submission, as in an hour that comes twice, or a wrong zone."""
    start = records.times("start")
    return np.asarray(started & (start != UNKNOWN) & (start < _submit(records)), dtype=np.bool_)


def _run_time(records: Records, started: NDArray[np.bool_]) -> FloatColumn:
    """Return the wall-clock time of jobs that started and ended, else -1."""
    if records.find("elapsed", "elapsedraw") is None:
        records.need("Elapsed (nor Start and End)", "start")
        records.need("Elapsed (nor Start and End)", "end")
    elapsed = records.parse_numbers(seconds_of_duration, _DURATION, "elapsedraw", "elapsed")
    start, end = records.times("start"), records.times("end")
    span = np.where((start == UNKNOWN) | (end == UNKNOWN), UNKNOWN, np.round(end - start, 6))
    run = np.where(elapsed == UNKNOWN, span, elapsed)
    return np.where(started & ~records.has_state(_NOT_ENDED), run, UNKNOWN)


def _ends(
    records: Records, started: NDArray[np.bool_], first: float, requested: FloatColumn | IntColumn
) -> dict[str, FloatColumn]:
    """Return by when jobs must end, and when those that never started were canceled, by the log's clock.

    A job that started with less than its limit left to its deadline accepted that: so short is the shortest
    limit that it is known to accept.
    """
    deadline, start, end = records.times("deadline"), records.times("start"), records.times("end")
    left = np.maximum(np.round(deadline - start, 6), 0.0)
    is_short = started & (deadline != UNKNOWN) & (start != UNKNOWN) & (left < requested)
    expired = records.has_state(_EXPIRED) & (deadline == UNKNOWN)
    canceled = ~started & (records.has_state(_CANCELED) | expired) & (end != UNKNOWN)
    return {
        "deadline": np.where(deadline != UNKNOWN, np.round(deadline - first, 6), UNKNOWN),
        "minimum_time": np.where(is_short, left, UNKNOWN),
        "cancel_time": np.where(canceled, np.round(end - first, 6), UNKNOWN),
    }


def _sizes(records: Records, started: NDArray[np.bool_]) -> dict[str, IntColumn]:
    records.need(
        "AllocCPUS (nor NCPUS, ReqCPUS, NNodes)", "alloccpus", "ncpus", "reqcpus", *_NODES, "reqnodes"
    )
    allocated, requested = records.counts("alloccpus", "ncpus"), records.counts("reqcpus")
    if not _has_cpus(records):
        allocated, requested = records.counts(*_NODES), records.counts("reqnodes")
    requested = np.where((requested == UNKNOWN) & ~started, allocated, requested)
    return {
        "allocated_processors": np.where(started, allocated, UNKNOWN),
        "requested_processors": requested,
    }


def _has_cpus(records: Records) -> bool:
    return records.find("alloccpus", "ncpus", "reqcpus") is not None


def _use(records: Records, columns: dict[str, FloatColumn | IntColumn]) -> dict[str, FloatColumn]:
    """Return memory requested and used and CPU time, all per processor."""
    allocated, requested = columns["allocated_processors"], columns["requested_processors"]
    size = np.where(allocated > 0, allocated, requested)
    cpu_time = records.parse_numbers(seconds_of_duration, _DURATION, "totalcpu", "cputime", "cputimeraw")
    return {
        "average_cpu_time": _share_of(cpu_time, size),
        "requested_memory": _requested_memory(records, size),
        "used_memory": records.parse_numbers(
            lambda text: memory(text, unit="B").kilobytes, "an amount of memory such as 1200K", "maxrss"
        ),
    }


def _requested_memory(records: Records, size: IntColumn) -> FloatColumn:
    """Return KB per processor; unknown where it is per node and the nodes are not."""
    expected = "an amount of memory such as 4000Mc, 4Gn or 16000M"
    amount = records.parse_numbers(lambda text: memory(text, unit="M").kilobytes, expected, "reqmem")
    cells = records.find("reqmem")
    if cells is None:
        return amount
    nodes = records.counts(*_NODES, "reqnodes")
    total = np.where(nodes > 0, amount * nodes, UNKNOWN)
    ends = cells.stripped.str.slice(-1).to_numpy()
    shared = np.where(ends == "n", _share_of(total, size), _share_of(amount, size))
    # Slurm writes 0 for "all memory of the node": no number is known then.
    return np.where(amount <= 0, UNKNOWN, np.where(ends == "c", amount, shared))


def _share_of(total: FloatColumn, size: IntColumn) -> FloatColumn:
    """Return `total` divided among a job's processors; unknown where either is."""
    is_complete = (total >= 0) & (size > 0)
    return np.where(is_complete, total / np.where(size > 0, size, 1), UNKNOWN)


def _identities(records: Records) -> tuple[IntColumn, tuple[str, ...] | None]:
    """Return job numbers, and labels unless every JobID is a whole number."""
    texts = records.identities()
    labels = None if all(text.isascii() and text.isdigit() for text in texts) else tuple(texts)
    for field in ("jobidraw", "jobid"):
        if cells := records.find(field):
            numbers, names = cells.codes()
            if not names:
                return numbers, labels
    return np.arange(1, len(texts) + 1), labels


def _header(records: Records, submit: FloatColumn, timezone: str) -> Header:
    lines = [("Version", "2.2"), ("UnixStartTime", str(int(np.floor(submit.min()))))]
    dated = any("-" in text for text in records.need("Submit", "submit").stripped.head(1).to_list())
    if dated:
        lines.append(("TimeZoneString", timezone))
        lines.append(("Note", f"times without an offset were read as {timezone}"))
    return Header((*lines, ("Note", f"{ACCOUNTING}, {records.table.file}")))


def _anomalies(records: Records, started: NDArray[np.bool_]) -> Iterator[Anomaly]:
    lines = records.table.lines
    open_jobs = records.has_state(_NOT_ENDED) & started
    late = np.zeros(len(lines), dtype=np.bool_)
    if records.find("eligible") is not None:
        late = _eligible_times(records, _submit(records), started) > _submit(records)
    for kind, jobs, sentence in (
        (
            "ineligible-at-first",
            late,
            "were not eligible to run when submitted; their waits count from when they became eligible",
        ),
        ("never-started", ~started, "never started; their run time is unknown"),
        ("not-ended", open_jobs, "had not ended when the table was made; their run time is unknown"),
        (
            "repeated-hour",
            records.in_repeated_hour("submit", "eligible", "start", "end"),
            "have a time in the hour that the end of daylight saving time repeats, read as the first",
        ),
        (
            "start-before-submission",
            _starts_early(records, started),
            "started before they were submitted, by these times; their waits are unknown; check --timezone",
        ),
        ("het-job", _have_mark(records, "+"), "are components of heterogeneous jobs; each counts as a job"),
        (
            "pending-array",
            _have_mark(records, "["),
            "stand for waiting tasks of an array; each counts as one job",
        ),
    ):
        if count := int(jobs.sum()):
            yield Anomaly(kind, count, f"{count} jobs {sentence}", int(lines[np.argmax(jobs)]))
    if not _has_cpus(records):
        yield Anomaly("sizes-in-nodes", len(lines), "the log has no CPUs: sizes are in nodes")


def _note_unread(fields: Iterable[str]) -> list[Anomaly]:
    """Return an anomaly that names the fields that are not read, if there are any."""
    names = [name for name in fields if name.lower() not in _READ]
    if not names:
        return []
    return [Anomaly("ignored-fields", len(names), f"fields not kept: {', '.join(names):.300}")]


def _have_mark(records: Records, mark: str) -> NDArray[np.bool_]:
    return np.array([mark in text for text in records.identities()], dtype=np.bool_)
