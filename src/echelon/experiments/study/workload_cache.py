"""Workloads of cases, each read or drawn, changed and hashed once for the cases that follow one another."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from echelon.experiments.inputs import read_input
from echelon.experiments.study.identity import file_stamp, jobs_digest
from echelon.workloads import transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload

WORKLOAD_KEYS: tuple[str, ...] = (
    *("workload", "format", "window", "skip", "first", "scale_size", "load"),
    *("estimates_model", "workload_seed"),
)
"""Settings of a case that decide on its jobs, in the order in which they are followed."""

MOST_KEPT = 4
"""Workloads that a process keeps: cases come by workload, so that more would only fill the memory."""


class CaseWorkload(NamedTuple):
    """Jobs as a case takes them, and the digest of all that a simulation can see of them."""

    workload: Workload
    digest: str


def cached_workload(settings: Mapping[str, Any]) -> CaseWorkload:
    """Return the jobs of a case's settings, which a process keeps; read anew if their file is written anew.

    Raises
    ------
    InputError, UnknownNameError
        As `echelon.read_workload` and the transforms do.
    """
    return _made(workload_words(settings), file_stamp(str(settings["workload"])))


def workload_words(settings: Mapping[str, Any]) -> str:
    """Return what the jobs of a case depend on as one line of JSON: cases with equal ones share them."""
    told = {key: settings[key] for key in WORKLOAD_KEYS if settings.get(key) is not None}
    return json.dumps(told, sort_keys=True)


@lru_cache(maxsize=MOST_KEPT)
def _made(words: str, stamp: tuple[int, int] | None) -> CaseWorkload:
    settings = json.loads(words)
    workload = _changed(read_input(settings["workload"], format=settings.get("format")), settings)
    return CaseWorkload(workload, jobs_digest(workload))


def _changed(jobs: Workload, told: Mapping[str, Any]) -> Workload:
    if "window" in told:
        start, end = told["window"]
        jobs = transform.window(jobs, start=start, end=end)
    if "skip" in told or "first" in told:
        jobs = transform.head(jobs, told.get("first"), skip=told.get("skip", 0))
    if "scale_size" in told:
        jobs = transform.scale_size(jobs, told["scale_size"])
    if told.get("load", 1) != 1:
        jobs = transform.scale_load(jobs, told["load"])
    if "estimates_model" in told:
        jobs = transform.draw_estimates(jobs, told["estimates_model"], seed=told.get("workload_seed", 0))
    return jobs
