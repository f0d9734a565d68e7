"""Arguments and options that commands of the service share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from echelon.client import Client

Service: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--service",
        metavar="ADDRESS",
        help="The service: unix:///PATH or http://HOST:PORT. Default: $ECHELON_SERVICE, else the socket in "
        "its folder, ~/.local/state/echelon.",
    ),
]
OneJob: TypeAlias = Annotated[str, typer.Argument(metavar="JOB", help="The number of a job, or its id.")]
SeveralJobs: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="JOB...", help="Numbers of jobs, or their ids.")
]


def client_of(service: str | None) -> Client:
    """Return a client of the service that the user means."""
    from echelon.client.client import Client

    return Client(service)


def parted(given: list[str] | None) -> list[str]:
    """Return the words that an option names, joined by commas or repeated."""
    return [word.strip() for text in given or () for word in text.split(",") if word.strip()]
