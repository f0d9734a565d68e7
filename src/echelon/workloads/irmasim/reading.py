"""Reading IRMASim's ``workload.json``, as the public program has it and with its extension's MPI jobs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.fields import FIELDS, UNKNOWN
from echelon.model.header import Header
from echelon.model.instance import BYTES_PER_KB
from echelon.model.workload import Oddity, Workload
from echelon.workloads.irmasim.groups import demands_of, entries_of, tasks_of
from echelon.workloads.irmasim.json_text import parsed
from echelon.workloads.irmasim.problems import Problems, shown
from echelon.workloads.irmasim.records import AMOUNT, COUNT, REQUEST, TIME, WHOLE, Records, squeezed
from echelon.workloads.irmasim.shapes import shapes_of
from echelon.workloads.irmasim.works import WORK_NAMES, Profiles, beside_profiles
from echelon.workloads.oddities import find_oddities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model.columns import FloatColumn, IntColumn
    from echelon.model.demands import Demands
    from echelon.workloads.irmasim.groups import Tasks

OPERATIONS_PER_SECOND = 1e9
"""Of the core on which run times are stated, as IRMASim's own converter from SWF assumes."""

UNITS = {"mem": 6, "mem_vol": 6, "comm_vol": 0}
"""Powers of ten of bytes in which the file states memory, memory volume and communication volume."""

UNIT_WORDS = {"B": 0, "KB": 3, "MB": 6, "GB": 9}

OWN_COLUMNS = tuple(
    spec.name for spec in FIELDS if spec.name not in ("job_id", "submit_time", "requested_time")
)
"""Columns that a job may say by their own names; the program passes over them."""

JOB_NAMES = {
    **WORK_NAMES,
    **{squeezed(name): name for name in (*OWN_COLUMNS, "requested_time", "job_id", "label")},
    "runtime": "run_time",
    "application": "application",
    "id": "id",
    "jobtype": "job_type",
    "type": "job_type",
    "subtime": "subtime",
    "submittime": "subtime",
    "res": "res",
    "resources": "res",
    "nodes": "nodes",
    "ntasks": "ntasks",
    "numtasks": "ntasks",
    "ntaskspernode": "ntasks_per_node",
    "taskspernode": "ntasks_per_node",
    "profile": "profile",
    "profjob": "prof_job",
    "numnodes": "num_nodes",
    "tasks": "tasks",
    "commvol": "comm_vol",
    "tcompute": "t_compute",
}
"""What a job may say, by squeezed spelling."""

_TOP_NAMES = {
    "jobs": "jobs",
    "profiles": "profiles",
    "profile": "profiles",
    "units": "units",
    "origin": "origin",
    "header": "header",
    "names": "names",
    "nbres": "nb_res",
    "numinstructions": "num_instructions",
}
_UNSURPRISING = ("no-wait-time", "size-as-requested", "size-as-allocated", "fractional-")
PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")
"""An id that is the job's number."""


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
        is wrong: all of it is told together, each with its path in the file, such as ``jobs[3].profile``.

    Notes
    -----
    Cost: O(bytes); about two seconds for 100,000 jobs.
    """
    content, twice = parsed(data, name)
    problems = Problems(name)
    for key in twice:
        problems.add("an object", f"says {key!r} twice; leave one out")
    top = _top(content, problems)
    if not isinstance(content, dict) or "jobs" not in top:
        raise InputError(f'has no list of jobs, expected {{"jobs": [...]}}{_likely(content)}', file=name)
    listed = top["jobs"]
    if not isinstance(listed, list):
        raise InputError(f"got {shown(listed)}, expected a list of jobs", file=name, field="jobs")
    jobs = Records(listed, lambda place: f"jobs[{place}]", JOB_NAMES, problems)
    lines, names = _header_lines(top, problems), _names(top.get("names"), problems)
    workload = workload_of(jobs, top, spread=spread)
    unread = [key for key in content if squeezed(key) not in _TOP_NAMES]
    found = (*workload.oddities, *_ignored("unknown-top-keys", dict.fromkeys(unread, 1)))
    return replace(workload, header=Header(tuple(lines)), names={**workload.names, **names}, oddities=found)


def workload_of(jobs: Records, top: Mapping[str, object], *, spread: bool = False) -> Workload:
    """Return the workload of these jobs; `top` may hold profiles, units and origin."""
    problems = jobs.problems
    if not len(jobs):
        raise InputError("holds no job", file=problems.file)
    units = _units(top.get("units"), problems)
    profiles = Profiles(_objects(top, "profiles", problems), problems)
    entries = entries_of(jobs, problems)
    shapes = shapes_of(jobs, entries.listed(len(jobs)))
    tasks = tasks_of(jobs, entries, shapes, profiles=profiles, units=units)
    asked_nodes = jobs.numbers("num_nodes", COUNT)
    if spread:
        bound = ~np.isnan(asked_nodes) & ~shapes.sequential
        shapes = replace(shapes, nodes=np.where(bound, np.nan_to_num(asked_nodes), shapes.nodes).astype(int))
    submit, start = _submit_times(jobs, top.get("origin"))
    labels, numbers = _identities(jobs)
    own = _own_columns(jobs)
    names = _applications(jobs, own)
    demands = demands_of(jobs, shapes, tasks, units)
    columns = _columns(jobs, demands, tasks, own)
    told = {"submit_time": submit, "job_id": numbers, **columns, **own}
    built = Workload.from_columns(name=problems.file, header=None, **told)
    found = [
        *_starts_late(start),
        *_noted(jobs, profiles, spread=spread),
        *_ignored("unknown-keys", jobs.ignored, entries.records.ignored, profiles.records().ignored),
    ]
    odd = [one for one in find_oddities(built.columns, Header()) if not one.kind.startswith(_UNSURPRISING)]
    return replace(built, labels=labels, names=names, demands=demands, oddities=(*found, *odd))


def looks_like_json(head: bytes) -> bool:
    """Return whether the first bytes are an object that speaks of jobs or profiles, and of no platform."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and re.search(rb'(?i)"(jobs|profiles)"\s*:', text) is not None


def _top(content: object, problems: Problems) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in content.items() if isinstance(content, dict) else ():
        name = _TOP_NAMES.get(squeezed(key))
        if name in found:
            problems.add(name, "is said twice")
        elif name is not None:
            found[name] = value
    return found


def _likely(content: object) -> str:
    if isinstance(content, dict) and {"platform", "processor", "node"} & set(content):
        return "; this describes a platform, which goes after --platform"
    return f"; its keys are {', '.join(content)[:120]}" if isinstance(content, dict) and content else ""


def _objects(top: Mapping[str, object], name: str, problems: Problems) -> Mapping[str, object]:
    value = top.get(name)
    if value is None or isinstance(value, dict):
        return value or {}
    problems.add(name, f"got {shown(value)}, expected an object in braces")
    return {}


def _units(value: object, problems: Problems) -> dict[str, int]:
    units = dict(UNITS)
    for key, word in _objects({"units": value}, "units", problems).items():
        name = next((known for known in UNITS if squeezed(known) == squeezed(key)), None)
        if name is None:
            problems.add(f"units.{key}", f"is no quantity with a unit, expected one of {', '.join(UNITS)}")
        elif not isinstance(word, str) or word not in UNIT_WORDS:
            problems.add(f"units.{key}", f"got {shown(word)}, expected one of {', '.join(UNIT_WORDS)}")
        else:
            units[name] = UNIT_WORDS[word]
    return units


def _submit_times(jobs: Records, origin: object) -> tuple[FloatColumn, float]:
    """Return the submit times from the origin, and the earliest in the file where that is the origin."""
    submit = jobs.numbers("subtime", TIME)
    for place in np.flatnonzero(~jobs.given("subtime")).tolist():
        jobs.problems.add(jobs.path(place), f"has no subtime{jobs.hint('subtime')}")
    if origin is not None:
        start = Records([{"origin": origin}], lambda _: "file", {"origin": "origin"}, jobs.problems)
        return submit - start.numbers("origin", TIME)[0], 0.0
    first = float(np.nanmin(submit)) if not np.isnan(submit).all() else 0.0
    return submit - first, first


def _identities(jobs: Records) -> tuple[tuple[str, ...] | None, IntColumn]:
    """Return labels, unless every job's id is its number, and the jobs' numbers."""
    ids, given = jobs.texts("id"), jobs.texts("label")
    numbers = jobs.numbers("job_id", WHOLE)
    places = np.arange(1.0, len(jobs) + 1)
    labels: tuple[str, ...] | None = None
    if any(text is not None for text in given):
        pairs = zip(given, ids, strict=True)
        labels = tuple(text or one or f"job{place}" for place, (text, one) in enumerate(pairs))
    elif all(one is not None and PLAIN_NUMBER.fullmatch(one) for one in ids):
        places = np.array([float(one or 0) for one in ids])
    elif any(one is not None for one in ids):
        labels = tuple(f"job{place}" if one is None else one for place, one in enumerate(ids))
    return labels, np.where(np.isnan(numbers), places, numbers)


def _own_columns(jobs: Records) -> dict[str, FloatColumn]:
    """Return the columns that jobs say by their own names; NaN where they do not."""
    kinds = {spec.name: AMOUNT if spec.kind == "float" else WHOLE for spec in FIELDS}
    names = (*OWN_COLUMNS, "requested_time")
    return {name: jobs.numbers(name, kinds[name]) for name in names if jobs.given(name).any()}


def _applications(jobs: Records, own: dict[str, FloatColumn]) -> dict[str, tuple[str, ...]]:
    """Add the codes of the jobs' applications, unless executables are told; return the names behind them."""
    if "executable" in own or not jobs.given("application").any():
        return {}
    texts = jobs.texts("application")
    codes = {text: code for code, text in enumerate(dict.fromkeys(filter(None, texts)), 1)}
    own["executable"] = np.array([codes.get(text or "", UNKNOWN) for text in texts], dtype=np.float64)
    return {"executable": tuple(codes)}


def _columns(
    jobs: Records, demands: Demands, tasks: Tasks, own: dict[str, FloatColumn]
) -> dict[str, FloatColumn]:
    """Return the columns that follow from the demands, and fill the gaps of `own` with them."""
    columns = derived(demands)
    longest = np.maximum.reduceat(tasks.works.requested_time, tasks.first[:-1])
    of_job = jobs.given("tasks") & jobs.given("req_time")
    columns["requested_time"] = np.where(of_job, jobs.numbers("req_time", REQUEST), longest)
    for name, column in own.items():
        own[name] = np.where(np.isnan(column), columns.get(name, np.full(len(jobs), UNKNOWN)), column)
    return columns


def derived(demands: Demands) -> dict[str, FloatColumn]:
    """Return the columns that follow from demands: run time, requested processors and memory."""
    largest = demands.largest
    return {
        "run_time": demands.longest / OPERATIONS_PER_SECOND,
        "requested_processors": demands.size.astype(np.float64),
        "requested_memory": np.where(largest > 0, largest / BYTES_PER_KB, UNKNOWN),
    }


def _starts_late(start: float) -> list[Oddity]:
    if not start:
        return []
    return [Oddity("late-start", 1, f"the first job is submitted at {start:.15g} s; times count from there")]


def _noted(jobs: Records, profiles: Profiles, *, spread: bool) -> list[Oddity]:
    n = len(jobs)
    alone = jobs.given("ntasks") & ~jobs.given("nodes") & ~jobs.given("ntasks_per_node")
    alone &= ~jobs.given("job_type")
    texts = [text for text in jobs.texts("id") if text is not None]
    energy = int(np.count_nonzero(jobs.given("req_energy")))
    found = (
        (
            "assumed-run-times",
            n - int(np.count_nonzero(jobs.given("run_time"))),
            "without a run time; that of the longest task on a core of 1e9 operations a second stands in",
        ),
        ("tasks-anywhere", int(np.count_nonzero(alone)), "with ntasks alone; their tasks may be anywhere"),
        (
            "num-nodes-not-used",
            0 if spread else int(np.count_nonzero(jobs.given("num_nodes"))),
            "with num_nodes, which binds nothing, as in IRMASim; say nodes to bind them",
        ),
        (
            "figures-beside-profile",
            beside_profiles(jobs, profiles.rows_of(jobs)),
            "with figures beside a profile, which are not read",
        ),
        ("repeated-id", len(texts) - len(set(texts)), "with the id of an earlier job"),
        ("energy-not-kept", energy, "with req_energy, which is not kept"),
    )
    return [Oddity(kind, count, f"{count} of {n} jobs {what}") for kind, count, what in found if count]


def _ignored(kind: str, *counts: Mapping[str, int]) -> list[Oddity]:
    names = sorted({name for count in counts for name in count})
    if not names:
        return []
    return [Oddity(kind, len(names), f"keys that are not understood and not read: {', '.join(names)[:200]}")]


def _header_lines(top: Mapping[str, object], problems: Problems) -> list[tuple[str | None, str]]:
    lines: list[tuple[str | None, str]] = []
    value = top.get("header") or []
    if not isinstance(value, list):
        problems.add("header", f"got {shown(value)}, expected a list")
        return lines
    for place, line in enumerate(value):
        match line:
            case [str() | None as label, str(text)]:
                lines.append((label, text))
            case _:
                problems.add(f"header[{place}]", f"got {shown(line)}, expected [label or null, text]")
    if "nb_res" in top:
        lines.append(("Note", f"nb_res of the file: {shown(top['nb_res'])}"))
    return lines


def _names(value: object, problems: Problems) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    known = {spec.name for spec in FIELDS}
    for column, texts in _objects({"names": value}, "names", problems).items():
        if column not in known or not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
            problems.add(f"names.{column}", "expected a column's name and a list of texts")
        else:
            names[column] = tuple(texts)
    return names
