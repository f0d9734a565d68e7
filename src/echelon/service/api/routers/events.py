"""Events: what happens, as a stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from echelon.errors import InputError
from echelon.service.api.access.callers import Caller, Reader, Serving, caller_of
from echelon.service.api.access.visible_jobs import Owners, job_seen
from echelon.service.api.answers.answers import EventAnswer
from echelon.service.api.answers.descriptions import problems
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.api.bodies.texts import DIGITS
from echelon.service.api.feed import Feed
from echelon.service.records import Event
from echelon.service.refusals import BusyError
from echelon.service.service import Service

router = APIRouter(prefix="/v1", tags=["events"], route_class=StrictRoute)

_AT_ONCE = 500
_EXAMPLE = (
    'id: 901\nevent: job\ndata: {"number":901,"at":1767225600.3,"kind":"job",'
    '"subject":"5e0ad2b1c9f44e7c8f5d1f6f5a3b2c1d","state":"ASSIGNED","reason":"alpha was forecast to start '
    'it first, in 10 min."}\n\n'
)


@router.get(
    "/events",
    summary="Follow events",
    response_class=StreamingResponse,
    responses={
        **problems(404, 429),
        200: {
            "description": "Server-sent events, each with its number as `id`, and comments as signs of life. "
            "The stream ends when the service stops or the token is worth nothing any more.",
            "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}},
        },
    },
)
async def follow(
    *,
    request: Request,
    caller: Reader,
    service: Serving,
    after: Annotated[
        str | None,
        Query(pattern=DIGITS, description="Only later events than this number; default: new ones."),
    ] = None,
    job: Annotated[
        str | None, Query(max_length=32, description="Only those of this job, by id or number.")
    ] = None,
    last_event_id: Annotated[
        str | None, Header(description="What a browser sends when it connects again; counts above `after`.")
    ] = None,
) -> StreamingResponse:
    """Return events of the caller's jobs, or with `operate` of all, and those of clusters, as they happen."""
    if request.app.state.feed.streams >= request.app.state.limits.streams:
        raise BusyError("too many streams of events are open; close some, or ask for jobs instead")
    subject = None if job is None else (await run_in_threadpool(job_seen, job, caller, service)).id
    start = await run_in_threadpool(_start, after, last_event_id, service)
    stream = _stream(request, caller, service, start, subject)
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


def _start(after: str | None, last_event_id: str | None, service: Service) -> int:
    number = last_event_id if last_event_id else after
    if number is None:
        return service.store.last_event()
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise InputError(f"got {number!a:.60}, expected the number of an event", field="Last-Event-ID")
    return int(number)


async def _stream(
    request: Request, caller: Caller, service: Service, after: int, subject: str | None
) -> AsyncIterator[bytes]:
    """Yield events after a number for as long as the caller may see them."""
    feed: Feed = request.app.state.feed
    owners: Owners = request.app.state.owners
    keep_alive: float = request.app.state.limits.keep_alive
    loop = asyncio.get_running_loop()
    yield b"retry: 2000\n\n"
    checked = loop.time()
    with feed.bell() as bell:
        while not feed.is_closed:
            bell.still()
            events = await run_in_threadpool(service.store.events, after, _AT_ONCE, subject)
            seen = await run_in_threadpool(_select_visible, events, caller, owners)
            after = events[-1].number if events else after
            if seen:
                yield b"".join(_encode(event) for event in seen)
            left = checked + keep_alive - loop.time()
            if left <= 0:
                # A token may have expired since, or have been revoked.
                if not await _is_allowed(request, caller):
                    return
                checked = loop.time()
                yield b": alive\n\n"
            elif not events:
                await bell.wait(left)


def _select_visible(events: Sequence[Event], caller: Caller, owners: Owners) -> list[Event]:
    """Return the events that are the caller's business."""
    if caller.sees_all:
        return list(events)
    return [
        one for one in events if one.kind in ("cluster", "service") or owners.may_see(caller, one.subject)
    ]


async def _is_allowed(request: Request, caller: Caller) -> bool:
    try:
        return await caller_of(request) == caller
    except Problem:
        return False


def _encode(event: Event) -> bytes:
    # JSON escapes line feeds: no reason can forge a line of the stream.
    data = EventAnswer.model_validate(event).model_dump_json()
    return f"id: {event.number}\nevent: {event.kind}\ndata: {data}\n\n".encode()
