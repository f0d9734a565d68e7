"""``echelon run``: one simulation."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.setting_options import with_setting_options
from echelon.cli.terminal import facts, progress, show, show_json

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.experiments import Result


@with_setting_options()
def run(
    context: typer.Context,
    source: options.ScenarioSource,
    *,
    figures: options.Figures = None,
    traces: options.Traces = False,
    gantt: options.Gantt = False,
    gantt_window: options.GanttWindow = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    **settings: Any,  # noqa: ANN401  (what each setting takes)
) -> None:
    """Simulate WORKLOAD under one policy, or run SCENARIO.toml.

    Options override the scenario file.
    """
    from echelon.cli.run_steps import (
        charts_of,
        check_figures,
        check_traces,
        collect_settings,
        compiling,
        note_the_rest,
        policy_output_apart,
        read_jobs,
        refuse_several,
    )
    from echelon.experiments import manifest, simulate
    from echelon.experiments.folders.results_folder import refuse_mixing

    arguments = collect_settings(source, settings)
    refuse_several(arguments)
    target, page = arguments.get("out"), arguments.pop("report", True)
    check_figures(figures, target)
    check_traces(traces, target)
    charts = charts_of(gantt_window, gantt=gantt, json=json)
    if target is not None:
        refuse_mixing(target, "run")
    with (
        policy_output_apart(),
        progress(quiet=quiet) as step,
        compiling(arguments.get("engine"), quiet=quiet),
    ):
        workload, complete = read_jobs(arguments, step)
        result = complete(simulate(workload, **arguments, progress=step("simulating")))
    note_the_rest([result])
    # Reading versions loads the libraries that write files; a table alone does not need them.
    document = manifest(result, context.obj["command"]) if json or target is not None else {}
    written = []
    if target is not None:
        written = _write(result, target, document, page=page, figures=figures, traces=traces)
    _show(result, document, written, json=json, quiet=quiet)
    if charts is not None and not quiet:
        charts([result])


def _write(
    result: "Result",
    target: str | Path,
    document: dict[str, Any],
    *,
    page: bool,
    figures: str | None,
    traces: bool,
) -> list[str]:
    from echelon.cli.run_steps import meanwhile, report_files
    from echelon.experiments.folders.results_folder import filling
    from echelon.experiments.folders.run_folder import run_files, writer_of_run

    with filling(target, "run") as folder:
        writer = writer_of_run(result, folder, document, traces=traces)
        names = list(run_files(result, traces=traces))
        with meanwhile([writer]):
            names += report_files([(result, document)], folder, page=page, figures=figures)
    return [str(Path(target) / name) for name in names]


def _show(result: "Result", document: dict[str, Any], written: list[str], *, json: bool, quiet: bool) -> None:
    from echelon.cli.formatting import metric_rows

    if json:
        shown = result.shown_waits
        waits = {} if shown is None else {"log_waits": shown.to_dict()}
        show_json({"metrics": result.metrics, **waits, "run": document, "files": written})
    elif not quiet:
        from echelon.cli.listing.sites import size_of
        from echelon.cli.run_steps import log_waits, outcome

        title = f"{result.label} on {result.workload.name}, {size_of(result)}"
        figures = facts(metric_rows(result.metrics, result.own))
        show(title, "", figures, *_sites(result), *log_waits([result]), *outcome([result], written))


def _sites(result: "Result") -> "list[str | Table]":
    """Return the table of a grid's sites and a note on the omitted ones; for one machine, an empty line."""
    if result.sites is None:
        return [""]
    from echelon.cli.listing.sites import MOST_SITES, site_table

    left = len(result.sites) - MOST_SITES
    return [
        site_table(result.sites),
        *([f"The {left:,} other sites ran less than these."] if left > 0 else []),
    ]
