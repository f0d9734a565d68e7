"""Messages: what the core of the service is given, and what it wants done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from echelon.backends.contract import Answer, Evidence, Snapshot, Submission
    from echelon.service.records import JobRecord, Record, Wish


class Arrived(NamedTuple):
    """Jobs have been committed to the store as HELD or QUEUED."""

    jobs: tuple[JobRecord, ...]


class Wished(NamedTuple):
    """The owner of a job, or an operator, wants something of it."""

    job: str
    wanted: Wish


class Answered(NamedTuple):
    """A cluster has answered a submission, or the service could not ask it."""

    job: str
    attempt: int
    answer: Answer


class Looked(NamedTuple):
    """A look at a cluster has come back, complete or not."""

    cluster: str
    snapshot: Snapshot


class Found(NamedTuple):
    """Evidence of jobs that a cluster does not list any more.

    Attributes
    ----------
    tags : tuple of str
        The tags that were asked for.
    """

    cluster: str
    tags: tuple[str, ...]
    evidence: Evidence


class Revoked(NamedTuple):
    """The claims of these tags were to be taken.

    Attributes
    ----------
    claims : tuple of (str, bool)
        By tag, whether the claim is the service's now; a tag is missing where that is not known.
    """

    cluster: str
    tags: tuple[str, ...]
    claims: tuple[tuple[str, bool], ...]


class Moded(NamedTuple):
    """An operator drains a cluster, or opens it again."""

    cluster: str
    mode: Literal["open", "drained"]


Observation: TypeAlias = Arrived | Wished | Answered | Looked | Found | Revoked | Moded


class SubmitJob(NamedTuple):
    """Submit a job; its intent is among the changes of the same step."""

    cluster: str
    job: str
    attempt: int
    submission: Submission


class CancelJob(NamedTuple):
    """Ask a cluster to cancel a job."""

    cluster: str
    tag: str
    native_id: str


class FindEvidence(NamedTuple):
    """Look for records of ends and claims."""

    cluster: str
    tags: tuple[str, ...]


class RevokeClaims(NamedTuple):
    """Take the claims of jobs that are not to start at this cluster."""

    cluster: str
    tags: tuple[str, ...]


class LookAgain(NamedTuple):
    """Look at a cluster soon: something is not clear there."""

    cluster: str


Action: TypeAlias = SubmitJob | CancelJob | FindEvidence | RevokeClaims | LookAgain


@dataclass(frozen=True, slots=True)
class Step:
    """What follows from a step.

    Attributes
    ----------
    changes : tuple of Record
        To be committed together, before any action is carried out.
    actions : tuple of Action
        To be carried out, in order, once the changes are committed. After a crash they may be lost, and may
        have been carried out: the core finds out which.
    """

    changes: tuple[Record, ...] = ()
    actions: tuple[Action, ...] = ()
