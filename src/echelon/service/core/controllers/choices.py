"""Choices: what the controllers want done with jobs, and when they plan jobs to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from echelon.service.records import DecisionRecord, ForecastRecord


class Assign(NamedTuple):
    """Submit a job to a cluster."""

    job: str
    cluster: str
    decision: DecisionRecord
    forecast: ForecastRecord


class Recall(NamedTuple):
    """Remove a waiting job from a cluster."""

    job: str
    cluster: str


class Stop(NamedTuple):
    """End a job that runs at a cluster: it was canceled."""

    job: str
    cluster: str


class Reject(NamedTuple):
    """Tell the owner that a job will not run, and why."""

    job: str
    why: str


Choice: TypeAlias = Assign | Recall | Stop | Reject


class PlannedJob(NamedTuple):
    """When a job is planned to run at its cluster.

    Attributes
    ----------
    job : str
        Its id; empty for a job of others.
    processors : int
        That it holds.
    start, end : float
        Unix time in seconds; infinity if it is never known to have room.
    is_running : bool
        Whether it has started.
    """

    job: str
    processors: int
    start: float
    end: float
    is_running: bool
