"""The workload of a case: read or drawn, and changed as its settings say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from echelon.experiments.inputs import read_input
from echelon.experiments.study.file.settings import CHANGED
from echelon.workloads import transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.model import Workload

_SOURCE = ("workload", "format")
_KEYS = (*_SOURCE, *CHANGED)


def workload_of(settings: Mapping[str, Any]) -> Workload:
    """Return the jobs of a case: always the same ones for the same settings.

    Parameters
    ----------
    settings : mapping of str to object
        Those of a case. ``window`` takes jobs by time; then ``skip`` and ``first`` by number, ``scale_size``
        changes sizes, ``load`` the times between submissions, ``shake_by`` moves submit times at random, and
        ``estimates_model`` draws requested times; these two are seeded by ``workload_seed``.

    Returns
    -------
    Workload
        Every change is recorded in its header.

    Raises
    ------
    InputError
        If the workload cannot be read, or a change cannot be made.
    UnknownNameError
        If words name nothing.

    Notes
    -----
    Cost: that of reading or drawing, and O(n) for each change.
    """
    jobs = read_input(settings["workload"], settings.get("platform"), format=settings.get("format"))
    if (bounds := settings.get("window")) is not None:
        jobs = transform.window(jobs, start=bounds[0], end=bounds[1])
    first, skip = settings.get("first"), settings.get("skip", 0)
    if first is not None or skip:
        jobs = transform.head(jobs, first, skip=skip)
    if (processors := settings.get("scale_size")) is not None:
        jobs = transform.scale_size(jobs, processors)
    if (factor := settings.get("load", 1)) != 1:
        jobs = transform.scale_load(jobs, factor)
    seed = settings.get("workload_seed", 0)
    if (seconds := settings.get("shake_by")) is not None:
        jobs = transform.shake(jobs, seconds, seed=seed)
    if (model := settings.get("estimates_model")) is not None:
        jobs = transform.draw_estimates(jobs, model, seed=seed)
    return jobs


def workload_words(settings: Mapping[str, Any]) -> str:
    """Return what a case's workload depends on as one line of JSON: cases with equal ones have equal jobs."""
    told = {key: settings[key] for key in _KEYS if key in settings}
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def run_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a case that `echelon.simulate` takes: those that are not of its workload."""
    return {key: value for key, value in settings.items() if key not in _KEYS}
