"""``echelon compare``: several policies side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import with_setting_options
from echelon.cli.terminal import grid, progress, show, show_json
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.experiments import Comparison, Result
    from echelon.experiments.settings.setting import Setting
    from echelon.metrics import Metric

_COLUMNS = {
    "mean_wait": "Mean\nwait",
    "median_wait": "Median\nwait",
    "max_wait": "Longest\nwait",
    "mean_bounded_slowdown": "Bounded\nslowdown",
    "utilization": "Utilization\n",
    "makespan": "Makespan\n",
}
"""The metrics that the table shows, with heads short enough for a terminal of 80 columns."""


_PREEMPTED = {
    "mean_wait": "Mean\nwait",
    "max_wait": _COLUMNS["max_wait"],
    "mean_response": "First\nstart",
    **{name: _COLUMNS[name] for name in ("mean_bounded_slowdown", "utilization", "makespan")},
}
"""The metrics for runs with preemption, where a job's first start does not end its waiting."""


_POWERED = {**{name: head for name, head in _COLUMNS.items() if name != "median_wait"}, "energy": "Energy\n"}
"""The metrics for machines whose power is known."""


_SHARED = {
    "rejected_jobs": "Rejected\n",
    "mean_wait": _COLUMNS["mean_wait"],
    "mean_turnaround": "Mean\nturnaround",
    "local_slowdown": "Local\nslowdown",
    "turnaround_deviation": "Forecast\nerror",
    "node_utilization": "Nodes\nbusy",
    "makespan": _COLUMNS["makespan"],
}
"""The metrics for multiclusters, as far as the runs have them; rejected jobs only if the runs differ in
them."""


_WITHOUT_QUEUES = {
    "mean_execution": "Mean\nexecution",
    "std_execution": "Standard\ndeviation",
    "max_execution": "Longest\n",
    "mean_turnaround": "Mean\nturnaround",
    "replicated_share": "Wasted\n",
    "utilization": _COLUMNS["utilization"],
    "makespan": _COLUMNS["makespan"],
}
"""The metrics for time-shared machines, as far as the runs have them."""


_CHANGING = {
    "goodput": "Goodput\n",
    "availability": "Availability\n",
    "node_failures": "Node\nfailures",
    "reservation_idle": "Idle\nbefore",
    "deadline_misses": "Late\n",
    "incomplete_jobs": "Not\ncompleted",
}
"""The metrics of machines that change, as far as something did; they replace the median wait."""


def _columns(results: "Sequence[Result]") -> "list[tuple[Metric, str]]":
    """Return the metrics of the table with their heads: the built-in ones, then the user's own."""
    from echelon.experiments.systems.grid import has_local_policy
    from echelon.metrics import metric_named

    preempted = any(result.metrics["preemptions"] for result in results)
    powered = all("energy" in result.metrics for result in results)
    heads = _PREEMPTED if preempted else _POWERED if powered else _COLUMNS
    if all(result.scenario.multicluster is not None for result in results):
        heads = {key: head for key, head in _SHARED.items() if all(key in run.metrics for run in results)}
        if len({len(result.instance) for result in results}) == 1:
            heads.pop("rejected_jobs", None)
    if all(run.scenario.immediate is not None and not has_local_policy(run.scenario) for run in results):
        heads = {
            key: head for key, head in _WITHOUT_QUEUES.items() if any(r.metrics.get(key) for r in results)
        }
    if any("goodput" in run.metrics for run in results):
        heads = _with_changes(heads, results)
    built_in = [(metric_named(name), head) for name, head in heads.items()]
    return [*built_in, *((own, "\n".join(_in_two(own.name.split("_")))) for own in results[0].own)]


def _with_changes(heads: dict[str, str], results: "Sequence[Result]") -> dict[str, str]:
    """Return the metrics for machines that change: those that tell runs from one in which nothing did."""
    from echelon.metrics.registry.best import tells

    runs = [result.metrics for result in results]
    shown = {key: head for key, head in _CHANGING.items() if tells(key, runs)}
    usual = {key: head for key, head in heads.items() if not (shown and key == "median_wait")}
    last = {"makespan": usual.pop("makespan")} if "makespan" in usual else {}
    return {**usual, **shown, **last}


def _in_two(parts: list[str]) -> tuple[str, str]:
    """Return a head of two lines, split so that the longer line is as short as possible."""
    ways = [(" ".join(parts[:cut]), " ".join(parts[cut:])) for cut in range(len(parts))]
    first, second = min(ways, key=lambda way: max(map(len, way)))
    return first.capitalize(), second if first else second.capitalize()


@with_setting_options(several=True)
def compare(
    context: typer.Context,
    sources: options.ScenarioSources,
    *,
    figures: options.Figures = None,
    gantt: options.Gantt = False,
    gantt_window: options.GanttWindow = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    **settings: Any,  # noqa: ANN401  (what each setting takes)
) -> None:
    """Compare several policies, or other settings, on one workload or several, side by side, with a report.

    An option whose value ends in ",..." takes several values, separated by commas, one whose value ends in
    "|..." several separated by vertical bars; both flags of a pair may be given. Every combination is run.
    Options override SCENARIO.toml.
    """
    from echelon.cli.run_steps import (
        charts_of,
        check_figures,
        collect_all,
        compiling,
        note_the_rest,
        policy_output_apart,
        read_inputs,
    )
    from echelon.experiments import Comparison, manifest
    from echelon.experiments.comparison import job_set_sentences, run_comparison
    from echelon.experiments.folders.results_folder import refuse_mixing

    arguments = collect_all(sources, settings)
    _several(arguments)
    target, page = arguments.get("out"), arguments.pop("report", True)
    check_figures(figures, target)
    charts = charts_of(gantt_window, gantt=gantt, json=json)
    if target is not None:
        refuse_mixing(target, "comparison")
    with (
        policy_output_apart(),
        progress(quiet=quiet) as step,
        compiling(arguments.get("engine"), quiet=quiet),
    ):
        axes, inputs, complete = read_inputs(arguments, step)
        comparison = run_comparison(axes, inputs, progress=step)
        comparison = Comparison(tuple(map(complete, comparison.results)))
    note_the_rest(comparison.results)
    wanted = json or target is not None
    manifests = [manifest(result, context.obj["command"]) for result in comparison.results] if wanted else []
    if notes := job_set_sentences(comparison.results):
        manifests = [{**run, "notes": notes} for run in manifests]
    written = (
        _write(comparison, Path(target), manifests, page=page, figures=figures) if target is not None else []
    )
    _show(comparison, manifests, written, json=json, quiet=quiet)
    if charts is not None and not quiet:
        charts(comparison.results)


def _several(arguments: dict[str, Any]) -> None:
    """Return settings under the names of a comparison; a comparison in which nothing varies is an error."""
    from echelon.experiments.settings.table import SETTINGS

    varied = any(one.varies and _are_several(arguments.get(one.name), one) for one in SETTINGS)
    if not varied and "policy" not in arguments and "platform" not in arguments:
        raise InputError("needs policies to compare, give --policies P,Q (or --platform and --brokers)")
    for setting in SETTINGS:
        if setting.plural and (value := arguments.pop(setting.name, None)) is not None:
            arguments[setting.plural] = value if isinstance(value, list) else [value]


def _are_several(value: object, setting: "Setting") -> bool:
    """Return whether several values of a setting are given; one value may be a list itself."""
    is_list = isinstance(value, list) and len(value) > 1
    return is_list and (list not in setting.types or isinstance(value[0], list))  # type: ignore[index]


def _write(
    comparison: "Comparison",
    target: Path,
    manifests: list[dict[str, Any]],
    *,
    page: bool,
    figures: str | None,
) -> list[str]:
    from echelon.cli.run_steps import meanwhile, report_files
    from echelon.experiments.folders.comparison_folder import folder_names, writers_of_comparison
    from echelon.experiments.folders.results_folder import filling
    from echelon.experiments.folders.run_folder import run_files

    names = folder_names(result.label for result in comparison.results)
    files = [
        f"{name}/{file}"
        for name, result in zip(names, comparison.results, strict=True)
        for file in run_files(result)
    ]
    with filling(target, "comparison") as folder:
        writers = writers_of_comparison(comparison, folder, manifests)
        files += ["metrics.csv", "metrics.json"]
        runs = list(zip(comparison.results, manifests, strict=True))
        with meanwhile(writers):
            files += report_files(runs, folder, page=page, figures=figures)
    return [str(target / file) for file in files]


def _show(
    comparison: "Comparison", manifests: list[dict[str, Any]], written: list[str], *, json: bool, quiet: bool
) -> None:
    from echelon.cli.formatting import metric_column
    from echelon.cli.listing.sites import size_of
    from echelon.cli.run_steps import log_waits, outcome
    from echelon.experiments.comparison import given_sets
    from echelon.experiments.result import kind_of
    from echelon.metrics.registry.best import contenders, value_of

    results = comparison.results
    if json:
        metrics = {result.label: result.metrics for result in results}
        runs = {result.label: run for result, run in zip(results, manifests, strict=True)}
        shown = {one.label: one.shown_waits for one in results}
        waits = {label: one.to_dict() for label, one in shown.items() if one is not None}
        of_log = {"log_waits": waits} if waits else {}
        show_json({"metrics": metrics, **of_log, "runs": runs, "files": written})
    elif not quiet:
        measured = [result.metrics for result in results]
        # Runs of other jobs are not better or worse, as on the page.
        alike = len(set(given_sets(results))) == 1
        columns = [
            metric_column(
                metric, head, [value_of(metric.name, run) for run in measured], measured, is_marked=alike
            )
            for metric, head in _columns(results)
        ]
        kind = kind_of(results)
        columns.insert(0, [kind.capitalize(), *(result.label for result in results)])
        heads, *rows = zip(*columns, strict=True)
        plural = "policies" if kind == "policy" else "runs"
        many = f"1 {kind}" if len(results) == 1 else f"{len(results):,} {plural}"
        machines = " and ".join(dict.fromkeys(map(size_of, results)))
        workloads = " and ".join(dict.fromkeys(result.workload.name for result in results))
        title = f"{many} on {workloads}, {machines}"
        table = grid(heads, rows, numbers=range(1, len(heads)))
        among = "" if all(contenders(measured)) else ", of the runs that completed the most jobs"
        legend = f"* the best of its column{among}"
        marked = [legend, ""] if any("*" in cell for row in rows for cell in row[1:]) else []
        show(title, table, *marked, *log_waits(results), *outcome(results, written))
