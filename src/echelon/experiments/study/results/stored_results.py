"""Reading the results of a study from its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from echelon.errors import InputError
from echelon.experiments.study.file.settings import PROBLEM
from echelon.experiments.study.plan.certainty import with_certainty
from echelon.experiments.study.results.comparison_table import BLOCK
from echelon.experiments.study.results.results import StudyResults
from echelon.experiments.study.results.run_parts import (
    block_table,
    metrics_of_all,
    own_metrics_of,
    steady_table,
)
from echelon.experiments.study.results.run_table import failed_entries, finished_entries, run_table
from echelon.experiments.study.run.pace import pace_of
from echelon.experiments.study.store.log import read_log
from echelon.experiments.study.store.outline import Outline, read_outline
from echelon.metrics.schedule.steady import check_shares


def read_study_results(
    folder: str | Path, *, warm_up: float | None = None, cool_down: float | None = None
) -> StudyResults:
    """Return the results of a study, whether it is running, stopped or done.

    Parameters
    ----------
    folder : str or Path
        What ``echelon study run`` wrote with ``--out``.
    warm_up, cool_down : float, optional
        Shares of the jobs of each run that measures leave out at its beginning and its end, each >= 0,
        together below 1; see `echelon.metrics.steady_metrics`. Default: as the study file says, else 0.

    Returns
    -------
    StudyResults
        ``.table``, ``.means(axis, measure)``, ``.compare(axis, measure)``, ``.pareto(measure, measure)`` ...
        The table has its rows in the order of the axes' values, in whatever order the runs ended.

    Raises
    ------
    InputError
        If the folder holds no study, a file of a run is damaged, or a share is out of its range.

    Notes
    -----
    Cost: a file a run, about 50 µs each; with a warm-up or a cool-down also the jobs of each, some ms.
    """
    place = Path(folder)
    if not (place / "study.json").is_file():
        raise InputError("is not a study folder: it has no study.json", file=str(folder))
    table = run_table(place)
    entries = list(read_log(place / "log.jsonl"))
    removed = len(finished_entries(entries)) - len(table)
    labels = list(dict.fromkeys(axis for entry in entries for axis in entry.labels))
    outline = read_outline(place) or Outline(
        place.name, axes=tuple(labels), problem=tuple(axis for axis in labels if axis in PROBLEM)
    )
    outline = replace(
        outline,
        # Axes of cases that the file lists are known from the runs alone.
        axes=tuple(dict.fromkeys((*outline.axes, *labels))),
        warm_up=outline.warm_up if warm_up is None else warm_up,
        cool_down=outline.cool_down if cool_down is None else cool_down,
    )
    own = own_metrics_of(table, place)
    table = with_certainty(table, metrics=metrics_of_all(table, place), replications=outline.replications)
    left = {"warm_up": outline.warm_up, "cool_down": outline.cool_down}
    check_shares(outline.warm_up, outline.cool_down)
    if outline.blocks is not None and not table.is_empty():
        table = block_table(table, place, length=outline.blocks, **left)
        outline = replace(outline, axes=(*outline.axes, BLOCK))
    elif any(left.values()):
        table = steady_table(table, place, **left)
    in_rounds = outline.search == "successive-halving"
    seeds = 1 if in_rounds else outline.replications
    pace = pace_of(place, outline.cases, replications=seeds, removed=removed)
    return StudyResults(outline, table, tuple(failed_entries(entries)), pace, own, place).in_order()
