"""WQR: work queue with replication: idle machines take waiting jobs, then copies of running ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError, UnknownNameError
from echelon.policies.broker.contract import check_decision
from echelon.policies.immediate.contract import Dispatch, any_room, has_room
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.immediate.contract import DispatchDecision, DispatchView

_ORDERS = ("fifo", "random")


@dataclass(frozen=True, slots=True)
class WorkQueueWithReplication:
    """Dispatch waiting jobs to machines with room; when none waits, copies of running jobs.

    The first end counts.

    When one copy of a job ends, the others are canceled. No information on jobs or machines is needed: a job
    on a slow machine soon gets a copy elsewhere.

    Parameters
    ----------
    replicas : int, default 2
        Most concurrent copies of a job, including the first; >= 1. With 1 this is a plain work queue.
    order : {"fifo", "random"}, default "fifo"
        The order of waiting jobs: by submit time and position, or by their random numbers of the stream
        ``"lottery"``.
    decision : float, default 0
        How long a decision takes under ``--decision-time own``, in seconds, finite, >= 0.

    Raises
    ------
    InputError
        If `replicas` or `decision` is out of its range.
    UnknownNameError
        If `order` is neither word.

    Notes
    -----
    A machine has room for a job as long as it then has no more processes than cores. The source leaves open
    which job is replicated and where: here the job with the fewest copies, on ties the one dispatched first,
    at the lowest site with room and without a copy of it. Later jobs may overtake a waiting job that fits
    nowhere; while any job waits, no job is replicated. Ties: the lowest site. Cost: O(jobs x sites) per
    event. Source: Silva, Cirne & Brasileiro, Euro-Par 2003; the benefit of more copies: Cirne et al.,
    Parallel Computing 2007.
    """

    replicas: int = 2
    order: Literal["fifo", "random"] = "fifo"
    decision: float = field(default=0.0, kw_only=True, metadata={"unit": "s"})

    name: ClassVar[str] = "wqr"
    source: ClassVar[str] = "Silva, Cirne & Brasileiro, Euro-Par 2003; Cirne et al., Parallel Computing 2007"
    goes_by: ClassVar[str] = "idle machines"
    dispatches: ClassVar[bool] = True
    immediate: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_decision(self.decision, self.name)
        if not is_whole(self.replicas) or self.replicas < 1:
            raise InputError(
                f"must be a whole number of copies, at least 1, got {self.replicas!r}", field="wqr, replicas"
            )
        if self.order not in _ORDERS:
            raise UnknownNameError("order of wqr", str(self.order), _ORDERS)

    def decide(self, view: DispatchView) -> Iterator[DispatchDecision]:
        """Yield dispatches of waiting jobs, then of copies."""
        if not any_room(view):
            return
        for job in self._queue(view):
            if (site := _first_with_room(view, job)) is not None:
                yield Dispatch(job, site)
                if not any_room(view):
                    return
        while not view.waiting and (copy := self._copy(view)) is not None:
            yield copy

    def _queue(self, view: DispatchView) -> Sequence[Job]:
        if self.order == "fifo":
            return tuple(view.waiting)
        return sorted(view.waiting, key=lambda job: (view.uniform(job, 0), job.position))

    def _copy(self, view: DispatchView) -> Dispatch | None:
        """Return the next copy to run, if any."""
        for job in sorted(view.running, key=lambda job: len(view.replicas(job))):
            if len(view.replicas(job)) >= self.replicas:
                break
            if (site := _first_with_room(view, job)) is not None:
                return Dispatch(job, site)
        return None


def _first_with_room(view: DispatchView, job: Job) -> int | None:
    replicas = view.replicas(job)
    free = (site for site in view.fits(job) if site not in replicas and has_room(view, job, site))
    return next(free, None)
