"""Preemptive priority with aging."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.contract import Decision, Wake
from echelon.policies.order.priorities import NO_PRIORITIES, Priorities
from echelon.policies.order.rule import Order  # noqa: TC001  (the reader of specs needs the field's type)
from echelon.policies.preemptive.dispatching import Dispatching

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView

_FIRST_BATCH_QUEUE = 1


@dataclass(frozen=True, slots=True)
class PreemptivePriority(Dispatching):
    """The jobs of the highest priority hold the processors; waiting jobs gain priority.

    The priority number of a job, the smallest first, is b - a w: b its base, a the `aging`, and w how long
    it has been in the queue since its submission, suspensions included, in seconds. A running job keeps the
    number it has. At every submission, every end and every `review`: walk all jobs, waiting and running, by
    that number, and keep each that fits beside those kept. The others are preempted. Ties: running jobs
    first, then the further parts of the order's key, submit time, position.

    Without aging, jobs of low priority may starve. See ``max_wait``.

    Parameters
    ----------
    order : Order, optional
        The order whose key (its first number) is the base, in the key's unit. Default: 1 - the factor of the
        job's queue in `qos`. Without `qos`, if the log numbers its queues, the number of the queue (0 is the
        interactive queue by convention; an unknown queue counts as 1); if it names them, all jobs have the
        same base.
    aging : float, default 0
        Gain of priority while waiting, in the base's unit a second, >= 0.
    review : float, default 0
        Priorities are also compared at every multiple of this many seconds while jobs wait; greater than
        `switch`, or 0 for submissions and ends only.
    switch : float, default 0
        Cost of a context switch, in seconds, >= 0: a job that gets processors, for the first time or again,
        holds them that long before it progresses.
    memory : {"held", "released"}, default "held"
        Whether a preempted job keeps its memory, so that a new job needs room beside it, or is written out.
    memory_per_processor : float, default inf
        Memory of the machine in KB a processor, > 0, pooled over all its processors. Jobs take what they
        requested, else used, a processor; an unknown amount counts as none.
    fill : bool, default True
        Whether later jobs may take processors for which an earlier job is too large.
    qos : Priorities or mapping of str to float, default empty
        Priorities of queues, from 0 to 1, by the names in the log, or by their numbers where it has no
        names: ``high=1+normal=0.5``. A queue without a priority has 0.

    Raises
    ------
    InputError
        If a number is out of its range.
    InfeasibleJobError
        In a run: if a job alone needs more memory than the machine has.

    Notes
    -----
    If aging were evaluated continuously, two jobs of nearly equal numbers would change places without end,
    since a waiting job gains on a running one. So it is evaluated only at events, or at reviews that are
    further apart than a switch takes; between two reviews every running job makes progress.

    **Cost**: O(n log n) per scheduling cycle for n jobs in the system.
    **Source**: Silberschatz, Galvin and Gagne, Operating System Concepts, chapter on CPU scheduling.
    """

    order: Order | None = None
    aging: float = 0.0
    review: float = field(default=0.0, metadata={"unit": "s"})
    qos: Priorities = NO_PRIORITIES

    name: ClassVar[str] = "preemptive-priority"
    source: ClassVar[str] = "Silberschatz, Galvin and Gagne, Operating System Concepts, 2018"

    def __post_init__(self) -> None:
        Dispatching.__post_init__(self)
        object.__setattr__(self, "qos", Priorities.of(self.qos))
        if not 0 <= self.aging < math.inf:
            raise InputError(f"must be a number >= 0, got {self.aging:g}", field=f"{self.name}, aging")
        if self.review and not self.switch < self.review < math.inf:
            raise InputError(
                f"must be 0, or longer than a switch of {self.switch:g} s, or jobs would be switched without "
                f"progress; got {self.review:g}",
                field=f"{self.name}, review",
            )

    def asked_priorities(self, named: Collection[str]) -> dict[str, Priorities]:
        """Return the priorities of queues; queues without names are identified by their numbers."""
        counts = self.order is None and (self.qos or "queue" in named)
        return {"queue": self.qos} if counts else {}

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the preemptions and starts of this cycle, and the time of the next review."""

        def number(job: Job) -> tuple[float, ...]:
            base, *rest = self._key(job, view)
            return base - self.aging * view.waited(job), *rest

        yield from self.run_first(view, number)
        if self.review and view.queue:
            yield Wake(_next_multiple(view.now, self.review))

    def _key(self, job: Job, view: SystemView) -> tuple[float, ...]:
        if self.order is None:
            names = view.names("queue")
            if self.qos or names:
                return (1.0 - self.qos.factor(job.queue, names),)
            return (float(job.queue if job.queue >= 0 else _FIRST_BATCH_QUEUE),)
        key = self.order(job, view)
        return key if isinstance(key, tuple) else (key,)


def _next_multiple(now: float, step: float) -> float:
    """Return the first multiple of `step` after `now`: all reviews lie on one grid of times."""
    following = (math.floor(now / step) + 1) * step
    return following if following > now else following + step
