"""Choices: what the controllers of a service want done with its jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from echelon.service.records import DecisionRecord, ForecastRecord


class Assign(NamedTuple):
    """Submit a job to a cluster.

    Attributes
    ----------
    job : str
        Its id.
    cluster : str
        The cluster's name.
    decision : DecisionRecord
        Why; whoever keeps it gives it its number.
    forecast : ForecastRecord, optional
        What is forecast for it there.
    """

    job: str
    cluster: str
    decision: DecisionRecord
    forecast: ForecastRecord | None = None


class Recall(NamedTuple):
    """Remove a job, which waits there, from a cluster."""

    job: str
    cluster: str


class Stop(NamedTuple):
    """End a job that runs at a cluster."""

    job: str
    cluster: str


class Reject(NamedTuple):
    """Refuse a job, which will not run, with the reason."""

    job: str
    why: str


Choice: TypeAlias = Assign | Recall | Stop | Reject
