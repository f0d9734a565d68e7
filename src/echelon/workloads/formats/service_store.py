"""The store of a service (``echelon serve``) in SQLite: its jobs as a workload."""

from __future__ import annotations

import json
import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import UNKNOWN
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Workload
from echelon.workloads.formats.format import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAGIC = b"SQLite format 3\0"
"""The first bytes of every database of SQLite."""

STATUS = {"COMPLETED": 1, "FAILED": 0, "TIMED_OUT": 0, "INTERRUPTED": 0, "CANCELED": 5, "REJECTED": 5}
"""The SWF status of a job by its state."""

_COLUMNS = "number, id, owner, spec, submitted_at, state, cluster, started_at, ended_at"
_KB = 1024.0


def read(data: bytes, name: str) -> Workload:
    """Return the jobs of a service's store, in the order of their submission.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        The file as the user gave it. If it is there beside a write-ahead log, that is read, too: it has what
        a running service committed last.

    Returns
    -------
    Workload
        See `workload_of`.

    Raises
    ------
    InputError
        If it is no store of a service, or has no job.
    """
    try:
        with closing(_connection(data, name)) as database:
            rows = database.execute(f"SELECT {_COLUMNS} FROM jobs ORDER BY number").fetchall()
    except sqlite3.Error as error:
        raise InputError(f"is not the store of a service: {error}", file=name) from error
    keys = _COLUMNS.split(", ")
    return workload_of([dict(zip(keys, row, strict=True)) for row in rows], name)


def _connection(data: bytes, name: str) -> sqlite3.Connection:
    log = Path(f"{name}-wal")
    if log.exists() and log.stat().st_size:
        return sqlite3.connect(f"{Path(name).resolve().as_uri()}?mode=ro", uri=True)
    database = sqlite3.connect(":memory:")
    # A file with a write-ahead log (2) is read as one without (1): nothing is in the log.
    database.deserialize(data[:18] + b"\1\1" + data[20:])
    return database


def workload_of(jobs: Sequence[Mapping[str, Any]], name: str) -> Workload:
    """Return the jobs of a service as a workload.

    Parameters
    ----------
    jobs : sequence of mapping
        Each with the columns of the store's table of jobs, by number.
    name : str
        For messages.

    Returns
    -------
    Workload
        One job each. Times count from the first whole second (the header's UnixStartTime). Run and wait times
        are those that happened, -1 of jobs that have not ended or never started; requested times are time
        limits. Users are owners, executables are applications or the names of programs, partitions are
        clusters. Jobs wait for those that they followed. Labels are the store's ids.

    Raises
    ------
    InputError
        If there is no job.
    """
    if not jobs:
        raise InputError("has no job", file=name)
    specs: list[dict[str, Any]] = [json.loads(one["spec"]) for one in jobs]
    start, end = (
        np.array([math.nan if one[key] is None else one[key] for one in jobs])
        for key in ("started_at", "ended_at")
    )
    submit = np.array([one["submitted_at"] for one in jobs])
    first = math.floor(submit.min())
    users, owner = _encode_names(one["owner"] for one in jobs)
    programs, program = _encode_names(map(_program, specs))
    clusters, cluster = _encode_names(one["cluster"] for one in jobs)
    size = np.array([spec.get("processors", 1) for spec in specs])
    memory = [spec.get("memory") for spec in specs]
    table = Workload.from_columns(
        name=name,
        header=Header(
            (("Version", "2.2"), ("UnixStartTime", str(first)), ("Note", "read from the store of a service"))
        ),
        job_id=[one["number"] for one in jobs],
        submit_time=submit - first,
        wait_time=_known_times(start - submit),
        run_time=_known_times(end - start),
        allocated_processors=np.where(np.isnan(start), UNKNOWN, size),
        requested_processors=size,
        requested_time=[spec.get("time_limit") or UNKNOWN for spec in specs],
        requested_memory=[
            UNKNOWN if one is None else one / _KB / per for one, per in zip(memory, size, strict=True)
        ],
        status=[STATUS.get(one["state"], UNKNOWN) for one in jobs],
        user=owner,
        executable=program,
        partition=cluster,
    )
    names = {"user": users, "executable": programs, "partition": clusters}
    labels = tuple(str(one["id"]) for one in jobs)
    table = replace(table, labels=labels, names={key: texts for key, texts in names.items() if texts})
    edges = _edges(labels, specs)
    return table.with_dependencies(*zip(*edges, strict=True)) if edges else table


def _program(spec: Mapping[str, Any]) -> str:
    """Return what a job runs, as far as that has a name."""
    command = spec.get("command") or ("",)
    return str(spec.get("application") or Path(command[0]).name)


def _encode_names(names: Iterable[str]) -> tuple[tuple[str, ...], list[int]]:
    """Return the different names, and the code of each: from 1, -1 of an empty one."""
    codes: dict[str, int] = {}
    numbers = [codes.setdefault(name, len(codes) + 1) if name else UNKNOWN for name in names]
    return tuple(codes), numbers


def _known_times(seconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[Any, Any]:
    """Return times, -1 where they are not known."""
    return np.where(np.isnan(seconds), UNKNOWN, np.maximum(seconds, 0.0))


def _edges(ids: Sequence[str], specs: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Return which jobs followed which, by position; those that are not here are left out."""
    position = {one: place for place, one in enumerate(ids)}
    return [
        (position[before], place)
        for place, spec in enumerate(specs)
        for before in dict.fromkeys(spec.get("after", ()))
        if before in position
    ]


def recognizes(head: bytes) -> bool:
    """Return whether this is a database of SQLite."""
    return head.startswith(MAGIC)


FORMAT = Format(
    name="service",
    suffixes=(".db",),
    summary="The store of a service (`echelon serve`) in SQLite: its jobs with the run times that happened.",
    source="no paper: what `echelon serve` keeps",
    read=read,
    recognizes=recognizes,
)
"""The jobs of a service."""
