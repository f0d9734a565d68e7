"""FCFS and EASY in plain SimPy: the simulator that a user would otherwise write in an afternoon.

Written as SimPy's own documentation teaches it: one process a job; for FCFS the processors are a
`Container`, whose queue is first come, first served; for EASY one more process schedules. It is no straw
man: it gives the same start for every job as our engines (a test checks it), so it is as careful about
ties as they are. Two things make it so: all processes of jobs are created first, so that arrivals of one
time keep the workload's order; and the scheduler lets every other event of the instant happen before it
decides, with ``timeout(0)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import simpy

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    Steps = Generator[simpy.Event, object, None]


class Job(NamedTuple):
    """A rigid job; times in seconds."""

    number: int
    submit_time: float
    run_time: float
    planned_time: float
    size: int


def fcfs(jobs: Iterable[Job], processors: int) -> dict[int, float]:
    """Return the start time of each job number under FCFS without backfilling."""
    env = simpy.Environment()
    free = simpy.Container(env, capacity=processors, init=processors)
    starts: dict[int, float] = {}

    def life(job: Job) -> Steps:
        yield env.timeout(job.submit_time)
        yield free.get(job.size)
        starts[job.number] = env.now
        yield env.timeout(job.run_time)
        yield free.put(job.size)

    for job in jobs:
        env.process(life(job))
    env.run()
    return starts


def easy(jobs: Iterable[Job], processors: int) -> dict[int, float]:
    """Return the start time of each job number under FCFS with EASY backfilling."""
    return _Easy(jobs, processors).run()


class _Easy:
    def __init__(self, jobs: Iterable[Job], processors: int) -> None:
        self.env = simpy.Environment()
        self.free = processors
        self.waiting: list[Job] = []
        self.running: dict[int, tuple[float, int]] = {}
        self.turn: dict[int, simpy.Event] = {}
        self.changed = self.env.event()
        self.starts: dict[int, float] = {}
        for job in jobs:
            self.env.process(self.life(job))
        self.env.process(self.scheduler())

    def run(self) -> dict[int, float]:
        self.env.run()
        return self.starts

    def life(self, job: Job) -> Steps:
        yield self.env.timeout(job.submit_time)
        self.waiting.append(job)
        self.turn[job.number] = my_turn = self.env.event()
        self.notify()
        yield my_turn
        yield self.env.timeout(job.run_time)
        del self.running[job.number]
        self.free += job.size
        self.notify()

    def notify(self) -> None:
        if not self.changed.triggered:
            self.changed.succeed()

    def scheduler(self) -> Steps:
        while True:
            yield self.changed
            yield self.env.timeout(0)
            self.changed = self.env.event()
            self.decide()

    def decide(self) -> None:
        while self.waiting and self.waiting[0].size <= self.free:
            self.start(self.waiting.pop(0))
        if len(self.waiting) < 2 or not self.free:
            return
        shadow, extra = self.reservation(self.waiting[0].size)
        for job in self.waiting[1:]:
            in_time = self.env.now + job.planned_time <= shadow
            if job.size <= self.free and (in_time or job.size <= extra):
                self.waiting.remove(job)
                self.start(job)
                if not in_time:
                    extra -= job.size

    def reservation(self, size: int) -> tuple[float, int]:
        """Return when `size` processors are planned to be free, and how many more then."""
        free, shadow = self.free, self.env.now
        for end, held in sorted(self.running.values()):
            if free >= size and end > shadow:
                break
            free, shadow = free + held, end
        return shadow, free - size

    def start(self, job: Job) -> None:
        self.free -= job.size
        self.running[job.number] = (self.env.now + job.planned_time, job.size)
        self.starts[job.number] = self.env.now
        self.turn.pop(job.number).succeed()
