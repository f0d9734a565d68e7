"""Dispatching: which jobs in the system hold the processors now, and the cost of a switch."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InfeasibleJobError, InputError
from echelon.policies.contract import Decision, Preempt, Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class Dispatching:
    """What all preemptive policies share: the cost of a switch, memory, and filling of idle processors.

    Parameters
    ----------
    switch : float, default 0
        Cost of a context switch, in seconds, >= 0. A job that is given processors, for the first time or
        again, holds them that long before it progresses; a job that keeps running pays nothing.
    memory : {"held", "released"}, default "held"
        Whether a preempted job keeps its memory, so that a new one needs room beside it, or is written out.
    memory_per_processor : float, default inf
        Memory of the machine in KB a processor, > 0, pooled over all its processors. Jobs take what they
        requested, else used, a processor; an unknown amount counts as none.
    fill : bool, default True
        Whether later jobs may take processors for which an earlier job is too large.

    Raises
    ------
    InputError
        If a number is out of its range.
    """

    switch: float = field(default=0.0, metadata={"unit": "s"})
    memory: Literal["held", "released"] = "held"
    memory_per_processor: float = math.inf
    fill: bool = True

    preempts: ClassVar[bool] = True
    looks_ahead: ClassVar[bool] = False

    def __post_init__(self) -> None:
        name = getattr(self, "name", "a preemptive policy")
        if not 0 <= self.switch < math.inf:
            raise InputError(f"must be a time >= 0 in seconds, got {self.switch:g}", field=f"{name}, switch")
        if self.memory not in ("held", "released"):
            raise InputError(f"must be held or released, got {self.memory!r}", field=f"{name}, memory")
        if not self.memory_per_processor > 0:
            raise InputError(
                f"must be > 0, in KB, got {self.memory_per_processor:g}",
                field=f"{name}, memory-per-processor",
            )

    def run_first(self, view: SystemView, key: Callable[[Job], tuple[float, ...]]) -> Iterator[Decision]:
        """Yield the changes after which the jobs of least `key` run, of all in the system.

        Ties in its first number: jobs that run; then its other numbers, submit time and position.
        """
        running = {other.position: other.job for other in view.running}

        def precedence(job: Job) -> tuple[float | bool | list[float], ...]:
            number, *rest = key(job)
            return number, job.position not in running, rest, job.submit_time, job.position

        jobs = sorted([*view.queue, *running.values()], key=precedence)
        yield from self.change(view, self.choose_jobs(view, jobs))

    def choose_jobs(self, view: SystemView, jobs: Iterable[Job]) -> list[Job]:
        """Return the jobs that run: walk `jobs` by precedence and keep each that fits beside those kept.

        A job fits if there is room beside those kept (`SystemView.lineup`) and its memory is left. One that
        lacks memory of the pool is passed over, whatever `fill`: those that hold it must run to give it back.

        Raises
        ------
        InfeasibleJobError
            If a candidate alone needs more memory than the machine has.
        """
        lineup, room = view.lineup(), self._room(view)
        kept = []
        for job in jobs:
            if not lineup.admits(job):
                if self.fill:
                    continue
                break
            need = self._extra_memory(job, view)
            if need <= room:
                kept.append(job)
                lineup.add(job)
                room -= need
                if not lineup.free:
                    break
        return kept

    def change(self, view: SystemView, chosen: Sequence[Job]) -> Iterator[Decision]:
        """Yield the decisions that make exactly `chosen` run: preempt the others, then start waiting jobs."""
        wanted = {job.position for job in chosen}
        running = {other.position for other in view.running}
        yield from [Preempt(other.job) for other in view.running if other.position not in wanted]
        for job in chosen:
            # Under a power cap, room by power may differ by rounding from what it was in the lineup.
            if job.position not in running and view.fits(job):
                yield Start(job, self.switch)

    def _room(self, view: SystemView) -> float:
        """Return the memory not held by jobs that keep theirs whatever is decided, in KB."""
        room = view.processors * self.memory_per_processor
        if self.memory == "released" or math.isinf(room):
            return room
        held = [other.job for other in view.running]
        held += [job for job in view.queue if view.last_start(job) is not None]
        return room - sum(map(total_memory, held))

    def _extra_memory(self, job: Job, view: SystemView) -> float:
        """Return the memory that running `job` would take beyond what it holds already, in KB."""
        if math.isinf(self.memory_per_processor):
            return 0.0
        need, there = total_memory(job), view.processors * self.memory_per_processor
        if need > there:
            raise InfeasibleJobError(
                f"job {job.job_id} needs {need:g} KB on {job.processors} processors, but the machine has "
                f"{there:g} KB ({self.memory_per_processor:g} KB a processor); raise memory-per-processor"
            )
        return 0.0 if self.memory == "held" and view.last_start(job) is not None else need


def total_memory(job: Job) -> float:
    """Return the memory of `job` on all its processors, in KB; 0 if unknown."""
    return max(0.0, job.memory) * job.processors
