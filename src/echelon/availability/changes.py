"""Changes: all that changes of a machine during one run, and what becomes of the jobs that it hits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from echelon.errors import InputError, UnknownNameError
from echelon.model.machines.outages import NO_OUTAGES

if TYPE_CHECKING:
    from echelon.availability.checkpoints.checkpoint_rule import CheckpointRule
    from echelon.model.machines.outages import Outages
    from echelon.model.machines.reservations import Reservation

OnFailure: TypeAlias = Literal["requeue", "kill", "slurm"]
ON_FAILURE: tuple[str, ...] = get_args(OnFailure)
"""What becomes of a job that loses a node."""

RequeueOrder: TypeAlias = Literal["keep", "back"]
REQUEUE_ORDERS: tuple[str, ...] = get_args(RequeueOrder)
"""Where a requeued job waits: by its first submission, or as if submitted when it joins again."""

LimitPer: TypeAlias = Literal["attempt", "job"]
LIMITS_PER: tuple[str, ...] = get_args(LimitPer)
"""What the requested time limits: each attempt, or all attempts of a job together."""

Conflict: TypeAlias = Literal["kill", "wait"]
CONFLICTS: tuple[str, ...] = get_args(Conflict)
"""What becomes of a job that runs where maintenance or a reservation begins that it may not use."""

REPAIRS = ("unknown", "known")
"""What schedulers know of the end of a failure, apart from an estimate."""

SLURM_DELAY = 121.0
"""Seconds until a job that Slurm requeues after a failure is eligible: requeue_delay 120, and one."""


@dataclass(frozen=True, slots=True)
class Requeueing:
    """What becomes of a job that loses a node.

    Parameters
    ----------
    on_failure : {"requeue", "kill", "slurm"}, default "requeue"
        It waits again, or is not run again. ``slurm`` requeues as Slurm does: as if submitted now, after
        121 s.
    order : {"keep", "back"}, default "keep"
        Its place in the queue: by its original submit time, or as if submitted when it joins again.
    delay : float, default 0
        Seconds until it joins the queue again.
    most : int, optional
        How often a job is requeued; after that a failure ends it. Default: without limit.

    Raises
    ------
    UnknownNameError, InputError
        If a word is unknown, `delay` is not a finite number >= 0 or `most` is negative.
    """

    on_failure: str = "requeue"
    order: str = "keep"
    delay: float = 0.0
    most: int | None = None

    def __post_init__(self) -> None:
        if self.on_failure not in ON_FAILURE:
            raise UnknownNameError("rule for failures", self.on_failure, ON_FAILURE)
        if self.order not in REQUEUE_ORDERS:
            raise UnknownNameError("order of requeued jobs", self.order, REQUEUE_ORDERS)
        if not 0 <= self.delay < float("inf"):
            raise InputError(f"must be a number >= 0, got {self.delay}", field="requeue-delay")
        if self.most is not None and self.most < 0:
            raise InputError(f"must be at least 0, got {self.most}", field="max-requeues")

    @property
    def effective(self) -> Requeueing:
        """The rule without names of systems: ``slurm`` is ``back`` after `SLURM_DELAY`."""
        if self.on_failure != "slurm":
            return self
        return Requeueing("requeue", "back", self.delay or SLURM_DELAY, self.most)


@dataclass(frozen=True, slots=True)
class Changes:
    """What changes of a machine during one run, all of it known before the run, though not to schedulers.

    Parameters
    ----------
    outages : Outages, default none
        Failures, drains and maintenance.
    reservations : tuple of Reservation, default empty
        Advance reservations, repeats expanded.
    requeueing : Requeueing, default as there
        What becomes of jobs that failures hit.
    repair : "unknown", "known" or float, default "unknown"
        What schedulers know of the end of a failure while it lasts: nothing, the truth, or that it takes so
        many seconds from its start (again so many whenever these have passed).
    conflict : {"kill", "wait"}, default "kill"
        What becomes of a job that runs where maintenance or a reservation begins that it may not use: it is
        killed, or the nodes that it holds join when it ends.
    checkpoint : CheckpointRule, optional
        How jobs write checkpoints, by their nodes; default: they do not, and a requeued job begins again.
    limit_per : {"attempt", "job"}, default "attempt"
        Whether the requested time limits each attempt, or all attempts of a job together.

    Raises
    ------
    UnknownNameError, InputError
        If a word is unknown or an estimate of repairs is not a finite number > 0.
    """

    outages: Outages = NO_OUTAGES
    reservations: tuple[Reservation, ...] = ()
    requeueing: Requeueing = field(default_factory=Requeueing)
    repair: str | float = "unknown"
    conflict: str = "kill"
    checkpoint: CheckpointRule | None = None
    limit_per: str = "attempt"

    def __post_init__(self) -> None:
        if self.conflict not in CONFLICTS:
            raise UnknownNameError("rule for conflicts", self.conflict, CONFLICTS)
        if self.limit_per not in LIMITS_PER:
            raise UnknownNameError("what the requested time limits", self.limit_per, LIMITS_PER)
        if isinstance(self.repair, str):
            if self.repair not in REPAIRS:
                raise UnknownNameError("knowledge of repairs", self.repair, (*REPAIRS, "estimate:S"))
        elif not 0 < self.repair < float("inf"):
            raise InputError(f"must be a number > 0, got {self.repair}", field="repair")

    @property
    def are_any(self) -> bool:
        """Whether the machine ever changes."""
        return bool(len(self.outages) or self.reservations)

    @property
    def change_runs(self) -> bool:
        """Whether the machine ever changes, or jobs write checkpoints."""
        return self.are_any or self.checkpoint is not None


NO_CHANGES = Changes()
"""A machine that is always as it is described."""
