"""``echelon submit``: hand a job to the service."""

import sys
from pathlib import Path
from typing import Annotated, Unpack

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.job_options import JobOptions, with_job_options
from echelon.cli.serving.options import Service, client_of, show_answer

_Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROGRAM ARGUMENTS...]",
        help="What is to run, without a shell; with --app its parameters, NAME=VALUE.",
    ),
]
_Wait = Annotated[
    bool,
    typer.Option("--wait", help="Wait for its end, and exit with its exit code; Ctrl-C leaves it alone."),
]
_Key = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Of two submissions with the same key the second one is the job of the first. Default: random.",
    ),
]


@with_job_options
def submit(
    arguments: _Arguments = None,
    *,
    wait: _Wait = False,
    key: _Key = None,
    service: Service = None,
    json: options.Json = False,
    **asked: Unpack[JobOptions],
) -> None:
    """Submit a job to the service; it chooses the cluster.

    The job is kept when this command ends, whatever happens to the service.
    """
    from echelon.cli.serving.job_body import job_body

    body = job_body(arguments or [], asked)
    with client_of(service) as client:
        if client.address.socket and asked["app"] is None:
            # The service is on this machine, so this directory means something to it, as with sbatch.
            body.setdefault("directory", str(Path.cwd()))
        job = client.submit(key=key, **body)
        if not json:
            sys.stdout.write(f"Submitted job {job['number']}\n")
            sys.stdout.flush()
        if wait:
            from echelon.cli.serving.wait import code_after

            code, (job,) = code_after(client, [job["id"]], quiet=json)
    if json:
        show_answer(job)
    if wait:
        raise typer.Exit(code)
