"""Rehearsal: whether chance enters the combinations of a study, by a run of a few jobs of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from echelon.experiments.simulation import run_scenario
from echelon.experiments.study.run.case import Case
from echelon.experiments.study.run.case_workload import run_settings
from echelon.experiments.study.run.resolved_case import resolve
from echelon.workloads import DATASETS
from echelon.workloads.files import datasets

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.experiments.study.plan.point import Point

JOBS = 20
"""Jobs of a rehearsal: rules that draw do so for each job, or before the first."""

MOST = 100
"""Rehearsals made: further combinations are unknown before they have run."""


def freedom() -> Callable[[Point], bool]:
    """Return a function that decides whether a point is not random, as far as a rehearsal shows.

    Combinations that differ in their workload alone are rehearsed once, with the reference engine. Where one
    cannot be rehearsed, as its log is not on this machine, chance is taken to enter: what a run itself
    records decides in the end.
    """
    answers: dict[str, bool] = {}

    def is_free(point: Point) -> bool:
        if len(point.replications((0, 1), None)) > 1:
            return False
        settings = point.case(0).settings
        described = {**run_settings(settings), "drawn": settings.get("estimates_model"), "seed": 0}
        key = json.dumps(described, sort_keys=True)
        if key not in answers:
            answers[key] = len(answers) < MOST and _is_free(settings)
        return answers[key]

    return is_free


def _is_free(settings: Any) -> bool:  # noqa: ANN401  (a mapping of plain values)
    spec = str(settings["workload"])
    if spec.lower() in DATASETS and datasets.find(spec) is None:
        return False
    few = {**settings, "first": min(settings.get("first", JOBS), JOBS)}
    few.pop("metrics", None)
    try:
        resolved = resolve(Case(few))
        result = run_scenario(resolved.scenario, engine="reference")
    except Exception:
        # A rehearsal only foretells: what goes wrong in it goes wrong in the run, which says what and why.
        return False
    seeded = bool(resolved.streams) and "workload_seed" in settings
    return not seeded and not result.random_streams
