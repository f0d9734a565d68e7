"""Notes: what is remembered of the present run of a job without being kept; a restart finds it out again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from echelon.backends.contract import EndRecord, OwnJob
    from echelon.service.records import ForecastRecord


@dataclass(slots=True)
class Doubt:
    """A job that its cluster does not list as waiting or running any more.

    Attributes
    ----------
    since : float
        When that was first seen, Unix time in seconds, as all times here.
    missed_at : float
        When the last complete look began that did not list it.
    listed : OwnJob, optional
        What the cluster lists of its end.
    is_same : bool
        Whether that is of the number under which the cluster took the job last. An end of another number may
        be that of a copy.
    is_unclaimed : bool
        Whether a copy has ended since the claim was taken before.
    absent_at : float, optional
        When it had been absent from two complete looks.
    """

    since: float
    missed_at: float
    listed: OwnJob | None = None
    is_same: bool = False
    is_unclaimed: bool = False
    absent_at: float | None = None


@dataclass(slots=True)
class Departure:
    """Why a job is to leave its cluster, and where it goes then.

    Attributes
    ----------
    kind : {"moved", "refused", "recalled", "rejected", "failed"}
        It may go anywhere; its cluster will never take it; the controllers want it back; or want it nowhere;
        its cluster has failed it too often before it started.
    why : str
        As a sentence; of a refusal the cluster's message.
    to : str
        The cluster that the controllers have chosen meanwhile; empty: none.
    end : EndRecord, optional
        How its cluster has failed it.
    """

    kind: Literal["moved", "refused", "recalled", "rejected", "failed"]
    why: str
    to: str = ""
    end: EndRecord | None = None


@dataclass(slots=True)
class Notes:
    """Of one run of one job.

    Attributes
    ----------
    doubt : Doubt, optional
        Its cluster does not list it.
    departure : Departure, optional
        It is to leave its cluster.
    claimed_at : float, optional
        When it was known that some copy has its claim, Unix time in seconds.
    forecast : ForecastRecord, optional
        Of its wait, until it has started.
    """

    doubt: Doubt | None = None
    departure: Departure | None = None
    claimed_at: float | None = None
    forecast: ForecastRecord | None = None
