"""Forecasts: where a job could go and when, what lies ahead, and how good forecasts were."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Query

from echelon.service.api.access.callers import Reader, Serving
from echelon.service.api.access.visible_jobs import Owning, hide_names
from echelon.service.api.answers.descriptions import CANDIDATE, JOB, example, problems
from echelon.service.api.answers.forecast_answers import (
    CandidateAnswer,
    CandidatesAnswer,
    ForecastErrorAnswer,
    OutlookAnswer,
)
from echelon.service.api.bodies.job_body import JobBody, spec_of
from echelon.service.api.bodies.strict_json import StrictRoute

router = APIRouter(prefix="/v1", tags=["forecasts"], route_class=StrictRoute)

_BAR = {
    **{"job": JOB["id"], "number": 17, "name": "mesh-7", "state": "WAITING", "start": 1767226200.3},
    **{"end": 1767228000.3, "processors": 16, "row": None, "planned": True},
}
_ERROR = {
    **{"at": 1767225600.3, "number": 17, "forecast": 600.0, "actual": 642.0, "estimator": "request"},
    **{"earliest": 0.0, "latest": 900.0},
}


@router.post(
    "/forecasts",
    summary="Forecast a job",
    response_model=CandidatesAnswer,
    responses={
        **problems(408, 413, 415, 429),
        200: example({"candidates": [CANDIDATE], "chosen": "alpha"}, "The clusters, and the best."),
    },
)
def forecast(body: JobBody, caller: Reader, service: Serving) -> CandidatesAnswer:
    """Return where and when a job would start; nothing is submitted."""
    now = time.time()
    candidates, chosen = service.forecast(spec_of(body, caller, service, runs=False), caller.user)
    answers = [CandidateAnswer.model_validate(one) for one in candidates]
    for one in answers:
        if one.start is None and one.wait_time is not None:
            one.start = now + one.wait_time
    return CandidatesAnswer(candidates=answers, chosen=chosen)


@router.get(
    "/outlook",
    summary="Show the last and the next hours",
    response_model=OutlookAnswer,
    responses={
        **problems(),
        200: example(
            {"now": 1767225604.4, "clusters": [{"name": "alpha", "processors": 512, "bars": [_BAR]}]},
            "The jobs of each cluster over time; jobs of others have no names.",
        ),
    },
)
def outlook(
    caller: Reader,
    service: Serving,
    owners: Owning,
    hours: Annotated[float, Query(gt=0, le=168, description="How far back and ahead.")] = 6.0,
) -> OutlookAnswer:
    """Return what ran, runs, and is planned to run at each cluster."""
    answer = OutlookAnswer.model_validate(service.outlook(hours))
    for chart in answer.clusters:
        hide_names(chart.bars, caller, owners)
    return answer


@router.get(
    "/forecast-errors",
    summary="Compare forecasts with what happened",
    response_model=list[ForecastErrorAnswer],
    responses={**problems(), 200: example([_ERROR], "Jobs that have started, oldest first.")},
)
def forecast_errors(caller: Reader, service: Serving, owners: Owning) -> list[ForecastErrorAnswer]:
    """Return the forecast and the actual wait of jobs that have started: of the caller, or of all."""
    errors = service.forecast_errors()
    if not caller.sees_all:
        errors = [one for one in errors if owners.may_see(caller, str(one.number))]
    return [ForecastErrorAnswer.model_validate(one) for one in errors]
