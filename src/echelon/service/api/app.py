"""The application: routes, guards and problems, put together."""

from __future__ import annotations

import asyncio
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

import echelon
from echelon.service.api.access.guards import Guards
from echelon.service.api.access.limits import Limits
from echelon.service.api.access.visible_jobs import Owners
from echelon.service.api.answers.problems import ProblemAnswer, add_problems
from echelon.service.api.feed import Feed
from echelon.service.api.metrics import Metrics, RequestCounts, Requests
from echelon.service.api.routers import clusters, events, forecasts, health, jobs, page, portal, tokens
from echelon.service.api.selection import Selection

if TYPE_CHECKING:
    from fastapi.routing import APIRoute

    from echelon.service.service import Service

_DESCRIPTION = """Jobs go to clusters by the brokers and global queues of simulations.

Times are Unix times in seconds. Errors are `application/problem+json` as in RFC 9457. On the Unix socket the
user at the other end is the caller; over TCP a token says who calls and what is allowed.
"""
_TAGS = [
    {"name": "jobs", "description": "Submitted, listed, shown, held, canceled."},
    {"name": "forecasts", "description": "Where and when a job would start."},
    {"name": "clusters", "description": "Seen, drained, opened again."},
    {"name": "events", "description": "What happens, as it happens."},
    {"name": "portal", "description": "The selection call of SINAPAD's portals."},
    {"name": "tokens", "description": "Callers over TCP."},
    {"name": "health", "description": "Whether the service lives and decides."},
    {"name": "page", "description": "The live page, and who looks at it."},
]


def app_of(service: Service, limits: Limits | None = None) -> FastAPI:
    """Return the interface of a service, as an application by ASGI.

    Parameters
    ----------
    service : Service
        What answers.
    limits : Limits, optional
        How much a caller may ask at once.
    """
    limits = limits or Limits()
    app = FastAPI(
        title="Echelon",
        version=echelon.__version__,
        summary="A service that drives clusters.",
        description=_DESCRIPTION,
        openapi_url="/v1/openapi.json",
        openapi_tags=_TAGS,
        # Their pages load programs from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=attrgetter("name"),
    )
    counts, feed = RequestCounts(), Feed(service)
    app.state.service, app.state.limits, app.state.feed = service, limits, feed
    app.state.owners, app.state.selection = Owners(service), Selection(service)
    app.state.large_bodies = asyncio.Semaphore(2)
    app.state.metrics = Metrics(service, feed, counts)
    rooms = (jobs, forecasts, clusters, events, portal, tokens, health, page)
    for room in rooms:
        app.include_router(room.router)
    app.state.routes = [route for room in rooms for route in room.router.routes]
    add_problems(app)
    app.add_middleware(Guards, limits=limits)
    app.add_middleware(Requests, counts=counts)
    app.openapi = lambda: _describe_routes(app)  # type: ignore[method-assign]
    return app


def _describe_routes(app: FastAPI) -> dict[str, Any]:
    """Return the description of all routes, made once."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
        )
        parts = schema.setdefault("components", {}).setdefault("schemas", {})
        described = ProblemAnswer.model_json_schema(ref_template="#/components/schemas/{model}")
        parts.update(described.pop("$defs", {}))
        parts[ProblemAnswer.__name__] = described
        # What the library says of mistakes is not what is answered.
        for unused in ("HTTPValidationError", "ValidationError"):
            parts.pop(unused, None)
        _show_nulls(schema["paths"], app.state.routes)
        app.openapi_schema = schema
    return app.openapi_schema


def _show_nulls(paths: dict[str, Any], routes: list[APIRoute]) -> None:
    """Put examples in as they are: the library leaves out what is null, which an answer does not."""
    for route in routes:
        for method in route.methods or ():
            for status, response in route.responses.items():
                shown = paths[route.path][method.lower()]["responses"][str(status)].get("content", {})
                for media_type, content in response.get("content", {}).items():
                    if "example" in content:
                        shown[media_type]["example"] = content["example"]
