"""Outlook: the jobs of each cluster over the last and the next hours, and the queue as it was last seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.service.records import JobState, job_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from echelon.backends import OtherJob, OwnJob, Snapshot
    from echelon.service.core.controllers.choices import PlannedJob
    from echelon.service.records import JobRecord


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job at a cluster.

    Attributes
    ----------
    job : str, optional
        Its id; None: a job of others.
    number : int, optional
        Its number.
    name : str
        Its name.
    state : str
        Its state.
    processors : int
        That it asks for or holds.
    """

    job: str | None
    number: int | None
    name: str
    state: str
    processors: int


@dataclass(frozen=True, slots=True)
class Bar(ListedJob):
    """A job at a cluster over time; the state of a job of others is ``"OTHER"``.

    Attributes
    ----------
    start, end : float
        Unix time in seconds; of a job that has not ended, its planned end.
    planned : bool
        Whether it has not started yet.
    """

    start: float
    end: float
    planned: bool


@dataclass(frozen=True, slots=True)
class ClusterOutlook:
    """The jobs of one cluster over time, by start, and its processors in service."""

    name: str
    processors: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The jobs of all clusters over time, in the order of the configuration; `now` is a Unix time."""

    now: float
    clusters: tuple[ClusterOutlook, ...]


@dataclass(frozen=True, slots=True)
class Queued(ListedJob):
    """A job in the queue of a cluster as it was last seen; its state is ``"waiting"`` or ``"running"``.

    Attributes
    ----------
    time_limit : float, optional
        In seconds.
    submitted_at, started_at : float, optional
        Unix time in seconds.
    """

    time_limit: float | None
    submitted_at: float | None
    started_at: float | None


def bars_of(
    ended: Iterable[JobRecord],
    planned: Iterable[PlannedJob],
    jobs: Mapping[str, JobRecord],
    *,
    first: float,
    last: float,
) -> tuple[Bar, ...]:
    """Return the bars of one cluster between two times.

    Parameters
    ----------
    ended : iterable of JobRecord
        Jobs that ran there and have ended.
    planned : iterable of PlannedJob
        Jobs that run or wait there.
    jobs : mapping of str to JobRecord
        Those of the service that are open, by id.
    first, last : float
        Unix time in seconds.
    """
    bars = [_past(job) for job in ended]
    bars += [_future(one, jobs.get(one.job)) for one in planned]
    return tuple(
        sorted(
            (one for one in bars if one.end > first and one.start < last),
            key=lambda one: (one.start, one.number or 0),
        )
    )


def _past(job: JobRecord) -> Bar:
    times = [time for time in (job.started_at, job.ended_at) if time is not None]
    spec = job.spec
    return Bar(job.id, job.number, spec.name, job.state, spec.processors, times[0], times[-1], planned=False)


def _future(one: PlannedJob, job: JobRecord | None) -> Bar:
    end = one.end if one.end < math.inf else one.start
    if job is None:
        return Bar(None, None, "", "OTHER", one.processors, one.start, end, planned=not one.is_running)
    state = JobState.RUNNING if one.is_running else job.state
    return Bar(
        job.id, job.number, job.spec.name, state, one.processors, one.start, end, planned=not one.is_running
    )


def queue_of(snapshot: Snapshot, jobs: Mapping[str, JobRecord]) -> list[Queued]:
    """Return the running jobs, then the waiting ones, of a look.

    Parameters
    ----------
    snapshot : Snapshot
        The look.
    jobs : mapping of str to JobRecord
        Those of the service that are open, by id.
    """
    return [*_in_state("running", snapshot, jobs), *_in_state("waiting", snapshot, jobs)]


def _in_state(state: str, snapshot: Snapshot, jobs: Mapping[str, JobRecord]) -> list[Queued]:
    own = [(one, job_of(one.tag)) for one in snapshot.own if one.state == state]
    queue = [_own(one, jobs.get(named[0]) if named else None) for one, named in own]
    return queue + [_of_others(one) for one in snapshot.others if one.state == state]


def _own(one: OwnJob, job: JobRecord | None) -> Queued:
    """Return the row of a job of the service; one that the service does not know has no name."""
    if job is None:
        return Queued(None, None, "", one.state, one.processors, None, None, one.started_at)
    spec = job.spec
    return Queued(
        *(job.id, job.number, spec.name, one.state, one.processors),
        *(spec.time_limit, job.submitted_at, one.started_at),
    )


def _of_others(one: OtherJob) -> Queued:
    return Queued(
        *(None, None, "", one.state, one.processors), one.time_limit, one.submitted_at, one.started_at
    )
