"""Jobs: submitted, listed, shown, and what is wished of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request, Response

from echelon.errors import InputError
from echelon.service.api.access.callers import Reader, Serving, Submitter
from echelon.service.api.access.limits import MOST_LISTED
from echelon.service.api.access.visible_jobs import job_seen
from echelon.service.api.answers.answers import (
    BatchAnswer,
    ClusterAnswer,
    EventAnswer,
    JobAnswer,
    JobsAnswer,
    job_answer,
)
from echelon.service.api.answers.descriptions import (
    ATTEMPT,
    DECISION,
    EVENT,
    FORECAST,
    JOB,
    example,
    problems,
)
from echelon.service.api.answers.forecast_answers import (
    AttemptAnswer,
    DecisionAnswer,
    HistoryAnswer,
    MadeForecast,
)
from echelon.service.api.answers.problems import Problem
from echelon.service.api.bodies.job_body import Batch, JobBody, spec_of, specs_of
from echelon.service.api.bodies.strict_json import StrictRoute
from echelon.service.api.bodies.texts import DIGITS, Key
from echelon.service.records import FINAL, JobState
from echelon.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.service.records import JobRecord, Wish

router = APIRouter(prefix="/v1", tags=["jobs"], route_class=StrictRoute)

JobPlace = Annotated[
    str, Path(description="Its id of 32 hexadecimal digits, or its number.", examples=["17"])
]
_MOST_EVENTS = 1000
_SETS = {"open": tuple(state for state in JobState if not state.is_final), "ended": tuple(FINAL)}


@router.post(
    "/jobs",
    summary="Submit a job",
    status_code=201,
    response_model=JobAnswer,
    responses={
        **problems(408, 413, 415, 429),
        201: example(JOB, "The job, which is kept whatever happens next."),
        200: {**example(JOB, "The key was known: this is its job."), "model": JobAnswer},
    },
)
def submit(
    *,
    body: JobBody,
    caller: Submitter,
    service: Serving,
    request: Request,
    idempotency_key: Annotated[
        Key | None,
        Header(description="Makes it safe to send the same job again: there is one job a user and key."),
    ] = None,
) -> Response:
    """Keep a job and have it run; the answer comes when it cannot be lost any more."""
    if len(request.headers.getlist("idempotency-key")) > 1:
        raise Problem(400, "must be there once at most", field="Idempotency-Key")
    spec = spec_of(body, caller, service)
    ((job, is_new),) = service.submit(caller.user, [spec], [idempotency_key])
    request.app.state.feed.ring()
    answer = answers_of([job], service)[0]
    headers = {"Location": f"/v1/jobs/{job.id}"}
    return Response(answer.model_dump_json(), 201 if is_new else 200, headers, "application/json")


@router.post(
    "/jobs:batch",
    summary="Submit several jobs",
    status_code=201,
    response_model=BatchAnswer,
    responses={
        **problems(408, 413, 415, 429),
        201: example({"jobs": [JOB]}, "The jobs, in the order of the batch."),
    },
)
def submit_batch(body: Batch, caller: Submitter, service: Serving, request: Request) -> Response:
    """Keep several jobs, all or none; jobs whose keys are known are the ones that have them."""
    specs = specs_of(body, caller, service)
    kept = service.submit(caller.user, specs, [job.idempotency_key for job in body.jobs])
    request.app.state.feed.ring()
    answer = BatchAnswer.model_construct(jobs=answers_of([job for job, _ in kept], service))
    return Response(answer.model_dump_json(), 201, media_type="application/json")


@router.get(
    "/jobs",
    summary="List jobs",
    response_model=JobsAnswer,
    responses={**problems(), 200: example({"jobs": [JOB], "next": "17"}, "A page.")},
)
def list_jobs(
    *,
    caller: Reader,
    service: Serving,
    state: Annotated[
        list[str] | None,
        Query(max_length=20, description="Only these: states, `open`, `ended`; several, or with commas."),
    ] = None,
    owner: Annotated[
        str | None,
        Query(max_length=64, description="Only those of this user, or `me`; others' need `operate`."),
    ] = None,
    cluster: Annotated[str | None, Query(max_length=32, description="Only those at this cluster.")] = None,
    cursor: Annotated[
        str | None, Query(pattern=DIGITS, description="`next` of the page before.", examples=["17"])
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED, description="Jobs on a page.")] = 100,
    newest: Annotated[bool, Query(description="From the last job to the first.")] = False,
) -> Response:
    """Return jobs in the order of their numbers: the caller's, or with `operate` those of all."""
    owner = caller.user if owner == "me" else owner
    if owner is not None and owner != caller.user:
        caller.needs("operate", "jobs of others")
    for field, text in (("owner", owner), ("cluster", cluster)):
        if text is not None and not text.isprintable():
            raise InputError(f"got {text!a:.60}, expected a name", field=field)
    records = service.store.jobs(
        states=_states(state),
        owner=owner if owner is not None else caller.owner,
        cluster=cluster,
        after_number=int(cursor or 0),
        limit=limit + 1,
        newest_first=newest,
    )
    page = records[:limit]
    following = str(page[-1].number) if len(records) > limit else None
    answer = JobsAnswer.model_construct(jobs=answers_of(page, service), next=following)
    return Response(answer.model_dump_json(), media_type="application/json")


@router.get(
    "/jobs/{job}",
    summary="Show a job",
    response_model=JobAnswer,
    responses={**problems(404), 200: example(JOB, "The job.")},
)
def show(job: JobPlace, caller: Reader, service: Serving) -> JobAnswer:
    """Return a job as it is known now."""
    return answers_of([job_seen(job, caller, service)], service)[0]


@router.get(
    "/jobs/{job}/decision",
    summary="Show why a job is where it is",
    response_model=HistoryAnswer,
    responses={
        **problems(404),
        200: example(
            {"decisions": [DECISION], "forecasts": [FORECAST], "attempts": [ATTEMPT], "events": [EVENT]},
            "Decisions, forecasts, attempts and events, oldest first.",
        ),
    },
)
def show_decision(job: JobPlace, caller: Reader, service: Serving) -> HistoryAnswer:
    """Return which clusters were looked at, what was forecast, what was tried, and what happened."""
    record = job_seen(job, caller, service)
    store = service.store
    return HistoryAnswer(
        decisions=[_decision(one) for one in store.decisions(record.id)],
        forecasts=[MadeForecast.model_validate(one) for one in store.forecasts(record.id)],
        attempts=[AttemptAnswer.model_validate(one) for one in store.attempts(record.id)],
        events=[EventAnswer.model_validate(one) for one in store.events(0, _MOST_EVENTS, record.id)],
    )


def _wish(action: str, wanted: Wish, summary: str, description: str) -> None:
    """Add the route of a wish."""

    def wish(job: JobPlace, caller: Submitter, service: Serving) -> JobAnswer:
        record = job_seen(job, caller, service)
        return answers_of([service.wish(record.id, wanted)], service)[0]

    router.post(
        f"/jobs/{{job}}:{action}",
        summary=summary,
        description=description,
        operation_id=f"{action}_job",
        response_model=JobAnswer,
        responses={**problems(404, 409), 200: example({**JOB, "wanted": wanted}, "The job, with the wish.")},
    )(wish)


_wish(
    *("cancel", "cancel", "Cancel a job"),
    "Note that the job is not to run, or to end; its state says when that is so. One that has ended stays.",
)
_wish(
    *("hold", "hold", "Hold a job"),
    "Keep a job that does not run yet from running, until it is released.",
)
_wish("release", "run", "Release a job", "Let a job run that was held.")


def answers_of(jobs: Sequence[JobRecord], service: Service) -> list[JobAnswer]:
    """Return what is said of jobs."""
    clusters: dict[str, ClusterAnswer] = {}
    if any(job.cluster and not job.state.is_final for job in jobs):
        clusters = {one.name: ClusterAnswer.model_validate(one) for one in service.clusters()}
    decided = [job.id for job in jobs if job.assigned_at is not None]
    forecasts = service.store.last_forecasts(decided) if decided else {}
    return [job_answer(job, clusters, forecasts.get(job.id)) for job in jobs]


def _states(texts: list[str] | None) -> tuple[JobState, ...] | None:
    """Return the states that the parameters of a query name."""
    if texts is None:
        return None
    states: list[JobState] = []
    for name in ",".join(texts).split(","):
        if name.lower() in _SETS:
            states += _SETS[name.lower()]
        elif name.upper() in JobState.__members__:
            states.append(JobState(name.upper()))
        else:
            names = ", ".join((*_SETS, *JobState))
            raise InputError(f"got {name!a:.60}, expected some of {names}", field="state")
    return tuple(dict.fromkeys(states))


def _decision(record: Any) -> DecisionAnswer:  # noqa: ANN401
    """Return a decision, with starts as Unix times."""
    answer = DecisionAnswer.model_validate(record)
    for one in answer.candidates:
        one.start = None if one.wait_time is None else record.at + one.wait_time
    return answer
