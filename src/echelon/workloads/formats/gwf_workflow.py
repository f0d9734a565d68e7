"""The workflow form of GWF: a line of seven names, then a task a line, with the tasks it depends on."""

from __future__ import annotations

from dataclasses import replace

from echelon.errors import InputError
from echelon.model.jobs.workload import Workload
from echelon.workloads.formats.text.delimited import names_of, read_delimited
from echelon.workloads.formats.text.dependency_cells import read_dependencies
from echelon.workloads.formats.text.lines import cut_anomaly
from echelon.workloads.formats.text.rows import with_anomalies

FIELDS = ("WorkflowID", "JobID", "SubmitTime", "RunTime", "NProcs", "ReqNProcs", "Dependencies")
_EXPECTED = "job ids separated by blanks"


def read(data: bytes, name: str) -> Workload:
    """Return the tasks of a comma-separated workflow trace.

    Parameters
    ----------
    data : bytes
        The whole file, decompressed.
    name : str
        The file as the user gave it, for messages.

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
    if missing := [field for field in FIELDS if field not in table.columns]:
        raise InputError(f"has no column {', '.join(missing)}; expected {', '.join(FIELDS)}", file=name)
    workflow, job, submit, run, size, requested, dependencies = map(table.cells, FIELDS)
    numbers = job.ints()
    labels = [str(number) for number in numbers.tolist()]
    parsed = read_dependencies(dependencies, labels, numbered=True, expected=_EXPECTED)
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


def recognizes(head: bytes) -> bool:
    """Return whether the first line names the workflow and the job."""
    return names_of(head)[:2] == list(FIELDS[:2])
