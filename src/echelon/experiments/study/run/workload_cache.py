"""Workloads of cases, each read or drawn, changed and hashed once for the cases that follow one another."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.experiments.study.run.case_workload import workload_key, workload_of
from echelon.experiments.study.run.identity import file_stamp, jobs_digest
from echelon.model.streams import streams_recorded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload

MOST_KEPT = 4
"""Workloads that a process keeps: cases come by workload, so that more would only fill the memory."""


class CaseWorkload(NamedTuple):
    """Jobs as a case takes them, the digest of all that a simulation sees of them, and the streams drawn."""

    workload: Workload
    digest: str
    streams: tuple[str, ...]


def cached_workload(settings: Mapping[str, Any]) -> CaseWorkload:
    """Return the jobs of a case's settings, which a process keeps; read again if their file is written again.

    Raises
    ------
    InputError, UnknownNameError
        As `echelon.experiments.study.run.case_workload.workload_of`.
    """
    return _made(workload_key(settings), file_stamp(str(settings["workload"])))


@lru_cache(maxsize=MOST_KEPT)
def _made(words: str, stamp: tuple[int, int] | None) -> CaseWorkload:
    with streams_recorded() as streams:
        workload = workload_of(json.loads(words))
    return CaseWorkload(workload, jobs_digest(workload), tuple(sorted(streams)))
