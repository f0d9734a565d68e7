"""Answers about what lies ahead: candidates for a job, charts of clusters, errors of forecasts."""

from __future__ import annotations

from pydantic import Field

from echelon.service.api.answers.answers import Answer


class CandidateAnswer(Answer):
    """A cluster that was looked at for a job; Unix times and times in seconds."""

    cluster: str
    why_not: str = Field("", description="Why it could not be chosen; empty: it could.")
    wait_time: float | None = Field(None, description="Forecast seconds until the start.")
    run_time: float | None = Field(None, description="Forecast seconds from start to end.")
    start: float | None = Field(None, description="When it would start.")
    earliest: float | None = Field(None, description="Beginning of the interval of the start, of 80 in 100.")
    latest: float | None = Field(None, description="End of that interval.")
    free: int = Field(0, description="Free processors.")
    waiting: int = Field(0, description="Jobs that wait there.")
    age: float = Field(0.0, description="Seconds since the look that this is from.")


class CandidatesAnswer(Answer):
    """Where a job could go."""

    candidates: list[CandidateAnswer]
    chosen: str = Field(description="The cluster that would be chosen; empty: none.")


class Bar(Answer):
    """A job on the chart of a cluster: when it holds processors, or will."""

    job: str | None = Field(None, description="Its id; null: it is not yours.")
    number: int | None = None
    name: str = ""
    state: str = ""
    start: float = Field(description="Unix time in seconds.")
    end: float = Field(description="Unix time in seconds.")
    processors: int = 1
    row: int | None = Field(None, description="The lowest processor that it is drawn on.")
    planned: bool = Field(False, description="Whether this is a forecast.")


class Chart(Answer):
    """The jobs of a cluster over time."""

    name: str
    processors: int
    bars: list[Bar]


class OutlookAnswer(Answer):
    """The last and the forecast next hours."""

    now: float = Field(description="Unix time in seconds.")
    clusters: list[Chart]


class ForecastErrorAnswer(Answer):
    """A forecast start against what happened, in seconds from the decision."""

    at: float
    number: int
    forecast: float
    actual: float
    estimator: str
    earliest: float | None = Field(None, description="Beginning of the forecast interval, of 80 in 100.")
    latest: float | None = Field(None, description="End of that interval.")
