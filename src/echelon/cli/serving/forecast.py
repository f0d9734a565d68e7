"""``echelon forecast``: where and when a job would run; nothing is submitted."""

import time
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from echelon.cli.options import shared_options as options
from echelon.cli.serving.answers import candidates_table, interval, length, moment, until
from echelon.cli.serving.job_options import JobOptions, with_job_options
from echelon.cli.serving.options import Service, client_of, show_answer
from echelon.cli.terminal import show
from echelon.client.plain_text import escape

if TYPE_CHECKING:
    from collections.abc import Mapping

_Args = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROGRAM ARGUMENTS...]",
        help="What would run; estimators that learn may know it. With --app its parameters, NAME=VALUE.",
    ),
]


@with_job_options
def forecast(
    args: _Args = None, *, service: Service = None, json: options.Json = False, **asked: Unpack[JobOptions]
) -> None:
    """Show where and when a job would run, and how sure that is; nothing is submitted.

    Options are those of submit.
    """
    from echelon.cli.serving.job_body import job_body

    says_nothing = not args and asked["app"] is None and asked["script"] is None
    body = job_body(["true"] if says_nothing else args or [], asked)
    with client_of(service) as client:
        answer = client.forecast(**body)
    if json:
        show_answer(answer)
        return
    show(sentence(answer, time.time()), *candidates_table(answer["candidates"], answer["chosen"]))


FAR = 3600.0
"""Seconds from which on a start has its date and time: readers should not have to add them up."""


def sentence(answer: "Mapping[str, Any]", now: float) -> str:
    """Return where and when the job would run, and how sure that is."""
    one = next((one for one in answer["candidates"] if one["cluster"] == answer["chosen"]), None)
    if one is None or not answer["chosen"]:
        return "No cluster would run it."
    where = f"At {escape(answer['chosen'])}"
    if one["wait_time"] is None:
        return f"{where}; when is not known."
    ends = [None if one.get(end) is None else one[end] - now for end in ("earliest", "latest")]
    sure = interval(*ends)
    at = f", {moment(now + one['wait_time'])}" if one["wait_time"] >= FAR else ""
    start = f"{where}, {until(one['wait_time'])}{at}" + (f" ({sure} in 80 of 100 cases)" if sure else "")
    return f"{start}, for at most {length(one['run_time'])}." if one["run_time"] is not None else f"{start}."
