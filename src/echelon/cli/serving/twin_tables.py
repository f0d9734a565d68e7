"""Tables of twins: runs of one day beside each other, and what becomes of the jobs of a service."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.experiments.result import Result
    from echelon.service.records import JobRecord
    from echelon.service.twin import TwinDay

_HEADS = {
    "mean_wait": "mean wait",
    "mean_bounded_slowdown": "mean bounded slowdown",
    "makespan": "makespan",
    "utilization": "utilization",
}
"""The metrics that are shown, with their words."""


def show_day(runs: "dict[str, Result]", written: list[str], *, json: bool) -> None:
    """Show runs of one day beside each other, and the files that were written."""
    from echelon.cli.terminal import grid, show, show_json

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
    from echelon.quantities import duration, figure

    if key == "utilization":
        return f"{100 * value:.1f} %"
    return figure(value) if key == "mean_bounded_slowdown" else duration(value)


def show_forecast(days: "dict[str, TwinDay]", now: float, *, json: bool) -> None:
    """Show what becomes of the jobs of a service, by one set of rules or two."""
    from echelon.cli.terminal import grid, show, show_json

    if json:
        show_json(
            {"now": now, **{name: [_job_row(one) for one in _by_number(day)] for name, day in days.items()}}
        )
        return
    heads, rows = ["job"], []
    for name in days:
        heads += [name, "starts", "ends"]
    found = {name: {one.id: one for one in _by_number(day)} for name, day in days.items()}
    for one in _by_number(next(iter(days.values()))):
        row = [str(one.number)]
        for jobs in found.values():
            there = jobs[one.id]
            row += [there.cluster or there.state, _ahead(there.started_at, now), _ahead(there.ended_at, now)]
        rows.append(row)
    show(grid(heads, rows))
    for name, jobs in found.items():
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


def _ahead(at: float | None, now: float) -> str:
    from echelon.quantities import duration

    if at is None:
        return "-"
    return "running" if at < now else "now" if at - now < 0.5 else f"in {duration(round(at - now))}"
