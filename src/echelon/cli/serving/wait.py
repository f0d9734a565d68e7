"""``echelon wait``: until jobs have ended."""

from typing import TYPE_CHECKING, Annotated

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import state_sentence
from echelon.cli.serving.options import Service, SeveralJobs, client_of, show_answer
from echelon.cli.terminal import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.client import Client, JobAnswer

_Timeout = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Wait no longer than this, as 90s, 15min or minutes; exit with 124. Default: no limit.",
    ),
]

_TOO_LATE = 124
"""The exit code of the program `timeout`."""

_STOPPED = 130


def wait(
    jobs: SeveralJobs,
    *,
    timeout: _Timeout = None,
    service: Service = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Wait until JOBs have ended; exit with the job's exit code, or 0 if all of several have completed.

    After a signal the exit code is 128 and its number, else 1 if a job did not complete. Ctrl-C ends the
    waiting, not the jobs. A restart of the service does not matter.
    """
    from echelon.cli.serving.job_body import seconds_of

    limit = None if timeout is None else seconds_of(timeout, "--timeout")
    with client_of(service) as client:
        code, ended = code_after(client, jobs, timeout=limit, quiet=quiet or json)
    if json:
        show_answer({"jobs": ended})
    raise typer.Exit(code)


def code_after(
    client: "Client", jobs: "Sequence[str]", *, timeout: float | None = None, quiet: bool = False
) -> "tuple[int, list[JobAnswer]]":
    """Wait for jobs; return the exit code for them, and the jobs."""
    try:
        ended = client.wait(*jobs, timeout=timeout, on_change=None if quiet else _say)
    except KeyboardInterrupt:
        note("stopped waiting; the jobs are left alone")
        raise typer.Exit(_STOPPED) from None
    return exit_code(ended), ended


def _say(job: "JobAnswer") -> None:
    """Report the change of a job on stderr."""
    note(state_sentence(job))


def exit_code(ended: "Sequence[JobAnswer]") -> int:
    """Return the exit code for jobs that were waited for."""
    from echelon.client.answers import FINAL

    if any(job["state"] not in FINAL for job in ended):
        return _TOO_LATE
    if len(ended) != 1:
        return int(any(job["state"] != "COMPLETED" for job in ended))
    (job,) = ended
    if job["state"] == "COMPLETED":
        return 0
    return job["exit_code"] or (128 + job["signal"] if job["signal"] else 1)
