"""The workflow form of GWF: a line of seven names, then a task a line, with the tasks it depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.workload import Oddity, Workload
from echelon.workloads.delimited import names_of, read_delimited
from echelon.workloads.lines import cut_oddity
from echelon.workloads.rows import with_oddities

if TYPE_CHECKING:
    from echelon.model.columns import IntColumn
    from echelon.workloads.cells import Cells

FIELDS = ("WorkflowID", "JobID", "SubmitTime", "RunTime", "NProcs", "ReqNProcs", "Dependencies")


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
        ``executable`` is the workflow's number; times in seconds; ``preceding_job`` is the first task of
        Dependencies (job ids with blanks between them). A job has one place for it: tasks that depend on
        several are counted as an oddity.

    Raises
    ------
    InputError
        If one of the seven columns is missing, or a cell is not the number it must be.

    Notes
    -----
    Cost: O(bytes).
    """
    table = read_delimited(data, name, expected="a GWF file of workflows")
    if missing := [field for field in FIELDS if field not in table.columns]:
        raise InputError(f"has no column {', '.join(missing)}; expected {', '.join(FIELDS)}", file=name)
    workflow, job, submit, run, size, requested, dependencies = map(table.cells, FIELDS)
    first = _first_word(dependencies)
    workload = Workload.from_columns(
        name=name,
        job_id=job.ints(),
        submit_time=submit.floats(),
        run_time=run.floats(),
        allocated_processors=size.ints(),
        requested_processors=requested.ints(),
        executable=workflow.ints(),
        preceding_job=first,
    )
    return with_oddities(workload, (*cut_oddity(data), *_several(dependencies)), table.lines)


def recognizes(head: bytes) -> bool:
    """Return whether the first line names the workflow and the job."""
    return names_of(head)[:2] == list(FIELDS[:2])


def _first_word(cells: Cells) -> IntColumn:
    """Return the first number of each cell, after checking that all its words are numbers."""
    words = cells.stripped.str.split(" ")
    plain = replace(cells, texts=words.explode(), lines=np.repeat(cells.lines, words.list.len().to_numpy()))
    plain.ints("job ids with blanks between them")
    return replace(cells, texts=words.list.first()).ints()


def _several(cells: Cells) -> tuple[Oddity, ...]:
    several = (cells.stripped.str.split(" ").list.len() > 1).to_numpy()
    count = int(several.sum())
    if not count:
        return ()
    sentence = f"{count} tasks depend on several others; only the first is kept"
    return (Oddity("several-dependencies", count, sentence, int(cells.lines[np.argmax(several)])),)
