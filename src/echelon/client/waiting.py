"""Waiting for jobs to end: by events, and by looking where none come."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from echelon.client.answers import FINAL
from echelon.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.client.answers import JobAnswer
    from echelon.client.client import Client

_QUIET = 20.0
"""Seconds without any event after which the stream is opened again, and all jobs are looked at."""

_LOOK_EVERY = 30.0
"""Seconds between two looks at all jobs while events come; longer where a look takes long."""

_LOOK_SHARE = 20
"""A look at all jobs comes after so many times what the last one took."""


def wait_for(
    client: Client,
    jobs: Sequence[str | int],
    *,
    timeout: float | None = None,
    on_change: Callable[[JobAnswer], None] | None = None,
) -> list[JobAnswer]:
    """Return the jobs once all have ended, or as they are after `timeout` seconds; see `Client.wait`."""
    answers = {job["id"]: job for job in map(client.job, dict.fromkeys(jobs))}
    waited = {job["id"] for job in answers.values() if job["state"] not in FINAL}
    until = time.monotonic() + (float("inf") if timeout is None else timeout)

    def look(wanted: Sequence[str]) -> None:
        for one in wanted:
            before, answers[one] = answers[one], client.job(one)
            if answers[one]["state"] in FINAL:
                waited.discard(one)
            if on_change is not None and answers[one]["state"] != before["state"]:
                on_change(answers[one])

    opened, next_look = 0, 0.0
    with client.event_stream(job=next(iter(waited)) if len(waited) == 1 else None) as stream:
        while waited and (left := until - time.monotonic()) > 0:
            event = stream.next(min(_QUIET, left))
            now = time.monotonic()
            try:
                if event is not None:
                    if event["subject"] in waited and (on_change or event["state"] in FINAL):
                        look([event["subject"]])
                elif stream.opened != opened or stream.problem or now >= next_look:
                    # What happened before a stream was opened comes with no event.
                    look(sorted(waited))
                    opened = stream.opened
                    next_look = now + max(_LOOK_EVERY, _LOOK_SHARE * (time.monotonic() - now))
            except ServiceError as error:
                if error.status is not None and error.status < 500:
                    raise
                # The service is being started again: the stream waits for it.
                next_look = 0.0
    return [answers[one] for one in answers]
