"""``echelon run``: one simulation."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli import options

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.experiments import Result

_Policy = Annotated[
    str | None,
    typer.Option(
        metavar="P",
        help="As `echelon policies` lists them; FILE.py:NAME is your own. On a grid each site's. "
        "Default: fcfs.",
    ),
]
_Broker = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who chooses the site of each job, as `echelon brokers` lists them; FILE.py:NAME is your own. "
        "Default with --platform: mpl; on a multicluster tat; without queues wall-time.",
    ),
]
_Admissible = Annotated[
    str | None,
    typer.Option(
        metavar="A",
        help="Sites the broker may choose from, 0 < A <= 1: the smallest ones that can hold the job, up to "
        "this share of their processors. Default: 1, all.",
    ),
]


def run(
    context: typer.Context,
    source: options.ScenarioSource,
    *,
    policy: _Policy = None,
    processors: options.Processors = None,
    platform: options.Platform = None,
    broker: _Broker = None,
    admissible: _Admissible = None,
    place: options.Place = None,
    execution: options.Execution = None,
    network: options.Network = None,
    sharing: options.Sharing = None,
    power_cap: options.PowerCap = None,
    governor: options.Governor = None,
    sleep_after: options.SleepAfter = None,
    release: options.Release = None,
    sequential: options.Sequential = None,
    upper_queue: options.UpperQueue = None,
    queue_limit: options.QueueLimit = None,
    co_allocate: options.CoAllocate = None,
    two_phase: options.TwoPhase = None,
    longest_stay: options.LongestStay = None,
    local_users: options.LocalUsers = None,
    watch: options.Watch = None,
    history: options.History = None,
    monitoring: options.Monitoring = None,
    decision_time: options.DecisionTime = None,
    experience: options.Experience = None,
    cpu_use: options.CpuUse = None,
    estimates: options.Estimates = None,
    dependencies: options.Dependencies = None,
    estimator: options.Estimator = None,
    passes: options.Passes = None,
    engine: options.Engine = None,
    seed: options.Seed = None,
    strict: options.Strict = None,
    format: options.Format = None,  # noqa: A002
    metric: options.Metrics = None,
    out: options.Out = None,
    report: options.Report = None,
    figures: options.Figures = None,
    traces: options.Traces = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Simulate WORKLOAD under one policy, or what SCENARIO.toml says.

    An option given here counts more than the same one in the file.
    """
    from echelon.cli.running import (
        check_figures,
        check_traces,
        chosen,
        compiling,
        parted,
        policy_output_apart,
        read,
    )
    from echelon.cli.terminal import progress
    from echelon.experiments import manifest, simulate
    from echelon.experiments.results_folder import refuse_mixing

    given = chosen(
        source,
        {
            "policy": policy,
            "processors": processors,
            "platform": platform,
            "broker": broker,
            "admissible": admissible,
            "place": place,
            "execution": execution,
            "network": network,
            "sharing": sharing,
            "power_cap": power_cap,
            "governor": governor,
            "sleep_after": sleep_after,
            "release": release,
            "sequential": sequential,
            "upper_queue": upper_queue,
            "queue_limit": queue_limit,
            "co_allocate": co_allocate,
            "two_phase": two_phase,
            "longest_stay": longest_stay,
            "local_users": local_users,
            "watch": parted(watch, "watch"),
            "history": history,
            "monitoring": monitoring,
            "decision_time": decision_time,
            "experience": experience,
            "cpu_use": cpu_use,
            "estimates": estimates,
            "dependencies": dependencies,
            "estimator": estimator,
            "passes": passes,
            "engine": engine,
            "seed": seed,
            "strict": strict,
            "format": format,
            "metrics": metric,
            "out": out,
            "report": report,
        },
    )
    target, page = given.pop("out", None), given.pop("report", True)
    check_figures(figures, target)
    check_traces(traces, target)
    if target is not None:
        refuse_mixing(target, "run")
    with policy_output_apart(), progress(quiet=quiet) as step, compiling(given.get("engine"), quiet=quiet):
        workload = read(given, step)
        result = simulate(workload, **given, progress=step("simulating"))
    # Asking for versions loads the libraries behind the files, which a table alone does not need.
    told = manifest(result, context.obj["command"]) if json or target is not None else {}
    written = []
    if target is not None:
        written = _write(result, target, told, page=page, figures=figures, traces=traces)
    _show(result, told, written, json=json, quiet=quiet)


def _write(
    result: "Result",
    target: str | Path,
    told: dict[str, Any],
    *,
    page: bool,
    figures: str | None,
    traces: bool,
) -> list[str]:
    from echelon.cli.running import meanwhile, report_files
    from echelon.experiments.results_folder import filling
    from echelon.experiments.run_folder import run_files, writer_of_run

    with filling(target, "run") as folder:
        writer = writer_of_run(result, folder, told, traces=traces)
        names = list(run_files(result, traces=traces))
        with meanwhile([writer]):
            names += report_files([(result, told)], folder, page=page, figures=figures)
    return [str(Path(target) / name) for name in names]


def _show(result: "Result", told: dict[str, Any], written: list[str], *, json: bool, quiet: bool) -> None:
    from echelon.cli.terminal import facts, show, show_json
    from echelon.cli.words import metric_rows

    if json:
        show_json({"metrics": result.metrics, "run": told, "files": written})
    elif not quiet:
        from echelon.cli.running import outcome
        from echelon.cli.sites import size_of

        title = f"{result.label} on {result.workload.name}, {size_of(result)}"
        figures = facts(metric_rows(result.metrics, result.own))
        show(title, "", figures, *_sites(result), *outcome([result], written))


def _sites(result: "Result") -> "list[str | Table]":
    """Return the table of a grid's sites, and what it leaves out; on one machine an empty line."""
    from echelon.cli.sites import MOST_SITES, site_table

    if result.sites is None:
        return [""]
    left = len(result.sites) - MOST_SITES
    return [
        site_table(result.sites),
        *([f"The {left:,} other sites ran less than these."] if left > 0 else []),
    ]
