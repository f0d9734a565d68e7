"""The workload of a case: read or drawn, and changed as its settings say; kept for the cases that follow."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.experiments.inputs import read_input
from echelon.experiments.job_changes import changed_for_run
from echelon.experiments.study.file.settings import CHANGED
from echelon.experiments.study.run.identity import file_stamp, jobs_digest
from echelon.model.streams import record_streams

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload

_SOURCE = ("workload", "format", "timezone")
_KEYS = (*_SOURCE, *CHANGED)


def workload_of(settings: Mapping[str, Any]) -> Workload:
    """Return the jobs of a case: always the same ones for the same settings.

    Parameters
    ----------
    settings : mapping of str to object
        Those of a case. Changes are made in the order of `OF_RUNS`; what they draw is seeded by
        ``workload_seed``.

    Returns
    -------
    Workload
        Every change is recorded in its header.

    Raises
    ------
    InputError
        If the workload cannot be read, or a change cannot be made.
    UnknownNameError
        If a spec names nothing.

    Notes
    -----
    Cost: that of reading or drawing, and O(n) for each change.
    """
    source = {"format": settings.get("format"), "timezone": settings.get("timezone")}
    jobs = read_input(settings["workload"], settings.get("platform"), **source)
    return changed_for_run(jobs, settings)


def workload_key(settings: Mapping[str, Any]) -> str:
    """Return what a case's workload depends on as one line of JSON: cases with equal ones have equal jobs."""
    values = {key: settings[key] for key in _KEYS if key in settings}
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


def run_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a case that `echelon.simulate` takes: those that are not of its workload."""
    return {key: value for key, value in settings.items() if key not in _KEYS}


MOST_KEPT = 4
"""Workloads that a process keeps: cases come by workload, so that more would only fill the memory."""


class CaseWorkload(NamedTuple):
    """Jobs as a case takes them, the digest of all that a simulation sees of them, and the streams drawn."""

    workload: Workload
    digest: str
    streams: tuple[str, ...]


def load_workload(settings: Mapping[str, Any]) -> CaseWorkload:
    """Return the jobs of a case's settings, which a process keeps; read again if their file is written again.

    Raises
    ------
    InputError, UnknownNameError
        As `echelon.experiments.study.run.case_workload.workload_of`.
    """
    return _make(workload_key(settings), file_stamp(str(settings["workload"])))


@lru_cache(maxsize=MOST_KEPT)
def _make(settings: str, stamp: tuple[int, int] | None) -> CaseWorkload:
    with record_streams() as streams:
        workload = workload_of(json.loads(settings))
    return CaseWorkload(workload, jobs_digest(workload), tuple(sorted(streams)))
