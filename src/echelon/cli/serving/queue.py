"""``echelon queue``: the jobs that the service has, as a table."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import NONE, ago, length, until
from echelon.cli.serving.options import Service, client_of, show_answer
from echelon.cli.terminal import grid, show
from echelon.client.plain_text import escape
from echelon.errors import ServiceError, UnknownNameError

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.client import Client, JobAnswer

_All = Annotated[bool, typer.Option("--all", help="Also jobs of others, as far as you may see them.")]
_State = Annotated[
    list[str] | None,
    typer.Option(
        "--state",
        metavar="STATE[,STATE]",
        help="Only jobs in these states. Default: those that have not ended.",
    ),
]
_Cluster = Annotated[str | None, typer.Option(metavar="NAME", help="Only jobs at this cluster.")]
_Ended = Annotated[bool, typer.Option("--ended", help="Also jobs that have ended.")]
_Watch = Annotated[bool, typer.Option("--watch", help="Refresh every two seconds, until Ctrl-C.")]

_EVERY = 2.0
"""Seconds between two refreshes."""

_STATES = (
    *("HELD", "QUEUED", "ASSIGNED", "SUBMITTING", "WAITING", "RUNNING", "COMPLETED"),
    *("FAILED", "CANCELED", "TIMED_OUT", "INTERRUPTED", "REJECTED"),
)


def queue(
    *,
    all_: _All = False,
    state: _State = None,
    cluster: _Cluster = None,
    ended: _Ended = False,
    watch: _Watch = False,
    service: Service = None,
    json: options.Json = False,
) -> None:
    """List your jobs that have not ended, by number."""
    states = _states(state, ended=ended)

    def read() -> "list[JobAnswer]":
        return list(client.jobs(states=states, cluster=cluster, owner=None if all_ else "me"))

    with client_of(service) as client:
        if watch and not json:
            _watch(client, read, with_owner=all_)
            return
        jobs = read()
    if json:
        show_answer({"jobs": jobs})
    else:
        show(_table(jobs, time.time(), with_owner=all_))


def _states(states: list[str] | None, *, ended: bool) -> tuple[str, ...]:
    """Return the states that are asked for; none at all means all of them.

    Raises
    ------
    UnknownNameError
        If there is no such state.
    """
    from echelon.client.answers import FINAL

    names = [name.upper().replace("-", "_") for name in options.split_names(states)]
    for name in names:
        if name not in _STATES:
            raise UnknownNameError("state", name, _STATES, where="--state")
    if names:
        return tuple(names)
    return () if ended else tuple(state for state in _STATES if state not in FINAL)


def _watch(client: "Client", read: Any, *, with_owner: bool) -> None:  # noqa: ANN401  (a function)
    """Draw the queue repeatedly, in place on a terminal, until the user stops it."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(markup=False, highlight=False, emoji=False)
    table = _table(read(), time.time(), with_owner=with_owner)
    with Live(console=console, auto_refresh=False, screen=console.is_terminal) as live:
        while True:
            live.update(Text(table) if isinstance(table, str) else table, refresh=True)
            time.sleep(_EVERY)
            try:
                table = _table(read(), time.time(), with_owner=with_owner)
            except ServiceError as error:
                table = f"{error}; trying again"


def _table(jobs: "list[JobAnswer]", now: float, *, with_owner: bool) -> "str | Table":
    """Return a table of jobs; columns in which no job has anything are left out."""
    if not jobs:
        return "No jobs."
    rows = [_row(job, now, with_owner=with_owner) for job in jobs]
    heads = [head for head in rows[0] if any(row[head] != NONE for row in rows)]
    numbers = [place for place, head in enumerate(heads) if head in ("job", "processors")]
    return grid(heads, [[row[head] for head in heads] for row in rows], numbers=numbers)


def _row(job: "JobAnswer", now: float, *, with_owner: bool) -> dict[str, str]:
    """Return the cells of a job by their heads."""
    is_running, ended, forecast = job["state"] == "RUNNING", job["ended_at"], job["forecast"]
    began = (job["started_at"] if is_running else None) or job["submitted_at"]
    starts = forecast["start"] if forecast and job["started_at"] is None and ended is None else None
    news = ago(None if job["as_of"] is None else now - job["as_of"], stale=True) if job["stale"] else ""
    # That it runs is said already.
    why = "" if is_running else escape(job["reason"])
    return {
        "job": str(job["number"]),
        "name": escape(job["name"]) or NONE,
        **({"user": escape(job["owner"])} if with_owner else {}),
        "state": escape(job["state"]),
        "cluster": escape(job["cluster"]) or NONE,
        "processors": str(job["processors"]),
        "for": length(now - began) if ended is None else ago(now - ended),
        "starts": until(None if starts is None else max(starts - now, 0.0)),
        "why": ": ".join(note.strip() for note in (news, why) if note) or NONE,
    }
