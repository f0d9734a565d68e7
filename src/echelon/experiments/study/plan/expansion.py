"""Expansion: how many runs a study has, of which workloads, and how much that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.experiments.study.run.case_workload import workload_key, workload_of
from echelon.experiments.study.run.workload_spec import is_drawn, jobs_drawn
from echelon.workloads import DATASETS
from echelon.workloads.files import datasets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.experiments.study.run.case import Case

BYTES_A_JOB = 20
"""Of a run's ``jobs.parquet``: 14 to 24 measured, on runs of 5,000 jobs of a log and of a model."""

BYTES_A_RUN = 4_000
"""Of a run's other files."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a study comes to.

    Parameters
    ----------
    runs : int
        Cases, those of later rounds counted in.
    points : int
        Combinations of the axes, each run with one seed or several.
    workloads : int
        Different workloads among the first cases.
    jobs : int or None
        In all runs; of later rounds the mean of the first; None if a workload is not on this machine yet.
    empty : int
        Cases among the first whose workload is left without a job: they will fail.
    """

    runs: int
    points: int
    workloads: int
    jobs: int | None
    empty: int

    @property
    def bytes(self) -> int | None:
        """About how much the results take on a disk."""
        return None if self.jobs is None else self.jobs * BYTES_A_JOB + self.runs * BYTES_A_RUN


def expansion(cases: Sequence[Case], runs: int) -> Expansion:
    """Return what cases come to.

    Parameters
    ----------
    cases : sequence of Case
        Those that a search begins with, at least one.
    runs : int
        How many there are in all.

    Raises
    ------
    InputError
        If a log cannot be read, or a change of it cannot be made.

    Notes
    -----
    Reads every log once; draws nothing.
    """
    sources = {workload_key(case.settings): case.settings for case in cases}
    points = {tuple(item for item in case.labels.items() if item[0] != "seed") for case in cases}
    counts: dict[str, int | None] = {}
    for source, settings in sources.items():
        counts[source] = _jobs(settings, counts)
    job_counts = [counts[workload_key(case.settings)] for case in cases]
    numbers = [number for number in job_counts if number is not None]
    jobs = None if len(numbers) < len(job_counts) else round(sum(numbers) * runs / len(cases))
    return Expansion(runs, len(points), len(sources), jobs, numbers.count(0))


def _jobs(settings: Mapping[str, object], counts: dict[str, int | None]) -> int | None:
    """Return how many jobs a workload has; None if that takes a download."""
    spec = str(settings["workload"])
    if is_drawn(spec) and "window" not in settings:
        return _count_kept(jobs_drawn(spec), settings)
    if spec.lower() in DATASETS and datasets.find(spec) is None:
        return None
    # What changes neither which jobs there are nor how many is left out, so that a log is read once.
    kept = ("workload", "format", "timezone", "platform", "window")
    values = {key: settings[key] for key in kept if key in settings}
    asked = workload_key(values)
    if asked not in counts:
        counts[asked] = len(workload_of(values))
    return _count_kept(counts[asked], settings)


def _count_kept(jobs: int | None, settings: Mapping[str, object]) -> int | None:
    if jobs is None:
        return None
    left = max(0, jobs - int(str(settings.get("skip", 0))))
    return min(left, int(str(settings.get("first", left))))
