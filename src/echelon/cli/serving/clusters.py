"""``echelon clusters``: what the service knows of its clusters; drain one, and open it again."""

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.options.repetition import OnceCommand
from echelon.cli.serving.answers import ago
from echelon.cli.serving.options import ClustersGroup, Service, client_of, show_answer
from echelon.cli.terminal import grid, show
from echelon.client.plain_text import escape

if TYPE_CHECKING:
    from echelon.client import ClusterAnswer

clusters = typer.Typer(
    name="clusters",
    cls=ClustersGroup,
    rich_markup_mode=None,
    help="List the clusters of the service with their loads and the age of this information, or drain or "
    "resume one.",
)

_Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a cluster.")]


@clusters.command("list", cls=OnceCommand)
def list_clusters(*, service: Service = None, json: options.Json = False) -> None:
    """List the clusters with their loads and the age of this information; the default subcommand."""
    with client_of(service) as client:
        answers = client.clusters()
    if json:
        show_answer({"clusters": answers})
        return
    heads = ("cluster", "backend", "state", "busy", "of", "running", "waiting", "own", "news", "policy")
    rows = [_row(one, time.time()) for one in answers]
    show(grid(heads, rows, numbers=(3, 4, 5, 6, 7)) if rows else "No clusters.", *_problems(answers))


@clusters.command(cls=OnceCommand)
def drain(name: _Name, *, service: Service = None, json: options.Json = False) -> None:
    """Dispatch no new jobs to a cluster; jobs that it has stay."""
    with client_of(service) as client:
        _report(client.drain(name), json=json)


@clusters.command(cls=OnceCommand)
def resume(name: _Name, *, service: Service = None, json: options.Json = False) -> None:
    """Let a drained cluster have new jobs again."""
    with client_of(service) as client:
        _report(client.resume(name), json=json)


def _row(one: "ClusterAnswer", now: float) -> tuple[str, ...]:
    age = one["age"] if one["age"] is not None or one["looked_at"] is None else now - one["looked_at"]
    return (
        *(
            escape(one["name"]),
            escape(one["backend"]),
            _state(one),
            f"{one['busy']:,}",
            f"{one['processors']:,}",
        ),
        *(f"{one['running']:,}", f"{one['waiting']:,}", f"{one['own_running'] + one['own_waiting']:,}"),
        *(ago(age, stale=one["stale"]), escape(one["policy"])),
    )


def _state(one: "ClusterAnswer") -> str:
    return escape(one["mode"]) if one["reachable"] else f"{escape(one['mode'])}, unreachable"


def _problems(clusters: "list[ClusterAnswer]") -> list[str]:
    return [f"{escape(one['name'])}: {escape(one['problem'])}" for one in clusters if one["problem"]]


def _report(one: "ClusterAnswer", *, json: bool) -> None:
    if json:
        show_answer(one)
    else:
        sys.stdout.write(f"Cluster {escape(one['name'])} is {_state(one)}\n")
