"""Answers: what the interface says of jobs, clusters and the rest, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from echelon.service.records import JobState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.service.records import ForecastRecord, JobRecord


class Answer(BaseModel):
    """What is read off the service's own values."""

    model_config = ConfigDict(from_attributes=True)


class JobForecast(Answer):
    """What was forecast when the cluster was chosen; Unix times in seconds."""

    start: float | None = Field(description="When it was to start.")
    earliest: float | None = Field(description="Beginning of the interval of the start, of 80 in 100.")
    latest: float | None = Field(description="End of that interval.")
    run_time: float | None = Field(description="Seconds from start to end.")


class JobAnswer(Answer):
    """A job; all times are Unix times in seconds."""

    id: str = Field(description="32 hexadecimal digits.")
    number: int = Field(description="From 1, in the order of submission.")
    owner: str = Field(description="Its user.")
    name: str = Field(description="As its owner calls it.")
    state: JobState = Field(description="Its last known state.")
    reason: str = Field(description="Why it is in that state.")
    wanted: Literal["run", "hold", "cancel"] = Field(description="What its owner wants.")
    cluster: str = Field(description="The cluster chosen; empty: none.")
    submitted_at: float = Field(description="When it was submitted.")
    assigned_at: float | None = Field(description="When the cluster was chosen.")
    started_at: float | None = Field(description="When it started.")
    ended_at: float | None = Field(description="When it ended.")
    exit_code: int | None = Field(description="Of its program.")
    signal: int | None = Field(description="That ended its program.")
    processors: int = Field(description="That it needs.")
    time_limit: float | None = Field(description="In seconds; null: the service's default.")
    run: int = Field(description="From 1; one more each time it runs again after an interruption.")
    attempt: int = Field(description="Number of the last attempt to submit it; 0: none.")
    command: list[str] | None = Field(description="Program and arguments; null: a script.")
    application: str | None = Field(description="The application that it is of; null: none.")
    stale: bool = Field(description="Whether the news of it is too old to decide on.")
    as_of: float | None = Field(description="When its cluster was last seen as a whole, while it is there.")
    forecast: JobForecast | None = Field(description="What was forecast for it; null: nothing.")


class JobsAnswer(Answer):
    """A page of a listing."""

    jobs: list[JobAnswer]
    next: str | None = Field(description="`cursor` of the next page; null: this is the last.")


class BatchAnswer(Answer):
    """The jobs of a batch, in its order."""

    jobs: list[JobAnswer]


class ClusterAnswer(Answer):
    """A cluster as the service sees it."""

    name: str
    backend: str = Field(description="The kind of its back end.")
    mode: Literal["open", "drained"] = Field(description="Whether an operator lets it have new jobs.")
    reachable: bool = Field(description="Whether its looks come back.")
    stale: bool = Field(description="Whether the last look is too old to decide on.")
    looked_at: float | None = Field(description="When the last complete look began, Unix time in seconds.")
    age: float | None = Field(description="Seconds since then.")
    processors: int = Field(description="In service.")
    busy: int = Field(description="Held by jobs.")
    waiting: int = Field(description="Jobs that wait there.")
    running: int = Field(description="Jobs that run there.")
    own_waiting: int = Field(description="Of the waiting ones, the service's.")
    own_running: int = Field(description="Of the running ones, the service's.")
    problem: str = Field(description="Why looks fail; empty: they do not.")
    policy: str = Field(description="The policy that its scheduler is said to have.")


class ClustersAnswer(Answer):
    """All clusters, in the order of the configuration."""

    clusters: list[ClusterAnswer]


class NamedJob(Answer):
    """A job, as long as it is the caller's business."""

    job: str | None = Field(None, description="Its id; null: it is not yours.")
    number: int | None = None
    name: str = ""


class QueuedAnswer(NamedJob):
    """A job in the queue of a cluster; jobs of others have no id and no name."""

    state: str = Field(description="`waiting` or `running`.")
    processors: int = 1
    time_limit: float | None = Field(None, description="In seconds.")
    submitted_at: float | None = None
    started_at: float | None = None


class QueueAnswer(Answer):
    """The queue of a cluster, in its order."""

    jobs: list[QueuedAnswer]


class EventAnswer(Answer):
    """Something that happened."""

    number: int = Field(description="From 1; increases.")
    at: float = Field(description="Unix time in seconds.")
    kind: Literal["job", "attempt", "cluster", "service"]
    subject: str = Field(description="The id of the job, or the name of the cluster.")
    state: str = Field(description="That it has now.")
    reason: str = Field(description="Why, as a sentence.")


def job_answer(
    job: JobRecord,
    clusters: Mapping[str, ClusterAnswer],
    forecast: ForecastRecord | None = None,
) -> JobAnswer:
    """Return what is said of a job.

    Parameters
    ----------
    job : JobRecord
        The job.
    clusters : mapping of str to ClusterAnswer
        By name.
    forecast : ForecastRecord, optional
        Its last one.
    """
    there = clusters.get(job.cluster) if not job.state.is_final else None
    spec = job.spec
    # Not checked once more: all of it is ours, and a page has a thousand.
    return JobAnswer.model_construct(
        id=job.id,
        number=job.number,
        owner=job.owner,
        name=spec.name,
        state=job.state,
        reason=job.reason,
        wanted=job.wanted,
        cluster=job.cluster,
        submitted_at=job.submitted_at,
        assigned_at=job.assigned_at,
        started_at=job.started_at,
        ended_at=job.ended_at,
        exit_code=job.exit_code,
        signal=job.signal,
        processors=spec.processors,
        time_limit=spec.time_limit,
        run=job.run,
        attempt=job.attempt,
        command=list(spec.command) or None,
        application=spec.application or None,
        stale=there.stale if there else False,
        as_of=there.looked_at if there else None,
        forecast=None if forecast is None else forecast_answer(forecast),
    )


def forecast_answer(forecast: ForecastRecord) -> JobForecast:
    """Return a forecast as Unix times."""

    def at(seconds: float | None) -> float | None:
        return None if seconds is None else forecast.at + seconds

    return JobForecast.model_construct(
        start=at(forecast.wait_time),
        earliest=at(forecast.earliest),
        latest=at(forecast.latest),
        run_time=forecast.run_time,
    )
