"""Round robin: jobs share processors in time, by quanta. Gang scheduling on parallel machines."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.contract import Decision, Wake
from echelon.policies.preemptive.dispatching import Dispatching
from echelon.policies.preemptive.matrix import Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class RoundRobin(Dispatching):
    """Jobs share the machine in time: rows of jobs that fit side by side take turns of one quantum.

    This is an Ousterhout matrix. A new job joins the first row, from the running one on, that has processors
    for it, else a new last row. When its quantum is over, the running row becomes the last row, also behind
    rows of jobs submitted at that instant; a row whose jobs have all ended gives way at once. While no job
    waits, the running row continues, quantum by quantum; if its jobs have all ended, it gives way when the
    next job is submitted. On one processor this is textbook round robin.

    Parameters
    ----------
    quantum : float, default 600
        Turn of a row, in seconds of progress, > 0, in addition to the switch at its beginning.
    switch : float, default 0
        Cost of a context switch, in seconds, >= 0: a job that gets processors, for the first time or again,
        holds them that long before it progresses; a job that keeps running through a change of rows pays
        nothing.
    memory : {"held", "released"}, default "held"
        Whether a suspended job keeps its memory, so that a new job needs room beside it, or is written out.
    memory_per_processor : float, default inf
        Memory of the machine in KB a processor, > 0, pooled over all its processors. Jobs take what they
        requested, else used, a processor; an unknown amount counts as none.
    fill : bool, default True
        Whether jobs of the following rows, in turn, run on processors that the running row leaves idle.

    Raises
    ------
    InputError
        If a number is out of its range.
    InfeasibleJobError
        In a run: if a job alone needs more memory than the machine has.

    Notes
    -----
    Every turn holds a whole quantum of progress whatever the switch costs, so each job that has its memory
    progresses once per round. Jobs do not change rows. Jobs submitted together join in queue order.

    **Cost**: O(n) per scheduling cycle for n jobs in the system; one cycle per quantum.
    **Source**: Ousterhout, "Scheduling techniques for concurrent systems", ICDCS 1982.
    """

    quantum: float = field(default=600.0, metadata={"unit": "s"})

    name: ClassVar[str] = "round-robin"
    source: ClassVar[str] = "Ousterhout, ICDCS 1982"

    def __post_init__(self) -> None:
        Dispatching.__post_init__(self)
        if not 0 < self.quantum < math.inf:
            raise InputError(
                f"must be a time > 0 in seconds, got {self.quantum:g}", field=f"{self.name}, quantum"
            )

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the changes of this cycle, and the time at which the turn of the running row is over."""
        matrix: Matrix = view.notes.setdefault(self.name, Matrix())
        matrix.remove_ended(view)
        matrix.renew(view.now, self.quantum)
        # Jobs in several clusters run without having waited here: they have their processors already.
        for job in (*(other.job for other in view.running), *view.queue):
            matrix.place(job, view.side_by_side)
        if matrix.turn_is_lost or (len(matrix.rows) > 1 and view.now >= matrix.turn_ends):
            self._give_turn(matrix, view)
        yield from self.change(view, self._row(matrix, view))
        if len(matrix.rows) > 1:
            yield Wake(matrix.turn_ends)

    def _give_turn(self, matrix: Matrix, view: SystemView) -> None:
        """Give the turn to the next row of which some job has its memory."""
        matrix.next_turn()
        # At most one round: the jobs that hold the memory are in some row.
        for _ in matrix.rows:
            if first := self.choose_jobs(view, matrix.rows[0]):
                break
            matrix.next_turn()
        running = {other.position for other in view.running}
        paid = any(job.position not in running for job in first)
        matrix.turn_ends = view.now + (self.switch if paid else 0.0) + self.quantum

    def _row(self, matrix: Matrix, view: SystemView) -> list[Job]:
        """Return the jobs that run: the first row, and with `fill` jobs of other rows that fit beside it."""
        rows = matrix.rows if self.fill else matrix.rows[:1]
        return self.choose_jobs(view, chain.from_iterable(rows))
