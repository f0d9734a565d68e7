"""``echelon serve twin``: a service's recorded day, or its present, by its rules and by others."""

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import on_clock
from echelon.cli.serving.options import with_options
from echelon.cli.terminal import grid, note, show, show_json
from echelon.errors import InputError
from echelon.quantities import duration, figure

if TYPE_CHECKING:
    from echelon.experiments.result import Result
    from echelon.service.records import JobRecord
    from echelon.service.rules import Rules
    from echelon.service.store import Store
    from echelon.service.twin.twin import TwinDay

_DAY = 86400.0
_WEEK = 7 * _DAY


class RuleOptions(TypedDict):
    """Rules in place of those of the configuration, an option each."""

    broker: Annotated[str | None, typer.Option(metavar="BROKER", help="Another broker.")]
    global_queue: Annotated[str | None, typer.Option(metavar="QUEUE", help="Another global queue.")]
    queue_limit: Annotated[str | None, typer.Option(metavar="LIMIT", help="Another limit of queues.")]
    queue_order: Annotated[str | None, typer.Option(metavar="ORDER", help="Another order of queues.")]
    site_filter: Annotated[str | None, typer.Option(metavar="FILTER", help="Another site filter.")]
    longest_stay: Annotated[
        str | None, typer.Option(metavar="TIME", help="Another longest stay, such as 2h.")
    ]
    estimator: Annotated[str | None, typer.Option(metavar="ESTIMATOR", help="Another estimator.")]
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLUSTER=POLICY", help="Another policy of a cluster; may be repeated. POLICY: of all."
        ),
    ]
    seed: options.Seed


@with_options(RuleOptions)
def twin(
    config: Annotated[
        Path | None, typer.Argument(metavar="[SERVE.toml]", help="The service's configuration.")
    ] = None,
    *,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Replay jobs that were submitted from then on: a date and time, or how long ago, such as "
            "6h. Default: 1d.",
        ),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="And before that time. Default: now.")
    ] = None,
    from_now: Annotated[
        bool,
        typer.Option("--from-now", help="Continue from the present: what becomes of open jobs."),
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="With --from-now: decide again on jobs that wait at clusters."),
    ] = False,
    used: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="With --from-now: the part of their time limits that jobs use. Default: the median of those "
            "that completed in the last week.",
        ),
    ] = None,
    timezone: options.ShownTimeZone = None,
    out: options.Out = None,
    report: options.Report = None,
    json: options.Json = False,
    **asked_rules: Unpack[RuleOptions],
) -> None:
    """Replay the recorded day of a service under its rules, and under others if options name some.

    With --from-now forecast what becomes of the jobs that it has. Nothing is submitted, and the service may
    run meanwhile.
    """
    from echelon.service.configuration.config import read_config
    from echelon.service.store import Store
    from echelon.service.twin.what_if import change_rules

    asked = read_config(config)
    rules: dict[str, Any] = {**asked_rules}
    policies = rules.pop("policy") or ()
    if rules["longest_stay"] is not None:
        rules["longest_stay"] = _seconds(rules["longest_stay"], "--longest-stay")
    other = change_rules(asked.rules, rules, policies)
    now = time.time()
    with Store.open(asked.database, create=False) as store:
        if from_now:
            if since or until or out:
                raise typer.BadParameter("--from-now takes no --since, --until and --out")
            _show_present(store, asked.rules, other, now, used=used, again=again, json=json)
            return
        if again or used is not None:
            raise typer.BadParameter("--again and --used go with --from-now")
        with on_clock(timezone):
            end = now if until is None else _moment(until, now, "--until")
            period = _moment(since or "1d", now, "--since"), end
        runs = _runs(store, asked.rules, other, period)
    written = [] if out is None else _write(out, runs, page=report is not False)
    show_day(runs, written, json=json)


def _runs(store: "Store", rules: "Rules", other: "Rules", period: tuple[float, float]) -> "dict[str, Result]":
    """Return what happened, what the rules would have given, and what others would."""
    from echelon.service.twin.recorded_day import recorded_day

    day = recorded_day(store, rules, since=period[0], until=period[1])
    runs = {"happened": day.happened(rules), "twin": day.replayed(rules)}
    if other != rules:
        runs["what-if"] = day.replayed(other)
    return runs


def _write(out: Path, runs: "dict[str, Result]", *, page: bool) -> list[str]:
    """Write the usual files of each run into a folder of its name."""
    import sys

    from echelon.cli.run_steps import report_files
    from echelon.experiments.folders.manifest import manifest
    from echelon.experiments.folders.results_folder import filling
    from echelon.experiments.folders.run_folder import write_run

    written = []
    for name, run in runs.items():
        document = manifest(run, sys.argv)
        with filling(out / name, "run") as folder:
            write_run(run, folder, document)
            report_files([(run, document)], folder, page=page, figures=None)
        written.append(str(out / name))
    return written


def _show_present(
    store: "Store",
    rules: "Rules",
    other: "Rules",
    now: float,
    *,
    used: float | None,
    again: bool,
    json: bool,
) -> None:
    from echelon.service.twin.continuation import go_on, present_of, used_share

    share = used_share(store, now - _WEEK) if used is None else used
    if share <= 0:
        raise typer.BadParameter(f"--used must be above 0, got {share:g}")
    present = present_of(store, rules, now)
    if not present.open_records.jobs:
        raise InputError("has no open job", file=store.address)
    days = {"twin": go_on(present, rules, used=share)}
    if other != rules or again:
        days["what-if"] = go_on(present, other, used=share, again=again)
    if not json:
        note(f"jobs are taken to use {100 * share:.0f} % of their time limits")
    show_forecast(days, now, json=json)


def _moment(text: str, now: float, option: str) -> float:
    """Return the Unix time that a text names: a date and time, by the user's clock, or how long ago."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        pass
    try:
        return now - _seconds(text, option)
    except InputError:
        expected = "expected a date and time such as 2026-03-02T08:00, or how long ago, such as 6h"
        raise InputError(f"got {text!r:.60}, {expected}", field=option) from None


def _seconds(text: str, field: str) -> float:
    from echelon.cli.serving.job_body import seconds_of

    return seconds_of(text, field)


_HEADS = {
    "mean_wait": "mean wait",
    "mean_bounded_slowdown": "mean bounded slowdown",
    "makespan": "makespan",
    "utilization": "utilization",
}
"""The metrics that are shown, with their headings."""


def show_day(runs: "dict[str, Result]", written: list[str], *, json: bool) -> None:
    """Show runs of one day beside each other, and the files that were written."""
    sites = {name: run.sites for name, run in runs.items()}
    used = {
        name: dict(zip(table["site"].to_list(), table["utilization"].to_list(), strict=True))
        for name, table in sites.items()
        if table is not None
    }
    figures = {name: {key: run.metrics[key] for key in _HEADS} for name, run in runs.items()}
    jobs = {name: len(run.schedule.instance) for name, run in runs.items()}
    if json:
        show_json(
            {
                "runs": {
                    name: {"jobs": jobs[name], **figures[name], "utilization_by_cluster": used[name]}
                    for name in runs
                },
                "files": written,
            }
        )
        return
    rows = [("jobs", *(f"{count:,}" for count in jobs.values()))]
    rows += [(_HEADS[key], *(_figure(key, figures[name][key]) for name in runs)) for key in _HEADS]
    rows += [
        (f"utilization of {cluster}", *(_figure("utilization", used[name][cluster]) for name in runs))
        for cluster in used["happened"]
    ]
    show(grid(("", *runs), rows, numbers=range(1, len(runs) + 1)))
    if written:
        show("", *(f"Written: {name}" for name in written))


def _figure(key: str, value: float) -> str:
    if key == "utilization":
        return f"{100 * value:.1f} %"
    return figure(value) if key == "mean_bounded_slowdown" else duration(value)


def show_forecast(days: "dict[str, TwinDay]", now: float, *, json: bool) -> None:
    """Show what becomes of the jobs of a service, by one set of rules or two."""
    if json:
        show_json(
            {"now": now, **{name: [_job_row(one) for one in _by_number(day)] for name, day in days.items()}}
        )
        return
    heads, rows = ["job"], []
    for name in days:
        heads += [name, "starts", "ends"]
    jobs_by_name = {name: {one.id: one for one in _by_number(day)} for name, day in days.items()}
    for one in _by_number(next(iter(days.values()))):
        row = [str(one.number)]
        for jobs in jobs_by_name.values():
            there = jobs[one.id]
            row += [there.cluster or there.state, _until(there.started_at, now), _until(there.ended_at, now)]
        rows.append(row)
    show(grid(heads, rows))
    for name, jobs in jobs_by_name.items():
        waits = [one.started_at - now for one in jobs.values() if one.started_at and one.started_at > now]
        ends = [one.ended_at - now for one in jobs.values() if one.ended_at is not None]
        if waits:
            show(f"{name}: mean wait from now {_figure('mean_wait', sum(waits) / len(waits))}")
        if ends:
            show(f"{name}: the last one ends in {_figure('makespan', max(ends))}")


def _by_number(day: "TwinDay") -> "list[JobRecord]":
    return sorted(day.jobs.values(), key=lambda one: one.number)


def _job_row(one: "JobRecord") -> dict[str, object]:
    return {
        "number": one.number,
        "id": one.id,
        "cluster": one.cluster or None,
        "state": str(one.state),
        "started_at": one.started_at,
        "ended_at": one.ended_at,
    }


def _until(at: float | None, now: float) -> str:
    if at is None:
        return "-"
    return "running" if at < now else "now" if at - now < 0.5 else f"in {duration(round(at - now))}"
