"""The waits of a log beside the simulated ones, as `run` and `compare` show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from echelon.cli.terminal import grid
from echelon.quantities import duration, tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from echelon.experiments import Result
    from echelon.metrics import LogWaits

MOST_JOBS = 5
"""Jobs with the largest differences that a terminal shows; the file has all jobs."""

_CLOSE = 600.0
"""Jobs whose waits differ by less, in seconds, count as reproduced."""


def log_wait_parts(results: Sequence[Result]) -> list[str | Table]:
    """Return the waits of the log beside those of all runs, some of which show them."""
    shown = [(result.label, result.shown_waits) for result in results]
    waits_by_label = [(label, waits) for label, waits in shown if waits is not None]
    jobs = tally(len(waits_by_label[0][1]), "job")
    parts: list[str | Table] = [
        f"Waits in the log beside the simulated ones ({jobs}):",
        _waits(waits_by_label),
    ]
    parts += ["Quantiles of the simulated wait minus that in the log:", _differences(waits_by_label)]
    if len(results) == 1:
        parts += ["Largest differences:", _largest(results[0], waits_by_label[0][1])]
    return parts


def _waits(waits_by_label: Sequence[tuple[str, LogWaits]]) -> str | Table:
    first: dict[str, Any] = waits_by_label[0][1].to_dict()
    keys = ("mean", "median", "max")
    rows = [("in the log", *(_time(first[f"{key}_logged_wait"]) for key in keys))]
    for label, waits in waits_by_label:
        figures: dict[str, Any] = waits.to_dict()
        name = "simulated" if len(waits_by_label) == 1 else label
        rows.append((name, *(_time(figures[f"{key}_simulated_wait"]) for key in keys)))
    return grid(("", "mean wait", "median", "longest"), rows, numbers=range(1, 4))


def _differences(waits_by_label: Sequence[tuple[str, LogWaits]]) -> str | Table:
    from echelon.metrics.tables.log_waits import QUANTILES

    heads = ("", *(f"{100 * level:g} %" for level in QUANTILES), f"within\n{duration(_CLOSE)}")
    rows = []
    for label, waits in waits_by_label:
        figures: dict[str, Any] = waits.to_dict()
        quantiles = (_time(value) for value in figures["quantiles"].values())
        name = "difference" if len(waits_by_label) == 1 else label
        rows.append((name, *quantiles, f"{100 * figures['close'][f'{_CLOSE:g}']:.1f} %"))
    return grid(heads, rows, numbers=range(1, len(heads)))


def _largest(result: Result, waits: LogWaits) -> str | Table:
    from echelon.experiments.summaries.moments import format_date_or_seconds

    workload, kept = result.workload, result.instance.kept[waits.row]
    rows = [
        (
            str(workload.label(int(kept[place]))),
            format_date_or_seconds(workload, float(workload.submit_time[kept[place]])),
            f"{int(result.instance.size[waits.row[place]]):,}",
            _time(waits.logged[place]),
            _time(waits.simulated[place]),
            _time(waits.difference[place]),
        )
        for place in waits.largest(MOST_JOBS).tolist()
    ]
    heads = ("job", "submitted", "processors", "in the log", "simulated", "difference")
    return grid(heads, rows, numbers=range(2, 6))


def _time(seconds: float) -> str:
    return duration(float(seconds))
