"""The Grid Workload Format (GWF): 29 fields a job, ``#`` comments; and its seven-column form for workflows.

Source: the Grid Workloads Archive's definition of GWF, version 001 (Iosup et al., "The Grid Workloads
Archive", FGCS 24(7), 2008); the seven columns are those of the OpenDC project's workflow traces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import FIELDS, UNKNOWN
from echelon.model.jobs.header import Header
from echelon.model.jobs.workload import Anomaly, Workload
from echelon.workloads.formats.format import Format
from echelon.workloads.formats.swf_header import read_comment
from echelon.workloads.formats.text.delimited_text import names_of, read_delimited
from echelon.workloads.formats.text.dependency_cells import read_dependencies
from echelon.workloads.formats.text.lines import cut_anomaly, number_lines, text_of
from echelon.workloads.formats.text.rows import join_rows, numerals, split_rows, with_anomalies

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.workloads.formats.text.cells import Cells, Codes

GWF_FIELDS = (
    *("JobID", "SubmitTime", "WaitTime", "RunTime", "NProcs", "AverageCPUTimeUsed", "UsedMemory"),
    *("ReqNProcs", "ReqTime", "ReqMemory", "Status", "UserID", "GroupID", "ExecutableID", "QueueID"),
    *("PartitionID", "OrigSiteID", "LastRunSiteID", "JobStructure", "JobStructureParams", "UsedNetwork"),
    *("UsedLocalDiskSpace", "UsedResources", "ReqPlatform", "ReqNetwork", "ReqLocalDiskSpace"),
    *("ReqResources", "VOID", "ProjectID"),
)
"""The first 16 mean what the first 16 of SWF mean; times in seconds, SubmitTime since 1970."""

WORKFLOW_FIELDS = ("WorkflowID", "JobID", "SubmitTime", "RunTime", "NProcs", "ReqNProcs", "Dependencies")

SHARED = dict(zip(GWF_FIELDS, FIELDS[:16], strict=False))
"""GWF's field and the SWF field it fills."""

CODED = ("UserID", "GroupID", "ExecutableID", "QueueID", "PartitionID")
UNIX_TIMES_FROM = 1e8
"""First submit times from here on, in seconds, are Unix times (1973 and later), else seconds of the log."""


def read(data: bytes, name: str) -> Workload:
    """Return the jobs of a GWF file, in the file's order.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed: fields separated by tabs or other blanks. If its first line starts with
        ``WorkflowID``, it is read by `read_workflow`.
    name : str
        The file as the user gave it, for messages.

    Returns
    -------
    Workload
        Submit times count from the earliest, whose Unix time is the header's UnixStartTime (a comment of that
        name sets another start). Texts in UserID, GroupID, ExecutableID, QueueID and PartitionID become
        codes with names. If no partition is known, sites (LastRunSiteID, else OrigSiteID) are partitions.
        Comments are the header; the last number of a comment that speaks of processors is MaxProcs, if the
        header has none. The other fields are not kept; those that say something are reported.

    Raises
    ------
    InputError
        If the file is empty, binary or without a job, a line has fewer than 29 fields, or a field is not the
        number it must be: file, line and field are named.

    Notes
    -----
    Cost: O(bytes).
    """
    text = text_of(data, name, expected="a GWF file")
    if is_workflow(data[:4096]):
        return read_workflow(data, name)
    lines = list(number_lines(text))
    rows = [line for line in lines if not line.text.startswith("#")]
    tabbed = bool(rows) and all(line.text.count("\t") >= len(GWF_FIELDS) - 1 for line in rows)
    cells = dict(
        zip(
            GWF_FIELDS,
            split_rows(rows, GWF_FIELDS, file=name, separator="\t" if tabbed else None, extra=True),
            strict=True,
        )
    )
    header = _header([line.text.lstrip("#") for line in lines if line.text.startswith("#")])
    columns, names, labels = _columns(cells)
    start, columns["submit_time"] = _since_start(cells["SubmitTime"].floats(), header)
    if start is not None:
        header = header.with_value("UnixStartTime", str(start))
    plain = Workload.from_columns(name=name, header=header, **columns)
    anomalies = (*cut_anomaly(data), *_anomalies(cells))
    workload = replace(plain, labels=labels, names=names)
    return with_anomalies(workload, anomalies, [row.number for row in rows])


def write(workload: Workload) -> bytes:
    """Return `workload` as GWF: its header as comments, then 29 tab-separated fields a job.

    Submit times are written as Unix times if the header has UnixStartTime, otherwise as they are. Names of
    users, groups, executables, queues and partitions are written where reading gives the same codes back,
    otherwise the codes. Labels, preceding_job, think_time and dependencies have no place in the format; a
    comment says so where they are left out. What has its place is equal when read back, submit times to the
    microsecond.

    Raises
    ------
    InputError
        If a number is not finite.
    """
    columns: dict[str, list[str]] = {name: ["-1"] * len(workload) for name in GWF_FIELDS}
    for name, spec in SHARED.items():
        columns[name] = numerals(workload.columns[spec.name])
    columns["SubmitTime"] = numerals(_unix_times(workload))
    for name in CODED:
        field = SHARED[name].name
        columns[name] = _restore_names(
            columns[name], workload.int_column(field), workload.names.get(field, ())
        )
    comments = [f"{label}: {text}" if label else text for label, text in _header_to_write(workload)]
    above = "".join(f"# {line}".rstrip() + "\n" for comment in comments for line in comment.split("\n"))
    head = "# " + "\t".join(GWF_FIELDS) + "\n"
    return (above + head + join_rows(list(columns.values()), separator="\t")).encode()


def recognizes(head: bytes) -> bool:
    """Return whether the first line that is no comment has 29 fields or names a WorkflowID."""
    for line in head.split(b"\n"):
        if line.strip() and not line.lstrip().startswith(b"#"):
            return len(line.split()) >= len(GWF_FIELDS) or is_workflow(line)
    return False


def read_workflow(data: bytes, name: str) -> Workload:
    """Return the tasks of a comma-separated workflow trace.

    Returns
    -------
    Workload
        ``executable`` is the workflow's number; times in seconds; its dependencies are all those of
        Dependencies (job ids separated by blanks).

    Raises
    ------
    InputError
        If one of the seven columns is missing, a cell is not the number it must be, or tasks wait for each
        other in a circle.

    Notes
    -----
    Cost: O(bytes).
    """
    table = read_delimited(data, name, expected="a GWF file of workflows")
    if missing := [field for field in WORKFLOW_FIELDS if field not in table.columns]:
        raise InputError(
            f"has no column {', '.join(missing)}; expected {', '.join(WORKFLOW_FIELDS)}", file=name
        )
    workflow, job, submit, run, size, requested, dependencies = map(table.cells, WORKFLOW_FIELDS)
    numbers = job.ints()
    labels = [str(number) for number in numbers.tolist()]
    parsed = read_dependencies(dependencies, labels, numbered=True, expected="job ids separated by blanks")
    workload = Workload.from_columns(
        name=name,
        job_id=numbers,
        submit_time=submit.floats(),
        run_time=run.floats(),
        allocated_processors=size.ints(),
        requested_processors=requested.ints(),
        executable=workflow.ints(),
    )
    workload = replace(workload, dependencies=parsed.dependencies)
    return with_anomalies(workload, (*cut_anomaly(data), *parsed.anomalies), table.lines)


def is_workflow(head: bytes) -> bool:
    """Return whether the first line names the workflow and the job."""
    return names_of(head)[:2] == list(WORKFLOW_FIELDS[:2])


FORMAT = Format(
    name="gwf",
    suffixes=(".gwf",),
    summary="Grid Workload Format of the Grid Workloads Archive; its seven-column workflow form is also "
    "read.",
    source="Iosup et al., FGCS 24(7), 2008",
    read=read,
    write=write,
    recognizes=recognizes,
)


def _columns(
    cells: Mapping[str, Cells],
) -> tuple[dict[str, FloatColumn | IntColumn], dict[str, tuple[str, ...]], tuple[str, ...] | None]:
    columns: dict[str, FloatColumn | IntColumn] = {}
    names: dict[str, tuple[str, ...]] = {}
    for field, spec in SHARED.items():
        if field in CODED:
            columns[spec.name], code_names = (
                _site_codes(cells) if field == "PartitionID" else cells[field].codes()
            )
            names |= {spec.name: code_names} if code_names else {}
        elif field != "JobID":
            columns[spec.name] = cells[field].floats() if spec.kind == "float" else cells[field].ints()
    columns["job_id"], texts = cells["JobID"].codes()
    if not texts:
        return columns, names, None
    columns["job_id"] = np.arange(1, len(columns["job_id"]) + 1)
    return columns, names, tuple(cells["JobID"].stripped.to_list())


def _site_codes(cells: Mapping[str, Cells]) -> Codes:
    """Return the partitions, or the sites if no partition is known."""
    for field in ("PartitionID", "LastRunSiteID", "OrigSiteID"):
        codes = cells[field].codes()
        if (codes.column != UNKNOWN).any():
            return codes
    return codes


def _header(comments: list[str]) -> Header:
    """Return the comments as a header, without the line of field names, with MaxProcs if one is known."""
    kept = [comment for comment in comments if comment.split()[:2] != list(GWF_FIELDS[:2])]
    header = Header(tuple(read_comment(comment.encode()) for comment in kept))
    if header.max_procs is None:
        for comment in kept:
            tokens = comment.split()
            if "processors" in comment.lower() and tokens[-1].isascii() and tokens[-1].isdigit():
                return header.with_value("MaxProcs", tokens[-1])
    return header


def _since_start(submit: FloatColumn, header: Header) -> tuple[int | None, FloatColumn]:
    """Return the Unix time that submit times count from, None if they are no Unix times, and the times."""
    times = submit[submit > 0]
    start = header.unix_start_time
    if start is None and len(times) and times.min() >= UNIX_TIMES_FROM:
        start = int(np.floor(times.min()))
    if not start:
        return start, submit
    return start, np.where(submit == UNKNOWN, UNKNOWN, np.round(submit - start, 6))


def _unix_times(workload: Workload) -> FloatColumn:
    """Return submit times since 1970 if the header says when the log starts, else as they are."""
    submit, start = workload.submit_time, workload.header.unix_start_time
    return np.where(submit == UNKNOWN, UNKNOWN, np.round(submit + start, 6)) if start else submit


def _anomalies(cells: Mapping[str, Cells]) -> Iterator[Anomaly]:
    """Yield what the 18 fields of a job have no place for."""
    for field in ("JobStructure", "JobStructureParams", *GWF_FIELDS[20:]):
        texts = cells[field].stripped.str.to_lowercase()
        is_set = ~texts.is_in(["-1", "-1.0", "", "0", "unitary"]).to_numpy().astype(np.bool_)
        if count := int(is_set.sum()):
            first = int(cells[field].lines[np.argmax(is_set)])
            yield Anomaly(f"not-kept-{field.lower()}", count, f"{count} jobs with {field}; not kept", first)
    codes = cells["PartitionID"].codes().column
    if (codes == UNKNOWN).all() and (_site_codes(cells).column != UNKNOWN).any():
        yield Anomaly(
            "sites-as-partitions", len(codes), "no partition is known: sites are kept as partitions"
        )


def _restore_names(texts: list[str], codes: IntColumn, names: tuple[str, ...]) -> list[str]:
    """Return names in place of codes, where reading them gives the codes back; else the codes."""
    site_names = [names[code - 1] if 1 <= code <= len(names) else None for code in codes.tolist()]
    if all(name is None for name in site_names):
        return texts
    order = dict.fromkeys(code for code in codes.tolist() if code != UNKNOWN)
    in_order = list(order) == list(range(1, len(order) + 1)) and len(order) <= len(names)
    used = names[: len(order)]
    if not in_order or len(set(used)) < len(used) or not all(map(_is_name, used)):
        return texts
    return [name if name is not None else "-1" for name in site_names]


def _is_name(text: str) -> bool:
    """Tell a text that reads back as the same name: one word, not a number."""
    if text.split() != [text] or text.startswith("#") or not text.isascii():
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def _header_to_write(workload: Workload) -> list[tuple[str | None, str]]:
    lines = list(workload.header.lines)
    late = len(workload) and workload.submit_time.max() >= UNIX_TIMES_FROM
    if late and workload.header.unix_start_time is None:
        lines.append(("UnixStartTime", "0"))  # or its times would be taken for Unix times
    left_out = [name for name in ("preceding_job", "think_time") if (workload.columns[name] != UNKNOWN).any()]
    left_out += [name for name in ("labels", "dependencies") if getattr(workload, name) is not None]
    if left_out:
        lines.append(("Note", f"left out, as GWF has no field for them: {', '.join(left_out)}"))
    return lines
