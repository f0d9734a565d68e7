"""Health: whether the service lives and decides, and its metrics."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field

from echelon.service.api.access.callers import Reader, Serving
from echelon.service.api.answers.descriptions import example, problems
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.api.metrics import Metrics

router = APIRouter(tags=["health"], route_class=StrictRoute)


class Health(BaseModel):
    """That it is well."""

    status: str = Field(description="Always `ok`.")


@router.get(
    "/v1/healthz",
    summary="Ask whether the service answers",
    responses={200: example({"status": "ok"}, "It answers.")},
)
async def healthz() -> Health:
    """Return at once; nothing is asked of the store or of clusters. No token is needed."""
    return Health(status="ok")


@router.get(
    "/v1/readyz",
    summary="Ask whether the service decides",
    responses={
        200: example({"status": "ok"}, "It decides, and its store takes what it decides."),
        503: problems()[503],
    },
)
def readyz(service: Serving) -> Health:
    """Return whether jobs are taken and decided on. No token is needed."""
    if not service.ready:
        raise Problem(503, "the service does not decide at present; its log says why")
    return Health(status="ok")


@router.get(
    "/metrics",
    summary="Read metrics",
    response_class=Response,
    responses={
        **problems(),
        200: {
            "description": "Metrics for Prometheus.",
            "content": {
                "text/plain": {
                    "schema": {"type": "string"},
                    "example": 'echelon_jobs{state="RUNNING"} 9.0\n',
                }
            },
        },
    },
)
async def metrics(request: Request, _: Reader) -> Response:
    """Return counts of jobs, decisions, looks and failures; no names of users or jobs are in them."""
    service_metrics: Metrics = request.app.state.metrics
    text, media_type = await run_in_threadpool(service_metrics.text)
    return Response(text, media_type=media_type)
