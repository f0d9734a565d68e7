"""Contract of back ends: what a cluster is asked, and what it can answer.

Every call is about many jobs, and every answer is about one. No call raises because a cluster is out of
reach: it says so. A job that an answer leaves out is not an ended job.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Outcome(StrEnum):
    """How a run of a job ended at its cluster."""

    COMPLETED = "completed"
    """By itself, with exit code 0."""
    FAILED = "failed"
    """By itself, with another exit code or by a signal."""
    CANCELED = "canceled"
    """By its owner or an operator, here or at the cluster."""
    TIMED_OUT = "timed out"
    """It reached its time limit."""
    INTERRUPTED = "interrupted"
    """Its node failed, or was taken away from it."""
    UNCLAIMED = "unclaimed"
    """It found its claim taken and exited before its payload."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A job as a cluster gets it.

    Attributes
    ----------
    tag : str
        The job's name at the cluster, of ``[a-z0-9-]``; it is unique to this run of the job, and it names its
        claim and its exit record, too.
    command : tuple of str
        The program and its arguments; empty if there is a script.
    script : str
        The text of a script with its ``#!`` line; empty if there is a command.
    processors : int
        At least 1.
    time_limit : float, optional
        In seconds; None: as long as the cluster lets it.
    directory : str
        Working directory, an absolute path at the cluster. Empty: the job's own, ``jobs/TAG`` of the
        directory with the claims, or where there is none the home of the service's user.
    environment : tuple of (str, str)
        Variables, added to those of the cluster.
    output, error : str
        Files for what it prints, absolute or in the directory; empty: ``TAG.out``, and errors as output.
    memory : int, optional
        In bytes, of all its processors together.
    options : tuple of (str, str)
        What only this kind of cluster understands, such as a partition: names of the back end's list of
        allowed options, with values.
    """

    tag: str
    command: tuple[str, ...] = ()
    script: str = ""
    processors: int = 1
    time_limit: float | None = None
    directory: str = "/"
    environment: tuple[tuple[str, str], ...] = ()
    output: str = ""
    error: str = ""
    memory: int | None = None
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_json(cls, job: Mapping[str, Any]) -> Submission:
        """Return a submission as it was before it became JSON, which has lists alone."""
        pairs = {name: tuple(map(tuple, job[name])) for name in ("environment", "options")}
        return cls(**{**job, **pairs, "command": tuple(job["command"])})


class Accepted(NamedTuple):
    """The cluster has the job, under its own number, which is a handle and no more."""

    native_id: str


class Refused(NamedTuple):
    """The cluster does not have the job, for certain.

    Attributes
    ----------
    reason : str
        The cluster's own message.
    is_permanent : bool
        Whether this cluster would never take this job; else it may take it later.
    """

    reason: str
    is_permanent: bool


class Unclear(NamedTuple):
    """The cluster may have the job or not."""

    reason: str


Answer: TypeAlias = Accepted | Refused | Unclear


@dataclass(frozen=True, slots=True)
class OwnJob:
    """A job of the service as its cluster lists it.

    Attributes
    ----------
    tag, native_id : str
        Its name and its number there.
    state : {"waiting", "running", "ended"}
        What it does there.
    processors : int
        That it asks for or holds.
    started_at, ended_at : float, optional
        Unix time in seconds, where they are known.
    outcome : Outcome, optional
        How it ended, if it has.
    reason : str
        Why it waits or ended, as the cluster says it.
    """

    tag: str
    native_id: str
    state: Literal["waiting", "running", "ended"]
    processors: int = 1
    started_at: float | None = None
    ended_at: float | None = None
    outcome: Outcome | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OtherJob:
    """A job of others: a load without a name.

    Attributes
    ----------
    native_id : str
        Its number at the cluster.
    state : {"waiting", "running"}
        What it does there.
    processors : int
        That it asks for or holds.
    time_limit : float, optional
        In seconds.
    submitted_at, started_at : float, optional
        Unix time in seconds.
    """

    native_id: str
    state: Literal["waiting", "running"]
    processors: int
    time_limit: float | None = None
    submitted_at: float | None = None
    started_at: float | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one look at a cluster saw.

    Attributes
    ----------
    began_at : float
        Unix time when the look began: what happened later may be missing.
    is_complete : bool
        Whether every job that the cluster has is listed. Nothing is known of a job that an incomplete
        snapshot leaves out.
    processors : int
        In service; 0 where it is not known.
    own : tuple of OwnJob
        Jobs of the service, waiting, running and ended as long as the cluster lists them, in its order:
        running jobs in the order of their starts, then waiting ones in the order of its queue. A tag that
        the cluster has twice is there twice.
    others : tuple of OtherJob
        Jobs of others, in the same order.
    reserved : tuple of (str, float)
        Tags of waiting jobs with the starts that the cluster has reserved for them, in its order, as Unix
        time.
    problem : str
        Why it is not complete, or what else keeps the cluster from working.
    """

    began_at: float
    is_complete: bool
    processors: int = 0
    own: tuple[OwnJob, ...] = ()
    others: tuple[OtherJob, ...] = ()
    reserved: tuple[tuple[str, float], ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class EndRecord:
    """How a run of a job ended.

    Attributes
    ----------
    outcome : Outcome
        How it ended.
    exit_code, signal : int, optional
        Of its payload, where they are known.
    started_at, ended_at : float, optional
        Unix time in seconds, where they are known.
    source : str
        Where this is from: ``"exit record"``, ``"accounting"``, ``"job completion log"``, ``"queue"``.
    """

    outcome: Outcome
    exit_code: int | None = None
    signal: int | None = None
    started_at: float | None = None
    ended_at: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a cluster has left of jobs that it may not list any more.

    Attributes
    ----------
    began_at : float
        Unix time when the search began.
    is_complete : bool
        Whether claims and all records of ends could be read. If not, nothing is known of what is not there.
    records : mapping of str to EndRecord
        By tag.
    claimed : frozenset of str
        Tags whose claims are taken, by the jobs themselves. Empty where the cluster has no claims.
    problem : str
        Why it is not complete.
    """

    began_at: float
    is_complete: bool
    records: Mapping[str, EndRecord] = field(default_factory=dict)
    claimed: frozenset[str] = frozenset()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Description:
    """What a back end says of its cluster.

    Attributes
    ----------
    processors : int
        That it has, in service or not; at least 1.
    has_claims : bool
        Whether its jobs claim themselves in a directory that all its nodes and the service share.
    patience : float
        Seconds after which a submission without an answer has arrived or never will: twice the time that the
        cluster waits for a message.
    policy : str
        The policy that its scheduler is said to have, as in ``--policy``.
    version : str
        Of the program that runs it.
    """

    processors: int
    has_claims: bool
    patience: float
    policy: str = "easy"
    version: str = ""


@runtime_checkable
class Backend(Protocol):
    """One cluster, as the service drives it.

    All calls may block, and all are made by one thread at a time. None raises for what the cluster does or
    fails to do. Tags are of ``[a-z0-9-]``, at most 63 characters.
    """

    def describe(self) -> Description:
        """Return what the cluster is.

        Raises
        ------
        InputError
            If it cannot be found out: the service does not start without it.
        """

    def submit(self, submissions: Sequence[Submission]) -> list[Answer]:
        """Submit jobs, in order; return an answer for each.

        A process that submits dies with the service, so that no submission begins after a restart.
        """

    def look(self) -> Snapshot:
        """Return all jobs of the cluster."""

    def evidence(self, tags: Sequence[str]) -> Evidence:
        """Return records of ends and claims of these tags."""

    def cancel(self, jobs: Sequence[tuple[str, str]]) -> None:
        """Ask the cluster to cancel jobs, given as (tag, native id or ""); looks show what became of them.

        With a native id only the job of that number and that tag is canceled; with "" all jobs of the tag.
        """

    def revoke(self, tags: Sequence[str]) -> dict[str, bool]:
        """Take the claims of jobs, so that they can never start: by tag, whether the claim is the service's.

        False: the job has claimed itself, and runs or has run. A tag is missing where that is not known.
        To revoke a claim again is True again.
        """

    def close(self) -> None:
        """Release what the back end holds; jobs run on."""
