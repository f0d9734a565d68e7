"""The record of transformations, kept in a workload's header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.model.jobs.header import Header

if TYPE_CHECKING:
    from echelon.model.jobs.workload import Workload

_MARK = "transformed: "
LEFT_OUT = "the demand of the jobs' tasks is left out"
"""Said by a transform that cannot keep demands."""

NO_APPLICATIONS = "the jobs' applications are left out"
"""Said by a transform that cannot keep them."""


def record_transform(workload: Workload, sentence: str) -> Workload:
    """Return `workload` with the line ``Note: transformed: <sentence>`` at the end of its header."""
    return replace(workload, header=Header((*workload.header.lines, ("Note", _MARK + sentence))))


def transformations(workload: Workload) -> tuple[str, ...]:
    """Return what was done to `workload`, one sentence a transformation, in the order it was done."""
    notes = workload.header.all("Note")
    return tuple(note.removeprefix(_MARK) for note in notes if note.startswith(_MARK))
