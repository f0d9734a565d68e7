"""``echelon show``: one job; with --why, how its cluster was chosen and what has happened since."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import (
    ago,
    candidates_table,
    ending,
    length,
    moment,
    on_clock,
    until,
)
from echelon.cli.serving.options import OneJob, Service, client_of, show_answer
from echelon.cli.terminal import facts
from echelon.cli.terminal import show as show_text
from echelon.client.plain_text import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.table import Table

    from echelon.client import JobAnswer

_Why = Annotated[
    bool,
    typer.Option(
        "--why",
        help="Also the clusters that were looked at, what was forecast for each, why this one, and all "
        "events.",
    ),
]


def show(
    job: OneJob,
    *,
    why: _Why = False,
    timezone: options.ShownTimeZone = None,
    service: Service = None,
    json: options.Json = False,
) -> None:
    """Show a job: its state and why, its times, its forecast against what happened."""
    with client_of(service) as client:
        answer = client.job(job)
        reasons: Any = client.decision(job) if why else None
    if json:
        show_answer({**answer, **({"why": reasons} if why else {})})
        return
    with on_clock(timezone):
        show_text(
            _headline(answer), facts(_facts(answer, time.time())), *(_why(answer, reasons) if why else ())
        )


def _headline(job: "JobAnswer") -> str:
    name = f" {escape(job['name'])}" if job["name"] else ""
    return f"Job {job['number']}{name} of {escape(job['owner'])}, {job['id']}"


def _facts(job: "JobAnswer", now: float) -> "Iterable[tuple[str, str | None]]":
    """Yield names and values of what is known of a job."""
    state = f"{escape(job['state'])}: {escape(job['reason'])}" if job["reason"] else escape(job["state"])
    yield "State", state
    if job["wanted"] != "run" and job["ended_at"] is None:
        yield "Wanted", escape(job["wanted"])
    yield "Runs", _what_runs(job)
    yield "Processors", str(job["processors"])
    yield "Time limit", None if job["time_limit"] is None else length(job["time_limit"])
    yield "Cluster", escape(job["cluster"])
    if job["cluster"] and job["ended_at"] is None:
        yield "News", ago(None if job["as_of"] is None else now - job["as_of"], stale=job["stale"])
    yield "Submitted", moment(job["submitted_at"])
    for name, at in (
        ("Assigned", job["assigned_at"]),
        ("Started", job["started_at"]),
        ("Ended", job["ended_at"]),
    ):
        yield name, None if at is None else moment(at)
    if job["started_at"] is not None:
        # Clusters may have whole seconds.
        yield "Waited", length(max(job["started_at"] - job["submitted_at"], 0.0))
        yield "Ran", length(max((job["ended_at"] or now) - job["started_at"], 0.0))
    yield "Ended with", ending(job)
    if job["run"] > 1:
        yield "Run", f"number {job['run']}: earlier ones were interrupted, or left before they started"
    yield from _forecast(job, now)


def _what_runs(job: "JobAnswer") -> str:
    import shlex

    if job["command"]:
        return escape(shlex.join(job["command"]))
    return f"application {escape(job['application'])}" if job["application"] else "a script"


def _forecast(job: "JobAnswer", now: float) -> "Iterable[tuple[str, str]]":
    """Yield what was forecast, and by how much what happened differs."""
    forecast = job["forecast"]
    if not forecast:
        return
    if forecast["start"] is not None:
        text = moment(forecast["start"])
        if forecast["earliest"] is not None and forecast["latest"] is not None:
            text += f" ({_hour(forecast['earliest'])} to {_hour(forecast['latest'])} in 80 of 100 cases)"
        if job["started_at"] is not None:
            text += f"; it started {_difference(job['started_at'] - forecast['start'])}"
        elif job["ended_at"] is None:
            text += f"; {until(max(forecast['start'] - now, 0.0))}"
        yield "Forecast start", text
    if forecast["run_time"] is not None:
        text = length(forecast["run_time"])
        if job["started_at"] is not None and job["ended_at"] is not None:
            text += f"; it ran {length(job['ended_at'] - job['started_at'])}"
        yield "Forecast run", text


def _hour(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def _difference(seconds: float) -> str:
    """Return by how much something was later than forecast, or earlier."""
    if abs(seconds) < 0.5:
        return "as forecast"
    return f"{length(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"


def _why(job: "JobAnswer", reasons: "Mapping[str, Any]") -> "list[str | Table]":
    """Return each decision with its table of clusters, then attempts and events."""
    parts: list[str | Table] = []
    for decision in reasons["decisions"]:
        chosen = escape(decision["chosen"])
        what = f"{chosen} was chosen" if chosen else "no cluster was chosen"
        parts.append("")
        parts.append(
            f"{moment(decision['at'])}  {what} by {escape(decision['broker'])}: {escape(decision['why'])}"
        )
        parts += candidates_table(decision["candidates"], decision["chosen"])
    if not reasons["decisions"]:
        parts += ["", "No cluster has been chosen yet."]
    parts += ["", "Events:", *map(_event, reasons["events"])]
    return parts


def _event(event: "Mapping[str, Any]") -> str:
    kind = "" if event["kind"] == "job" else f"{escape(event['kind'])} "
    return f"  {moment(event['at'])}  {kind}{escape(event['state'])}  {escape(event['reason'])}".rstrip()
