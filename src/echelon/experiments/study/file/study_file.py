"""Study file: many runs described in TOML: what varies, what all share, how they are compared.

::

    name = "backfilling"

    [fixed]
    workload = "kth-sp2"

    [axes]
    policy = ["fcfs", "easy", "conservative"]
    load = [0.8, 1.0, 1.2]

Paths in the file are relative to the file.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from echelon.errors import InputError
from echelon.experiments.study.file.axes import AxisReading, exclusions_of
from echelon.experiments.study.file.file_model import StudyFile
from echelon.experiments.study.file.statistics import labels_of, listed_labels, statistics_of
from echelon.experiments.study.file.valid_tables import valid_tables
from echelon.experiments.study.plan.chosen_search import search_of
from echelon.experiments.study.plan.plan import Plan
from echelon.experiments.study.plan.replications import note_misfits, replications_of
from echelon.experiments.study.plan.study import Execution, Study
from echelon.experiments.study.results.measures import find_measures, measures_of
from echelon.platforms.files.key_lines import item_lines, key_lines
from echelon.platforms.files.mistakes import Mistakes
from echelon.platforms.files.text_file import refuse_depth, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from echelon.experiments.study.plan.point import Point

MOST_CASES = 1_000_000
"""Runs of one study, unless more are asked for."""


def read_study(path: str | Path, *, most: int = MOST_CASES) -> Study:
    """Return the study that a TOML file describes; see the reference page on study files.

    Everything that can be known without running is checked: the specs of every case, each distinct one once,
    and that no combination is one that can never run.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8.
    most : int, default 1,000,000
        How many runs it may describe, >= 1.

    Returns
    -------
    Study
        With its paths as seen from here.

    Raises
    ------
    InputError
        If the file cannot be read, is not TOML, or says something it may not: all such errors together,
        each with its line, the value got, what is expected, and for an unknown name the nearest one.

    Notes
    -----
    Cost: O(cases).
    """
    shown = str(path)
    text = text_of(Path(path), shown, expected="a study in TOML")
    with refuse_depth(shown):
        study, mistakes = _read(text, Path(path), most)
    if mistakes:
        raise InputError("; ".join(mistakes.sentences()), file=shown)
    return study


def _read(text: str, path: Path, most: int) -> tuple[Study, Mistakes]:
    try:
        content = tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"is not TOML: {error}", file=str(path)) from error
    keys = key_lines(text)
    mistakes = Mistakes(keys | item_lines(text, keys))
    tables = valid_tables(StudyFile, content, mistakes)
    fixed, axes = dict(tables.fixed or {}), dict(tables.axes or {})
    repeated = replications_of(axes, fixed, mistakes)
    reading = AxisReading(fixed, axes, tables.case or [], mistakes)
    study_axes = reading.read()
    metrics = find_measures(fixed, path.parent)
    measures = measures_of(tables.measures, metrics, mistakes)
    plan = Plan(
        fixed=fixed,
        axes=study_axes,
        listed=reading.cases(),
        parameters=reading.parameters,
        exclusions=exclusions_of(tables.exclude or [], frozenset(axes) | reading.parameters, mistakes),
        seeds=repeated.seeds,
        within=None if tables.search.within is None else tuple(tables.search.within),
        measures=measures,
        metrics=metrics,
        folder=path.parent,
    )
    search = search_of(tables.search, plan, mistakes, most=most)
    statistics = statistics_of(tables.statistics, _labels(search.points, plan, axes), metrics, mistakes)
    shown = [*measures, *(name for front in statistics.pareto for name in front)]
    note_misfits(repeated, search.points, shown, mistakes)
    study = Study(
        name=tables.name or path.stem,
        search=search,
        axes=study_axes,
        fixed=fixed,
        seeds=repeated.seeds,
        shake=repeated.shake,
        blocks=repeated.blocks,
        measures=measures,
        statistics=statistics,
        execution=Execution(**tables.execution.model_dump(exclude_none=True)),
        description=(tables.description or "").strip(),
        out=None if tables.out is None else os.path.normpath(path.parent / tables.out),
        file=str(path),
        text=text,
    )
    return study, mistakes


def _labels(points: Sequence[Point], plan: Plan, axes: Mapping[str, Any]) -> Mapping[str, Collection[str]]:
    """Return what there is on each axis; of a file with mistakes what it lists, if it can be read."""
    if points:
        return labels_of(points)
    return listed_labels(plan) if len(plan.axes) == len(axes) else {}
