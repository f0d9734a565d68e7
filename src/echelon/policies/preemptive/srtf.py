"""Shortest remaining time first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.preemptive.dispatching import Dispatching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.contract import Decision, SystemView


@dataclass(frozen=True, slots=True)
class ShortestRemainingTimeFirst(Dispatching):
    """The jobs with the least planned time left hold the processors.

    At every submission and every end: walk all jobs, waiting and running, by planned time left, and keep each
    that fits beside those kept. The others are preempted. So the first in this order always runs, and with
    `fill` no processor that a job could use is idle, unless memory is short. Ties: running jobs first, which
    avoids needless switches, then submit time, then position.

    Long jobs may starve: while shorter ones keep coming they do not run. See ``max_wait``.

    Parameters
    ----------
    switch : float, default 0
        Cost of a context switch, in seconds, >= 0: a job that gets processors, for the first time or again,
        holds them that long before it progresses. The switch does not count as time left.
    memory : {"held", "released"}, default "held"
        Whether a preempted job keeps its memory, so that a new job needs room beside it, or is written out.
    memory_per_processor : float, default inf
        Memory of the machine in KB a processor, > 0, pooled over all its processors. Jobs take what they
        requested, else used, a processor; an unknown amount counts as none.
    fill : bool, default True
        Whether later jobs may take processors for which an earlier job is too large.

    Raises
    ------
    InputError
        If a number is out of its range.
    InfeasibleJobError
        In a run: if a job alone needs more memory than the machine has.

    Notes
    -----
    With exact planned times, no switch cost and one processor, no schedule has a smaller mean turnaround.

    **Cost**: O(n log n) per scheduling cycle for n jobs in the system.
    **Source**: Schrage, Operations Research 16(3), 1968.
    """

    name: ClassVar[str] = "srtf"
    source: ClassVar[str] = "Schrage, Operations Research 16(3), 1968"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the preemptions and starts of this scheduling cycle."""
        yield from self.run_first(view, lambda job: (view.remaining(job),))
