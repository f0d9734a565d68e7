"""All figures of a run or a comparison as files."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.experiments.folders.comparison_folder import folder_names
from echelon.metrics.registry.labels import ENERGY
from echelon.model.schedules.features import Feature, there
from echelon.plotting import (
    plot_arrivals,
    plot_classes,
    plot_core_gantt,
    plot_differences,
    plot_distribution,
    plot_fairness,
    plot_forecasts,
    plot_metric,
    plot_migration,
    plot_node_load,
    plot_power,
    plot_schedule,
    plot_shapes,
    plot_site_load,
    plot_sites,
    plot_textbook,
    plot_trace,
)
from echelon.plotting.textbook.chart import FEW_JOBS
from echelon.reports.figure_files import check_figure_format, write_drawings
from echelon.reports.run_names import run_names
from echelon.reports.run_traces import run_traces, trace_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from echelon.reports.figure_files import Drawing
    from echelon.reports.tables import RunTables

_METRICS = ("mean_wait", "mean_turnaround", "mean_bounded_slowdown", "utilization", "throughput_per_day")
"""Of which a comparison has bars."""

_TRACED = ("mean_wait", "mean_bounded_slowdown", "utilization", "competitive_ratio")
"""Drawn as the runs proceed."""

_TRACE_POINTS = 1_000

_MOST_BESIDE = 6
"""Runs whose sites have bars beside each other: as many as there are distinguishable colors."""


def write_figures(runs: Sequence[RunTables], folder: Path, kind: str) -> tuple[list[Path], list[str]]:
    """Write every figure that suits these runs into `folder`.

    Parameters
    ----------
    runs : sequence of RunTables, length >= 1
        One run, or those of a comparison.
    folder : Path
        Made if need be; files of the same names in it are replaced.
    kind : {"png", "svg", "pdf"}
        The format; also the files' ending.

    Returns
    -------
    list of Path, list of str
        The files, and a sentence for each figure that could not be drawn, with the reason.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    InputError
        If there is no run or job, or the folder cannot be written.
    MissingExtraError
        If matplotlib is not installed; the message says what to install.
    """
    check_figure_format(kind)
    if not runs or not all(run.jobs.height for run in runs):
        raise InputError("figures need runs with at least one job each")
    return write_drawings(_drawings(runs), folder, kind)


def _drawings(runs: Sequence[RunTables]) -> Iterator[tuple[str, Drawing]]:
    """Yield name and drawing of each figure: those of the workload, of each run, of all runs together."""
    names = run_names(runs)
    named = dict(zip(names, runs, strict=True))
    endings = [f"-{ending}" if len(runs) > 1 else "" for ending in folder_names(names)]
    firsts: dict[tuple[object, ...], tuple[RunTables, str]] = {}
    for run, ending in zip(runs, endings, strict=True):
        read = (run.run.get("workload"), run.run.get("input_sha256"), run.time_zone)
        firsts.setdefault(read, (run, ending))
    for run, ending in firsts.values():
        yield from _of_workload(run, ending if len(firsts) > 1 else "")
    for run, ending in zip(runs, endings, strict=True):
        yield from _drawings_of(run, ending)
    yield from _of_sites(runs, named)
    yield "wait-distribution", lambda: plot_distribution(named)
    yield "bounded-slowdown-distribution", lambda: plot_distribution(named, quantity="bounded-slowdown")
    yield from _over_time(named)
    if len(runs) > 1:
        yield from _comparisons(runs, names)


def _of_workload(run: RunTables, ending: str) -> Iterator[tuple[str, Drawing]]:
    yield f"arrivals-by-hour{ending}", lambda: plot_arrivals(run)
    if run.unix_start_time is not None:
        yield f"arrivals-by-weekday{ending}", lambda: plot_arrivals(run, by="weekday")
        yield f"arrivals-by-hour-of-week{ending}", lambda: plot_arrivals(run, by="hour-of-week")
    yield f"shapes{ending}", lambda: plot_shapes(run)


def _drawings_of(run: RunTables, ending: str) -> Iterator[tuple[str, Drawing]]:
    # By the rule by which the page colors jobs at first.
    yield f"schedule{ending}", lambda: plot_schedule(run, color_by="wait")
    if run.jobs.height <= FEW_JOBS:
        yield f"textbook{ending}", lambda: plot_textbook(run)
    yield f"wait-by-class{ending}", lambda: plot_classes(run)
    if Feature.NODES in run.has:
        yield f"core-gantt{ending}", lambda: plot_core_gantt(run)
        yield f"node-load{ending}", lambda: plot_node_load(run)
    if Feature.POWER in run.has:
        yield f"power{ending}", lambda: plot_power(run)
    if Feature.FORECASTS in run.has and len(table := there(run.forecasts)):
        names = table["estimator"].unique(maintain_order=True).to_list()
        for name, file in zip(names, folder_names(names), strict=True):
            draw = partial(plot_forecasts, run, estimator=name)
            yield f"forecast-wait-{file}{ending}", draw
            yield f"forecast-run-{file}{ending}", partial(draw, quantity="run")
    if Feature.SITES in run.has:
        yield f"site-load{ending}", lambda: plot_site_load(run)
        if there(run.sites).knows_homes:
            yield f"migration-jobs{ending}", lambda: plot_migration(run)
            yield f"migration-work{ending}", lambda: plot_migration(run, count="work")
    if "user" in run.jobs.columns:
        yield f"fairness{ending}", lambda: plot_fairness(run)


def _of_sites(runs: Sequence[RunTables], named: dict[str, RunTables]) -> Iterator[tuple[str, Drawing]]:
    """Yield bars of the sites of runs on one grid: of the first ones, where there are many."""
    if not all(Feature.SITES in run.has for run in runs):
        return
    if len({there(run.platform).names for run in runs}) > 1:
        return
    few = dict(list(named.items())[:_MOST_BESIDE])
    yield "sites-jobs", lambda: plot_sites(few)
    yield "sites-work", lambda: plot_sites(few, quantity="work")
    yield "sites-utilization", lambda: plot_sites(few, quantity="utilization")


def _over_time(named: dict[str, RunTables]) -> Iterator[tuple[str, Drawing]]:
    times = trace_times(list(named.values()), _TRACE_POINTS)
    traces = {name: run_traces(run, times) for name, run in named.items()}
    for metric in _TRACED:
        lines = {name: of_run[metric] for name, of_run in traces.items()}
        yield f"{metric.replace('_', '-')}-over-time", partial(plot_trace, lines)


def _comparisons(runs: Sequence[RunTables], names: Sequence[str]) -> Iterator[tuple[str, Drawing]]:
    metrics = [metric for metric in (*_METRICS, *ENERGY) if all(metric in run.metrics for run in runs)]
    for metric in metrics:
        values = {name: run.metrics.get(metric, math.nan) for name, run in zip(names, runs, strict=True)}
        yield metric.replace("_", "-"), partial(plot_metric, values, metric)
    for name, run, ending in list(zip(names, runs, folder_names(names), strict=True))[1:]:
        yield f"differences-{ending}", partial(plot_differences, runs[0], run, names=(names[0], name))
