"""Records: what the service keeps of jobs, attempts, decisions and clusters; one change of each is a row."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias


class JobState(StrEnum):
    """State of a job. Stale news is no state: a job keeps its last one."""

    HELD = "HELD"
    """Its owner holds it."""
    QUEUED = "QUEUED"
    """It waits at the service, for a decision or for other jobs to end."""
    ASSIGNED = "ASSIGNED"
    """A cluster has been chosen."""
    SUBMITTING = "SUBMITTING"
    """It is intended to be submitted, and the cluster has not answered clearly yet."""
    WAITING = "WAITING"
    """It waits in the queue of its cluster."""
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELED = "CANCELED"
    TIMED_OUT = "TIMED_OUT"
    INTERRUPTED = "INTERRUPTED"
    """It started, and its node or cluster lost it."""
    REJECTED = "REJECTED"
    """No cluster will ever run it."""

    @property
    def is_final(self) -> bool:
        """Whether the job has ended, one way or another."""
        return self in FINAL


FINAL = frozenset(
    (
        JobState.COMPLETED,
        JobState.FAILED,
        JobState.CANCELED,
        JobState.TIMED_OUT,
        JobState.INTERRUPTED,
        JobState.REJECTED,
    )
)


@dataclass(frozen=True, slots=True)
class JobSpec:
    """What a user asks for.

    Attributes
    ----------
    command : tuple of str
        Program and arguments; empty if there is a script or an application.
    script : str
        Text of a script; needs the scope ``script``.
    application : str
        Name of an application of the configuration; empty: none.
    parameters : tuple of (str, str)
        Of the application.
    name : str
        For listings, of ``[a-z0-9-]``, at most 32 characters.
    processors : int
        At least 1.
    time_limit : float, optional
        Requested time in seconds; None: the service's default.
    memory : int, optional
        In bytes.
    directory : str
        Working directory; empty: the service's for this job.
    environment : tuple of (str, str)
        Variables.
    output, error : str
        Files; empty: the service's for this job.
    clusters : tuple of str
        The only clusters that may run it; empty: all.
    after : tuple of str
        Ids of jobs that must have ended first.
    retries : int
        How often it may run again after it was interrupted.
    is_held : bool
        Whether it waits until its owner releases it.
    options : tuple of (str, str)
        Of the back end's list of allowed options.
    """

    command: tuple[str, ...] = ()
    script: str = ""
    application: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    name: str = ""
    processors: int = 1
    time_limit: float | None = None
    memory: int | None = None
    directory: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    output: str = ""
    error: str = ""
    clusters: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    retries: int = 0
    is_held: bool = False
    options: tuple[tuple[str, str], ...] = ()


Wish: TypeAlias = Literal["run", "hold", "cancel"]
"""What its owner wants of a job."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A job as the service knows it.

    Attributes
    ----------
    id : str
        32 hexadecimal digits.
    number : int
        From 1, in the order of submission, for people.
    owner : str
        Its user.
    spec : JobSpec
        What was asked for.
    submitted_at : float
        Unix time in seconds, as all times here.
    wanted : {"run", "hold", "cancel"}
        What its owner wants.
    state : JobState
        Its state.
    reason : str
        Why it is in that state, as a sentence.
    cluster : str
        The cluster chosen; empty: none.
    run : int
        From 1; one more each time it runs again after an interruption, or continues under another tag.
    attempt : int
        Number of its last attempt to submit it; 0: none.
    assigned_at, started_at, ended_at : float, optional
        When a cluster was chosen, and when it started and ended.
    exit_code, signal : int, optional
        Of its payload.
    version : int
        One more at each change.
    """

    id: str
    number: int
    owner: str
    spec: JobSpec
    submitted_at: float
    wanted: Wish = "run"
    state: JobState = JobState.QUEUED
    reason: str = ""
    cluster: str = ""
    run: int = 1
    attempt: int = 0
    assigned_at: float | None = None
    started_at: float | None = None
    ended_at: float | None = None
    exit_code: int | None = None
    signal: int | None = None
    version: int = 1

    @property
    def tag(self) -> str:
        """The name of the present run of the job at its cluster."""
        return f"ech-{self.id}-{self.run}"


_TAG = re.compile(r"ech-([0-9a-f]{32})-([1-9][0-9]*)")


def job_of(tag: str) -> tuple[str, int] | None:
    """Return id and run of the job that a tag names, see `JobRecord.tag`; None if it names none."""
    match = _TAG.fullmatch(tag)
    return (match[1], int(match[2])) if match else None


class AttemptState(StrEnum):
    """State of one attempt to submit a job to a cluster."""

    INTENDED = "INTENDED"
    """It is committed that the job is to be submitted; whether it was is not known."""
    UNCLEAR = "UNCLEAR"
    """It was submitted, and the cluster's answer does not say whether it has arrived."""
    ACCEPTED = "ACCEPTED"
    """The cluster has the job."""
    SETTLED = "SETTLED"
    """The cluster has had the job long enough that its controller will not forget it."""
    RUNNING = "RUNNING"
    REFUSED = "REFUSED"
    """The cluster does not have the job."""
    ABSENT = "ABSENT"
    """The cluster never got it, or forgot it before it ran."""
    UNSTARTED = "UNSTARTED"
    """The cluster has failed it before its program started."""
    REVOKED = "REVOKED"
    """The service has taken its claim: it will not run."""
    ENDED = "ENDED"

    @property
    def is_open(self) -> bool:
        """Whether the job may be at the cluster."""
        return self not in (self.REFUSED, self.ABSENT, self.UNSTARTED, self.REVOKED, self.ENDED)

    @property
    def may_start(self) -> bool:
        """Whether a copy may be at the cluster, or yet arrive there, until its claim is the service's."""
        return self.is_open or self in (self.ABSENT, self.UNSTARTED)


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One attempt to submit a job to a cluster.

    Attributes
    ----------
    job : str
        The id of the job.
    number : int
        From 1, of this job.
    run : int
        Which run of the job it is for.
    cluster : str
        Where.
    state : AttemptState
        Its state.
    native_id : str
        The number at the cluster; empty: not known.
    reason : str
        Why it is in that state.
    intended_at : float
        When it was committed, Unix time in seconds, as all times here.
    answered_at, seen_at, settled_at, started_at, ended_at : float, optional
        When the cluster answered, when a look first had it, when it settled, started and ended.
    absences : int
        Complete looks in a row, begun late enough, that did not have it.
    """

    job: str
    number: int
    run: int
    cluster: str
    state: AttemptState
    native_id: str = ""
    reason: str = ""
    intended_at: float = 0.0
    answered_at: float | None = None
    seen_at: float | None = None
    settled_at: float | None = None
    started_at: float | None = None
    ended_at: float | None = None
    absences: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cluster that was looked at for a job.

    Attributes
    ----------
    cluster : str
        Its name.
    why_not : str
        Why it could not be chosen; empty: it could.
    wait_time : float, optional
        Forecast seconds until the start.
    run_time : float, optional
        Planned seconds from start to end, at this cluster.
    free, waiting : int
        Processors that were free, and jobs that waited there, as far as was known.
    age : float
        Seconds since the look that this is from.
    """

    cluster: str
    why_not: str = ""
    wait_time: float | None = None
    run_time: float | None = None
    free: int = 0
    waiting: int = 0
    age: float = 0.0


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """Why a cluster was chosen for a job.

    Attributes
    ----------
    job : str
        The id of the job.
    number : int
        From 1, of this job.
    at : float
        Unix time in seconds.
    broker : str
        The rule that chose, as in ``--broker``.
    candidates : tuple of Candidate
        The clusters that were looked at, in the order of the configuration.
    chosen : str
        The cluster; empty: none will ever run it.
    why : str
        One sentence.
    seconds : float
        CPU time of the decision, of all jobs decided at the same step together.
    """

    job: str
    number: int
    at: float
    broker: str
    candidates: tuple[Candidate, ...]
    chosen: str
    why: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ForecastRecord:
    """What was forecast for a job when its cluster was chosen.

    Attributes
    ----------
    job : str
        The id of the job.
    number : int
        That of the decision.
    at : float
        Unix time in seconds.
    estimator : str
        As in ``--estimator``.
    wait_time, run_time : float, optional
        Forecast seconds from the decision to the start, and from start to end.
    earliest, latest : float, optional
        The interval of the wait, in seconds from the decision, in which it falls in 80 of 100 cases.
    """

    job: str
    number: int
    at: float
    estimator: str
    wait_time: float | None = None
    run_time: float | None = None
    earliest: float | None = None
    latest: float | None = None


@dataclass(frozen=True, slots=True)
class ClusterRecord:
    """A cluster as the service treats it.

    Attributes
    ----------
    name : str
        Its name.
    mode : {"open", "drained"}
        Whether an operator lets it have new jobs.
    reachable : bool
        Whether its last looks came back.
    looked_at : float, optional
        When its last complete look began, Unix time in seconds.
    processors : int
        In service at that look.
    problem : str
        Why looks fail.
    failures : int
        Looks in a row that failed.
    """

    name: str
    mode: Literal["open", "drained"] = "open"
    reachable: bool = True
    looked_at: float | None = None
    processors: int = 0
    problem: str = ""
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, with its reason.

    Attributes
    ----------
    at : float
        Unix time in seconds.
    kind : str
        ``"job"``, ``"attempt"``, ``"cluster"`` or ``"service"``.
    subject : str
        The id of the job, or the name of the cluster.
    state : str
        The state that it has now.
    reason : str
        Why, as a sentence.
    number : int
        From 1, given by the store in the order of commits; 0 before.
    """

    at: float
    kind: Literal["job", "attempt", "cluster", "service"]
    subject: str
    state: str
    reason: str = ""
    number: int = 0


Record: TypeAlias = JobRecord | AttemptRecord | DecisionRecord | ForecastRecord | ClusterRecord | Event


@dataclass(frozen=True, slots=True)
class OpenRecords:
    """Records of what is open: what a service needs to go on after a restart.

    Attributes
    ----------
    jobs : tuple of JobRecord
        That have not ended, by number.
    attempts : tuple of AttemptRecord
        Of these jobs, by job and number.
    ended : frozenset of str
        Ids of ended jobs that some open job follows.
    clusters : tuple of ClusterRecord
        As they were.
    """

    jobs: tuple[JobRecord, ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    ended: frozenset[str] = frozenset()
    clusters: tuple[ClusterRecord, ...] = field(default=())
