"""Portal: the selection call of SINAPAD's portals."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr

from echelon.errors import InputError
from echelon.service.api.access.callers import Operator, Reader
from echelon.service.api.answers.descriptions import example, problems
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.api.selection import Load, Selection
from echelon.service.configuration.applications import MOST_PROCESSORS

router = APIRouter(prefix="/v1", tags=["portal"], route_class=StrictRoute)

Policy = Literal["wall-time", "cpu-load", "lottery", "lottery-load", "random", "met", "olb", "mct"]
"""Rules that know what a portal knows. A spec that names a file is none: it would run the file."""

Wanted = Annotated[StrictStr, Field(max_length=100)] | StrictInt
_AHEAD = 60.0
"""Seconds by which the clock of a site may be ahead."""


class SelectBody(BaseModel):
    """An application that is to run somewhere."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"application": "linpack", "version": "1.0", "processes": 8, "policy": "cpu-load"}]
        },
    )

    application: StrictStr = Field(
        min_length=1, max_length=100, description="Its name; it need not be in the configuration."
    )
    version: StrictStr = Field("", max_length=100)
    criteria: dict[str, Wanted | list[Wanted]] = Field(
        {},
        max_length=20,
        description="What attributes of a cluster must be, each a value or one of several: `site`, `cores`, "
        "`backend`, `policy`.",
    )
    processes: StrictInt = Field(1, ge=1, le=MOST_PROCESSORS, description="Smaller clusters are left out.")
    policy: Policy = Field("wall-time", description="The rule that ranks.")


class RankedAnswer(BaseModel):
    """A cluster in the order of preference."""

    site: str
    value: float | None = Field(description="By which the rule ranks: a cost, or tickets of a lottery.")
    reason: str


class SelectAnswer(BaseModel):
    """The clusters that may run the application, the best first."""

    sites: list[RankedAnswer]


class LoadBody(BaseModel):
    """A load average of a site."""

    model_config = ConfigDict(extra="forbid")

    site: StrictStr = Field(max_length=64, description="Name of the cluster.")
    load: StrictInt | StrictFloat = Field(ge=0, le=1e12, description="In processes.")
    at: StrictInt | StrictFloat | None = Field(
        None, ge=0, le=1e12, description="Unix time in seconds; default: now."
    )


class LoadsBody(BaseModel):
    """Load averages that sites publish."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"loads": [{"site": "alpha", "load": 31.5}]}]}
    )

    loads: list[LoadBody] = Field(min_length=1, max_length=10_000)


@router.post(
    "/select",
    summary="Select clusters for an application",
    response_model=SelectAnswer,
    responses={
        **problems(409, 413, 415),
        200: example(
            {"sites": [{"site": "alpha", "value": 500.0, "reason": "load 500 of 512 cores"}]},
            "The clusters, the best first; a portal tries the next if the first fails.",
        ),
        409: {**problems(409)[409], "description": "No cluster is open, in reach, and meets the criteria."},
    },
)
def select(body: SelectBody, _: Reader, request: Request) -> SelectAnswer:
    """Rank the clusters by the rules of portals, as SINAPAD's metascheduler does; nothing is submitted."""
    selection: Selection = request.app.state.selection
    ranked = selection.select(
        body.policy, body.application, body.version, body.criteria, processes=body.processes
    )
    sites = [RankedAnswer(site=one.site, value=one.value, reason=one.reason) for one in ranked]
    return SelectAnswer(sites=sites)


@router.post(
    "/loads",
    summary="Publish loads of clusters",
    status_code=204,
    responses={**problems(413, 415), 204: {"description": "They are noted."}},
)
def publish(body: LoadsBody, _: Operator, request: Request) -> Response:
    """Note load averages for selections, until a look is younger."""
    now = time.time()
    loads = [
        (one.site, Load(float(one.load), now if one.at is None else float(one.at))) for one in body.loads
    ]
    for _site, load in loads:
        if load.at > now + _AHEAD:
            raise InputError(f"got {load.at:.0f}, which is in the future", field="at")
    selection: Selection = request.app.state.selection
    selection.publish(loads)
    return Response(status_code=204)
