"""Answers about forecasts and decisions: what lies ahead, and why a job is where it is."""

from __future__ import annotations

from pydantic import Field

from echelon.service.api.answers.answers import Answer, EventAnswer, NamedJob


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


class Bar(NamedJob):
    """A job on the chart of a cluster: when it holds processors, or will."""

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


class DecisionAnswer(Answer):
    """Why a cluster was chosen."""

    number: int
    at: float
    broker: str = Field(description="The rule that chose.")
    candidates: list[CandidateAnswer]
    chosen: str
    why: str = Field(description="One sentence.")
    seconds: float = Field(description="Processor time of the decisions of that step.")


class MadeForecast(Answer):
    """What was forecast with a decision, in seconds from it."""

    number: int
    at: float
    estimator: str
    wait_time: float | None
    run_time: float | None
    earliest: float | None
    latest: float | None


class AttemptAnswer(Answer):
    """An attempt to submit a job to a cluster."""

    number: int
    run: int
    cluster: str
    state: str
    native_id: str = Field(description="The job's number at the cluster; empty: not known.")
    reason: str
    intended_at: float
    answered_at: float | None
    seen_at: float | None
    settled_at: float | None
    started_at: float | None
    ended_at: float | None


class HistoryAnswer(Answer):
    """Why a job is where it is; all lists oldest first."""

    decisions: list[DecisionAnswer]
    forecasts: list[MadeForecast]
    attempts: list[AttemptAnswer]
    events: list[EventAnswer]
