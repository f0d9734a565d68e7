"""Answers about why a job is where it is: decisions, forecasts, attempts, events."""

from __future__ import annotations

from pydantic import Field

from echelon.service.api.answers.answers import Answer, EventAnswer
from echelon.service.api.answers.forecast_answers import CandidateAnswer


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
