"""ProcessorProfile: which numbered processors are free over future time, and sets of them."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING

from echelon.engine.nodes.placed_profile import REFUSES, PlacedProfile
from echelon.engine.resources.closures import ANYBODY
from echelon.engine.resources.node_set import NodeSet, lowest, node_set, numbers_of
from echelon.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.nodes.numbered_processors import NumberedProcessors
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.closures import Closures
    from echelon.model import Job
    from echelon.model.jobs.columns import IntColumn


class ProcessorSet(Mapping[int, int]):
    """The number of cores, 1, by processor: a `echelon.policies.contract.Where` that costs little to make.

    Parameters
    ----------
    bits : NodeSet
        Its processors, numbered from 0.
    """

    __slots__ = ("bits",)

    def __init__(self, bits: NodeSet) -> None:
        self.bits = bits

    @classmethod
    def of(cls, where: Mapping[int, int]) -> ProcessorSet | None:
        """Return the set with these processors, None if it is not one core of each."""
        if isinstance(where, cls):
            return where
        if any(count != 1 or node < 0 for node, count in where.items()):
            return None
        return cls(node_set([*where]))

    @classmethod
    def lowest(cls, bits: NodeSet, size: int) -> ProcessorSet | None:
        """Return the `size` lowest-numbered of these processors, None if there are fewer."""
        chosen = lowest(bits, size)
        return None if chosen is None else cls(chosen)

    @property
    def numbers(self) -> IntColumn:
        """Its processors, ascending."""
        return numbers_of(self.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers.tolist())

    def __getitem__(self, node: int) -> int:
        if node < 0 or not self.bits >> node & 1:
            raise KeyError(node)
        return 1


class ProcessorProfile(PlacedProfile[ProcessorSet]):
    """Free processors as a step function of time; implements `echelon.engine.resources.resource.Calendar`.

    ``free[i]``, of which there are ``sizes[i]``, are free from ``times[i]`` until ``times[i + 1]``, the last
    ones forever. A job is given the lowest-numbered processors that are free, and open to it, **throughout**
    its planned time.

    Parameters
    ----------
    machine : NumberedProcessors
        The processors.
    cluster, kept
        See `PlacedProfile`.
    """

    __slots__ = ("_idle", "_machine", "free", "sizes")

    def __init__(self, machine: NumberedProcessors, cluster: Cluster, *, kept: bool = False) -> None:
        super().__init__(cluster, kept=kept)
        self._machine = machine
        # Actually idle processors of a scratch copy, without those held in it.
        self._idle = machine.idle
        self.free: list[NodeSet] = [machine.idle]
        self.sizes: list[int] = [machine.free]
        for end, position, job in cluster.holders:
            if end > self.times[-1]:
                self.times.append(end)
                self.free.append(self.free[-1])
                self.sizes.append(self.sizes[-1])
            self.free[-1] |= machine.held[position].bits
            self.sizes[-1] += job.processors

    def earliest_for(self, job: Job) -> float:
        """See `PlacedProfile.earliest_for`.

        Cost: O(segments x segments that the job would meet) at worst, each a step over a set.
        """
        left, now = self._cluster.as_left(job), self._cluster.now
        size, duration, closures = left.processors, left.planned_time, self._machine.closures
        index, start = 0, self.times[0]
        # What is known to be closed to the job at least until `opens`.
        shut, opens = 0, math.inf
        while start < math.inf:
            if free := self._throughout(index, start + duration, size, shut):
                if closures is None:
                    return start
                closed = closures.nodes_closed_to(left, start, start + duration, now)
                if (free & ~closed).bit_count() >= size:
                    return start
                shut, opens = closed, closures.next_opening(left, start, now)
            ends = self.times[index + 1] if index + 1 < len(self.times) else math.inf
            start = min(ends, opens)
            index += start == ends
            if start == opens:
                shut, opens = 0, math.inf
        if closures is None and self.sizes[-1] < size:
            raise PolicyError(
                "placement first-fit", time=self._cluster.now, job_id=job.job_id, broken_rule=REFUSES
            )
        return math.inf

    def _throughout(self, index: int, end: float, size: int, shut: NodeSet) -> NodeSet:
        """Return what is free from a segment until `end`, without `shut`; none if fewer than `size`."""
        # A step over a set costs little, and to count it ten times as much.
        if self.sizes[index] < size:
            return 0
        times, free = self.times, self.free[index]
        if shut and (free := free & ~shut).bit_count() < size:
            return 0
        while (index := index + 1) < len(times) and times[index] < end:
            left = free & self.free[index]
            if left != free and left.bit_count() < size:
                return 0
            free = left
        return free

    def still_starts(self, job: Job, time: float) -> bool:
        """See `PlacedCalendar.still_starts`: what is taken since makes no start before it possible."""
        left, closures = self._cluster.as_left(job), self._machine.closures
        end = time + left.planned_time
        free = self.window(time, end)
        if closures is not None:
            free &= ~closures.nodes_closed_to(left, time, end, self._cluster.now)
        return free.bit_count() >= left.processors

    def place(self, job: Job, start: float) -> ProcessorSet | None:
        """Return the processors of `job` from `start` for its planned time, or None."""
        job, now, closures = self._cluster.as_left(job), self._cluster.now, self._machine.closures
        end = start + job.planned_time
        free = self.window(start, end)
        if closures is not None:
            free &= ~closures.nodes_closed_to(job, start, end, now)
        if start <= now:
            # Between two cycles of one instant, processors can be free as planned but not yet in fact.
            there = free & (self._machine.idle if self._is_kept else self._idle)
            if (where := ProcessorSet.lowest(there, job.processors)) is not None:
                return where
        return ProcessorSet.lowest(free, job.processors)

    def place_beside(self, job: Job, head: Job, start: float) -> ProcessorSet | None:
        """Return where `job` would start now in what `head`, placed at `start`, leaves over; or None."""
        left = self.window(start, start + head.planned_time)
        if (where := self.place(head, start)) is not None:
            left &= ~where.bits
        return self._machine.room_beside(job, self._cluster.now, left)

    def window(self, start: float, end: float) -> NodeSet:
        """Return the processors that are free throughout [start, end)."""
        first = max(bisect_right(self.times, start) - 1, 0)
        free = self.free[first]
        for each in self.free[first + 1 : bisect_left(self.times, end)]:
            free &= each
        return free

    def take_where(self, job: Job, where: ProcessorSet, start: float, end: float) -> None:
        """Occupy these processors in [start, end)."""
        if where.bits and start < end:
            first, last, others = self._cut(start), self._cut(end), ~where.bits
            for index in range(first, last):
                self.free[index] &= others
                self.sizes[index] -= job.processors
            self._join(last)
            self._join(first)

    def give_where(self, job: Job, where: ProcessorSet, start: float, end: float) -> None:
        """Free these processors in [start, end)."""
        if where.bits and start < end:
            first, last = self._cut(start), self._cut(end)
            for index in range(first, last):
                self.free[index] |= where.bits
                self.sizes[index] += job.processors
            self._join(last)
            self._join(first)

    def _is_free(self, where: ProcessorSet, start: float, end: float) -> bool:
        return not where.bits & ~self.window(start, end)

    def _lay_hands_on(self, job: Job, where: ProcessorSet) -> None:
        self._idle &= ~where.bits

    def _open_at(self, index: int, time: float, closures: Closures) -> int:
        closed = closures.nodes_closed_to(ANYBODY, time, math.nextafter(time, math.inf), self._cluster.now)
        return (self.free[index] & ~closed).bit_count()

    def _split(self, index: int) -> None:
        self.free.insert(index, self.free[index - 1])
        self.sizes.insert(index, self.sizes[index - 1])

    def _forget(self, count: int) -> None:
        del self.free[:count], self.sizes[:count]

    def _join(self, index: int) -> None:
        """Drop the boundary at `index` if nothing changes there."""
        if 0 < index < len(self.times) and self.free[index] == self.free[index - 1]:
            del self.times[index], self.free[index], self.sizes[index]
