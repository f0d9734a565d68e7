"""Reading IRMASim's ``workload.json``, as the public program has it and with its extension's MPI jobs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Anomaly, Workload
from echelon.workloads.anomalies import find_anomalies
from echelon.workloads.irmasim.columns import (
    applications,
    columns_of,
    identities,
    own_columns,
    submit_times,
)
from echelon.workloads.irmasim.file_header import guess, header_lines, names_of, objects, top_of, units_of
from echelon.workloads.irmasim.groups import demands_of, entries_of, tasks_of
from echelon.workloads.irmasim.json_text import parse_json
from echelon.workloads.irmasim.names import JOB_NAMES, TOP_NAMES
from echelon.workloads.irmasim.problems import Problems, show_value
from echelon.workloads.irmasim.records import COUNT, Records, squeeze
from echelon.workloads.irmasim.shapes import shapes_of
from echelon.workloads.irmasim.task_demand import Profiles, count_beside_profiles

if TYPE_CHECKING:
    from collections.abc import Mapping

_UNSURPRISING = ("no-wait-time", "size-as-requested", "size-as-allocated", "fractional-")


def read_json(data: bytes, name: str, *, spread: bool = False) -> Workload:
    """Return the jobs of a ``workload.json``, with what their tasks ask for as demands.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed.
    name : str
        The file as the user gave it, for messages.
    spread : bool, default False
        Whether ``num_nodes``, which IRMASim's extension reads and never uses, binds an MPI job to so many
        nodes.

    Returns
    -------
    Workload
        Names in the file may be written in any case, with or without ``_`` and ``-``. A job with ``res`` is
        sequential: all tasks in one node. One with ``nodes``, ``ntasks`` or ``ntasks_per_node`` is an MPI
        job; what is missing of the three follows as the program completes it, except that ``ntasks`` alone
        leaves the tasks free to be anywhere. ``job_type`` (1 or sequential, 2 or mpi) says the kind outright;
        an MPI job has ``comm_vol``, ``t_compute`` and, where its tasks differ, ``tasks`` with a profile or
        figures each. Figures are those of a named profile, or the job's own: ``req_ops``, ``ipc`` (1),
        ``req_time``, ``mem`` (0), ``mem_vol`` (0, of a profile 1).

        Memory and memory volume are in MB of 10^6 bytes, communication volume in bytes; ``units`` at the top
        of the file may say ``B``, ``KB``, ``MB`` or ``GB`` of each. A run time is ``run_time`` where the job
        says it, else its longest task's operations on a core of 10^9 a second. Submit times count from the
        earliest, or from ``origin``. Columns such as ``user``, and ``header`` and ``names``, are read where
        `write_json` wrote them; ``req_energy`` is not kept.

    Raises
    ------
    InputError
        If the file is empty, binary or not JSON (line and column are named), has no jobs, or anything in it
        is wrong: all mistakes are reported together, each with its path in the file, such as
        ``jobs[3].profile``.

    Notes
    -----
    Cost: O(bytes); about two seconds for 100,000 jobs.
    """
    content, twice = parse_json(data, name)
    problems = Problems(name)
    for key in twice:
        problems.add("an object", f"says {key!r} twice; leave out one")
    top = top_of(content, problems)
    if not isinstance(content, dict) or "jobs" not in top:
        raise InputError(f'has no list of jobs, expected {{"jobs": [...]}}{guess(content)}', file=name)
    if _is_of_slurm(content):
        raise InputError("is what Slurm prints with --json; give the output of sacct --parsable2", file=name)
    listed = top["jobs"]
    if not isinstance(listed, list):
        raise InputError(f"got {show_value(listed)}, expected a list of jobs", file=name, field="jobs")
    jobs = Records(listed, lambda place: f"jobs[{place}]", JOB_NAMES, problems)
    lines, names = header_lines(top, problems), names_of(top.get("names"), problems)
    workload = workload_of(jobs, top, spread=spread)
    unread = [key for key in content if squeeze(key) not in TOP_NAMES]
    anomalies = (*workload.anomalies, *note_ignored("unknown-top-keys", dict.fromkeys(unread, 1)))
    return replace(
        workload, header=Header(tuple(lines)), names={**workload.names, **names}, anomalies=anomalies
    )


def _is_of_slurm(content: Mapping[str, object]) -> bool:
    """Return whether a file with jobs says that Slurm wrote it, in any of its versions."""
    meta = content.get("meta")
    return isinstance(meta, dict) and any(str(key).lower() == "slurm" for key in meta)


def workload_of(jobs: Records, top: Mapping[str, object], *, spread: bool = False) -> Workload:
    """Return the workload of these jobs; `top` may hold profiles, units and origin."""
    problems = jobs.problems
    if not len(jobs):
        raise InputError("has no job", file=problems.file)
    units = units_of(top.get("units"), problems)
    profiles = Profiles(objects(top, "profiles", problems), problems)
    entries = entries_of(jobs, problems)
    shapes = shapes_of(jobs, entries.count_tasks(len(jobs)))
    tasks = tasks_of(jobs, entries, shapes, profiles=profiles, units=units)
    asked_nodes = jobs.numbers("num_nodes", COUNT)
    if spread:
        bound = ~np.isnan(asked_nodes) & ~shapes.sequential
        shapes = replace(shapes, nodes=np.where(bound, np.nan_to_num(asked_nodes), shapes.nodes).astype(int))
    submit, start = submit_times(jobs, top.get("origin"))
    labels, numbers = identities(jobs)
    own = own_columns(jobs)
    names = applications(jobs, own)
    demands = demands_of(jobs, shapes, tasks, units)
    columns = columns_of(jobs, demands, tasks, own)
    fields = {"submit_time": submit, "job_id": numbers, **columns, **own}
    built = Workload.from_columns(name=problems.file, header=None, **fields)
    anomalies = [
        *starts_late(start),
        *note_readings(jobs, profiles, spread=spread),
        *note_ignored("unknown-keys", jobs.ignored, entries.records.ignored, profiles.records().ignored),
    ]
    odd = [one for one in find_anomalies(built.columns, Header()) if not one.kind.startswith(_UNSURPRISING)]
    return replace(built, labels=labels, names=names, demands=demands, anomalies=(*anomalies, *odd))


def looks_like_json(head: bytes) -> bool:
    """Return whether the first bytes are an object that speaks of jobs or profiles, and of no platform."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and re.search(rb'(?i)"(jobs|profiles)"\s*:', text) is not None


def starts_late(start: float) -> list[Anomaly]:
    """Return the note that times count from the first submission, unless that is at 0 anyway."""
    if not start:
        return []
    return [Anomaly("late-start", 1, f"the first job is submitted at {start:.15g} s; times count from then")]


def note_readings(jobs: Records, profiles: Profiles, *, spread: bool) -> list[Anomaly]:
    """Return how what the jobs say was read where it could be read otherwise, or was not."""
    n = len(jobs)
    alone = jobs.have_value("ntasks") & ~jobs.have_value("nodes") & ~jobs.have_value("ntasks_per_node")
    alone &= ~jobs.have_value("job_type")
    texts = [text for text in jobs.texts("id") if text is not None]
    energy = int(np.count_nonzero(jobs.have_value("req_energy")))
    counts = (
        (
            "assumed-run-times",
            n - int(np.count_nonzero(jobs.have_value("run_time"))),
            "without a run time; that of the longest task on a core of 1e9 operations per second is used",
        ),
        ("tasks-anywhere", int(np.count_nonzero(alone)), "with ntasks alone; their tasks may run anywhere"),
        (
            "num-nodes-not-used",
            0 if spread else int(np.count_nonzero(jobs.have_value("num_nodes"))),
            "with num_nodes, which is not binding, as in IRMASim; use nodes to bind them",
        ),
        (
            "figures-beside-profile",
            count_beside_profiles(jobs, profiles.rows_of(jobs)),
            "with both demands and a profile; the demands are ignored",
        ),
        ("repeated-id", len(texts) - len(set(texts)), "with the id of an earlier job"),
        ("energy-not-kept", energy, "with req_energy, which is not kept"),
    )
    return [Anomaly(kind, count, f"{count} of {n} jobs {what}") for kind, count, what in counts if count]


def note_ignored(kind: str, *counts: Mapping[str, int]) -> list[Anomaly]:
    """Return a note of the names that were not understood, if there are any."""
    names = sorted({name for count in counts for name in count})
    if not names:
        return []
    return [Anomaly(kind, len(names), f"unknown keys, ignored: {', '.join(names)[:200]}")]
