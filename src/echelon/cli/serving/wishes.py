"""``echelon cancel``, ``hold`` and ``release``: what the owner of a job wants of it."""

import sys
from typing import TYPE_CHECKING

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import state_sentence
from echelon.cli.serving.options import Service, SeveralJobs, client_of, show_answer
from echelon.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.client import Client, JobAnswer


def cancel(
    jobs: SeveralJobs, *, service: Service = None, json: options.Json = False, quiet: options.Quiet = False
) -> None:
    """Cancel JOBs; what a cluster has ends a little later, and is CANCELED then."""
    with client_of(service) as client:
        _wish(client, client.cancel, jobs, json=json, quiet=quiet)


def hold(
    jobs: SeveralJobs, *, service: Service = None, json: options.Json = False, quiet: options.Quiet = False
) -> None:
    """Hold JOBs that have not started, until they are released."""
    with client_of(service) as client:
        _wish(client, client.hold, jobs, json=json, quiet=quiet)


def release(
    jobs: SeveralJobs, *, service: Service = None, json: options.Json = False, quiet: options.Quiet = False
) -> None:
    """Release JOBs that were held."""
    with client_of(service) as client:
        _wish(client, client.release, jobs, json=json, quiet=quiet)


def _wish(
    client: "Client", wish: "Callable[[str], JobAnswer]", jobs: list[str], *, json: bool, quiet: bool
) -> None:
    """Ask for each job; one that is refused does not keep the others from being asked for.

    Raises
    ------
    ServiceError
        If the service refuses one, after all have been asked for.
    """
    done: list[JobAnswer] = []
    problems: list[str] = []
    for name in dict.fromkeys(jobs):
        try:
            done.append(wish(name))
        except ServiceError as error:
            if error.status is None:
                raise
            problems.append(str(error) if len(jobs) == 1 else f"job {name}: {error}")
            continue
        if not (json or quiet):
            sentence = state_sentence(done[-1])
            sys.stdout.write(f"{sentence[0].upper()}{sentence[1:]}\n")
    if json:
        show_answer({"jobs": done})
    if problems:
        raise ServiceError("; ".join(problems))
